"""A journal in which an expert had said something else at once, and what must then be the same."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace

import numpy as np

from spancrew.campaign import (
    Answered,
    Audited,
    Campaign,
    Corrected,
    Event,
    ExpertAnswered,
    FinalLabel,
    Material,
    Plan,
    Reanswered,
    Scored,
    Settled,
    Spans,
)
from spancrew.core import Ragged, Span, encode


def as_if_said_at_once(
    plan: Plan, material: Material, events: Sequence[Event], sentence: int, spans: Spans
) -> Iterator[Event]:
    """Yield the events of a campaign in which an expert never made the mistake.

    What others were asked and paid in between is as it was.
    """
    answers: dict[int, Spans] = {}

    def f1(worker: int) -> float:
        length = int(material.lengths[sentence])
        given, truth = (
            Ragged(
                encode((Span(*each) for each in those), length, material.labels),
                np.array([0, length]),
            )
            for those in (answers[worker], spans)
        )
        return float(plan.metric.pairs(given, truth, gold_rows=np.zeros(1, np.int64))[0, 2])

    for event in events:
        if getattr(event, "sentence", None) != sentence:
            yield event
        elif not isinstance(event, Corrected):
            if isinstance(event, Answered | Reanswered):
                answers[event.worker] = event.spans
            yield _said(event, spans, answers, f1)


def _said(
    event: Event, spans: Spans, answers: dict[int, Spans], f1: Callable[[int], float]
) -> Event:
    match event:
        case ExpertAnswered() | Audited():
            return replace(event, spans=spans)
        case Scored():
            return replace(event, reward=f1(event.worker))
        case Settled(by="expert"):
            workers = [worker for worker, _ in event.rewards]
            return replace(
                event,
                labels=tuple(
                    FinalLabel(*span, 1.0, tuple(w for w in workers if span in answers[w]))
                    for span in spans
                ),
                rewards=tuple((w, None if old is None else f1(w)) for w, old in event.rewards),
            )
        case _:
            return event


def everything(campaign: Campaign, *, fits: bool = True) -> dict[str, object]:
    """Return all that decisions and figures come from, apart from who said what when.

    Without ``fits`` nothing is learned for it.
    """
    state = campaign.state
    standings, difficulty = state.standings, state.standings.difficulty
    sums = ("count", "total", "squares", "pending", "time", "price")
    found: dict[str, object] = {
        **{name: getattr(standings, name).tobytes() for name in sums},
        **{f"doubts.{name}": each.tobytes() for name, each in state.doubts._asdict().items()},
        **{f"log.{name}": getattr(state.log, name).all.tobytes() for name in _LOG},
        **{f"stated.{name}": getattr(state.stated, name).all.tobytes() for name in _STATED},
        "money": asdict(state.money),
        "tally": asdict(state.tally),
        "workers": campaign.standings(),
        "rewards": [worker.rewards for worker in state.workers],
        "ledger": campaign.ledger(),
        "said": {each: codes.tolist() for each, codes in state.experts_say.items()},
        "shown": state.shown,
        "status": replace(campaign.status(), version=0),
    }
    if fits:
        found |= {"revised": campaign.revised(), "certificate": campaign.certificate()}
    if difficulty is not None:
        found |= {
            f"difficulty.{name}": getattr(difficulty, name).tobytes()
            for name in ("weight", "total", "parts")
        }
    return found


_LOG = (
    "sentence",
    "size",
    "known",
    "by_crowd",
    "weight",
    "worker",
    "reward",
    "codes",
    "labels",
    "what",
)
_STATED = ("sentence", "expected", "errors", "codes", "chance")
