"""A browser in which an admin is signed in."""

from functools import cache
from typing import Any

import httpx

from spancrew.server._callers import COOKIE
from tests.serving import Serving

_NAME, _PASSWORD = "boss", "a long enough password"


@cache
def _session(url: str, token: str) -> str:
    """Sign in once for all tests on a server: passwords can be tried only so often."""
    body = {"name": _NAME, "password": _PASSWORD}
    headers = {"Authorization": f"Bearer {token}"}
    httpx.put(f"{url}/api/v1/me/password", json=body, headers=headers).raise_for_status()
    return httpx.post(f"{url}/api/v1/session", json=body).raise_for_status().cookies[COOKIE]


def as_admin(server: Serving) -> dict[str, Any]:
    """Return the options of a browser in which the admin of a server is signed in."""
    cookie = {
        "name": COOKIE,
        "value": _session(server.url, server.admin_token()),
        "domain": "127.0.0.1",
        "path": "/",
        "expires": -1,
        "httpOnly": True,
        "secure": False,
        "sameSite": "Lax",
    }
    return {"storage_state": {"cookies": [cookie], "origins": []}}
