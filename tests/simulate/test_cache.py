"""Interrupted sweeps go on where they were."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.core import Chance, IntArray, Ragged
from spancrew.crowds import Replay
from spancrew.errors import SpancrewError
from spancrew.feedback import ExpertOnly
from spancrew.metrics import Metric
from spancrew.policies import (
    Cucb,
    Policy,
    Random,
    Standings,
)
from spancrew.simulate import Cell, Setting, scene_of, sweep
from spancrew.simulate._cache import fingerprint
from tests.conftest import ROOT
from tests.processes import launched
from tests.simulate.small import small, small_scene
from tests.simulate.swept import (
    EXACT,
    SETTING,
    UNUSUAL,
    Traced,
    differences,
    scenes,
    traced_cells,
    traced_runs,
)
from tests.waiting import PATIENCE


@pytest.mark.parametrize("cell", UNUSUAL)
def test_how_runs_are_cut_changes_nothing(cell: Cell, tmp_path: Path) -> None:
    """Three runs, then all: the kept ones and the new ones are joined."""
    few = replace(cell, setting=replace(cell.setting, runs=min(3, cell.setting.runs)))
    sweep(scenes(), [few], processes=1, keep=tmp_path)
    [joined] = sweep(scenes(), [cell], processes=1, keep=tmp_path)
    [at_once] = sweep(scenes(), [cell], processes=1)

    assert differences(joined, at_once) == []


def test_what_is_kept_is_not_rehearsed_again(tmp_path: Path) -> None:
    """And is the same."""
    log = tmp_path / "log"
    first = sweep(scenes(), traced_cells(log), processes=1, keep=tmp_path / "kept")
    begun = traced_runs(log)
    log.unlink()
    calls: list[tuple[int, int]] = []
    second = sweep(
        scenes(),
        traced_cells(log),
        keep=tmp_path / "kept",
        progress=lambda *call: calls.append(call),
    )

    assert begun == 8 * 5
    assert traced_runs(log) == 0
    assert calls == []
    assert all(not differences(*pair) for pair in zip(first, second, strict=True))


def test_more_runs_go_on_from_those_that_are_kept(tmp_path: Path) -> None:
    """Whatever the number of processes; fewer runs than kept ones are rehearsed anew."""
    log = tmp_path / "log"
    begun = []
    for runs, processes in ((4, 1), (9, 2), (12, 1), (12, 2), (3, 1)):
        cell = Cell("small", Setting(Traced(str(log)), crew=4, answers=2, runs=runs))
        [outcome] = sweep(scenes(), [cell], processes=processes, keep=tmp_path / "kept")
        begun.append(traced_runs(log))

        assert outcome.runs == runs
        assert differences(outcome, sweep(scenes(), [cell], processes=1)[0]) == []
        log.unlink()

    assert begun == [4, 5, 3, 0, 3]


def _garbage(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 not a zip file")


def _half(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other_arrays(path: Path) -> None:
    np.savez(path, about=np.array("{}"))


def _objects(path: Path) -> None:
    np.savez(path, about=np.array([{}], dtype=object))


def _of_another(path: Path) -> None:
    others = [other for other in path.parent.iterdir() if other != path]
    path.write_bytes(others[0].read_bytes())


@pytest.mark.parametrize(
    "damage",
    [_garbage, _half, _flipped, _empty, _other_arrays, _objects, _of_another],
)
def test_a_damaged_or_foreign_file_is_rehearsed_anew(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    """Quietly, and then it is whole again."""
    log, kept = tmp_path / "log", tmp_path / "kept"
    first = sweep(scenes(), traced_cells(log), processes=1, keep=kept)
    log.unlink()
    damage(min(kept.iterdir()))
    again = sweep(scenes(), traced_cells(log), processes=1, keep=kept)
    begun = traced_runs(log)
    sweep(scenes(), traced_cells(log), processes=1, keep=kept)

    assert begun == 5
    assert traced_runs(log) == begun
    assert all(not differences(*pair) for pair in zip(first, again, strict=True))


def test_whatever_makes_a_difference_has_its_own_file(tmp_path: Path) -> None:
    """Scene, every number of a setting, metrics."""
    every_scene = {
        **scenes(),
        "other": small_scene(seed=5),
        "token": small_scene(metric=Metric("token")),
    }
    changes: list[dict[str, object]] = [
        {"policy": Cucb(0.2)},
        {"policy": Random()},
        {"feedback": ExpertOnly()},
        {"crew": 5},
        {"answers": 3},
        {"seed": 1},
        {"cap": 9},
        {"attendance": 0.9},
        {"delay": 1},
        {"worker_prices": (1.0,) * 9},
    ]
    cells = [
        *(Cell(name, SETTING) for name in every_scene),
        *(Cell("small", replace(SETTING, **change)) for change in changes),  # type: ignore[arg-type]
        Cell("small", SETTING, (EXACT,)),
    ]
    sweep(every_scene, cells, processes=1, keep=tmp_path)

    assert len(list(tmp_path.iterdir())) == len(cells)


def test_a_fingerprint_sees_a_single_answer() -> None:
    """And is the same for the same scene made again."""
    dataset = small()
    given = dataset.answers.codes
    codes = given.values.copy()
    codes[-1] = 0 if codes[-1] else 1
    changed = replace(dataset.answers, codes=Ragged(codes, given.offsets))
    other = scene_of(dataset, Replay(replace(dataset, answers=changed)))

    assert fingerprint(small_scene()) == fingerprint(small_scene())
    assert fingerprint(other) != fingerprint(small_scene())


def test_a_fingerprint_sees_how_active_workers_are() -> None:
    """With attendance as in the pilot, they decide who is there."""
    scene = small_scene()
    active = replace(scene, activity=np.ones(len(scene.workers)))
    others = replace(scene, activity=np.linspace(0.5, 1.0, len(scene.workers)))

    assert len({fingerprint(each) for each in (scene, active, others)}) == 3


class Nameless(Policy):
    """A policy that does not say what it is made of."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return available workers in random order."""
        return Random().select(standings, size, chance)


