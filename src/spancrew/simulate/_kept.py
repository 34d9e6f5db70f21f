"""Outcomes in a folder, so that an interrupted sweep goes on where it was."""

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.errors import SpancrewError
from spancrew.simulate._cell import Block, Cell
from spancrew.simulate._fingerprint import described, fingerprint
from spancrew.simulate._outcome import Outcome
from spancrew.simulate._scene import Scene

_ABOUT = "about"
_BY_METRIC = ("answers", "final")
_OF_CELL = ("setting", "workers", "sentences")
_PLAIN = tuple(f.name for f in fields(Outcome) if f.name not in (*_BY_METRIC, *_OF_CELL))
_DAMAGE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error)
"""What reading a file that is damaged, or not ours, can raise."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A folder of outcomes, a file for each block, named after all that determines it."""

    folder: Path
    scenes: Mapping[str, Scene]
    prints: Mapping[str, str]

    @classmethod
    def at(cls, folder: Path, scenes: Mapping[str, Scene]) -> "Kept":
        """Open a folder, new or not, for outcomes in these scenes."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(folder, error) from None
        return cls(folder, scenes, {name: fingerprint(each) for name, each in scenes.items()})

    def found(self, cell: Cell) -> dict[int, Outcome]:
        """Return what is kept of a cell, by its first run; no run comes twice."""
        parts: dict[int, Outcome] = {}
        reached = 0
        for runs in sorted(self._ranges(cell), key=lambda runs: (runs.start, -runs.stop)):
            if runs.start < reached or runs.stop > cell.setting.runs:
                continue
            outcome = self._read(cell, runs)
            if outcome is not None:
                parts[runs.start], reached = outcome, runs.stop
        return parts

    def save(self, block: Block, outcome: Outcome) -> None:
        """Write an outcome; whoever looks sees all of it or nothing."""
        arrays = {name: getattr(outcome, name) for name in _PLAIN}
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
            "scene": self.prints[cell.scene],
            "setting": setting,
            "metrics": described(cell.metrics),
            "runs": None if runs is None else [runs.start, runs.stop],
        }
        return json.dumps(about)

    def _name(self, cell: Cell) -> str:
        return hashlib.sha256(self._about(cell).encode()).hexdigest()[:32]

    def _path(self, cell: Cell, runs: range) -> Path:
        return self.folder / f"{self._name(cell)}-{runs.start}-{runs.stop}.npz"

    def _ranges(self, cell: Cell) -> Iterator[range]:
        """Yield the runs of which there is a file."""
        name = self._name(cell)
        for path in self.folder.glob(f"{name}-*.npz"):
            match = re.fullmatch(rf"{name}-(\d+)-(\d+)\.npz", path.name)
            if match:
                yield range(int(match[1]), int(match[2]))

    def _read(self, cell: Cell, runs: range) -> Outcome | None:
        """Return an outcome; None if the file is damaged or of something else."""
        try:
            content = io.BytesIO(self._path(cell, runs).read_bytes())
            with np.load(content, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            if str(arrays.pop(_ABOUT)) != self._about(cell, runs):
                return None
            outcome = self._outcome(cell, arrays)
        except _DAMAGE:
            return None
        return outcome if outcome.runs == len(runs) else None

    def _outcome(self, cell: Cell, arrays: dict[str, npt.NDArray[Any]]) -> Outcome:
        scene = self.scenes[cell.scene]
        by_metric: dict[str, Any] = {
            name: {metric: arrays[f"{name}-{k}"] for k, metric in enumerate(cell.metrics)}
            for name in _BY_METRIC
        }
        plain: dict[str, Any] = {name: arrays[name] for name in _PLAIN}
        return Outcome(
            setting=cell.setting,
            workers=scene.workers,
            sentences=len(scene.dataset),
            **by_metric,
            **plain,
        )


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
