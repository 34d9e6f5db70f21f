"""Kernels are compiled in another process while the crowd is made."""

from multiprocessing import active_children
from multiprocessing.process import BaseProcess

import pytest

from spancrew.consensus import consensus_method
from spancrew.core import Chance, IntArray
from spancrew.errors import SpancrewError
from spancrew.feedback import feedback_rule
from spancrew.policies import Random, Standings
from spancrew.simulate import Setting, _compile, compiling_in_background

RULE = feedback_rule("adaptive")
SETTING = Setting(feedback=RULE, consensus=consensus_method("auto"), crew=6, answers=3)


def compilers() -> list[BaseProcess]:
    """Return the processes that compile; joblib keeps some of its own from earlier tests."""
    return [each for each in active_children() if each.name.startswith("SpawnProcess")]


@pytest.fixture
def two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be a core to spare."""
    monkeypatch.setattr("joblib.cpu_count", lambda: 2)


@pytest.mark.usefixtures("two_cores")
def test_nothing_is_started_where_kernels_are_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rehearsal but the first finds them there."""
    monkeypatch.setattr(_compile, "_is_missing", lambda: False)
    with compiling_in_background([SETTING], 8):
        assert compilers() == []


def test_one_core_has_nothing_to_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes would only take turns."""
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)
    monkeypatch.setattr(_compile, "_is_missing", lambda: True)
    with compiling_in_background([SETTING], 8):
        assert compilers() == []


@pytest.mark.usefixtures("two_cores")
def test_the_process_ends_with_what_fails_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crowd that cannot be made leaves nothing running."""
    monkeypatch.setattr(_compile, "_is_missing", lambda: True)
    running = []

    def fail() -> None:
        with compiling_in_background([SETTING], 8):
            running.extend(compilers())
            raise SpancrewError("no sentence has gold")

    with pytest.raises(SpancrewError, match="no sentence has gold"):
        fail()

    assert len(running) == 1
    assert compilers() == []


def test_coins_are_enough_for_a_rehearsal_of_every_step() -> None:
    """A method that learns and a rule that asks one more worker and experts."""
    outcome = _compile.rehearse_coins([SETTING], 8)[0]

    assert outcome.settled.tolist() == [60]
    assert outcome.expert_labels[0] > outcome.warm_up[0]


class Fussy(Random):
    """A policy by others, which cannot do with coins."""

    def select(self, standings: Standings, size: int, chance: Chance) -> IntArray:
        """Fail."""
        del standings, size, chance
        raise ValueError("no coins")


@pytest.mark.usefixtures("two_cores")
def test_a_policy_that_cannot_do_with_coins_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for it beforehand, and what it says of the campaign counts."""
    monkeypatch.setattr(_compile, "_is_missing", lambda: True)
    monkeypatch.setattr(_compile, "_compile", print)
    plain = Setting(Fussy(), crew=6, answers=3)

    with compiling_in_background([SETTING, plain], 8):
        pass

    with pytest.raises(ValueError, match="no coins"):
        _compile.rehearse_coins([plain], 8)
