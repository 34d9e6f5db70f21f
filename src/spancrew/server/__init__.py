"""The HTTP API, sessions and roles, live updates and pages.

May import simulate, formats, stores, report and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.server._app import create_app
    from spancrew.server._desk import Desk
    from spancrew.server._limits import Rate
    from spancrew.server._settings import ServerSettings
    from spancrew.server._start_app import app_from_environment

__all__ = ["Desk", "Rate", "ServerSettings", "app_from_environment", "create_app"]

_FILE = {
    "Desk": "_desk",
    "Rate": "_limits",
    "ServerSettings": "_settings",
    "app_from_environment": "_start_app",
    "create_app": "_app",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first used; a web server takes time to import."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.server' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.server.{_FILE[name]}"), name)
