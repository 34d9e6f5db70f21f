"""Small pieces of SVG: styles of series, text that fits, paths, shapes."""

import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from spancrew.report._html import tag, text

HUES, DASHES = 7, 4
"""How many there are of each; the hues themselves are in ``live.css``, for both themes."""

FONT = 13
"""Size of all text, in units of the drawing; ``live.css`` has the same figure."""

Point = tuple[float, float]


class Style(NamedTuple):
    """A hue (0 to 6) with a dash of lines and shape of points (0 to 3).

    Give series that belong together one hue and different dashes, for example a policy under
    several feedback rules. Larger numbers start again from 0.
    """

    hue: int
    dash: int = 0

    @property
    def classes(self) -> str:
        """Return the classes that ``live.css`` knows."""
        return f"h{self.hue % HUES} d{self.dash % DASHES}"


def style_of(k: int, given: Style | None) -> Style:
    """Return the style that was given, or else the k-th of a long row."""
    return Style(k % HUES, k // HUES) if given is None else given


class DrawingSize(NamedTuple):
    """A size to draw in; ``live.css`` shows the drawing that suits the room it has."""

    name: str
    width: int
    height: int


WIDE, NARROW = DrawingSize("wide", 720, 400), DrawingSize("narrow", 360, 320)


def drawing(size: DrawingSize, label: str, *content: str, **attributes: str) -> str:
    """Return an ``<svg>`` that scales with its width."""
    box = {"viewBox": f"0 0 {size.width} {size.height}"}
    return tag(
        "svg", *content, class_=size.name, role="img", aria_label=label, **box, **attributes
    )


def series_group(k: int, style: Style, *content: str) -> str:
    """Return the parts of the k-th series, which the legend hides and shows together."""
    return tag("g", *content, class_=f"series {style.classes}", data_series=str(k))


def at(value: float) -> str:
    """Return a coordinate in short form.

    >>> at(12.04), at(7.25)
    ('12', '7.2')
    """
    return f"{value:.1f}".removesuffix(".0")


def words(point: Point, content: str, anchor: str = "start", class_: str = "") -> str:
    """Return text at a point: ``start``, ``middle`` or ``end`` of it."""
    place = {"x": at(point[0]), "y": at(point[1]), "text_anchor": anchor}
    return tag("text", text(content), **place, **({"class_": class_} if class_ else {}))


def segment(start: Point, end: Point, class_: str) -> str:
    """Return a straight line."""
    return line([start, end], class_)


def line(points: Sequence[Point], class_: str = "line", close: str = "") -> str:
    """Return a line through the points; ``close="Z"`` makes it an area."""
    if not points:
        return ""
    # Steps between rounded points: half as long as the points, and without drift.
    tenths = [(round(10 * x), round(10 * y)) for x, y in points]
    (x, y), *_ = tenths
    steps = [step for a, b in pairwise(tenths) for step in (b[0] - a[0], b[1] - a[1])]
    numbers = "".join(f" {at(v / 10)}" for v in steps).replace(" -", "-").strip()
    return tag("path", d=f"M{at(x / 10)} {at(y / 10)}l{numbers}{close}", class_=class_)


def pips(points: Sequence[Point]) -> str:
    """Return small dots that stay round when they are stretched: strokes without length."""
    starts = "".join(f"M{at(x)} {at(y)}l0 0" for x, y in points)
    return tag("path", d=starts, class_="pips") if points else ""


def shape(point: Point, style: Style, size: float = 4.5) -> str:
    """Return a circle, square, triangle or diamond of about the same weight."""
    x, y = point
    corners: list[list[Point]] = [
        [],
        [(-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)],
        [(0, -1.2), (1.1, 0.8), (-1.1, 0.8)],
        [(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)],
    ]
    chosen = corners[style.dash % DASHES]
    if not chosen:
        return tag("circle", cx=at(x), cy=at(y), r=at(size), class_="dot")
    return line([(x + size * dx, y + size * dy) for dx, dy in chosen], "dot", "Z")


def text_width(content: str) -> float:
    """Return about how wide the text is drawn; a little too wide rather than too narrow."""
    wide = sum(c in "%@MWmw" or unicodedata.east_asian_width(c) in "WF" for c in content)
    narrow = sum(c in " .,:;'!|()[]-fijlrtI" for c in content)
    return FONT * (wide + 0.4 * narrow + 0.6 * (len(content) - wide - narrow))


def shortened(content: str, width: float) -> str:
    """Return the text, cut with an ellipsis where it would be wider than ``width``.

    >>> shortened("a very long name", 60)
    'a very\N{HORIZONTAL ELLIPSIS}'
    """
    if text_width(content) <= width:
        return content
    kept = content
    while kept and text_width(kept) + FONT > width:
        kept = kept[:-1]
    return kept.rstrip() + "\N{HORIZONTAL ELLIPSIS}"
