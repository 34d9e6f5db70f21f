"""Small pieces of HTML; every text is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

from spancrew.core import Span


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
    return tag("div", inner, class_="scroll", tabindex="0", role="region", aria_label=head[0])


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
