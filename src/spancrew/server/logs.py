"""Structured logs: one line of JSON per request, without answers, texts or secrets."""

import sys
import traceback
from typing import Any, TextIO

import structlog

Log = structlog.typing.FilteringBoundLogger


def make_log(stream: TextIO | None = None) -> Log:
    """Return a log that writes to a stream, else to standard error."""
    log: Log = structlog.wrap_logger(
        structlog.PrintLogger(stream or sys.stderr),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(ensure_ascii=True),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(20),
        context_class=dict,
    )
    return log


def where(error: BaseException) -> list[str]:
    """Return the places that an error went through; its message may quote what it should not."""
    frames = traceback.extract_tb(error.__traceback__)[-8:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]


def route_of(scope: dict[str, Any]) -> str:
    """Return the template of the route that a request took, never its parameters."""
    return str(getattr(scope.get("route"), "path", "(none)"))
