"""Compile the kernels of rehearsals in another process."""

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import joblib
import numpy as np
from numba.core.dispatcher import Dispatcher

from spancrew.consensus import Evidence
from spancrew.core import Answers, Dataset, Ragged
from spancrew.crowds import Bernoulli
from spancrew.simulate._crowd import coins
from spancrew.simulate._outcome import Outcome
from spancrew.simulate._parallel import end_with
from spancrew.simulate._record import add_crews
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import scene_of
from spancrew.simulate._setting import Setting

_SENTENCES = 60
"""Enough for every consensus method to learn and for every rule to decide."""


@contextmanager
def compiling_in_background(settings: Sequence[Setting], workers: int) -> Iterator[None]:
    """Compile what rehearsals of these settings need, in another process while the body runs.

    Compiling takes most of the time of the first rehearsal after an installation. Settings with
    methods that learn need most kernels; where there are some, this process compiles for the
    others when the body is done. Then it waits: processes that compile the same kernels at once
    gain nothing.
    """
    if joblib.cpu_count() < 2 or not _is_missing():
        yield
        return
    learners = tuple(setting for setting in settings if setting.consensus.learns)
    others = [setting for setting in settings if learners and not setting.consensus.learns]
    arguments = (os.getpid(), learners or tuple(settings), workers)
    beside = get_context("spawn").Process(target=_compile, args=arguments, daemon=True)
    beside.start()
    try:
        yield
        if others:
            _rehearse_quietly(others, workers)
        beside.join()
    finally:
        beside.kill()
        beside.join()


def _is_missing() -> bool:
    """Tell whether no rehearsal has left its kernels on disk so far."""
    if not isinstance(add_crews, Dispatcher):
        return False  # NUMBA_DISABLE_JIT is set
    folder = Path(add_crews.stats.cache_path or "")
    return not any(folder.glob(f"*.{add_crews.py_func.__name__}-*.nbi"))


def _compile(parent: int, settings: Sequence[Setting], workers: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    end_with(parent)
    _rehearse_quietly(settings, workers)


def _rehearse_quietly(settings: Sequence[Setting], workers: int) -> None:
    """Rehearse for the sake of compiling; what fails now fails again, and is told then.

    Rules and policies of others may fail on coins alone, which is no reason to stop.
    """
    with suppress(Exception):
        rehearse_coins(settings, workers)


def rehearse_coins(settings: Sequence[Setting], workers: int) -> list[Outcome]:
    """Rehearse each setting once where answers are right or wrong at random.

    The last settings come first: they need kernels that making a crowd does not need, and by the
    time the others come, the process beside this one has compiled what both need. So do methods
    that learn, which is why they learn before there are scores.
    """
    chances = {f"w{k}": 0.5 + 0.4 * k / workers for k in range(workers)}
    tossed = coins(_SENTENCES)
    _learn(settings, tossed)
    scene = scene_of(tossed, Bernoulli(chances))
    return [rehearse(scene, replace(setting, runs=1)) for setting in reversed(settings)]


def _learn(settings: Sequence[Setting], tossed: Dataset) -> None:
    """Let each consensus method learn once, from two who are right in turns."""
    row, who = np.repeat(np.arange(len(tossed)), 2), np.tile([0, 1], len(tossed))
    codes = Ragged((row % 3 != who).astype(tossed.labels.dtype), np.arange(len(row) + 1))
    answers = Answers(row.astype(np.int32), who.astype(np.int32), codes, len(tossed))
    evidence = Evidence.of(replace(tossed, answers=answers, workers=("w0", "w1")), tossed.gold)
    for setting in settings:
        setting.consensus.fit(evidence)
