"""The HTTP API, sessions and roles, live updates and pages, in sub-packages by feature.

From top to bottom: ``start``; ``api`` and ``pages``; ``services``; ``alerts``, ``live``, ``hooks``
and ``rehearsal``; ``people`` and ``desk``; settings, logs and refusals. May import simulate,
formats, stores, report and what lies below.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spancrew.server.alerts.limits import AlertLimits, parsed_limits
    from spancrew.server.api.links import link_url
    from spancrew.server.desk.desk import Desk
    from spancrew.server.people.audit import audit_problems
    from spancrew.server.people.directory import Directory
    from spancrew.server.people.schema import SCHEMA_STEPS
    from spancrew.server.settings import Rate, ServerSettings, real_clock
    from spancrew.server.start.app import app_from_environment, create_app

__all__ = [
    "SCHEMA_STEPS",
    "AlertLimits",
    "Desk",
    "Directory",
    "Rate",
    "ServerSettings",
    "app_from_environment",
    "audit_problems",
    "create_app",
    "link_url",
    "parsed_limits",
    "real_clock",
]

_FILE = {
    "SCHEMA_STEPS": "people.schema",
    "AlertLimits": "alerts.limits",
    "Desk": "desk.desk",
    "Directory": "people.directory",
    "Rate": "settings",
    "ServerSettings": "settings",
    "app_from_environment": "start.app",
    "audit_problems": "people.audit",
    "create_app": "start.app",
    "link_url": "api.links",
    "parsed_limits": "alerts.limits",
    "real_clock": "settings",
}


def __getattr__(name: str) -> Any:
    """Import a part when it is first used; a web server takes time to import."""
    if name not in _FILE:
        raise AttributeError(f"module 'spancrew.server' has no attribute {name!r}")
    return getattr(import_module(f"spancrew.server.{_FILE[name]}"), name)
