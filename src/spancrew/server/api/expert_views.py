"""What experts see: sentences of the queue, sheets, and what their word taught."""

import re
from collections.abc import Iterable, Mapping

from spancrew.campaign import Doubt, ExpertSheet, Plan, Taught
from spancrew.feedback import feedback_name
from spancrew.server.api.views import sentence_of, spans_view
from spancrew.stores import SentenceRow
from spancrew.wire import MOST_TEXT, DoubtView, GivenView, SheetView, TaughtView, finite

_WORD = re.compile(r"[^\W\d_]+")

Names = Mapping[int, str | None]
"""The names of workers by their numbers; None where there is none, or it is forgotten."""


def initials(name: str | None, pseudonym: str) -> str:
    """Return the initials of a name, of its first and last word; without a name the pseudonym.

    >>> initials("ana maria da silva", "w3"), initials("王小明", "w4"), initials(None, "w5")
    ('AS', '王', 'w5')
    """
    words = _WORD.findall(name or "")
    ends = [words[0], words[-1]] if len(words) > 1 else words
    return "".join(word[0].upper() for word in ends) or pseudonym


def doubt_view(doubt: Doubt, row: SentenceRow, now: float) -> DoubtView:
    """Return a sentence of the experts' queue."""
    return DoubtView(
        sentence=doubt.sentence,
        id=row.id,
        text=row.text[:MOST_TEXT],
        loss=doubt.loss,
        reason=finite(doubt.reason),
        purpose=doubt.purpose,
        since=doubt.since,
        claimed_by=doubt.claimed_by if doubt.until > now else None,
        agreement=finite(doubt.agreement),
        errors=finite(doubt.errors),
        answers=doubt.answers,
    )


def sheet_view(
    sheet: ExpertSheet, row: SentenceRow, plan: Plan, names: Names, now: float
) -> SheetView:
    """Return the sheet of an expert."""
    return SheetView(
        number=sheet.sentence,
        until=sheet.until,
        sentence=sentence_of(row),
        doubt=doubt_view(sheet.doubt, row, now),
        answers=tuple(
            GivenView(**_who(given.worker, names), spans=spans_view(given.spans))
            for given in sheet.answers
        ),
        crowd=spans_view(sheet.crowd),
        labels=plan.labels,
        kind=plan.kind,
        rule=feedback_name(plan.feedback),
        decides_by=plan.feedback.decides_by,
    )


def taught_view(taught: Iterable[Taught], names: Names) -> tuple[TaughtView, ...]:
    """Return what the word of an expert taught."""
    return tuple(
        TaughtView(
            **_who(each.worker, names),
            reward=finite(each.reward),
            before=finite(each.before),
            after=finite(each.after),
            counted=each.counted,
        )
        for each in taught
    )


def _who(worker: int, names: Names) -> dict[str, str]:
    pseudonym = f"w{worker}"
    return {"worker": pseudonym, "initials": initials(names.get(worker), pseudonym)}
