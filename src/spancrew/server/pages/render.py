"""Pages for people: a template, its words in a language, and who is looking."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from spancrew.campaign import LEAST_PILOT, LEAST_PILOT_ANSWERS, MOST_PILOT
from spancrew.planner import LEAST_WORKERS
from spancrew.server.api.content_policy import PAGE_CSP
from spancrew.server.pages.assets import PAGES, assets, edition, modules
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
    made.globals |= {
        "least_pilot": LEAST_PILOT,
        "most_pilot": MOST_PILOT,
        "least_pilot_answers": LEAST_PILOT_ANSWERS,
        "least_pilot_workers": LEAST_WORKERS,
    }
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    return made


def rendered(request: Request, view: View, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page in the language and the theme of the reader."""
    accepted = request.headers.get("accept-language", "")
    language = chosen(request.cookies.get(LANGUAGE_COOKIE), accepted)
    theme = request.cookies.get(THEME_COOKIE, "")
    texts = some_words(language, ["shared", *view.sections])
    name = view.template.removesuffix(".html")
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
            modules=modules(name),
            needs_scripts=f"{name}.js" in assets(),
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


USUAL_LANGUAGE = "en"
Words = dict[str, Any]
"""A text by its name; where a number decides, a text for each plural form."""


@cache
def words(language: str) -> dict[str, Words]:
    """Return all words of a language by section."""
    text = (PAGES / "languages" / f"{language}.json").read_text("utf-8")
    return cast("dict[str, Words]", json.loads(text))


@cache
def languages() -> dict[str, str]:
    """Return the languages with their own names for themselves."""
    codes = sorted(path.stem for path in (PAGES / "languages").glob("*.json"))
    return {code: cast("str", words(code)["shared"]["language"]) for code in codes}


def chosen(cookie: str | None, accepted: str) -> str:
    """Return the language of a request: the one that was chosen, else the browser's first.

    >>> chosen(None, "fr;q=0.9, zh-CN;q=0.8")
    'zh'
    >>> chosen("en", "zh")
    'en'
    """
    wanted = [cookie or "", *(part.split(";")[0] for part in accepted.split(","))]
    codes = [each.strip().lower().split("-")[0] for each in wanted]
    return next((code for code in codes if code in languages()), USUAL_LANGUAGE)


def some_words(language: str, sections: Sequence[str]) -> dict[str, str | Words]:
    """Return the words of some sections, each under ``section.name``."""
    known = words(language)
    return {
        f"{section}.{name}": text for section in sections for name, text in known[section].items()
    }
