"""Hugging Face data sets as saved to disk: columns of tokens, tags and answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spancrew.core import Dataset
from spancrew.errors import FormatError, Place
from spancrew.formats._base import Reading, ReadOptions, Repair, package
from spancrew.formats._huggingface_columns import columns, features, layout_of
from spancrew.formats._huggingface_rows import RowsReader
from spancrew.formats._intake import Intake
from spancrew.formats._soft import FIELD, SoftLabels


class HuggingFace:
    """A folder as made by ``save_to_disk`` of the package datasets.

    Written columns: ``id``, ``text``, ``tokens``, ``starts`` (of tokens, in code points),
    ``tags`` (null where gold is not known), ``meta`` (JSON), ``answers``, each with ``worker``,
    ``tags``, ``seconds``, ``at`` and ``source``, and if there are final labels ``final`` with
    their ``tags``, ``by``, ``confidence``, ``answers`` and, span by span, ``spans``. To read,
    ``tokens`` is enough; tags may also be called ``ner_tags``. Splits are joined and kept as
    ``meta["split"]``.
    """

    name = "huggingface"
    suffixes = (".hf",)
    finals = "own"

    def recognises(self, path: Path, head: str) -> bool:  # noqa: ARG002  it is a folder
        """Tell whether the folder has the files that ``save_to_disk`` leaves."""
        if not path.is_dir():
            return False
        one = all((path / name).is_file() for name in ("dataset_info.json", "state.json"))
        return one or (path / "dataset_dict.json").is_file()

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read the rows of all splits."""
        place = Place(str(path))
        intake = Intake(options)
        splits = _splits(path, place)
        prefixed = _ids_repeat(splits)
        if prefixed:
            what = "ids repeat between splits; the name of the split was put before each"
            intake.repair("id", place, what)
        for number, (split, table) in enumerate(splits.items()):
            where = Place(f"{path}, split {split}") if split else place
            rows = RowsReader(table, layout_of(table, options.labels, where), intake, where)
            if number == 0:
                rows.declare()
            rows.take(f"{split}-" if prefixed else "", split)
        return intake.finish(place)

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write one table; nothing is left out."""
        return self.write_soft(dataset, path, None)

    def write_soft(
        self, dataset: Dataset, path: Path, soft: SoftLabels | None
    ) -> tuple[Repair, ...]:
        """Write one more column: a probability for each token and tag, tags as in ``tags``."""
        datasets = package("datasets", self.name)
        cells, types = columns(dataset), features(dataset, datasets)
        if soft is not None:
            cells[FIELD] = [soft.of_sentence(k) for k in range(len(dataset))]
            types[FIELD] = [[datasets.Value("float32")]]
        with _quiet(datasets):
            table = datasets.Dataset.from_dict(cells, features=types)
            table.save_to_disk(str(path))
        return ()


_UNREADABLE = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What datasets raises on files that are not its own."""


def _splits(path: Path, place: Place) -> dict[str, Any]:
    """Return the tables by the name of their split; a lone table has the name ''."""
    datasets = package("datasets", HuggingFace.name)
    try:
        with _quiet(datasets):
            found = datasets.load_from_disk(str(path))
    except _UNREADABLE as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise FormatError.expected(
            place, f"a folder that datasets cannot read ({reason})", "one made by save_to_disk"
        ) from None
    return dict(found) if isinstance(found, datasets.DatasetDict) else {"": found}


@contextmanager
def _quiet(datasets: Any) -> Iterator[None]:
    """Keep progress bars off standard error."""
    were_off = datasets.are_progress_bars_disabled()
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        if not were_off:
            datasets.enable_progress_bars()


def _ids_repeat(splits: dict[str, Any]) -> bool:
    ids = [id_ for table in splits.values() for id_ in _ids(table)]
    return len(splits) > 1 and len(set(ids)) < len(ids)


def _ids(table: Any) -> list[str]:
    """Return ids as given, or the numbers that rows without ids get."""
    if "id" in table.column_names:
        return [str(id_) for id_ in table["id"]]
    return [str(number) for number in range(1, len(table) + 1)]
