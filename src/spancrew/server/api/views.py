"""From values of the domain to values on the wire."""

from spancrew.campaign import Spans as DomainSpans
from spancrew.campaign import Waiting, WorkerStanding
from spancrew.stores import SentenceRow
from spancrew.wire import SentenceWire, SpanWire, StandingView, WaitingView, finite


def sentence_view(row: SentenceRow) -> SentenceWire:
    """Return a sentence without its gold and its provenance."""
    return SentenceWire(id=row.id, text=row.text, tokens=list(row.bounds))


def spans_view(spans: DomainSpans) -> list[SpanWire]:
    """Return spans as they go out."""
    return [SpanWire(start=start, end=end, label=label) for start, end, label in spans]


def spans_in(spans: list[SpanWire]) -> DomainSpans:
    """Return spans that came in as the domain takes them."""
    return tuple((span.start, span.end, span.label) for span in spans)


def waiting_view(found: Waiting) -> WaitingView:
    """Return why there is nothing to do."""
    return WaitingView(
        reason=found.reason, retry_after=found.retry_after, over=found.over, code=found.code
    )


def standing_view(found: WorkerStanding) -> StandingView:
    """Return the standing of a worker under their pseudonym."""
    values = {name: getattr(found, name) for name in StandingView.model_fields}
    numbers = ("mean", "low", "high", "by_crowd", "by_expert", "by_gold", "seconds")
    values |= {name: finite(values[name]) for name in numbers}
    return StandingView(**{**values, "worker": f"w{found.worker}"})
