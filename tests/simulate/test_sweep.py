"""Sweeps give the same outcomes on any number of processes."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import IntArray
from spancrew.errors import SpancrewError
from spancrew.simulate import Cell, Scene, rehearse, sweep
from spancrew.simulate._cell import MOST_RUNS, RunBlock, cut
from spancrew.simulate._parallel import Local, workers_of
from tests.simulate.swept import (
    SETTING,
    UNUSUAL,
    Deadly,
    demo_scene,
    differences,
    scenes,
    traced_cells,
    traced_runs,
)


def test_a_sweep_is_a_rehearsal_of_each_cell_in_order() -> None:
    """In the scene and by the metrics of the cell."""
    outcomes = sweep(scenes(), UNUSUAL, processes=1)

    assert [outcome.setting for outcome in outcomes] == [cell.setting for cell in UNUSUAL]
    for cell, outcome in zip(UNUSUAL, outcomes, strict=True):
        alone = rehearse(scenes()[cell.scene], cell.setting, metrics=cell.metrics)
        assert np.array_equal(outcome.regret, alone.regret)
        assert outcome.final.keys() == set(cell.metrics)
        assert all(np.array_equal(outcome.final[m], alone.final[m]) for m in cell.metrics)


def test_unless_told_there_are_as_many_processes_as_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """In tests, there is one, so that they do not get in each other's way."""
    monkeypatch.setattr("joblib.cpu_count", lambda: 3)
    with workers_of("local", None) as found:
        assert found == Local(3)


def test_two_processes_give_the_same_bits_as_one() -> None:
    """Also where runs end after different steps, and where a cell is cut."""
    cells = [
        *UNUSUAL,
        Cell("small", replace(SETTING, runs=110)),
        Cell("demo", replace(SETTING, crew=8)),
    ]
    every_scene = {**scenes(), "demo": demo_scene()}
    one = sweep(every_scene, cells, processes=1)
    two = sweep(every_scene, cells, processes=2)

    assert [differences(*each) for each in zip(one, two, strict=True)] == [[]] * len(cells)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 200)), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_blocks_cover_every_run_once(gaps: list[tuple[int, int]], slots: int) -> None:
    """In order, and none is too long."""
    whole = [
        RunBlock(place, Cell("small", SETTING), range(first, first + size))
        for place, (first, size) in enumerate(gaps)
    ]
    blocks = cut(whole, slots)

    assert [(b.place, run) for b in blocks for run in b.runs] == [
        (b.place, run) for b in whole for run in b.runs
    ]
    assert all(0 < len(block.runs) <= MOST_RUNS for block in blocks)


@given(st.integers(1, 64), st.integers(64, 500))
def test_one_cell_keeps_all_cores_busy(slots: int, runs: int) -> None:
    """It is cut into as many blocks as there are slots, or more."""
    assert len(cut([RunBlock(0, Cell("small", SETTING), range(runs))], slots)) >= slots


def test_many_cells_are_not_cut() -> None:
    """Runs in lock step are cheaper together."""
    blocks = [RunBlock(k, Cell("small", SETTING), range(10)) for k in range(22)]

    assert cut(blocks, 2) == blocks


def test_nothing_to_rehearse_is_nothing() -> None:
    """An empty sweep gives an empty list."""
    assert sweep(scenes(), []) == []


@pytest.mark.parametrize("processes", [1, 2])
def test_progress_counts_blocks_up_to_the_last(processes: int) -> None:
    """Beginning at none."""
    calls: list[tuple[int, int]] = []
    sweep(scenes(), UNUSUAL, processes=processes, progress=lambda *call: calls.append(call))
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
    probe = Probe(scenes()["small"], np.zeros(20_000_000, np.uint8))
    scene = replace(scenes()["small"], source=probe)  # type: ignore[arg-type]

    assert len(sweep({"small": scene}, [UNUSUAL[0]] * 4, processes=2)) == 4
    with pytest.raises(SpancrewError, match="the scene was copied"):
        sweep({"small": scene}, [UNUSUAL[0]], processes=1)


def test_a_process_that_is_killed_is_reported() -> None:
    """As happens where memory runs out."""
    cell = Cell("small", replace(SETTING, policy=Deadly(os.getpid())))

    with pytest.raises(SpancrewError, match="one of 2 processes was ended from outside"):
        sweep(scenes(), [cell] * 2, processes=2)


def test_an_error_in_a_process_arrives_as_it_is() -> None:
    """With its own type and words."""
    unready = replace(scenes()["small"], source=Probe(scenes()["small"], np.zeros(1)))  # type: ignore[arg-type]

    with pytest.raises(SpancrewError, match=r"^the scene was copied$"):
        sweep({"small": unready}, [UNUSUAL[0]] * 2, processes=2)


def test_a_cell_that_cannot_be_rehearsed_is_refused_before_any_is(tmp_path: Path) -> None:
    """The last one of many."""
    log = tmp_path / "log"
    unfit = Cell("small", replace(SETTING, crew=40))

    with pytest.raises(SpancrewError, match="a crew of 40 cannot be chosen from 9 workers"):
        sweep(scenes(), [*traced_cells(log), unfit], processes=1)
    with pytest.raises(SpancrewError, match="scene 'big' is not there"):
        sweep(scenes(), [*traced_cells(log), Cell("big", SETTING)], processes=1)
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
        sweep(scenes(), UNUSUAL, engine, processes=processes)
