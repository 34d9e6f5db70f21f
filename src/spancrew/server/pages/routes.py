"""The addresses of the pages; what people do on them goes through the API.

Last comes the page that the workers of crowd platforms come to, in a window of theirs or in a
frame.
"""

import re
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Request, Response

from spancrew.errors import UnknownCampaignError
from spancrew.server.api.access import Server
from spancrew.server.api.content_policy import MTURK_CSP
from spancrew.server.api.join import EntryKey, arrived
from spancrew.server.api.parameters import CampaignId
from spancrew.server.pages.render import HOMES, View, rendered, sent_to
from spancrew.server.people.sessions import begin_session
from spancrew.server.people.values import CampaignEntry, Role
from spancrew.server.processes import in_thread
from spancrew.server.refusals import RefusedError
from spancrew.server.services import Services

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request, services: Server) -> Response:
    """Send everybody to where their work is."""
    caller = await services.callers.of(request)
    return sent_to(HOMES[caller.person.role] if caller else "/sign-in")


@router.get("/enter")
async def enter(request: Request) -> Response:
    """Exchange the secret of a link, which only the browser knows, for a session."""
    return rendered(request, View("enter.html", ["enter"]))


@router.get("/sign-in")
async def sign_in(request: Request, services: Server) -> Response:
    """Ask for name and password, or send people to the identity provider of their team."""
    has_team = services.identity is not None
    return rendered(request, View("sign-in.html", ["enter"]), has_team=has_team)


class Page(NamedTuple):
    """A page for those with a role: its address, template and sections of words."""

    path: str
    role: Role
    template: str
    sections: list[str]
    only_owners: bool = False


_PAGES = (
    Page("/work", "worker", "work", ["editor", "work"]),
    Page("/expert", "expert", "expert", ["editor", "expert"]),
    Page("/campaigns", "admin", "campaigns", ["campaigns", "alerts"]),
    Page("/audit", "admin", "audit", ["audit"], only_owners=True),
    Page("/campaigns/new", "admin", "new", ["new"]),
    Page("/access", "admin", "access", ["people", "access"]),
    Page("/campaigns/{c}", "admin", "dashboard", ["nav", "dashboard", "alerts"]),
    Page("/campaigns/{c}/sentences", "admin", "sentences", ["nav", "editor", "sentences"]),
    Page("/expert/sentences", "expert", "sentences", ["editor", "sentences"]),
    Page("/campaigns/{c}/people", "admin", "people", ["nav", "people"]),
    Page("/campaigns/{c}/guide", "admin", "guide", ["nav", "editor", "guide"]),
)
"""In this order: an address that is written out comes before one with a place for an id."""


def _add(page: Page) -> None:
    async def show(request: Request, services: Server) -> Response:
        return await _shown(request, services, page, None)

    async def show_campaign(c: CampaignId, request: Request, services: Server) -> Response:
        return await _shown(request, services, page, c)

    router.add_api_route(page.path, show_campaign if "{c}" in page.path else show)


async def _shown(
    request: Request, services: Services, page: Page, campaign: str | None
) -> Response:
    """Return a page to those for whom it is; send strangers to sign in, others to their own."""
    caller = await services.callers.of(request)
    if caller is None:
        return sent_to(f"/sign-in?next={request.url.path}")
    if caller.person.role != page.role or (page.only_owners and not caller.is_owner):
        return sent_to(HOMES[caller.person.role])
    id_ = campaign or caller.person.campaign
    try:
        entry = await in_thread(services.directory.campaigns.one, id_) if id_ else None
    except UnknownCampaignError:
        entry = None
    if id_ and (entry is None or not caller.reaches(id_)):
        return rendered(request, View("nothing.html", [], caller), 404)
    sections = [*page.sections, *await _more_sections(services, page, id_)]
    return rendered(request, View(f"{page.template}.html", sections, caller, entry))


async def _more_sections(services: Services, page: Page, campaign: str | None) -> list[str]:
    """Return the sections that the dashboards of few campaigns need: others stay light."""
    if page.template != "dashboard" or campaign is None:
        return []
    is_pilot = await in_thread(services.directory.pilots.has, campaign)
    share = await services.desk.look(campaign, lambda found: found.plan.suggestions)
    return ["pilot"] * is_pilot + ["suggested"] * (share > 0)


for each in _PAGES:
    _add(each)


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