def test_a_policy_that_cannot_be_told_apart_is_not_kept(tmp_path: Path) -> None:
    """Its address in memory says nothing about its options."""
    cell = Cell("small", replace(SETTING, policy=Nameless()))

    assert len(sweep(scenes(), [cell], processes=1)) == 1
    with pytest.raises(SpancrewError, match="make it a dataclass of names and numbers"):
        sweep(scenes(), [cell], processes=1, keep=tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent to a group of processes")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_sweep_goes_on_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    """Nothing that was kept is rehearsed again, and no process is left behind."""
    log, kept = tmp_path / "log", tmp_path / "kept"
    code = f"from tests.simulate.swept import begin; begin({str(log)!r}, {str(kept)!r})"
    with launched(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("3 "))
        if how is signal.SIGKILL:
            process.kill()
        else:
            os.killpg(process.pid, how)
        # Ends when the last process has closed its output.
        process.communicate(timeout=PATIENCE)
    before = {path: path.stat().st_ino for path in kept.glob("*.npz")}
    log.unlink()
    calls: list[tuple[int, int]] = []
    outcomes = sweep(
        scenes(),
        traced_cells(log),
        processes=1,
        keep=kept,
        progress=lambda *call: calls.append(call),
    )

    assert line == "3 of 8\n"
    assert process.returncode != 0
    assert len(before) == 3
    assert calls[0] == (3, 8)
    assert traced_runs(log) == 5 * 5
    assert {path: path.stat().st_ino for path in before} == before
    whole = sweep(scenes(), traced_cells(log), processes=1)
    assert all(not differences(*pair) for pair in zip(outcomes, whole, strict=True))


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Before anything is rehearsed."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(SpancrewError, match="outcomes cannot be kept here"):
        sweep(scenes(), UNUSUAL, processes=1, keep=tmp_path / "file")
