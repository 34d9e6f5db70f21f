"""What calls of other services have in common: packages, secrets, trust, retries, refusals."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

from spancrew.errors import MissingPackageError, SpancrewError

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Retries:
    """How long to go on trying, in seconds; ``pause`` sleeps."""

    patience: float = 120.0
    pause: Callable[[float], None] = time.sleep
    rng: Random = field(default_factory=Random)


def needed(package: str, extra: str) -> Any:
    """Return an optional package, or a module of it; say how to install one that is missing."""
    name = package.partition(".")[0]
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name:
            raise
        raise MissingPackageError(
            f"this needs the package {name!r}; install it with "
            f"'pip install \"spancrew[{extra}]\"'",
            name=name,
        ) from None


def secret(variable: str, remedy: str, refusal: type[SpancrewError]) -> str:
    """Return the value of an environment variable; refuse what cannot be a token."""
    token = os.environ.get(variable, "").strip()
    if not token:
        raise refusal(f"the environment variable {variable} is not set: {remedy}")
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise refusal(f"{variable} has characters that no token has: copy it again")
    return token


@cache
def certificates() -> Any:
    """Return whom to trust; reading it takes a tenth of a second."""
    return needed("httpx", "llm").create_ssl_context()


def json_of(reply: Any) -> Any:
    """Return the JSON of a reply; None if it has none."""
    try:
        return reply.json()
    except ValueError:
        return None


def reason_of(reply: Any) -> str:
    """Return why a request was refused, as far as it is said."""
    found = json_of(reply)
    error = found.get("error", found) if isinstance(found, dict) else found
    detail = error.get("detail", error) if isinstance(error, dict) else error
    return str(detail or "without a reason")[:_LONGEST]


def rows_of(
    found: Any, name: str, asked: str, refusal: type[SpancrewError]
) -> list[dict[str, Any]]:
    """Return the rows of a list in a reply; refuse a reply that has none."""
    rows = found.get(name) if isinstance(found, dict) else None
    if not isinstance(rows, list) or not all(isinstance(each, dict) for each in rows):
        raise refusal(f"{asked} is answered with something that is no list of {name}")
    return rows


def seconds_of(said: str | None) -> float:
    """Return the seconds of a Retry-After header; 0 for a date, or none.

    >>> seconds_of("7"), seconds_of(None), seconds_of("Wed, 21 Oct 2026 07:28:00 GMT")
    (7.0, 0.0, 0.0)
    """
    return float(said) if said and said.replace(".", "", 1).isdigit() else 0.0
