"""Pieces of HTML, from one element to a whole page; every text is escaped."""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version
from importlib.resources import files

from spancrew.core import Span

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

_FRAGMENT = "spancrew"
"""The class of what is shown outside of our own pages."""

_FRAGMENT_CLASS = f".{_FRAGMENT}" * 3
_RESET = ":where(:not(svg, svg *)) { all: revert; }"


def tag(name: str, *content: str, **attributes: str) -> str:
    """Return an element; ``class_`` stands for class, content is taken as it is.

    >>> tag("p", text("a < b"), class_="note")
    '<p class="note">a &lt; b</p>'
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{given}>{''.join(content)}</{name}>"


def text(value: object) -> str:
    """Return text for the page."""
    return escape(str(value), quote=False)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a table that scrolls by itself; the first ``words`` columns are not numbers."""
    marks = ["" if k < words else "number" for k in range(len(head))]
    header = "".join(_cell("th", name, mark) for name, mark in zip(head, marks, strict=True))
    body = "".join(
        tag("tr", *(_cell("td", value, mark) for value, mark in zip(row, marks, strict=True)))
        for row in rows
    )
    inner = tag("table", tag("thead", tag("tr", header)), tag("tbody", body))
    # Tables often share their first head, and each region needs a name of its own.
    label = ", ".join(head[:3])
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=label)


def _cell(name: str, value: str, mark: str) -> str:
    return tag(name, text(value), class_=mark) if mark else tag(name, text(value))


def marked_text(
    sentence: str,
    bounds: Sequence[tuple[int, int]],
    spans: Iterable[Span],
    colours: dict[str, int],
) -> str:
    """Return a sentence with its spans as coloured boxes that carry their label."""
    pieces = []
    done = 0
    for span in sorted(spans):
        start, end = bounds[span.start][0], bounds[span.end - 1][1]
        label = tag("span", text(span.label), class_="label")
        pieces.append(text(sentence[done:start]))
        pieces.append(
            tag("mark", text(sentence[start:end]), label, class_=f"c{colours[span.label] % 8}")
        )
        done = end
    pieces.append(text(sentence[done:]))
    return tag("p", *pieces, class_="sentence", dir="auto")


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


def fragment(*content: str) -> str:
    """Return a part of a page that brings its style along, for the output of a notebook.

    Nothing outside of it changes its looks. Figures are still, as it has no script.
    """
    rules = _asset("page.css") + _asset("live/live.css") + _asset("fragment.css")
    own = re.sub(r"(?m)^(\s*)(?::root|body) \{", r"\1& {", rules)
    own = re.sub(r"(?<![\w.])([\d.]+)rem\b", r"calc(\1 * var(--rem))", own)
    # The class counts three times, to weigh more than the rules of the page around it.
    style = tag("style", f"{_FRAGMENT_CLASS} {{\n{_RESET}\n{own}}}")
    return tag("div", style, *content, class_=_FRAGMENT)


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
