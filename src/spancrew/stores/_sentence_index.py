"""An index of the sentences of campaigns, so that one in 100,000 is found without a replay.

It follows the journal, some thousand events at a time, and can be made from it anew.
"""

import json
from collections import defaultdict
from collections.abc import Iterable
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
from spancrew.stores._base import EventStore, Recorded
from spancrew.stores._databases import database_of, reading, writing
from spancrew.stores._rows import CHUNK, chunks, recorded
from spancrew.stores._sentence_fold import SentenceState, fold_into, sentence_in
from spancrew.stores._sentence_rows import (
    blank_rows,
    known_state,
    loaded_states,
    state_row,
    those_of,
)

PAGE = 50
"""Sentences on a page."""

ADDED = 20_000
"""Sentences that get their row at a time."""

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
    numbers: tuple[int, ...] = ()


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
        at = self._marked(campaign, version)
        while self._add_sentences(campaign):
            pass
        while at < version and (entries := self._after(campaign, at, version)):
            at = self._take(campaign, at, entries)

    def marked(self, campaign: str) -> int:
        """Return up to which event of a journal the index goes."""
        with reading(self._engine) as connection:
            return _mark(connection, campaign) or 0

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
            states = loaded_states(connection, campaign, found)
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
            states = loaded_states(connection, campaign, [number])
            rows = connection.execute(query).all()
        return states.get(number), [recorded(row) for row in reversed(rows)]

    def _marked(self, campaign: str, version: int) -> int:
        """Return how far we are; begin anew if the journal is shorter than that."""
        with reading(self._engine) as connection:
            at = _mark(connection, campaign)
        if at is not None and at <= version:
            return at
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} sentences")
            at = _mark(connection, campaign)
            if at is None or at > version:
                forget_sentences(connection, campaign)
                connection.execute(insert(_marks).values(campaign=campaign, version=0, open="[]"))
                return 0
        return at

    def _add_sentences(self, campaign: str) -> bool:
        """Make rows for the next sentences that have none, as they are before the first event.

        The database makes nearly all of them: a server has no time to read 100,000 texts.
        """
        texts = tables.sentences.c
        with reading(self._engine) as connection:
            if _last(connection, texts, campaign) <= _last(connection, _states.c, campaign):
                return False
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} sentences")
            first = _last(connection, _states.c, campaign) + 1
            some = texts.number.between(first, first + ADDED - 1)
            mine = and_(texts.campaign == campaign, some)
            connection.execute(blank_rows(campaign, and_(mine, texts.gold.is_(None))))
            gold = connection.execute(
                select(texts.number, texts.gold).where(mine, texts.gold.is_not(None))
            )
            self._write(connection, campaign, (known_state(*row) for row in gold.all()))
        return True

    def _after(self, campaign: str, at: int, last: int) -> list[Recorded]:
        """Return the next chunk of the journal, up to a version.

        Events after it may be about sentences that were added since, and have no rows yet.
        """
        return list(islice(self._store.read(campaign, after=at), min(CHUNK, last - at)))

    def _take(self, campaign: str, at: int, entries: list[Recorded]) -> int:
        """Take in a chunk of the journal; return how far we are then.

        All is read before the others have to wait for us, and dropped if somebody was quicker.
        """
        with reading(self._engine) as connection:
            open_ = dict(json.loads(_open(connection, campaign)))
            about = _by_sentence(entries, open_)
            states = loaded_states(connection, campaign, sorted(about))
        for number, events in about.items():
            state = states.setdefault(number, SentenceState(number))
            for kind, body, _ in events:
                fold_into(state, kind, body)
        versions = [(campaign, n, at_) for n, events in about.items() for *_, at_ in events]
        last = entries[-1].version
        with writing(self._engine) as connection:
            self._database.lock(connection, f"{campaign} sentences")
            now = _mark(connection, campaign)
            if now != at:
                return last if now is None else now
            self._write(connection, campaign, states.values())
            for chunk in chunks(versions):
                self._database.insert_rows(connection, _events.name, chunk)
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
                connection.execute(delete(table).where(those_of(table, campaign, numbers)))
            narrow = [state_row(campaign, each) for each in some]
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


def _open(connection: Connection, campaign: str) -> str:
    """Return the assignments that nobody had answered when the index was last kept up."""
    query = select(_marks.c.open).where(_marks.c.campaign == campaign)
    found: str = connection.execute(query).scalar() or "[]"
    return found


def _last(connection: Connection, columns: Any, campaign: str) -> int:
    """Return the number of the last sentence that a table has of a campaign; -1 if none."""
    query = select(func.max(columns.number)).where(columns.campaign == campaign)
    found: int | None = connection.execute(query).scalar()
    return -1 if found is None else found


def _by_sentence(
    entries: Iterable[Recorded], open_: dict[int, int]
) -> dict[int, list[tuple[str, Any, int]]]:
    """Return kind, body and version of the events of each sentence, in order."""
    about: dict[int, list[tuple[str, Any, int]]] = defaultdict(list)
    for version, entry in entries:
        body = json.loads(entry.body)
        number = sentence_in(entry.kind, body, open_)
        if number is not None:
            about[number].append((entry.kind, body, version))
    return about


def forget_sentences(connection: Connection, campaign: str) -> None:
    """Remove what is known of the sentences of a campaign."""
    for table in (_states, _labels, _events, _marks):
        connection.execute(delete(table).where(table.c.campaign == campaign))


def _wanted(campaign: str, wanted: SentenceFilter) -> Select[Any]:
    """Return the query for sentences; what it selects is still to be said."""
    c = _states.c
    query = select(c.number).select_from(_states).where(c.campaign == campaign)
    if wanted.text:
        text = tables.sentences.c
        same = and_(text.campaign == c.campaign, text.number == c.number)
        query = query.join(tables.sentences, same)
        query = query.where(text.text.icontains(wanted.text, autoescape=True))
    if wanted.numbers:
        query = query.where(c.number.in_(wanted.numbers))
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
