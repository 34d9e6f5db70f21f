"""What the server answers when it does not do as it is asked: a status, a code, a reason."""

import math
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from spancrew import errors, wire

STATUSES: tuple[tuple[type[errors.SpancrewError], int, str], ...] = (
    (errors.UnknownCampaignError, 404, "not_found"),
    (errors.UnknownWorkerError, 404, "not_found"),
    (errors.UnknownSentenceError, 404, "not_found"),
    (errors.AnswerRefusedError, 422, "answer_refused"),
    (errors.ConflictError, 409, "conflict"),
    (errors.CampaignError, 409, "not_now"),
    (errors.PlanError, 422, "plan"),
    (errors.MissingPackageError, 501, "missing_package"),
    (errors.StoreError, 503, "store"),
    (errors.VersionError, 503, "store"),
    (errors.JournalError, 503, "journal"),
    (errors.SpancrewError, 422, "invalid"),
)
"""From an error to its status and code; the first class that fits counts."""

_WAIT = 2.0
"""Seconds after which a store that failed may be tried again."""

UNPACKED = "spancrew-unpacked"
"""The folder in which an archive that was sent is unpacked."""
_OUR_FOLDER = re.compile(rf"\S*/{UNPACKED}/")


class RefusedError(errors.SpancrewError):
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

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of the answer."""
        return body(self.code, self.message, self.remedy, **self.details)


def body(code: str, message: str, remedy: str | None = None, **more: Any) -> dict[str, Any]:
    """Return the body of an answer that refuses."""
    error = {"code": code, "message": message}
    return {"error": error | ({"remedy": remedy} if remedy else {}) | more}


def refusal_of(error: Exception) -> RefusedError:
    """Return the refusal that tells of an error which spancrew raised on purpose."""
    if isinstance(error, errors.FormatError):
        return unreadable(error)
    if isinstance(error, RefusedError):
        return error
    found = next((row[1:] for row in STATUSES if isinstance(error, row[0])), (500, "internal"))
    status, code = found
    wait = _WAIT if status == HTTPStatus.SERVICE_UNAVAILABLE else 0.0
    return RefusedError(status, code, str(error), wait=wait)


def told_place(place: errors.Place) -> str:
    """Return where in a file that was sent something is; nothing for all of it.

    A file in an archive has its own name, the file itself has one of ours, which helps nobody.
    """
    inside = place.path.partition(f"/{UNPACKED}/")[2]
    line = "" if place.line is None else f"line {place.line}"
    return ", ".join(part for part in (inside, line) if part)


def unreadable(error: errors.FormatError, reading: wire.ReadingView | None = None) -> RefusedError:
    """Return the refusal of a file that was sent: the line alone, as its name is ours.

    ``reading`` says what the file was taken for.
    """
    place, remedy = error.place, error.remedy
    where = told_place(place)
    problem = _OUR_FOLDER.sub("", error.problem).replace(place.path, "the file")
    message = f"{where}: {problem}" if where else problem
    told = {} if remedy is None else {"option": remedy.option, "value": remedy.value}
    taken = {} if reading is None else {"reading": reading.model_dump(mode="json")}
    words = None if remedy is None else remedy.worded(errors.REMEDIES)
    return RefusedError(422, "data", message, words, details=told | taken)


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
