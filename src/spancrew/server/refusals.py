"""What the server answers when it does not do as it is asked: a status, a code, a reason."""

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from spancrew.errors import SpancrewError


class RefusedError(SpancrewError):
    """A call that the server refuses; ``remedy`` says what to do about it.

    ``details`` are further fields of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        remedy: str | None = None,
        *,
        wait: float = 0.0,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.remedy = remedy
        self.details = dict(details or {})
        self.headers = {"Retry-After": str(math.ceil(wait))} if wait else {}


def not_signed_in(message: str = "nobody is signed in") -> RefusedError:
    """Return the refusal for a caller whom we do not know."""
    return RefusedError(
        401, "not_signed_in", message, "open your link again, sign in, or send a token"
    )


def forbidden(message: str, code: str = "forbidden", remedy: str | None = None) -> RefusedError:
    """Return the refusal for a caller who may not do this."""
    return RefusedError(403, code, message, remedy)


def not_found(what: str) -> RefusedError:
    """Return the refusal for something that is not there, or not for this caller."""
    return RefusedError(404, "not_found", f"there is no such {what}")


def too_large(limit: int) -> RefusedError:
    """Return the refusal for a body above the limit in bytes."""
    return RefusedError(
        413, "too_large", f"the body is larger than {limit:,} bytes", "send less in one request"
    )


def too_many(wait: float) -> RefusedError:
    """Return the refusal for a caller who calls too often."""
    return RefusedError(
        429, "too_many_requests", "too many requests", "wait as Retry-After says", wait=wait
    )


def invalid(message: str, remedy: str | None = None) -> RefusedError:
    """Return the refusal for values that cannot be used."""
    return RefusedError(422, "invalid", message, remedy)


def checked_url(url: str, name: str) -> str:
    """Return an address of the web; refuse what a browser could take for something else."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise invalid(f"{name}: this is no address") from None
    printable = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in {"http", "https"} or not parts.hostname or not printable:
        raise invalid(f"{name}: an address that begins with https:// is expected")
    if parts.username or parts.password:
        raise invalid(f"{name}: an address without name and password is expected")
    return url
