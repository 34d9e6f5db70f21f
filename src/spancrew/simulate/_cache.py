"""Outcomes in a folder, so that an interrupted sweep goes on where it was."""

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np

from spancrew.core import IntArray
from spancrew.errors import SpancrewError
from spancrew.simulate._cell import Cell, RunBlock
from spancrew.simulate._outcome import Outcome
from spancrew.simulate._scene import AnswerTable, Scene

SAMPLE = 50_000
"""Answers that stand for all where they are drawn on demand."""

AT_ONCE = 100_000
"""Answers that are hashed at a time."""

_ABOUT = "about"
_OF_CELL = ("setting", "workers", "sentences")
_BY_METRIC = ("answers", "final")
_ARRAYS = tuple(f.name for f in fields(Outcome) if f.name not in (*_BY_METRIC, *_OF_CELL))
_DAMAGE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)
"""What reading a file that is damaged, or not ours, can raise."""


@dataclass(frozen=True, slots=True)
class OutcomeCache:
    """A folder of outcomes, a file for each block, named after all that determines it."""

    folder: Path
    scenes: Mapping[str, Scene]
    fingerprints: Mapping[str, str]

    @classmethod
    def open(cls, folder: Path, scenes: Mapping[str, Scene]) -> "OutcomeCache":
        """Open a folder, new or not, for outcomes in these scenes."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from None
        return cls(folder, scenes, {name: fingerprint(each) for name, each in scenes.items()})

    def load(self, cell: Cell) -> dict[int, Outcome]:
        """Return the outcomes of a cell that are there, by their first run; no run comes twice."""
        stem = self._stem(cell)
        names = (path.name for path in self.folder.glob(f"{stem}-*.npz"))
        found = filter(None, (re.fullmatch(rf"{stem}-(\d+)-(\d+)\.npz", name) for name in names))
        ranges = [range(int(match[1]), int(match[2])) for match in found]
        parts: dict[int, Outcome] = {}
        reached = 0
        for runs in sorted(ranges, key=lambda runs: (runs.start, -runs.stop)):
            if reached <= runs.start and runs.stop <= cell.setting.runs:
                outcome = self._read(cell, runs)
                if outcome is not None:
                    parts[runs.start], reached = outcome, runs.stop
        return parts

    def save(self, block: RunBlock, outcome: Outcome) -> None:
        """Write an outcome atomically: readers see all of it or nothing."""
        arrays = {name: getattr(outcome, name) for name in _ARRAYS}
        for name in _BY_METRIC:
            for k, metric in enumerate(block.cell.metrics):
                arrays[f"{name}-{k}"] = getattr(outcome, name)[metric]
        arrays[_ABOUT] = np.array(self._about(block.cell, block.runs))
        content = io.BytesIO()
        np.savez(content, **arrays)
        _write(self._path(block.cell, block.runs), content.getbuffer())

    def _about(self, cell: Cell, runs: range | None = None) -> str:
        """Return all that determines an outcome; how many runs are asked for in all does not."""
        setting = described(cell.setting)
        del setting["runs"]
        about = {
            "spancrew": version("spancrew"),
            "scene": self.fingerprints[cell.scene],
            "setting": setting,
            "metrics": described(cell.metrics),
            "runs": None if runs is None else [runs.start, runs.stop],
        }
        return json.dumps(about)

    def _stem(self, cell: Cell) -> str:
        return hashlib.sha256(self._about(cell).encode()).hexdigest()[:32]

    def _path(self, cell: Cell, runs: range) -> Path:
        return self.folder / f"{self._stem(cell)}-{runs.start}-{runs.stop}.npz"

    def _read(self, cell: Cell, runs: range) -> Outcome | None:
        """Return an outcome; None if the file is damaged or of something else."""
        scene = self.scenes[cell.scene]
        columns: dict[str, Any] = {}
        try:
            content = io.BytesIO(self._path(cell, runs).read_bytes())
            with np.load(content, allow_pickle=False) as file:
                if str(file[_ABOUT]) != self._about(cell, runs):
                    return None
                for name in _ARRAYS:
                    columns[name] = file[name]
                for name in _BY_METRIC:
                    columns[name] = {m: file[f"{name}-{k}"] for k, m in enumerate(cell.metrics)}
        except _DAMAGE:
            return None
        outcome = Outcome(cell.setting, scene.workers, len(scene.dataset), **columns)
        return outcome if outcome.runs == len(runs) else None


def _write(path: Path, content: memoryview) -> None:
    """Write a file that is there as a whole or not at all."""
    try:
        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
            try:
                file.write(content)
            except OSError:
                part.unlink()
                raise
        part.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> SpancrewError:
    reason = error.strerror or str(error)
    return SpancrewError(f"{path}: outcomes cannot be kept here ({reason}); take another folder")


def fingerprint(scene: Scene) -> str:
    """Return a digest of gold, answers and scores, the same on every machine.

    Where answers are drawn on demand and are many, a sample of them stands for all.
    """
    digest = hashlib.sha256()

    def add(array: np.ndarray) -> None:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)

    named = [scene.dataset.labels.names, scene.workers, described(scene.metric)]
    digest.update(json.dumps(named).encode())
    gold = scene.dataset.gold
    columns = (scene.lengths, scene.truth, scene.can, scene.activity)
    for array in (gold.values, gold.offsets, *columns):
        if array is not None:
            add(array)
    for sentences, workers in _pairs(scene):
        add(scene.source.answers(sentences, workers).values)
        if isinstance(scene.source, AnswerTable):
            add(scene.source.scores(sentences, workers))
    return digest.hexdigest()


def _pairs(scene: Scene) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield sentences and workers of the answers to hash."""
    width = len(scene.workers)
    known = None if scene.can is None else np.flatnonzero(scene.can)
    count = len(scene.dataset) * width if known is None else len(known)
    hashed = count if isinstance(scene.source, AnswerTable) else min(count, SAMPLE)
    for first in range(0, hashed, AT_ONCE):
        place = np.arange(first, min(first + AT_ONCE, hashed)) * count // hashed
        pair = place if known is None else known[place]
        yield pair // width, pair % width


def described(value: object) -> Any:
    """Return a value as JSON: names, numbers, and dataclasses of such with their class.

    >>> from spancrew.policies import Cucb
    >>> described(Cucb(scale=0.2))
    {'class': 'spancrew.policies._cucb.Cucb', 'scale': 0.2}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [described(each) for each in value]
    if is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        options = {each.name: described(getattr(value, each.name)) for each in fields(value)}
        return {"class": f"{kind.__module__}.{kind.__qualname__}", **options}
    raise SpancrewError(
        f"{value!r} cannot be told apart from others like it, so its outcomes cannot be kept; "
        "make it a dataclass of names and numbers, or keep nothing"
    )
