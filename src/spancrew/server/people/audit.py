"""The audit log: what admins did, in entries that are chained by their hashes."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Engine, Select, delete, insert, inspect, or_, select, update
from sqlalchemy.exc import IntegrityError

from spancrew.errors import StoreError
from spancrew.server.people.audit_schema import FIRST_HASH, audit_head, audit_log, audit_pending
from spancrew.server.people.schema import Statements, people
from spancrew.stores import database_of, reading, writing

Via = Literal["session", "token", "link", "password", "team", "server"]
"""How somebody came in; the server itself acts for those who can start it."""
Details = dict[str, Any]

CHUNK = 500
"""Entries that are read at a time."""
MOST_DETAILS = 4000
"""Characters of what is kept of a change, before and after."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What somebody did, or tried to; ``status`` is the answer they got, None if nobody knows.

    ``person`` is None where the server acted by itself. ``credential`` is the id of the session or
    the token. Never put a name or a secret into ``before``, ``after`` or ``target``: names can be
    erased, entries cannot.
    """

    at: float
    person: int | None
    role: str
    via: Via
    action: str
    credential: int | None = None
    campaign: str | None = None
    target: str | None = None
    address: str = ""
    agent: str = ""
    status: int | None = None
    before: Details | None = None
    after: Details | None = None


class AuditRow(NamedTuple):
    """An entry with its number, its hash, and the name of the person if it is still known."""

    id: int
    entry: AuditEntry
    hash: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Which entries are wanted; an action such as ``people`` means all that begin with it."""

    campaign: str | None = None
    person: int | None = None
    action: str | None = None
    since: float | None = None

    def conditions(self) -> Iterator[Any]:
        """Yield the conditions of a query."""
        columns = audit_log.c
        if self.campaign is not None:
            yield columns.campaign == self.campaign
        if self.person is not None:
            yield columns.person == self.person
        if self.action is not None:
            of_group = columns.action.startswith(f"{self.action}.", autoescape=True)
            yield or_(columns.action == self.action, of_group)
        if self.since is not None:
            yield columns.at >= self.since


EVERY_ENTRY = AuditFilter()


class AuditCheck(NamedTuple):
    """How many entries there are, the last hash, and the first thing that is wrong, if any."""

    entries: int
    hash: str
    problem: str | None


def hash_of(previous: str, id_: int, entry: AuditEntry) -> str:
    """Return the hash of an entry that follows the one with the hash ``previous``."""
    content = _text({"id": id_, **asdict(entry)})
    return hashlib.sha256(f"{previous}{content}".encode()).hexdigest()


