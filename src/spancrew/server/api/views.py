"""From values of the domain to values on the wire."""

from spancrew.campaign import Spans as DomainSpans
from spancrew.campaign import WorkerStanding
from spancrew.core import Sentence, Span
from spancrew.stores import SentenceRow
from spancrew.wire import SpanWire, StandingView, finite


def sentence_of(row: SentenceRow) -> Sentence:
    """Return a sentence without its gold and its provenance."""
    return Sentence(row.id, row.text, row.bounds)


def spans_view(spans: DomainSpans) -> tuple[Span, ...]:
    """Return spans as they go out."""
    return tuple(Span(*each) for each in spans)


def spans_in(spans: list[SpanWire]) -> DomainSpans:
    """Return spans that came in as the domain takes them."""
    return tuple((span.start, span.end, span.label) for span in spans)


def standing_view(found: WorkerStanding) -> StandingView:
    """Return the standing of a worker under their pseudonym."""
    values = {name: getattr(found, name) for name in StandingView.model_fields}
    numbers = ("mean", "low", "high", "by_crowd", "by_expert", "by_gold", "seconds")
    values |= {name: finite(values[name]) for name in numbers}
    return StandingView(**{**values, "worker": f"w{found.worker}"})
