"""The addresses of the pages; what people do on them goes through the API."""

from fastapi import APIRouter, Request, Response

from spancrew.errors import UnknownCampaignError
from spancrew.server.api.access import Server
from spancrew.server.api.parameters import CampaignId
from spancrew.server.pages.render import HOMES, View, rendered, sent_to
from spancrew.server.people.values import Role
from spancrew.server.processes import in_thread
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
async def sign_in(request: Request) -> Response:
    """Ask for name and password."""
    return rendered(request, View("sign-in.html", ["enter"]))


@router.get("/work")
async def work(request: Request, services: Server) -> Response:
    """Show a worker the sentence to label."""
    return await _page(request, services, "worker", "work", ["editor", "work"])


@router.get("/expert")
async def expert(request: Request, services: Server) -> Response:
    """Show an expert the sentence to decide on."""
    return await _page(request, services, "expert", "expert", ["editor", "expert"])


@router.get("/campaigns")
async def campaigns(request: Request, services: Server) -> Response:
    """Show an admin all campaigns."""
    return await _page(request, services, "admin", "campaigns", ["campaigns"])


@router.get("/campaigns/new")
async def new_campaign(request: Request, services: Server) -> Response:
    """Guide an admin through setting up a campaign."""
    return await _page(request, services, "admin", "new", ["new"])


@router.get("/campaigns/{c}")
async def dashboard(c: CampaignId, request: Request, services: Server) -> Response:
    """Show an admin how a campaign is doing, live."""
    return await _page(request, services, "admin", "dashboard", ["nav", "dashboard"], c)


@router.get("/campaigns/{c}/people")
async def people(c: CampaignId, request: Request, services: Server) -> Response:
    """Let an admin invite workers and experts."""
    return await _page(request, services, "admin", "people", ["nav", "people"], c)


@router.get("/campaigns/{c}/guide")
async def guide(c: CampaignId, request: Request, services: Server) -> Response:
    """Let an admin write instructions, examples and the training."""
    return await _page(request, services, "admin", "guide", ["nav", "editor", "guide"], c)


async def _page(
    request: Request,
    services: Services,
    role: Role,
    name: str,
    sections: list[str],
    campaign: str | None = None,
) -> Response:
    """Return a page to those for whom it is; send strangers to sign in, others to their own."""
    caller = await services.callers.of(request)
    if caller is None:
        return sent_to(f"/sign-in?next={request.url.path}")
    if caller.person.role != role:
        return sent_to(HOMES[caller.person.role])
    id_ = campaign or caller.person.campaign
    try:
        entry = await in_thread(services.directory.campaigns.one, id_) if id_ else None
    except UnknownCampaignError:
        return rendered(request, View("nothing.html", [], caller), 404)
    return rendered(request, View(f"{name}.html", sections, caller, entry))
