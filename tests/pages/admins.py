"""A browser in which an admin is signed in."""

from functools import cache
from typing import Any

from spancrew.server.people.directory import Directory
from spancrew.server.people.sessions import COOKIE
from spancrew.server.settings import real_clock
from spancrew.stores import open_sql
from tests.serving import Serving

_DAY = 86400.0


@cache
def _session(store: str) -> str:
    """Begin a session behind the server's back: links work once, passwords may be changed."""
    with_store = open_sql(f"sqlite:///{store}")
    try:
        directory = Directory(with_store.engine)
        admin = directory.first_admin(real_clock())
        return directory.secrets.issue("session", admin.id, real_clock(), lasts=_DAY)[1]
    finally:
        with_store.close()


def as_admin(server: Serving) -> dict[str, Any]:
    """Return the options of a browser in which the admin of a server is signed in."""
    cookie = {
        "name": COOKIE,
        "value": _session(str(server.folder / "spancrew.db")),
        "domain": "127.0.0.1",
        "path": "/",
        "expires": -1,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Lax",
    }
    return {"storage_state": {"cookies": [cookie], "origins": []}}
