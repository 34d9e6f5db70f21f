"""The HTTP API, sessions and roles, live updates and pages.

May import simulate, formats, stores, report and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.server.desk.desk import Desk
    from spancrew.server.limits import Rate
    from spancrew.server.settings import ServerSettings
    from spancrew.server.start.app import create_app
    from spancrew.server.start.environment import app_from_environment

__all__ = ["Desk", "Rate", "ServerSettings", "app_from_environment", "create_app"]

_FILE = {
    "Desk": "desk.desk",
    "Rate": "limits",
    "ServerSettings": "settings",
    "app_from_environment": "start.environment",
    "create_app": "start.app",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first used; a web server takes time to import."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.server' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.server.{_FILE[name]}"), name)
