"""From values of the domain to values on the wire."""

from spancrew.campaign import Doubt, ExpertSheet, Plan, Waiting, WorkerStanding
from spancrew.campaign import Spans as DomainSpans
from spancrew.server._wire import SentenceWire, SpanWire, finite
from spancrew.server._wire_campaigns import StandingView
from spancrew.server._wire_work import DoubtView, GivenView, SheetView, WaitingView
from spancrew.stores import SentenceRow


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
    return WaitingView(reason=found.reason, retry_after=found.retry_after, over=found.over)


def standing_view(found: WorkerStanding) -> StandingView:
    """Return the standing of a worker under their pseudonym."""
    values = {name: getattr(found, name) for name in StandingView.model_fields}
    numbers = ("mean", "low", "high", "by_crowd", "by_expert", "by_gold", "seconds")
    values |= {name: finite(values[name]) for name in numbers}
    return StandingView(**{**values, "worker": f"w{found.worker}"})


def doubt_view(doubt: Doubt, id_: str) -> DoubtView:
    """Return a sentence of the experts' queue."""
    return DoubtView(
        sentence=doubt.sentence,
        id=id_,
        loss=doubt.loss,
        reason=finite(doubt.reason),
        purpose=doubt.purpose,
        since=doubt.since,
        claimed_by=doubt.claimed_by,
    )


def sheet_view(sheet: ExpertSheet, row: SentenceRow, plan: Plan) -> SheetView:
    """Return the sheet of an expert."""
    return SheetView(
        number=sheet.sentence,
        until=sheet.until,
        sentence=sentence_view(row),
        doubt=doubt_view(sheet.doubt, row.id),
        answers=[
            GivenView(worker=f"w{given.worker}", spans=spans_view(given.spans))
            for given in sheet.answers
        ],
        crowd=spans_view(sheet.crowd),
        labels=list(plan.labels),
        kind=plan.kind,
    )
