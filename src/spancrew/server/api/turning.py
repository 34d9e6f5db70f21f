"""Which of two responses a worker sees first: drawn for each assignment, told in the answer."""

import json
from zlib import crc32

from spancrew.campaign import Spans
from spancrew.core import turned_labels
from spancrew.formats import body_of
from spancrew.server.services import Services
from spancrew.stores import SentenceRow

_PAIR = 2


def is_turned(campaign: str, assignment: int, row: SentenceRow, labels: tuple[str, ...]) -> bool:
    """Tell whether a worker sees the second response first.

    It follows from the number of the assignment, so that it is the same in every process and
    after a reload. Only what is a pair can be turned, with labels that can be turned, too.
    """
    draw = crc32(f"{campaign}/{assignment}".encode()) >> 7
    return draw % 2 == 1 and bool(turned_labels(labels)) and turned_row(row) is not None


async def turned_sentence(
    services: Services, campaign: str, assignment: int, worker: int
) -> tuple[str, ...]:
    """Return the labels of a campaign if an assignment was shown turned round, else none."""
    labels = await services.turning(campaign)
    if not labels:
        return ()
    number = await services.desk.look(
        campaign, lambda found: found.sentence_of(assignment, worker)
    )
    if number is None:
        return ()
    row = await services.shown.sentence(campaign, number)
    return labels if is_turned(campaign, assignment, row, labels) else ()


def turned_row(row: SentenceRow) -> SentenceRow | None:
    """Return a pair with its responses in the other order; None for anything else.

    The text has the same length, so that tokens stay where they are.
    """
    if '"responses"' not in row.meta:
        return None
    meta = json.loads(row.meta)
    responses, prompt = meta.get("responses"), meta.get("prompt", "")
    if not isinstance(responses, list) or len(responses) != _PAIR:
        return None
    shown = body_of(prompt, responses)
    if not row.text.startswith(shown) or row.bounds[0][0] < len(shown):
        return None
    return row._replace(text=body_of(prompt, responses[::-1]) + row.text[len(shown) :])


def turned_spans(spans: Spans, labels: tuple[str, ...]) -> Spans:
    """Return what was said of a pair as if it had been shown in the other order."""
    other = turned_labels(labels)
    return tuple((start, end, other.get(label, label)) for start, end, label in spans)
