"""The page that the workers of crowd platforms come to, in a window of theirs or in a frame."""

import re
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Request, Response

from spancrew.server.api.access import Server
from spancrew.server.api.content_policy import MTURK_CSP
from spancrew.server.api.join import EntryKey
from spancrew.server.api.joining import arrived
from spancrew.server.pages.render import View, rendered, sent_to
from spancrew.server.people.sessions import begin_session
from spancrew.server.people.values import CampaignEntry
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError
from spancrew.server.services import Services

router = APIRouter(include_in_schema=False)

_OWN_WINDOW = "window"
"""What our own page adds to the address when it opens the work in a window of its own."""
_MTURK = re.compile(r"([a-z0-9-]+\.)*mturk\.com")
_KNOWN = {
    HTTPStatus.NOT_FOUND: "no_study",
    HTTPStatus.UNPROCESSABLE_ENTITY: "no_worker",
    HTTPStatus.FORBIDDEN: "left",
    HTTPStatus.TOO_MANY_REQUESTS: "hurry",
}


@router.get("/join/{key}")
@router.post("/join/{key}")
async def join(key: EntryKey, request: Request, services: Server) -> Response:
    """Begin the session of a crowd worker and send them to their work.

    MTurk shows this page in a frame, where browsers keep no cookies of ours: there, it only shows
    a button that opens the work in a window of its own, and a field for the code at the end.
    """
    try:
        entry, person = await arrived(key, request, services)
    except RefusedError as error:
        return _refused(request, error)
    if person is None:
        return await _cover(request, services, entry, is_preview=True)
    if entry.platform == "mturk" and _OWN_WINDOW not in request.query_params:
        return await _cover(request, services, entry, is_preview=False)
    answer = sent_to("/work")
    await begin_session(request, answer, person, services.directory, services.settings)
    return answer


async def _cover(
    request: Request, services: Services, entry: CampaignEntry, *, is_preview: bool
) -> Response:
    guide = await in_thread(services.directory.guides.of, entry.id)
    given = request.query_params
    values: dict[str, Any] = {
        "is_preview": is_preview,
        "instructions": guide.instructions,
        "work": f"{request.url.path}?{urlencode([*given.multi_items(), (_OWN_WINDOW, 'own')])}",
        "assignment": given.get("assignmentId", ""),
        "submit_to": submit_address(given.get("turkSubmitTo", "")),
    }
    page = rendered(request, View("join.html", ["join"]), **values)
    page.headers["Content-Security-Policy"] = MTURK_CSP
    return page


def submit_address(given: str) -> str | None:
    """Return where MTurk takes a finished assignment; None for an address that is not theirs.

    >>> submit_address("https://workersandbox.mturk.com/")
    'https://workersandbox.mturk.com/mturk/externalSubmit'
    >>> submit_address("https://mturk.com.evil.example"), submit_address("http://www.mturk.com")
    (None, None)
    """
    try:
        parts = urlsplit(given)
    except ValueError:
        return None
    if parts.scheme != "https" or not _MTURK.fullmatch(parts.netloc):
        return None
    return f"https://{parts.netloc}/mturk/externalSubmit"


def _refused(request: Request, error: RefusedError) -> Response:
    reason = _KNOWN.get(HTTPStatus(error.status), "no_study")
    page = rendered(request, View("join-refused.html", ["join"]), error.status, reason=reason)
    for name, value in error.headers.items():
        page.headers[name] = value
    return page
