"""Sweeps: the same outcomes on any number of processes, and after any interruption."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.feedback import CrowdOnly, ExpertOnly
from spancrew.metrics import Metric
from spancrew.policies import (
    Cucb,
    DifficultyThompson,
    Discounted,
    Learning,
    Random,
    Standings,
    Thompson,
)
from spancrew.simulate import Cell, Scene, Setting, rehearse, sweep
from spancrew.simulate._cell import MOST, Block, cut
from spancrew.simulate._fingerprint import fingerprint
from tests.conftest import ROOT
from tests.simulate.small import small_scene
from tests.simulate.swept import (
    Deadly,
    Traced,
    demo_scene,
    differences,
    traced_cells,
    traced_runs,
)

SETTING = Setting(Cucb(), crew=4, answers=2, runs=7)
EXACT = Metric("exact")
SCENES = {"small": small_scene(), "replay": small_scene(share=0.6)}
UNUSUAL = (
    Cell("small", SETTING),
    Cell("small", replace(SETTING, policy=Thompson(), feedback=CrowdOnly(), seed=3)),
    Cell("small", replace(SETTING, policy=Discounted(0.8), attendance=0.5)),
    Cell("small", replace(SETTING, policy=DifficultyThompson(), cap=8, delay=2)),
    Cell("small", replace(SETTING, worker_prices=tuple(0.1 * k for k in range(1, 10)))),
    Cell("small", replace(SETTING, feedback=ExpertOnly(), runs=1), (EXACT,)),
    Cell("replay", replace(SETTING, attendance=0.8, delay=1)),
)


def test_a_sweep_is_a_rehearsal_of_each_cell_in_order() -> None:
    """In the scene and by the metrics of the cell."""
    outcomes = sweep(SCENES, UNUSUAL, processes=1)

    assert [outcome.setting for outcome in outcomes] == [cell.setting for cell in UNUSUAL]
    for cell, outcome in zip(UNUSUAL, outcomes, strict=True):
        alone = rehearse(SCENES[cell.scene], cell.setting, metrics=cell.metrics)
        assert np.array_equal(outcome.regret, alone.regret)
        assert outcome.final.keys() == set(cell.metrics)
        assert all(np.array_equal(outcome.final[m], alone.final[m]) for m in cell.metrics)


def test_two_processes_give_the_same_bits_as_one() -> None:
    """Also where runs end after different steps, and where a cell is cut."""
    cells = [*UNUSUAL, Cell("demo", Setting(crew=8, answers=2, runs=110))]
    scenes = {**SCENES, "demo": demo_scene()}
    one = sweep(scenes, cells, processes=1)
    two = sweep(scenes, cells, processes=2)

    assert [differences(*each) for each in zip(one, two, strict=True)] == [[]] * len(cells)


@pytest.mark.parametrize("cell", UNUSUAL)
def test_how_runs_are_cut_changes_nothing(cell: Cell, tmp_path: Path) -> None:
    """Three runs, then all: the kept ones and the new ones are joined."""
    few = replace(cell, setting=replace(cell.setting, runs=min(3, cell.setting.runs)))
    sweep(SCENES, [few], processes=1, keep=tmp_path)
    [joined] = sweep(SCENES, [cell], processes=1, keep=tmp_path)
    [at_once] = sweep(SCENES, [cell], processes=1)

    assert differences(joined, at_once) == []


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 200)), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_blocks_cover_every_run_once(gaps: list[tuple[int, int]], slots: int) -> None:
    """In order, and none is too long."""
    whole = [
        Block(place, Cell("small", SETTING), range(first, first + size))
        for place, (first, size) in enumerate(gaps)
    ]
    blocks = cut(whole, slots)

    assert [(b.place, run) for b in blocks for run in b.runs] == [
        (b.place, run) for b in whole for run in b.runs
    ]
    assert all(0 < len(block.runs) <= MOST for block in blocks)


@given(st.integers(1, 64), st.integers(64, 500))
def test_one_cell_keeps_all_cores_busy(slots: int, runs: int) -> None:
    """It is cut into as many blocks as there are slots, or more."""
    assert len(cut([Block(0, Cell("small", SETTING), range(runs))], slots)) >= slots


def test_many_cells_are_not_cut() -> None:
    """Runs in lock step are cheaper together."""
    blocks = [Block(k, Cell("small", SETTING), range(10)) for k in range(22)]

    assert cut(blocks, 2) == blocks


def test_nothing_to_rehearse_is_nothing() -> None:
    """An empty sweep gives an empty list."""
    assert sweep(SCENES, []) == []


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_counts_blocks_up_to_the_last(processes: int) -> None:
    """Beginning at none."""
    calls: list[tuple[int, int]] = []
    sweep(SCENES, UNUSUAL, processes=processes, progress=lambda *call: calls.append(call))
    done, totals = zip(*calls, strict=True)

    assert len(set(totals)) == 1
    assert list(done) == list(range(totals[0] + 1))


@dataclass(frozen=True)
class Probe:
    """Answers of another source, with an array that must not be copied."""

    scene: Scene
    large: np.ndarray

    @property
    def truth(self) -> np.ndarray:
        """Return the mean F1 of every worker."""
        return self.scene.truth

    def answers(self, sentences: IntArray, workers: IntArray) -> object:
        """Refuse to answer where the array is a copy of its own."""
        if not isinstance(self.large, np.memmap):
            raise SpancrewError("the scene was copied")
        return self.scene.source.answers(sentences, workers)

    def scores(self, sentences: IntArray, workers: IntArray) -> np.ndarray:
        """Return the F1 of the same answers."""
        return self.scene.source.scores(sentences, workers)


def test_processes_share_the_arrays_of_a_scene() -> None:
    """Twenty megabytes are not sent with every block."""
    probe = Probe(SCENES["small"], np.zeros(20_000_000, np.uint8))
    scene = replace(SCENES["small"], source=probe)  # type: ignore[arg-type]

    assert len(sweep({"small": scene}, [UNUSUAL[0]] * 4, processes=2)) == 4
    with pytest.raises(SpancrewError, match="the scene was copied"):
        sweep({"small": scene}, [UNUSUAL[0]], processes=1)


def test_what_is_kept_is_not_rehearsed_again(tmp_path: Path) -> None:
    """And is the same."""
    log = tmp_path / "log"
    first = sweep(SCENES, traced_cells(log), processes=1, keep=tmp_path / "kept")
    begun = traced_runs(log)
    log.unlink()
    calls: list[tuple[int, int]] = []
    second = sweep(
        SCENES,
        traced_cells(log),
        keep=tmp_path / "kept",
        progress=lambda *call: calls.append(call),
    )

    assert begun == 8 * 5
    assert traced_runs(log) == 0
    assert calls in ([], [(8, 8)])
    assert all(not differences(*pair) for pair in zip(first, second, strict=True))


def test_more_runs_go_on_from_those_that_are_kept(tmp_path: Path) -> None:
    """Whatever the number of processes; fewer runs than kept ones are rehearsed anew."""
    log = tmp_path / "log"
    begun = []
    for runs, processes in ((4, 1), (9, 2), (12, 1), (12, 2), (3, 1)):
        cell = Cell("small", Setting(Traced(str(log)), crew=4, answers=2, runs=runs))
        [outcome] = sweep(SCENES, [cell], processes=processes, keep=tmp_path / "kept")
        begun.append(traced_runs(log))

        assert outcome.runs == runs
        assert differences(outcome, sweep(SCENES, [cell], processes=1)[0]) == []
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


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [_garbage, _half, _flipped, _empty, _other_arrays, _objects, _of_another],
)
def test_a_damaged_or_foreign_file_is_rehearsed_anew(
    damage: Callable[[Path], None], tmp_path: Path
) -> None:
    """Quietly, and then it is whole again."""
    log, kept = tmp_path / "log", tmp_path / "kept"
    first = sweep(SCENES, traced_cells(log), processes=1, keep=kept)
    log.unlink()
    damage(min(kept.iterdir()))
    again = sweep(SCENES, traced_cells(log), processes=1, keep=kept)
    begun = traced_runs(log)
    sweep(SCENES, traced_cells(log), processes=1, keep=kept)

    assert begun == 5
    assert traced_runs(log) == begun
    assert all(not differences(*pair) for pair in zip(first, again, strict=True))


def test_whatever_makes_a_difference_has_its_own_file(tmp_path: Path) -> None:
    """Scene, every number of a setting, metrics."""
    scenes = {**SCENES, "other": small_scene(seed=5), "token": small_scene(metric=Metric("token"))}
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
        *(Cell(name, SETTING) for name in scenes),
        *(Cell("small", replace(SETTING, **change)) for change in changes),  # type: ignore[arg-type]
        Cell("small", SETTING, (EXACT,)),
    ]
    sweep(scenes, cells, processes=1, keep=tmp_path)

    assert len(list(tmp_path.iterdir())) == len(cells)


def test_a_fingerprint_sees_a_single_answer() -> None:
    """And is the same for the same scene made again."""
    dataset = small_scene().dataset
    codes = dataset.answers.codes.values.copy()
    codes[-1] = 0 if codes[-1] else 1
    changed = replace(
        dataset.answers, codes=type(dataset.gold)(codes, dataset.answers.codes.offsets)
    )
    from spancrew.crowds import Replay
    from spancrew.simulate import scene_of

    other = scene_of(dataset, Replay(replace(dataset, answers=changed)))

    assert fingerprint(small_scene()) == fingerprint(small_scene())
    assert fingerprint(other) != fingerprint(small_scene())


class Nameless:
    """A policy that does not say what it is made of."""

    @property
    def learning(self) -> Learning:
        """Return that nothing special is kept."""
        return Learning()

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Return available workers in random order."""
        return Random().select(standings, size, chance)


