"""Sentences as rows of the index, and back."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Insert, Table, and_, insert, literal, select

from spancrew.stores import _schema as tables
from spancrew.stores._sentence_fold import SentenceState

_states, _labels = tables.sentence_states, tables.sentence_labels


def blank_rows(campaign: str, mine: ColumnElement[bool]) -> Insert:
    """Return what makes rows for sentences to which nothing has happened."""
    blank = zip(_states.c, state_row(campaign, SentenceState(0)), strict=True)
    values: dict[ColumnElement[Any], ColumnElement[Any]] = {
        column: literal(value) for column, value in blank if value is not None
    }
    values[_states.c.number] = tables.sentences.c.number
    return insert(_states).from_select(list(values), select(*values.values()).where(mine))


def known_state(number: int, gold: str) -> SentenceState:
    """Return a sentence whose labels were known from the beginning."""
    spans = [[*span, 1.0, []] for span in json.loads(gold)]
    return SentenceState(number, "settled", "gold", 1.0, spans=spans)


def those_of(table: Table, campaign: str, numbers: Sequence[int]) -> ColumnElement[bool]:
    """Return what holds for the rows of some sentences."""
    return and_(table.c.campaign == campaign, table.c.number.in_(numbers))


def loaded_states(
    connection: Connection, campaign: str, numbers: Sequence[int]
) -> dict[int, SentenceState]:
    """Return where sentences stand, by number."""
    same = and_(_labels.c.campaign == _states.c.campaign, _labels.c.number == _states.c.number)
    query = select(
        _states.c.number,
        _states.c.state,
        _states.c.by,
        _states.c.confidence,
        _states.c.doubt,
        _states.c.audit,
        _states.c.corrections,
        _labels.c.spans,
        _labels.c.said,
        _states.c.workers,
    )
    mine = those_of(_states, campaign, numbers)
    rows = connection.execute(query.outerjoin(_labels, same).where(mine))
    found = {}
    for row in rows:
        known = dict.fromkeys(int(each) for each in row[9].split())
        longer = json.loads(row[7] or "[]"), json.loads(row[8] or "{}")
        found[row[0]] = SentenceState(*row[:7], *longer, known)
    return found


def state_row(campaign: str, each: SentenceState) -> tuple[Any, ...]:
    """Return the row of a sentence, without what is long."""
    return (
        campaign,
        each.number,
        each.state,
        each.by,
        each.confidence,
        each.doubt,
        int(each.is_disputed),
        each.audit,
        each.corrections,
        _enclosed(each.labels),
        _enclosed(map(str, each.workers)),
    )


def _enclosed(words: Iterable[str]) -> str:
    r"""Return words as one, in which each can be looked for between two line ends.

    >>> _enclosed(["LOC", "PER"])
    '\nLOC\nPER\n'
    """
    return "".join(f"\n{word}" for word in words) + "\n"
