"""The directory: who takes part in which campaign, and where its events are sent."""

import json
import secrets as random
from contextlib import suppress
from dataclasses import astuple, replace
from typing import Any

from sqlalchemy import Engine, delete, insert, literal, select, text, update
from sqlalchemy.exc import IntegrityError

from spancrew.errors import UnknownCampaignError
from spancrew.server.people.audit import AuditEntry, AuditLog
from spancrew.server.people.credentials import Attempts, Secrets
from spancrew.server.people.people import PeopleTable
from spancrew.server.people.pilots import Pilots, pilots
from spancrew.server.people.schema import (
    REVOKED,
    STEPS,
    Statements,
    campaigns,
    deliveries,
    guides,
    people,
    rights,
    secrets,
    training,
    webhooks,
)
from spancrew.server.people.values import (
    CampaignEntry,
    CampaignGuide,
    PersonRow,
    Platform,
    SolvedSentence,
)
from spancrew.server.people.webhooks import Webhooks
from spancrew.stores import database_of, empty_log, migrate, reading, writing

_SHOWN = tuple(campaigns.c[name] for name in CampaignEntry.__slots__)


class Campaigns:
    """The campaigns of a store by name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def add(self, entry: CampaignEntry) -> None:
        """Add a campaign to the list; one that another process has listed gets these values."""
        values = dict(zip(CampaignEntry.__slots__, astuple(entry), strict=True))
        try:
            self._tables.change(insert(campaigns).values(values))
        except IntegrityError:
            self._set(entry.id, values)

    def all(self) -> list[CampaignEntry]:
        """Return all campaigns, the oldest first."""
        query = select(*_SHOWN).order_by(campaigns.c.created_at, campaigns.c.id)
        return [CampaignEntry(*row) for row in self._tables.all(query)]

    def one(self, id_: str) -> CampaignEntry:
        """Return one campaign; refuse an id that is not in the list."""
        found = self._first(campaigns.c.id == id_)
        if found is None:
            raise UnknownCampaignError(f"there is no campaign {id_!r}; look at the list of them")
        return found

    def by_entry(self, key: str) -> CampaignEntry | None:
        """Return the campaign that a crowd platform's key leads to; None if there is none."""
        return self._first(campaigns.c.entry_key == key)

    def resize(self, id_: str, sentences: int) -> None:
        """Note how many sentences a campaign has by now."""
        self._set(id_, {"sentences": sentences})

    def open_entry(
        self, id_: str, platform: Platform, code: str | None, url: str | None
    ) -> CampaignEntry:
        """Let the workers of a platform in; a key that is there stays."""
        key = self.one(id_).entry_key or random.token_urlsafe(16)
        done = {"completion_code": code, "completion_url": url}
        self._set(id_, {"entry_key": key, "platform": platform, **done})
        return self.one(id_)

    def remove(self, id_: str) -> None:
        """Forget a campaign with its people, their secrets, its guide and all else."""
        theirs = select(people.c.id).where(people.c.campaign == id_)
        hooks = select(webhooks.c.id).where(webhooks.c.campaign == id_)
        self._tables.change(
            REVOKED,
            delete(rights).where(rights.c.campaign == id_),
            delete(secrets).where(secrets.c.person.in_(theirs)),
            delete(training).where(training.c.person.in_(theirs)),
            delete(guides).where(guides.c.campaign == id_),
            delete(pilots).where(pilots.c.campaign == id_),
            delete(deliveries).where(deliveries.c.webhook.in_(hooks)),
            delete(webhooks).where(webhooks.c.campaign == id_),
            delete(people).where(people.c.campaign == id_),
            delete(campaigns).where(campaigns.c.id == id_),
        )
        empty_log(self._engine)

    def _set(self, id_: str, values: dict[str, Any]) -> None:
        self._tables.change(update(campaigns).where(campaigns.c.id == id_).values(values))

    def _first(self, condition: Any) -> CampaignEntry | None:
        row = self._tables.first(select(*_SHOWN).where(condition))
        return None if row is None else CampaignEntry(*row)