class AuditLog:
    """Entries that nobody can change; each has the SHA-256 of itself and of the one before.

    An action is first noted as begun, so that none is done that could not be noted, and becomes an
    entry with its outcome. One whose outcome never came becomes an entry without.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def begin(self, entry: AuditEntry) -> int:
        """Note that something is about to happen; the number returned is for :meth:`end`."""
        row = {"at": entry.at, "entry": _text(asdict(entry))}
        return self._tables.add(audit_pending, row)

    def end(self, pending: int, entry: AuditEntry) -> None:
        """Make an entry of something that had begun."""
        with writing(self._engine) as connection:
            connection.execute(delete(audit_pending).where(audit_pending.c.id == pending))
            self._append(connection, entry)

    def drop(self, pending: int) -> None:
        """Forget something that had begun and needs no entry."""
        self._tables.change(delete(audit_pending).where(audit_pending.c.id == pending))

    def add(self, entry: AuditEntry) -> None:
        """Add an entry at once."""
        with writing(self._engine) as connection:
            self._append(connection, entry)

    def settle(self, before: float) -> int:
        """Make entries of what began before a time and never ended; return how many."""
        old = audit_pending.c.at < before
        query = select(audit_pending.c.id, audit_pending.c.entry).where(old)
        if not self._tables.all(query):
            return 0
        with writing(self._engine) as connection:
            database_of(self._engine).lock(connection, "audit")
            found = connection.execute(query.order_by(audit_pending.c.id)).all()
            for id_, text in found:
                connection.execute(delete(audit_pending).where(audit_pending.c.id == id_))
                self._append(connection, AuditEntry(**json.loads(text)))
        return len(found)

    def newest(
        self, limit: int, wanted: AuditFilter = EVERY_ENTRY, *, before: int | None = None
    ) -> list[AuditRow]:
        """Return the last entries, those before an id if one is given, the newest first."""
        query = _rows(wanted).order_by(audit_log.c.id.desc()).limit(limit)
        if before is not None:
            query = query.where(audit_log.c.id < before)
        return _found(self._tables.all(query))

    def after(
        self, id_: int, limit: int = CHUNK, wanted: AuditFilter = EVERY_ENTRY
    ) -> list[AuditRow]:
        """Return the first entries after an id, the oldest first."""
        query = _rows(wanted).where(audit_log.c.id > id_).order_by(audit_log.c.id).limit(limit)
        return _found(self._tables.all(query))

    def read(self, wanted: AuditFilter = EVERY_ENTRY, *, after: int = 0) -> Iterator[AuditRow]:
        """Yield all entries, the oldest first; no connection is held in between."""
        while rows := self.after(after, CHUNK, wanted):
            yield from rows
            after = rows[-1].id

    def last(self) -> int:
        """Return the id of the last entry; 0 if there is none."""
        return int(self._tables.first(select(audit_head.c.entries))[0])

    def verify(self) -> AuditCheck:
        """Compute the chain again and say where it breaks: at a change, or at a gap."""
        with reading(self._engine) as connection:
            entries, last = connection.execute(select(audit_head)).one()
        count, previous = 0, FIRST_HASH
        for row in self.read():
            if row.id != count + 1:
                return AuditCheck(count, previous, f"entry {count + 1} is missing")
            if row.hash != hash_of(previous, row.id, row.entry):
                return AuditCheck(count, previous, f"entry {row.id} was changed")
            count, previous = row.id, row.hash
            if count == entries and previous != last:
                return AuditCheck(count, previous, f"entry {count} was changed, and its hash, too")
        # Entries that came while we read are more than the head knew.
        missing = f"the entries after {count} are missing" if count < entries else None
        return AuditCheck(count, previous, missing)

    def _append(self, connection: Connection, entry: AuditEntry) -> None:
        """Add an entry in a transaction that is open, as its only writer."""
        database_of(self._engine).lock(connection, "audit")
        entries, previous = connection.execute(select(audit_head)).one()
        id_, kept = entries + 1, replace(entry, before=_cut(entry.before), after=_cut(entry.after))
        made = hash_of(previous, id_, kept)
        texts = {name: _text_or_none(getattr(kept, name)) for name in ("before", "after")}
        row = {**asdict(kept), **texts, "id": id_, "hash": made}
        try:
            connection.execute(insert(audit_log).values(row))
        except IntegrityError:
            raise StoreError(
                f"the audit log does not end at entry {entries}, as it should: somebody has "
                "changed it; restore the last backup"
            ) from None
        connection.execute(update(audit_head).values(entries=id_, hash=made))


def audit_problems(engine: Engine) -> list[str]:
    """Return what is wrong with the audit log of a store, as sentences; an older one has none."""
    if not inspect(engine).has_table(audit_log.name):
        return []
    problem = AuditLog(engine).verify().problem
    return [] if problem is None else [f"audit log: {problem}"]


def _text(value: Any) -> str:
    # Whatever a route notes, its entry must not fail after the route has done its work.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)


def _text_or_none(value: Details | None) -> str | None:
    return None if value is None else _text(value)


def _cut(details: Details | None) -> Details | None:
    """Return details as JSON gives them back; of very long ones only how long they are."""
    text = _text(details)
    if len(text) > MOST_DETAILS:
        return {"characters": len(text)}
    shown: Details | None = json.loads(text)
    return shown


_COLUMNS = tuple(audit_log.c[name] for name in AuditEntry.__slots__)


def _rows(wanted: AuditFilter) -> Select[Any]:
    known = audit_log.outerjoin(people, people.c.id == audit_log.c.person)
    columns = (audit_log.c.id, audit_log.c.hash, people.c.name, people.c.login)
    return select(*columns, *_COLUMNS).select_from(known).where(*wanted.conditions())


def _found(rows: Sequence[Any]) -> list[AuditRow]:
    return [_row(*row) for row in rows]


def _row(id_: int, hash_: str, name: str | None, login: str | None, *values: Any) -> AuditRow:
    *known, before, after = values
    read = [None if text is None else json.loads(text) for text in (before, after)]
    return AuditRow(id_, AuditEntry(*known, *read), hash_, name or login)