def test_a_policy_that_cannot_be_told_apart_is_not_kept(tmp_path: Path) -> None:
    """Its address in memory says nothing about its options."""
    cell = Cell("small", replace(SETTING, policy=Nameless()))

    assert len(sweep(SCENES, [cell], processes=1)) == 1
    with pytest.raises(SpancrewError, match="make it a dataclass of names and numbers"):
        sweep(SCENES, [cell], processes=1, keep=tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent to a group of processes")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_sweep_goes_on_where_it_was(how: signal.Signals, tmp_path: Path) -> None:
    """Nothing that was kept is rehearsed again, and no process is left behind."""
    log, kept = tmp_path / "log", tmp_path / "kept"
    code = f"from tests.simulate.swept import begin; begin({str(log)!r}, {str(kept)!r})"
    with subprocess.Popen(  # noqa: S603  our own code
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("3 "))
        if how is signal.SIGKILL:
            process.kill()
        else:
            os.killpg(process.pid, how)
        # Ends when the last process has closed its output.
        process.communicate(timeout=60)
    before = {path: path.stat().st_ino for path in kept.glob("*.npz")}
    log.unlink()
    calls: list[tuple[int, int]] = []
    scenes = {"small": SCENES["small"]}
    outcomes = sweep(
        scenes,
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
    whole = sweep(scenes, traced_cells(log), processes=1)
    assert all(not differences(*pair) for pair in zip(outcomes, whole, strict=True))


def test_a_process_that_is_killed_is_reported() -> None:
    """As happens where memory runs out."""
    cell = Cell("small", replace(SETTING, policy=Deadly(os.getpid())))

    with pytest.raises(SpancrewError, match="one of 2 processes was ended from outside"):
        sweep(SCENES, [cell] * 2, processes=2)


def test_an_error_in_a_process_arrives_as_it_is() -> None:
    """With its own type and words."""
    unready = replace(SCENES["small"], source=Probe(SCENES["small"], np.zeros(1)))  # type: ignore[arg-type]

    with pytest.raises(SpancrewError, match=r"^the scene was copied$"):
        sweep({"small": unready}, [UNUSUAL[0]] * 2, processes=2)


def test_a_cell_that_cannot_be_rehearsed_is_refused_before_any_is(tmp_path: Path) -> None:
    """The last one of many."""
    log = tmp_path / "log"
    unfit = Cell("small", replace(SETTING, crew=40))

    with pytest.raises(SpancrewError, match="a crew of 40 cannot be chosen from 9 workers"):
        sweep(SCENES, [*traced_cells(log), unfit], processes=1)
    with pytest.raises(SpancrewError, match="scene 'big' is not there"):
        sweep(SCENES, [*traced_cells(log), Cell("big", SETTING)], processes=1)
    assert traced_runs(log) == 0


@pytest.mark.parametrize(
    ("engine", "processes", "message"),
    [
        ("ray://head:10001", None, "engine 'ray://head:10001' is not known; take local or dask"),
        ("", None, "engine '' is not known"),
        ("local", 0, "0 processes cannot do anything"),
        ("dask://head", None, "does not name a scheduler: dask://HOST:PORT"),
        ("dask://:8786", None, "does not name a scheduler"),
        ("dask://head:port", None, "does not name a scheduler"),
        ("dask://head:99999", None, "does not name a scheduler"),
        ("dask://head:8786/path", None, "does not name a scheduler"),
        ("dask://me@head:8786", None, "does not name a scheduler"),
        ("dask://head:8786", 2, "2 processes are for the engine local"),
    ],
)
def test_an_engine_that_makes_no_sense_is_refused(
    engine: str, processes: int | None, message: str
) -> None:
    """In one sentence."""
    with pytest.raises(SpancrewError, match=message):
        sweep(SCENES, UNUSUAL, engine, processes=processes)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Before anything is rehearsed."""
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(SpancrewError, match="outcomes cannot be kept here"):
        sweep(SCENES, UNUSUAL, processes=1, keep=tmp_path / "file")
