"""Trained cells in a folder, so that an interrupted experiment goes on where it was."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.effect._base import Arm
from spancrew.errors import SpancrewError
from spancrew.formats import appearing


class Cell(NamedTuple):
    """How one model did after training on one arm with one seed.

    ``tallies`` are counts of every test sentence (sentences x 4), as a metric makes them.
    """

    tallies: FloatArray
    epochs: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder with a file for each cell, named after all that decides it; None keeps nothing."""

    folder: Path | None
    texts: str

    @classmethod
    def of(cls, folder: Path | None, train: Dataset, test: Dataset) -> "Shelf":
        """Open a folder, new or not, for models that are trained and tested on these texts."""
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SpancrewError(
                    f"{folder} cannot be written to ({error.strerror}): name another folder"
                ) from None
        texts = json.dumps([train.sentences.texts, test.sentences.texts, test.labels.names])
        known = hashlib.sha256(texts.encode("utf-8", "surrogatepass"))
        known.update(test.gold.values.tobytes())
        return cls(folder, known.hexdigest())

    def load(self, model: str, arm: Arm, seed: int) -> Cell | None:
        """Return a cell that is there; None for a missing or damaged one."""
        path = self._path(model, arm, seed)
        if path is None or not path.is_file():
            return None
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            tallies = np.array(found["tallies"], np.float64)
            return Cell(tallies, int(found["epochs"]), float(found["seconds"]))
        except (ValueError, KeyError, TypeError):
            return None

    def save(self, model: str, arm: Arm, seed: int, cell: Cell) -> None:
        """Keep a cell; its file appears whole or not at all."""
        path = self._path(model, arm, seed)
        if path is None:
            return
        about = {"model": model, "arm": arm.name, "seed": seed}
        record = about | cell._asdict() | {"tallies": cell.tallies.tolist()}
        with appearing(path) as draft:
            draft.write_text(json.dumps(record), encoding="utf-8")

    def _path(self, model: str, arm: Arm, seed: int) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(json.dumps([model, arm.name, seed, self.texts]).encode())
        for column in (arm.sentence, arm.worker, arm.codes.values, arm.weight):
            digest.update(np.ascontiguousarray(column).tobytes())
        return self.folder / f"{digest.hexdigest()[:24]}.json"
