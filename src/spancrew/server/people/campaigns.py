"""The list of campaigns, with the way in for crowd platforms."""

import secrets as random
from dataclasses import astuple
from typing import Any

from sqlalchemy import Engine, delete, insert, select, update

from spancrew.errors import UnknownCampaignError
from spancrew.server.people.values import CampaignEntry, Platform
from spancrew.stores._directory_schema import (
    campaigns,
    deliveries,
    guides,
    people,
    secrets,
    training,
    webhooks,
)
from spancrew.stores._work import reading, writing

_SHOWN = tuple(campaigns.c[name] for name in CampaignEntry.__slots__)


class Campaigns:
    """The campaigns of a store by name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, entry: CampaignEntry) -> None:
        """Add a campaign to the list."""
        values = dict(zip(CampaignEntry.__slots__, astuple(entry), strict=True))
        with writing(self._engine) as connection:
            connection.execute(insert(campaigns).values(values))

    def all(self) -> list[CampaignEntry]:
        """Return all campaigns, the oldest first."""
        query = select(*_SHOWN).order_by(campaigns.c.created_at, campaigns.c.id)
        with reading(self._engine) as connection:
            return [CampaignEntry(*row) for row in connection.execute(query)]

    def one(self, id_: str) -> CampaignEntry:
        """Return one campaign; refuse an id that is not in the list."""
        found = self._first(campaigns.c.id == id_)
        if found is None:
            raise UnknownCampaignError(f"there is no campaign {id_!r}; look at the list of them")
        return found

    def by_entry(self, key: str) -> CampaignEntry | None:
        """Return the campaign that a crowd platform's key leads to; None if there is none."""
        return self._first(campaigns.c.entry_key == key)

    def open_entry(
        self, id_: str, platform: Platform, code: str | None, url: str | None
    ) -> CampaignEntry:
        """Let the workers of a platform in; a key that is there stays."""
        key = self.one(id_).entry_key or random.token_urlsafe(16)
        values = {
            "entry_key": key,
            "platform": platform,
            "completion_code": code,
            "completion_url": url,
        }
        with writing(self._engine) as connection:
            connection.execute(update(campaigns).where(campaigns.c.id == id_).values(**values))
        return self.one(id_)

    def remove(self, id_: str) -> None:
        """Forget a campaign with its people, their secrets, its guide and its webhooks."""
        theirs = select(people.c.id).where(people.c.campaign == id_)
        hooks = select(webhooks.c.id).where(webhooks.c.campaign == id_)
        with writing(self._engine) as connection:
            connection.execute(delete(secrets).where(secrets.c.person.in_(theirs)))
            connection.execute(delete(training).where(training.c.person.in_(theirs)))
            connection.execute(delete(guides).where(guides.c.campaign == id_))
            connection.execute(delete(deliveries).where(deliveries.c.webhook.in_(hooks)))
            connection.execute(delete(webhooks).where(webhooks.c.campaign == id_))
            connection.execute(delete(people).where(people.c.campaign == id_))
            connection.execute(delete(campaigns).where(campaigns.c.id == id_))

    def _first(self, condition: Any) -> CampaignEntry | None:
        with reading(self._engine) as connection:
            row = connection.execute(select(*_SHOWN).where(condition)).first()
        return None if row is None else CampaignEntry(*row)
