"""An index of the sentences of campaigns, so that one in 100,000 is found without a replay.

It follows the journal, some thousand events at a time, and can be made from it anew.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)

from spancrew.stores import _schema as tables
from spancrew.stores._base import EventStore, Recorded, SentenceRow
from spancrew.stores._databases import database_of, reading, writing
from spancrew.stores._rows import CHUNK, chunks, recorded
from spancrew.stores._sentence_fold import SentenceState, fold_into, sentence_in

PAGE = 50
"""Sentences on a page."""

_states, _labels = tables.sentence_states, tables.sentence_labels
_events, _marks = tables.sentence_events, tables.sentence_marks


class SentenceFilter(NamedTuple):
    """Which sentences are wanted; None, "" and False stand for all.

    ``doubt`` are the least errors that were expected, ``text`` is anywhere in the sentence.
    ``is_shown_to_experts`` leaves out what an expert may not see before they have labelled it.
    """

    state: str = ""
    by: str = ""
    label: str = ""
    worker: int | None = None
    text: str = ""
    doubt: float | None = None
    disputed: bool = False
    audit: str = ""
    corrected: bool = False
    is_shown_to_experts: bool = False


class SentencePage(NamedTuple):
    """Some of the sentences that were found, and how many there are in all."""

    found: list[SentenceState]
    total: int


class SentenceIndex:
    """The sentences of all campaigns of a store in a database."""

    def __init__(self, engine: Engine, store: EventStore) -> None:
        self._engine = engine
        self._database = database_of(engine)
        self._store = store

    def catch_up(self, campaign: str) -> None:
        """Take in what the journal has more; the first time that is all of it.

        One chunk is one transaction, so that others can write in between.
        """
        version = self._store.version(campaign)
        with reading(self._engine) as connection:
            at = _mark(connection, campaign)
        if at is None or at > version:
            at = self._begin(campaign, version)
        while at < version:
            at = self._take_some(campaign)

    def page(
        self, campaign: str, wanted: SentenceFilter, page: int, *, by_doubt: bool = False
    ) -> SentencePage:
        """Return a page of the sentences that are wanted, in their order or the doubtful first."""
        those = _wanted(campaign, wanted)
        order = [_states.c.doubt.desc().nulls_last()] if by_doubt else []
        numbers = (
            those.with_only_columns(_states.c.number)
            .order_by(*order, _states.c.number)
            .limit(PAGE)
            .offset(page * PAGE)
        )
        with reading(self._engine) as connection:
            total = connection.execute(those.with_only_columns(func.count())).scalar_one()
            found = connection.execute(numbers).scalars().all()
            states = _loaded(connection, campaign, found)
        return SentencePage([states[number] for number in found], total)

    def sentence(
        self, campaign: str, number: int, most: int
    ) -> tuple[SentenceState | None, list[Recorded]]:
        """Return where a sentence stands, and the last of its events, in order."""
        query = (
            select(*list(tables.journal.c)[1:])
            .join(
                _events,
                and_(
                    tables.journal.c.campaign == _events.c.campaign,
                    tables.journal.c.version == _events.c.version,
                ),
            )
            .where(_events.c.campaign == campaign, _events.c.number == number)
            .order_by(_events.c.version.desc())
            .limit(most)
        )
        with reading(self._engine) as connection:
            states = _loaded(connection, campaign, [number])
            rows = connection.execute(query).all()
        return states.get(number), [recorded(row) for row in reversed(rows)]

    def _begin(self, campaign: str, version: int) -> int:
        """Make a row for every sentence, as it is before the first event; return how far we are.

        Another process may have been quicker, and may be further.
        """
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} sentences")
            at = _mark(connection, campaign)
            if at is not None and at <= version:
                return at
            forget_sentences(connection, campaign)
            rows = enumerate(self._store.sentences(campaign))
            self._write(connection, campaign, (_first(*each) for each in rows))
            connection.execute(insert(_marks).values(campaign=campaign, version=0, open="[]"))
        return 0

    def _take_some(self, campaign: str) -> int:
        """Take in the next chunk of the journal; return how far that is."""
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} sentences")
            row = connection.execute(
                select(_marks.c.version, _marks.c.open).where(_marks.c.campaign == campaign)
            ).one()
            at, open_ = row[0], dict(json.loads(row[1]))
            entries = list(islice(self._store.read(campaign, after=at), CHUNK))
            about = [
                (sentence_in(each.entry.kind, json.loads(each.entry.body), open_), each)
                for each in entries
            ]
            those = {number for number, _ in about if number is not None}
            states = _loaded(connection, campaign, sorted(those))
            versions = []
            for number, each in about:
                if number is not None:
                    fold_into(states.setdefault(number, SentenceState(number)), each)
                    versions.append((campaign, number, each.version))
            self._write(connection, campaign, states.values())
            for chunk in chunks(versions):
                self._database.insert_rows(connection, _events.name, chunk)
            last = entries[-1].version if entries else at
            connection.execute(
                update(_marks)
                .where(_marks.c.campaign == campaign)
                .values(version=last, open=json.dumps(list(open_.items())))
            )
        return last

    def _write(
        self, connection: Connection, campaign: str, states: Iterable[SentenceState]
    ) -> None:
        """Put rows in the place of those that are there."""
        for some in chunks(states):
            numbers = [each.number for each in some]
            for table in (_states, _labels):
                mine = and_(table.c.campaign == campaign, table.c.number.in_(numbers))
                connection.execute(delete(table).where(mine))
            narrow = [_state_row(campaign, each) for each in some]
            self._database.insert_rows(connection, _states.name, narrow)
            wide = [
                (campaign, each.number, json.dumps(each.spans), json.dumps(each.said))
                for each in some
            ]
            self._database.insert_rows(connection, _labels.name, wide)


def _mark(connection: Connection, campaign: str) -> int | None:
    query = select(_marks.c.version).where(_marks.c.campaign == campaign)
    found: int | None = connection.execute(query).scalar()
    return found


def forget_sentences(connection: Connection, campaign: str) -> None:
    """Remove what is known of the sentences of a campaign."""
    for table in (_states, _labels, _events, _marks):
        connection.execute(delete(table).where(table.c.campaign == campaign))


def _first(number: int, row: SentenceRow) -> SentenceState:
    if row.gold is None:
        return SentenceState(number)
    spans = [[*span, 1.0, []] for span in row.gold]
    return SentenceState(number, "settled", "gold", 1.0, spans=spans)


def _state_row(campaign: str, each: SentenceState) -> tuple[Any, ...]:
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


def _loaded(
    connection: Connection, campaign: str, numbers: Sequence[int]
) -> dict[int, SentenceState]:
    mine = and_(_states.c.campaign == campaign, _states.c.number.in_(numbers))
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
    rows = connection.execute(query.join(_labels, same).where(mine))
    found = {}
    for row in rows:
        known = dict.fromkeys(int(each) for each in row[9].split())
        longer = json.loads(row[7]), json.loads(row[8])
        found[row[0]] = SentenceState(*row[:7], *longer, known)
    return found


def _wanted(campaign: str, wanted: SentenceFilter) -> Select[Any]:
    """Return the query for sentences; what it selects is still to be said."""
    c = _states.c
    query = select(c.number).select_from(_states).where(c.campaign == campaign)
    if wanted.text:
        text = tables.sentences.c
        same = and_(text.campaign == c.campaign, text.number == c.number)
        query = query.join(tables.sentences, same)
        query = query.where(text.text.icontains(wanted.text, autoescape=True))
    if wanted.is_shown_to_experts:
        query = query.where(c.state == "settled", c.audit != "drawn")
    return query.where(*_conditions(wanted))


def _conditions(wanted: SentenceFilter) -> list[ColumnElement[bool]]:
    c = _states.c
    told = {
        c.state == wanted.state: bool(wanted.state),
        c.by == wanted.by: bool(wanted.by),
        c.audit == wanted.audit: bool(wanted.audit),
        c.labels.contains(f"\n{wanted.label}\n", autoescape=True): bool(wanted.label),
        c.workers.contains(f"\n{wanted.worker}\n"): wanted.worker is not None,
        c.doubt >= (wanted.doubt or 0.0): wanted.doubt is not None,
        c.disputed == 1: wanted.disputed,
        c.corrections > 0: wanted.corrected,
    }
    return [condition for condition, is_told in told.items() if is_told]
