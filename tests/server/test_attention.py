"""Which workers need a look, and why."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import WorkerStanding
from spancrew.server.live.attention import WatchedWorker, concerns_of
from spancrew.server.live.lately import WorkerPicture
from spancrew.server.live.picture import PictureFold
from spancrew.server.live.twins import SharedMistakes
from tests.campaign.test_crew_size import stage_of, weaken

NOW, DAY = 1_000_000.0, 86400.0


def watched(
    number: int,
    *,
    seconds: Iterable[float] = (),
    rewards: Iterable[float] = (),
    seen: float = NOW,
    **known: Any,
) -> WatchedWorker:
    """Return a worker; all that is not said is nothing."""
    usual: dict[str, Any] = dict.fromkeys(WorkerStanding.__match_args__)
    usual |= {"worker": number, "state": "ready", "weak": False}
    lately = WorkerPicture()
    lately.seconds.extend(seconds)
    lately.rewards.extend(rewards)
    return WatchedWorker(WorkerStanding(**(usual | known)), lately, seen)


def crew(*others: WatchedWorker) -> list[WatchedWorker]:
    """Return five steady workers who take ten seconds, and others."""
    return [*(watched(k, seconds=[10.0] * 5) for k in range(5)), *others]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (watched(5, weak=True), ("weak",)),
        (watched(5, seconds=[3.0] * 5), ("fast",)),
        (watched(5, seconds=[3.0] * 4), None),
        (watched(5, seconds=[4.0] * 5), None),
        (watched(5, rewards=[0.9] * 6 + [0.1] * 6), ("falling",)),
        (watched(5, seen=NOW - DAY - 1), ("idle",)),
        (watched(5, seen=NOW - DAY), None),
        (watched(5, seen=NOW - 9 * DAY, weak=True), ("weak", "idle")),
        (watched(5, weak=True, state="paused"), None),
        (watched(5, weak=True, state="banned"), None),
        (watched(5, weak=True, model="tagger"), None),
    ],
)
def test_the_reasons_of_a_worker(other: WatchedWorker, why: tuple[str, ...] | None) -> None:
    """Nobody else has one; what was dealt with already needs no look."""
    found = concerns_of(crew(other), {}, NOW, is_running=True)

    assert found == ({} if why is None else {5: why})


def test_a_campaign_that_does_not_run_has_nobody_idle_and_a_twin_comes_first() -> None:
    """While nothing is handed out, nobody is missed."""
    rows = crew(watched(5, seen=0.0, weak=True))

    assert concerns_of(rows, {5: 2}, NOW, is_running=False) == {5: ("twin", "weak")}


def test_a_few_times_say_nothing_about_speed() -> None:
    """With four workers who were timed, nobody is fast."""
    rows = [watched(k, seconds=[10.0 if k else 1.0] * 9) for k in range(4)]

    assert concerns_of(rows, {}, NOW, is_running=True) == {}


def test_weak_is_who_an_automatic_crew_leaves_out() -> None:
    """The standings say so by the same rule."""
    stage = stage_of(6)
    assert [each.weak for each in stage.campaign.standings()] == [False] * 6
    weaken(stage, 5)

    assert [each.weak for each in stage.campaign.standings()] == [False] * 5 + [True]


def spans(*starts: int) -> frozenset[tuple[int, int, str]]:
    """Return spans of one token each."""
    return frozenset((start, start + 1, "PER") for start in starts)


def test_twins_make_the_same_mistakes_again_and_again() -> None:
    """Being right together means nothing, and neither does erring apart, or rarely."""
    mistakes = SharedMistakes()
    for k in range(12):
        given = {0: spans(k), 1: spans(k), 2: spans(k + 100), 3: spans(50), 4: spans(50)}
        mistakes.settle(given, spans(50))
        assert (mistakes.twins() == {}) == (k < 9)

    assert mistakes.twins() == {0: 1, 1: 0}
    again = SharedMistakes()
    again.resume(mistakes.kept())
    assert (again.twins(), again.kept()) == (mistakes.twins(), mistakes.kept())
    for k in range(6):
        again.settle({0: spans(1), 1: spans(2 + k)}, spans())
    assert again.twins() == {}


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=30))
def test_shared_mistakes_are_counted_from_the_first(rows: list[list[int]]) -> None:
    """Against a recount; 0 is right."""
    mistakes = SharedMistakes()
    counts: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        mistakes.settle({k: spans(each) for k, each in enumerate(row)}, spans(0))
        for one, other in combinations(range(4), 2):
            same = row[one] == row[other]
            if row[one] and row[other] and (same or (one, other) in counts):
                before = counts.setdefault((one, other), [0, 0])
                counts[one, other] = [before[0] + 1, before[1] + same]

    assert sorted(mistakes.kept()) == [[*pair, *each] for pair, each in sorted(counts.items())]


def test_a_picture_goes_on_with_what_it_knew_of_mistakes() -> None:
    """Answers on sentences that are not settled are kept with their spans."""
    fold = PictureFold()
    fold.mistakes.settle({0: spans(1), 1: spans(1)}, spans())
    again = PictureFold()
    again.resume(fold.to_bytes())

    assert again.mistakes.kept() == [[0, 1, 1, 1]]
    assert again.to_bytes() == fold.to_bytes()
