"""The one place where errors become HTTP answers."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from spancrew import errors, wire
from spancrew.server.logs import Log, Metrics
from spancrew.server.pages.problems import in_words, language_of
from spancrew.server.pages.render import View, rendered
from spancrew.server.people.sessions import Caller
from spancrew.server.refusals import RefusedError, body, refusal_of, unreadable

_FOR_PROGRAMS = ("/api/", "/assets/", "/health", "/metrics")
_PLAIN = "the server cannot save right now; nothing is lost, so keep your work and try again soon"
"""What all but admins are told of trouble inside: where it is concerns nobody else."""

_INSIDE = (
    errors.StoreError,
    errors.VersionError,
    errors.JournalError,
    errors.MissingPackageError,
)


def install(app: FastAPI, metrics: Metrics, log: Log) -> None:
    """Teach an application to answer with our errors."""

    async def refuse(request: Request, error: Exception) -> Response:
        if isinstance(error, errors.StoreError):
            metrics.store_errors.inc()
        if isinstance(error, _INSIDE):
            log.warning("trouble inside", problem=type(error).__name__, message=str(error))
            error = error if _is_by_admin(request) else type(error)(_PLAIN)
        return readable(request, answer_of(_worded(request, error)))

    app.add_exception_handler(errors.SpancrewError, refuse)
    app.add_exception_handler(RequestValidationError, _refuse_values)
    app.add_exception_handler(HTTPException, _refuse_http)


def _is_by_admin(request: Request) -> bool:
    """Tell whether an admin is asking, who alone may know where the store is."""
    caller: Caller | None = getattr(request.state, "caller", None)
    return caller is not None and caller.person.role == "admin"


def _worded(request: Request, error: Exception) -> Exception:
    """Return an error that tells what is wrong with a file in the language of the caller."""
    if isinstance(error, errors.FormatError):
        error = unreadable(error)
    if isinstance(error, RefusedError) and error.code == "data":
        error.message = in_words(error.message, language_of(request))
    return error


def answer_of(error: Exception) -> JSONResponse:
    """Return the answer to an error that spancrew raised on purpose."""
    refusal = refusal_of(error)
    return JSONResponse(refusal.body, refusal.status, refusal.headers or None)


def failure(request: Request) -> Response:
    """Return the answer where something went wrong that nobody had thought of."""
    content = body("internal", "something went wrong; the log of the server has it")
    return readable(request, JSONResponse(content, 500))


def readable(request: Request, answer: JSONResponse) -> Response:
    """Return a refusal as a page where a person would see it, in their language."""
    if not _is_for_people(request):
        return answer
    status = answer.status_code
    kind = "trouble" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "refused"
    view = View("nothing.html" if status == HTTPStatus.NOT_FOUND else f"{kind}.html", ["trouble"])
    page = rendered(request, view, status)
    for name in ("retry-after", "allow", "connection"):
        if name in answer.headers:
            page.headers[name] = answer.headers[name]
    return page


def _is_for_people(request: Request) -> bool:
    """Tell whether a browser shows the answer to somebody; programs get JSON."""
    is_ours = request.url.path.startswith(_FOR_PROGRAMS)
    return not is_ours and "text/html" in request.headers.get("accept", "")


async def _refuse_values(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101  registered for it alone
    found = error.errors()
    if any(each["loc"] and each["loc"][0] == "path" for each in found):
        return readable(request, JSONResponse(body("not_found", "there is nothing here"), 404))
    return readable(request, JSONResponse(body("invalid", wire.problems_of(found)), 422))


async def _refuse_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  registered for it alone
    if isinstance(error.__cause__, RecursionError):
        deep = body("invalid", "the body is JSON that is nested too deep", "send less nesting")
        return readable(request, JSONResponse(deep, 422))
    phrase = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    code = {413: "too_large", 404: "not_found"}.get(error.status_code, phrase)
    answer = JSONResponse(body(code, str(error.detail)), error.status_code, error.headers)
    return readable(request, answer)
