"""Sweeps on a Dask cluster: a scheduler and two workers, each a process, on loopback."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from spancrew.errors import MissingPackageError, SpancrewError
from spancrew.simulate import Cell, Setting, sweep
from tests.conftest import ROOT
from tests.processes import kill, launch
from tests.simulate.swept import (
    SETTING,
    UNUSUAL,
    Deadly,
    Traced,
    demo_scene,
    differences,
    scenes,
    traced_cells,
    traced_runs,
)
from tests.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.slow

LOOPBACK = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
ONCE = "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"
LOG = "log"


@contextmanager
def running(folder: Path, *words: str, path: Path = ROOT) -> Iterator[None]:
    """Run a command of Dask, with modules from a folder, until the block ends."""
    with (folder / LOG).open("wb") as log:
        process = launch(
            [sys.executable, "-m", "dask", *words, *LOOPBACK],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(path), ONCE: "0"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        yield
        process.terminate()
        process.wait(PATIENCE)
    finally:
        kill(process)


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """Run a scheduler on a free port and yield where it listens."""
    file = folder / "scheduler.json"
    with running(folder, "scheduler", "--port", "0", "--scheduler-file", file.name):
        wait_until(lambda: _is_json(file))
        yield str(json.loads(file.read_text("utf-8"))["address"])


@contextmanager
def worker(folder: Path, where: str, path: Path = ROOT) -> Iterator[None]:
    """Run a worker that has found its scheduler."""
    options = ("--nthreads", "1", "--no-nanny", "--local-directory", ".")
    with running(folder, "worker", where, *options, path=path):
        wait_until(lambda: "Registered to" in (folder / LOG).read_text("utf-8"))
        yield


def _is_json(file: Path) -> bool:
    """Tell whether a file is there and complete."""
    try:
        json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return False
    return True


@pytest.fixture(scope="module")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the engine of a scheduler without workers, which does not try a lost call again."""
    with scheduler(tmp_path_factory.mktemp("lonely")) as where:
        yield where.replace("tcp://", "dask://")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the engine of a cluster with two workers."""
    with ExitStack() as stack:
        where = stack.enter_context(scheduler(tmp_path_factory.mktemp("scheduler")))
        for _ in range(2):
            stack.enter_context(worker(tmp_path_factory.mktemp("worker"), where))
        yield where.replace("tcp://", "dask://")


def test_a_cluster_gives_the_same_bits_as_this_process(engine: str) -> None:
    """In the order of the cells, and also for a cell that is cut."""
    cells = [*UNUSUAL, Cell("demo", Setting(crew=8, answers=2, runs=60))]
    every_scene = {**scenes(), "demo": demo_scene()}
    calls: list[tuple[int, int]] = []
    here = sweep(every_scene, cells, processes=1)
    there = sweep(every_scene, cells, engine, progress=lambda *call: calls.append(call))

    assert [differences(*pair) for pair in zip(here, there, strict=True)] == [[]] * len(cells)
    assert len(calls) == calls[-1][0] + 1 == calls[-1][1] + 1
    assert calls[-1][1] > len(cells)


def test_a_cluster_goes_on_with_what_was_kept_here(engine: str, tmp_path: Path) -> None:
    """And what it did is kept for here."""
    log, kept = tmp_path / "log", tmp_path / "kept"
    cells = traced_cells(log)
    sweep(scenes(), cells[:3], processes=1, keep=kept)
    log.unlink()
    there = sweep(scenes(), cells, engine, keep=kept)
    begun = traced_runs(log)
    log.unlink()
    here = sweep(scenes(), cells, processes=1, keep=kept)

    assert begun == 5 * 5
    assert traced_runs(log) == 0
    assert all(not differences(*pair) for pair in zip(here, there, strict=True))


def test_an_error_on_a_cluster_arrives_as_it_is(engine: str, tmp_path: Path) -> None:
    """With its own type and words; the other cells are given up."""
    nowhere = Traced(str(tmp_path / "no folder" / "log"))

    with pytest.raises(FileNotFoundError, match="no folder"):
        sweep(scenes(), [Cell("small", Setting(nowhere, crew=4, answers=2))], engine)


def test_a_part_that_the_cluster_loses_is_reported(lonely: str, tmp_path: Path) -> None:
    """Instead of waiting for it; here its only worker dies, and no other may try."""
    cell = Cell("small", replace(SETTING, policy=Deadly(os.getpid())))

    with (
        worker(tmp_path, lonely.replace("dask://", "tcp://")),
        pytest.raises(SpancrewError, match=r"lost a part of the sweep \(KilledWorker\)"),
    ):
        sweep(scenes(), [cell], lonely)


def test_a_scheduler_that_does_not_answer_is_reported_soon(
    capfd: pytest.CaptureFixture[str],
) -> None:
    """In one sentence, and nothing else is printed."""
    start = time.monotonic()
    with pytest.raises(SpancrewError) as caught:
        sweep(scenes(), UNUSUAL, "dask://127.0.0.1:9")

    assert str(caught.value) == (
        "no Dask scheduler answers at tcp://127.0.0.1:9 within 5 seconds; check the address, or "
        "start one there with 'dask scheduler'"
    )
    assert time.monotonic() - start < 20
    assert capfd.readouterr() == ("", "")


def test_a_scheduler_without_workers_is_reported_soon(lonely: str) -> None:
    """It would wait for them for ever."""
    with pytest.raises(SpancrewError, match="has no workers; start some with 'dask worker tcp:"):
        sweep(scenes(), UNUSUAL, lonely)


def test_a_worker_with_another_version_is_refused(lonely: str, tmp_path: Path) -> None:
    """Its outcomes might be other ones."""
    about = tmp_path / "spancrew-99.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: spancrew\nVersion: 99.0\n")
    where = lonely.replace("dask://", "tcp://")

    with (
        worker(tmp_path, where, path=tmp_path),
        pytest.raises(SpancrewError, match=r"has spancrew 99\.0, and here it is"),
    ):
        sweep(scenes(), UNUSUAL, lonely)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where spancrew was installed alone."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(MissingPackageError, match=r"pip install spancrew\[cluster\]"):
        sweep(scenes(), UNUSUAL, "dask://127.0.0.1:9")
