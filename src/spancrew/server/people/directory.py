"""The directory: who takes part in which campaign, and where its events are sent."""

from sqlalchemy import Engine, text

from spancrew.server.people.campaigns import Campaigns
from spancrew.server.people.guides import Guides
from spancrew.server.people.people import People
from spancrew.server.people.secrets import Secrets
from spancrew.server.people.values import Person
from spancrew.server.people.webhooks import Webhooks
from spancrew.stores._work import reading

_ADMIN_LINK = 24 * 3600.0


class Directory:
    """People, secrets, campaigns, guides and webhooks in one database, beside the journals.

    Nothing here is an event: what it knows of a person can be erased, and is then gone. All calls
    wait for the database; a server makes them in threads.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.people = People(engine)
        self.secrets = Secrets(engine)
        self.campaigns = Campaigns(engine)
        self.guides = Guides(engine)
        self.webhooks = Webhooks(engine)

    def check(self) -> None:
        """Refuse with a StoreError if the database does not answer."""
        with reading(self.engine) as connection:
            connection.execute(text("SELECT 1"))

    def first_admin(self, now: float) -> Person:
        """Return the first admin, who is added if there is none yet."""
        found = self.people.find(role="admin", erased=False)
        return found or self.people.add("admin", now, name="admin")


def create_admin_link(directory: Directory, now: float, *, lasts: float = _ADMIN_LINK) -> str:
    """Return a secret that makes its bearer the first admin, once, within a day."""
    admin = directory.first_admin(now)
    _, secret = directory.secrets.issue("link", admin.id, now, lasts=lasts, once=True)
    return secret
