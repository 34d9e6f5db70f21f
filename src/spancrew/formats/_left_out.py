"""Report what a format cannot hold: one repair per kind of thing, with a count."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.errors import Place
from spancrew.formats._base import Repair


def not_written(path: Path, counts: Mapping[str, int]) -> tuple[Repair, ...]:
    """Return a repair for every kind of thing that was left out at least once."""
    place = Place(str(path))
    return tuple(
        Repair("not-written", place, f"{what} ({count})")
        for what, count in counts.items()
        if count
    )


def undeclared(dataset: Dataset) -> dict[str, int]:
    """Count what only a declaration could hold: unused labels, workers without answers."""
    used = np.union1d(dataset.gold.values, dataset.answers.codes.values)
    return {
        "labels that no span uses": len(dataset.labels) - np.count_nonzero(used % 2),
        "workers without answers": len(dataset.workers) - len(np.unique(dataset.answers.worker)),
    }


def circumstances(dataset: Dataset) -> dict[str, int]:
    """Count what is known of answers beside their spans."""
    source = dataset.answers.source
    return {
        "seconds that answers took": _known(dataset.answers.seconds),
        "times at which answers were given": _known(dataset.answers.at),
        "sources of answers": 0 if source is None else int(np.count_nonzero(source >= 0)),
    }


def _known(column: FloatArray | None) -> int:
    return 0 if column is None else int(np.count_nonzero(~np.isnan(column)))
