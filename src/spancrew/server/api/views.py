"""From values of the domain to values on the wire."""

from spancrew import wire
from spancrew.campaign import Plan, Remark
from spancrew.campaign import Spans as DomainSpans
from spancrew.core import Sentence, Span
from spancrew.stores import SentenceRow


def sentence_of(row: SentenceRow) -> Sentence:
    """Return a sentence without its gold and its provenance."""
    return Sentence(row.id, row.text, row.bounds)


def spans_view(spans: DomainSpans) -> tuple[Span, ...]:
    """Return spans as they go out."""
    return tuple(Span(*each) for each in spans)


def legend_view(plan: Plan) -> dict[str, wire.LabelNoteIn]:
    """Return what is said of the labels, by label."""
    return {label: wire.LabelNoteIn(**note.to_json()) for label, note in plan.legend}


def remark_in(body: wire.AnswerIn | wire.ChangeIn) -> Remark:
    """Return what a worker says of their own answer."""
    return Remark(tuple(body.unsure), body.note.strip(), body.flag.strip())


def spans_in(spans: list[wire.SpanWire]) -> DomainSpans:
    """Return spans that came in as the domain takes them."""
    return tuple((span.start, span.end, span.label) for span in spans)
