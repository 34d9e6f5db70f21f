"""When a campaign will be done, and whether it keeps to the forecast of its plan."""

import math
from bisect import bisect_right
from typing import Literal, NamedTuple

from spancrew.campaign import Campaign, Expected, Ledger, PlanForecast, Status
from spancrew.server.live.picture import ProgressLine
from spancrew.wire import ComparedView, ExpectedFigure, ForecastComparedView, OutlookView, PaceView

DAY = 86400.0
_MOST_DAYS = 7
"""Days over which a pace is measured, whole ones, as people do not work at night."""
_LEAST_SECONDS = 60.0
_FEW_SETTLED, _FEW_DECIDED = 10, 30
"""Sentences without which nothing is said of the end, and nothing of experts and cost."""
_SIDE = 1.28
"""Standard errors to each side that hold 80 % of a normal distribution."""


class CourseSoFar(NamedTuple):
    """How a campaign stands; ``deciding`` are the sentences that the rule left to experts."""

    status: Status
    ledger: Ledger
    deciding: int
    expert_price: float
    forecast: PlanForecast | None

    @property
    def sentences(self) -> int:
        """Return how many sentences people settle."""
        return self.status.sentences - self.status.by_gold

    @property
    def left(self) -> int:
        """Return how many of them are not settled."""
        return self.status.sentences - self.status.settled

    @property
    def decided(self) -> int:
        """Return about how many the rule has decided."""
        return self.status.by_crowd + self.status.by_expert + self.deciding


def course_of(campaign: Campaign) -> CourseSoFar:
    """Return how a campaign stands."""
    state = campaign.state
    return CourseSoFar(
        campaign.status(),
        campaign.ledger(),
        sum(hand.is_at_expert for hand in state.hand.values()),
        state.plan.prices.expert,
        state.plan.forecast,
    )


class RecentPace(NamedTuple):
    """What was done in the last ``seconds``."""

    seconds: float
    answers: int
    settled: int

    def in_a_day(self, count: int) -> float:
        """Return how many that makes in a day."""
        return count * DAY / self.seconds


def pace_of(progress: ProgressLine, now: float) -> RecentPace | None:
    """Return the pace of the last days; of a campaign that has just begun, since then."""
    age = now - (now if progress.resumed_at is None else progress.resumed_at)
    if age < _LEAST_SECONDS:
        return None
    seconds = age if age < DAY else min(age // DAY, _MOST_DAYS) * DAY
    points = progress.points
    before = bisect_right(points, now - seconds, key=lambda point: point.at) - 1
    first, last = points[max(before, 0)], points[-1]
    return RecentPace(seconds, last.answers - first.answers, last.settled - first.settled)


def outlook_of(progress: ProgressLine, found: CourseSoFar, now: float) -> OutlookView:
    """Return when a campaign will be done, and its forecast beside what happened."""
    phase = found.status.phase
    until = progress.points[-1].at if phase == "finished" else now
    pace = pace_of(progress, until)
    started = progress.started_at
    days = None if started is None else max(until - started, 0.0) / DAY
    rest = _rest(found, pace) if phase != "paused" else None
    return OutlookView(
        started_at=started,
        days=days,
        pace=None if pace is None else _pace_view(pace),
        done_at=now + rest * DAY if phase == "running" and rest is not None else None,
        forecast=None if found.forecast is None else _compared(found, pace, days, rest),
        version=found.status.version,
    )


def _pace_view(pace: RecentPace) -> PaceView:
    return PaceView(
        seconds=pace.seconds,
        answers=pace.in_a_day(pace.answers),
        settled=pace.in_a_day(pace.settled),
    )


def _rest(found: CourseSoFar, pace: RecentPace | None) -> float | None:
    """Return how many days the rest will take; None if that cannot be told."""
    if found.status.phase == "finished" or found.left == 0:
        return 0.0
    if pace is None or pace.settled < _FEW_SETTLED:
        return None
    return found.left / pace.in_a_day(pace.settled)


def _compared(
    found: CourseSoFar, pace: RecentPace | None, days: float | None, rest: float | None
) -> ForecastComparedView:
    assert found.forecast is not None  # noqa: S101  there is one
    forecast = found.forecast.for_sentences(max(found.sentences, 1))
    share, reach = _expert_share(found)
    spent, early = found.ledger.spent, share is None
    by_share = found.sentences * found.expert_price * reach
    return ForecastComparedView(
        cost=_figure(forecast.cost, spent, None if early else found.ledger.forecast, by_share),
        expert_share=_figure(forecast.expert_share, None, share, reach).model_copy(
            update={"so_far": share}
        ),
        days=_days(forecast.days, pace, days, rest),
        f1=_wire(forecast.f1),
        currency=forecast.currency,
    )


def _expert_share(found: CourseSoFar) -> tuple[float | None, float]:
    """Return the share of experts so far, and how far it may be from that of all by chance."""
    decided, sent = found.decided, found.status.by_expert + found.deciding
    if decided < min(_FEW_DECIDED, found.sentences) or decided == 0:
        return None, 0.0
    share = (sent + 1) / (decided + 2)
    unseen = max(1 - decided / found.sentences, 0.0)
    return sent / decided, _SIDE * math.sqrt(share * (1 - share) / decided * unseen)


def _days(
    forecast: Expected, pace: RecentPace | None, days: float | None, rest: float | None
) -> ComparedView:
    """Compare days; the pace of less than a day says too little, as nobody works day and night."""
    if days is None or rest is None or pace is None or (rest and pace.seconds < DAY):
        return _figure(forecast, days, None, 0.0)
    reach = rest * _SIDE / math.sqrt(max(pace.settled, 1))
    return _figure(forecast, days, days + rest, reach)


def _figure(
    forecast: Expected, so_far: float | None, expected: float | None, reach: float
) -> ComparedView:
    place: Literal["below", "within", "above"] | None = None
    if so_far is not None and so_far > forecast.high:
        place = "above"
    elif expected is not None:
        is_above, is_below = expected - reach > forecast.high, expected + reach < forecast.low
        place = "above" if is_above else "below" if is_below else "within"
    return ComparedView(forecast=_wire(forecast), so_far=so_far, expected=expected, place=place)


def _wire(given: Expected) -> ExpectedFigure:
    return ExpectedFigure(**given._asdict())
