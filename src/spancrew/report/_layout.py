"""What all pages share: the frame, sections, notes, charts in two sizes."""

import base64
import hashlib
from importlib.metadata import version
from importlib.resources import files

from spancrew.report._charts import Drawing
from spancrew.report._html import tag, text

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def document(title: str, *content: str, live: bool = False) -> str:
    """Return a whole page that makes no request to the outside.

    ``live`` adds what the figures of ``spancrew.report.live`` need: their style, and their script
    as the only one that the page may run.
    """
    style = _asset("page.css") + (_asset("live/live.css") if live else "")
    script = _asset("live/live.js") if live else ""
    footer = tag("footer", text(f"Written by spancrew {version('spancrew')}."))
    head = tag(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        tag("title", text(f"{title} - spancrew")),
        tag("style", style),
    )
    body = tag("body", tag("main", *content, footer), tag("script", script) if live else "")
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return files("spancrew.report").joinpath(name).read_text(encoding="utf-8")


def _policy(script: str) -> str:
    if not script:
        return _POLICY
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def section(title: str, *content: str) -> str:
    """Return one part of the page."""
    return tag("section", tag("h2", text(title)), *content)


def note(sentence: str) -> str:
    """Return a quiet line of text."""
    return tag("p", text(sentence), class_="note")


def figure(drawing: Drawing) -> str:
    """Return a chart that suits wide and narrow windows."""
    source = f'<source media="(max-width: 640px)" srcset="{_data_uri(drawing.narrow)}">'
    image = f'<img src="{_data_uri(drawing.wide)}" alt="{text(drawing.description)}">'
    caption = tag("figcaption", tag("b", text(drawing.title)), text(f" {drawing.description}"))
    return tag("figure", caption, tag("picture", source, image), class_="chart")


def _data_uri(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
