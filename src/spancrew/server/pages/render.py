"""Pages for people: a template, its words, and who is looking."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from spancrew.server.api.content_policy import PAGE_CSP
from spancrew.server.pages.assets import PAGES, edition, modules
from spancrew.server.pages.words import chosen, languages, some_words
from spancrew.server.people.sessions import Caller
from spancrew.server.people.values import CampaignEntry, Role

HOMES: dict[Role, str] = {"admin": "/campaigns", "worker": "/work", "expert": "/expert"}
LANGUAGE_COOKIE = "spancrew_language"
THEME_COOKIE = "spancrew_theme"
_THEMES = ("light", "dark")


@dataclass(frozen=True, slots=True)
class View:
    """A page: its template, the sections of its words, who sees it, and on which campaign."""

    template: str
    sections: Sequence[str] = ()
    caller: Caller | None = None
    campaign: CampaignEntry | None = None


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(PAGES / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    return made


def rendered(request: Request, view: View, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page in the language and the theme of the reader."""
    accepted = request.headers.get("accept-language", "")
    language = chosen(request.cookies.get(LANGUAGE_COOKIE), accepted)
    theme = request.cookies.get(THEME_COOKIE, "")
    texts = some_words(language, ["shared", *view.sections])
    html = (
        _environment()
        .get_template(view.template)
        .render(
            t=texts.__getitem__,
            words=texts,
            language=language,
            languages=languages(),
            theme=theme if theme in _THEMES else "",
            assets=f"/assets/{edition()}",
            modules=modules(view.template.removesuffix(".html")),
            caller=view.caller,
            home=HOMES[view.caller.person.role] if view.caller else "/",
            campaign=view.campaign,
            **values,
        )
    )
    return HTMLResponse(html, status, {"Content-Security-Policy": PAGE_CSP})


def sent_to(path: str) -> Response:
    """Return an answer that sends a browser elsewhere."""
    return RedirectResponse(path, 303)
