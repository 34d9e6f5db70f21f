"""Arms and trained cells in a folder, so that an interrupted experiment goes on where it was."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from spancrew.core import Dataset, FloatArray, Ragged
from spancrew.effect._base import Arm
from spancrew.effect._material import TrainingMaterial
from spancrew.errors import SpancrewError
from spancrew.formats import appearing

_MEANING = 2
"""Raised when the same recipe makes something else, so that nothing old is taken for it."""


class TrainedCell(NamedTuple):
    """How one model did after training on one arm with one seed.

    ``tallies`` are counts of every test sentence (sentences x 4), as a metric makes them.
    ``label_f1`` is the exact F1 of the ``examples`` against gold; ``seconds`` are those of a core.
    """

    tallies: FloatArray
    epochs: int
    seconds: float
    examples: int
    answers: int
    experts: int
    label_f1: float


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder with files that are named after all that decides them; None keeps nothing."""

    folder: Path | None
    recipe: str

    @classmethod
    def of(cls, folder: Path | None, material: TrainingMaterial, test: Dataset) -> "Shelf":
        """Open a folder, new or not, for what is made of this material and tested on this test."""
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SpancrewError(
                    f"{folder} cannot be written to ({error.strerror}): name another folder"
                ) from None
        return cls(folder, _recipe(material, test))

    def cell(self, model: str, name: str, seed: int) -> TrainedCell | None:
        """Return a cell that is there; None for a missing or damaged one."""
        path = self._path("cell", [model, name, seed], "json")
        if path is None or not path.is_file():
            return None
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            tallies = np.array(found["tallies"], np.float64)
            return TrainedCell(tallies, *(found[field] for field in TrainedCell._fields[1:]))
        except (ValueError, KeyError, TypeError):
            return None

    def save(self, model: str, name: str, seed: int, cell: TrainedCell) -> None:
        """Keep a cell; its file appears whole or not at all."""
        path = self._path("cell", [model, name, seed], "json")
        if path is None:
            return
        about = {"model": model, "arm": name, "seed": seed}
        record = about | cell._asdict() | {"tallies": cell.tallies.tolist()}
        with appearing(path) as draft:
            draft.write_text(json.dumps(record), encoding="utf-8")

    def arm(self, name: str, seed: int, make: Callable[[], Arm]) -> Arm:
        """Return an arm that is there, or make and keep it: all models are trained on the same."""
        path = self._path("arm", [name, seed], "npz")
        if path is None:
            return make()
        try:
            return _loaded(name, path)
        except (OSError, ValueError, KeyError, BadZipFile):
            made = make()
            with appearing(path) as draft, draft.open("wb") as file:
                np.savez_compressed(
                    file,
                    paid=np.array([made.answers, made.experts]),
                    sentence=made.sentence,
                    worker=made.worker,
                    weight=made.weight,
                    values=made.codes.values,
                    offsets=made.codes.offsets,
                )
            return made

    def _path(self, kind: str, key: list[str | int], ending: str) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(json.dumps([kind, *key, self.recipe]).encode())
        return self.folder / f"{kind}-{digest.hexdigest()[:24]}.{ending}"


def _loaded(name: str, path: Path) -> Arm:
    with np.load(path) as found:
        codes = Ragged(found["values"], found["offsets"])
        answers, experts = found["paid"].tolist()
        columns = (found["sentence"], found["worker"], codes, found["weight"])
        return Arm(name, *columns, answers, experts)


def _recipe(material: TrainingMaterial, test: Dataset) -> str:
    """Return a name for everything that arms and scores follow from."""
    whole = material.whole
    words = [material.stage.name, repr(material.design), whole.labels.names, whole.workers]
    texts = [whole.sentences.texts, test.sentences.texts, _MEANING]
    digest = hashlib.sha256(json.dumps([*words, *texts]).encode("utf-8", "surrogatepass"))
    answers = whole.answers
    for column in (answers.sentence, answers.worker, answers.codes.values, whole.gold.values):
        digest.update(np.ascontiguousarray(column).tobytes())
    digest.update(test.gold.values.tobytes())
    return digest.hexdigest()