_NONE = CampaignGuide()


class Guides:
    """What workers read and practise before they work, by campaign."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._tables = Statements(engine)

    def of(self, campaign: str) -> CampaignGuide:
        """Return the guide of a campaign; an empty one where nobody has written any."""
        columns = guides.c.instructions, guides.c.examples, guides.c.practice
        row = self._tables.first(select(*columns).where(guides.c.campaign == campaign))
        return _NONE if row is None else CampaignGuide(row[0], _solved(row[1]), _solved(row[2]))

    def put(self, campaign: str, guide: CampaignGuide, now: float) -> None:
        """Let a campaign have this guide and no other."""
        row = (campaign, guide.instructions, _text(guide.examples), _text(guide.practice), now)
        with writing(self._engine) as connection:
            database_of(self._engine).lock(connection, f"{campaign} guide")
            connection.execute(delete(guides).where(guides.c.campaign == campaign))
            connection.execute(insert(guides).values(row))

    def practised(self, person: int) -> dict[str, float]:
        """Return when a worker first answered which sentences of the training, by their keys."""
        query = select(training.c.sentence, training.c.at).where(training.c.person == person)
        return {row[0]: row[1] for row in self._tables.all(query.order_by(training.c.at))}

    def practise(self, person: int, key: str, now: float) -> None:
        """Note that a worker answered a sentence of the training; only the first time counts.

        Of somebody who was erased, nothing is noted.
        """
        there = people.c.id == person, people.c.erased.is_(False)
        row = select(people.c.id, literal(key), literal(now)).where(*there)
        with suppress(IntegrityError):  # it was noted before
            self._tables.change(insert(training).from_select(["person", "sentence", "at"], row))


def _text(solved: tuple[SolvedSentence, ...]) -> str:
    return json.dumps([[each.text, each.bounds, each.spans, each.note] for each in solved])


def _solved(text: str) -> tuple[SolvedSentence, ...]:
    return tuple(_one_solved(*each) for each in json.loads(text))


def _one_solved(text: str, bounds: list[Any], spans: list[Any], note: str) -> SolvedSentence:
    borders = tuple((start, end) for start, end in bounds)
    return SolvedSentence(text, borders, tuple((start, end, of) for start, end, of in spans), note)


_ADMIN_LINK = 24 * 3600.0


class Directory:
    """People, secrets, campaigns, guides, webhooks and the audit log, beside the journals.

    Nothing here is an event: what it knows of a person can be erased, and is then gone. All calls
    wait for the database; a server makes them in threads. Its tables are made, or brought up to
    date, when it is opened.
    """

    def __init__(self, engine: Engine) -> None:
        migrate(engine, STEPS)
        self.engine = engine
        self.people = PeopleTable(engine)
        self.secrets = Secrets(engine)
        self.attempts = Attempts(engine)
        self.campaigns = Campaigns(engine)
        self.guides = Guides(engine)
        self.pilots = Pilots(engine)
        self.webhooks = Webhooks(engine)
        self.audit = AuditLog(engine)

    def check(self) -> None:
        """Refuse with a StoreError if the database does not answer."""
        with reading(self.engine) as connection:
            connection.execute(text("SELECT 1"))

    def first_admin(self, now: float) -> PersonRow:
        """Return the first owner, who is added if there is none yet."""
        found = self.people.find(role="admin", is_owner=True, erased=False)
        return found or self.people.add("admin", now, name="admin", is_owner=True)


def create_admin_link(directory: Directory, now: float, *, lasts: float = _ADMIN_LINK) -> str:
    """Return a secret that makes its bearer the first admin, once, within a day."""
    admin = directory.first_admin(now)
    entry = AuditEntry(now, None, "server", "server", "server.admin_link", status=200)
    directory.audit.add(replace(entry, target=admin.pseudonym))
    _, secret = directory.secrets.issue("link", admin.id, now, lasts=lasts, once=True)
    return secret
