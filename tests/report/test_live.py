"""Live figures: round ticks, escaped text, and coordinates on the paper for any data."""

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.errors import SpancrewError
from spancrew.report._html import document
from spancrew.report.live import (
    HUES,
    Axis,
    Bars,
    Dot,
    Dots,
    Interval,
    Mark,
    Series,
    Style,
    ThresholdLine,
    bar_figure,
    histogram_figure,
    interval_figure,
    line_figure,
    scatter_figure,
)
from spancrew.report.live._axis import scale_for, shown, ticks
from spancrew.report.live._svg import style_of

X, Y = Axis("x"), Axis("y")
EVIL = "</script><evil a=\"b\" c='d'>&"
ANY = st.floats(allow_nan=True, allow_infinity=True)
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"


def path_points(path: str) -> Iterator[tuple[float, float]]:
    """Walk along a path: starts, each with relative steps."""
    for piece in path.split("M")[1:]:
        numbers = [float(v) for v in re.findall(NUMBER, piece)]
        steps = np.array(numbers).reshape(-1, 2).cumsum(axis=0)
        yield from ((float(x), float(y)) for x, y in steps)


def coordinates(element: ET.Element) -> Iterator[tuple[float, float]]:
    """Return all places that an element draws at."""
    if element.tag == "path":
        yield from path_points(element.attrib["d"])
    if element.tag == "circle":
        yield float(element.attrib["cx"]), float(element.attrib["cy"])
    if element.tag == "text":
        yield float(element.attrib["x"]), float(element.attrib["y"])


def check_drawn_on_paper(html: str) -> None:
    """Assert that everything is finite and lies inside its drawing, by at most a symbol."""
    assert "nan" not in html
    assert "inf" not in html
    for svg in re.findall(r"<svg.*?</svg>", html):
        root = ET.fromstring(svg)  # noqa: S314 - our own text
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        for x, y in (place for element in root.iter() for place in coordinates(element)):
            assert -7 <= x <= width + 7
            assert -7 <= y <= height + 7


def record(html: str) -> dict[str, Any]:
    """Return what the script reads."""
    found = re.search(r'<script type="application/json">(.*?)</script>', html)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 10))
def test_ticks_are_round_and_inside(low: float, span: float, most: int) -> None:
    """Every step is 1, 2 or 5 times a power of ten, and few enough of them fit."""
    high = low + max(span, abs(low) * 1e-6)
    found = ticks(low, high, most)
    room = (high - low) * 1e-6

    assert len(found) <= most + 1
    assert all(low - room <= tick <= high + room for tick in found)
    if len(found) > 2:
        step = (found[-1] - found[0]) / (len(found) - 1)
        assert float(f"{step:.3e}"[:5]) in {1.0, 2.0, 5.0}
        assert (high - low) / step <= most + 1e-6


@pytest.mark.parametrize(
    ("value", "decimals", "percent", "expected"),
    [
        (1234567.0, 0, False, "1,234,567"),
        (-0.5, 1, False, "\N{MINUS SIGN}0.5"),
        (-0.0001, 2, False, "0.00"),
        (0.3403, 1, True, "34.0%"),
        (3.2e12, 0, False, "3.2e+12"),
    ],
)
def test_numbers_are_written_for_readers(
    value: float, decimals: int, percent: bool, expected: str
) -> None:
    """Thousands apart, a true minus, no minus before zero, exponents only far out."""
    assert shown(value, decimals, percent=percent) == expected


def test_values_are_read_off_as_finely_as_they_were_given() -> None:
    """Steps stay whole, thresholds keep two decimals, means get three."""
    steps = scale_for(X, range(1, 51))
    thresholds = scale_for(X, np.arange(0, 1.01, 0.05))
    means = scale_for(X, [1 / 3, 2 / 3, 0, 1])

    assert steps.number(12) == "12"
    assert thresholds.number(0.65) == "0.65"
    assert means.number(2 / 3) == "0.667"


def test_ticks_of_counts_are_whole() -> None:
    """There is no half sentence; shares and scores may be cut as finely as they need."""
    percent = Axis("y", percent=True)

    assert [label for _, label in scale_for(Y, [0, 1, 2]).ticks()] == ["0", "1", "2"]
    assert [label for _, label in scale_for(Y, [0.5]).ticks()][:2] == ["0.46", "0.48"]
    assert [label for _, label in scale_for(percent, [0, 1]).ticks()][:2] == ["0%", "20%"]


def test_bars_have_their_numbers_beside_them_in_the_order_given() -> None:
    """No sorting: the names may have an order of their own."""
    html = bar_figure("t", "c", [("b", 7), ("a", 1234)], x=Axis("errors"))
    stops = record(html)["stops"]

    assert [(stop[2], stop[3][0][2]) for stop in stops] == [
        ("b", "errors: 7"),
        ("a", "errors: 1,234"),
    ]
    assert html.count(">1,234</text>") == 2


def test_bins_can_have_names() -> None:
    """What stands on the axis as a rank is read off as a worker."""
    axis = Axis("workers", bins=["ana", "bo"])
    html = histogram_figure("t", "c", [0.5, 1.5, 2.5], [Bars("answers", [9, 4])], x=axis, y=Y)

    assert [stop[2] for stop in record(html)["stops"]] == ["ana", "bo"]


def test_an_axis_stops_at_the_data_where_a_round_end_would_waste_room() -> None:
    """A band that dips just below zero does not open a whole step of emptiness."""
    wasteful = scale_for(Y, [-2.0, 3_080.0], rounded=True)
    close = scale_for(Y, [0.0, 925.0], rounded=True)

    assert (wasteful.low, wasteful.high) == (-2.0, 3_080.0)
    assert (close.low, close.high) == (0.0, 1_000.0)


def drawn_lines(x: Axis, y: Axis, rows: list[tuple[float, float, float, float]]) -> str:
    """Draw curves, marks and a threshold from the same numbers."""
    points, band = [(a, b) for a, b, *_ in rows], [(a, c, d) for a, _, c, d in rows]
    series = [Series("one", points, band), Series("none", []), Series("first", points[:1])]
    marks = [Mark(a, b, "a mark") for a, b, *_ in rows[:2]]
    limit = ThresholdLine(rows[0][2], "a threshold") if rows else None
    return line_figure("t", "c", series, x=x, y=y, marks=marks, threshold=limit)


@given(st.lists(st.tuples(ANY, ANY, ANY, ANY), max_size=8), st.booleans(), st.booleans())
def test_any_numbers_give_a_drawing(
    rows: list[tuple[float, float, float, float]], joined: bool, percent: bool
) -> None:
    """Empty, one point, constant, NaN, infinite, huge, tiny: all stay on the paper."""
    x, y = Axis("x"), Axis("y", percent=percent)
    dots = [Dots("d", [Dot(a, b, "l", (c, a), (b, d)) for a, b, c, d in rows], joined=joined)]
    intervals = [Interval(f"w{k}", a, b, c, d) for k, (a, b, c, d) in enumerate(rows)]

    check_drawn_on_paper(drawn_lines(x, y, rows))
    check_drawn_on_paper(scatter_figure("t", "c", dots, x=x, y=y, labels=joined))
    check_drawn_on_paper(interval_figure("t", "c", intervals, x=x))
    check_drawn_on_paper(bar_figure("t", "c", [(f"w{k}", r[0]) for k, r in enumerate(rows)], x=y))


@given(
    st.sets(st.floats(-1e12, 1e12).map(lambda v: round(v, 6)), min_size=1, max_size=8).map(sorted),
    st.data(),
)
def test_any_bins_give_a_drawing(edges: list[float], data: st.DataObject) -> None:
    """Uneven bins and any heights, two series side by side."""
    heights = st.lists(ANY, min_size=len(edges) - 1, max_size=len(edges) - 1)
    series = [Bars("a", data.draw(heights)), Bars("b", data.draw(heights))]

    check_drawn_on_paper(
        histogram_figure("t", "c", edges, series, x=X, y=Y, threshold=ThresholdLine(edges[0], "l"))
    )


@given(st.dictionaries(st.integers(0, 1_000), st.floats(-1e6, 1e6), min_size=1, max_size=12))
def test_the_readings_are_the_values_that_were_given(points: dict[int, float]) -> None:
    """At each place of a point the script shows its height, in order."""
    html = line_figure("t", "c", [Series("a", list(points.items()))], x=X, y=Y)
    scale = scale_for(Y, points.values(), rounded=True)
    stops = record(html)["stops"]

    assert [stop[2] for stop in stops] == [f"{x:,}" for x in sorted(points)]
    for x, (*_, [[_, height, text]]) in zip(sorted(points), stops, strict=True):
        assert height == pytest.approx(scale.fraction(points[x]), abs=1e-4)
        assert text == scale.number(points[x])


def test_long_series_are_thinned_but_keep_both_ends() -> None:
    """Ten thousand steps make a small page, and the data says what was left out."""
    steps = np.arange(1, 10_001)
    html = line_figure("t", "c", [Series.curve("a", steps, steps)], x=X, y=Y)
    stops = record(html)["stops"]

    assert len(stops) <= 130
    assert (stops[0][2], stops[-1][2]) == ("1", "10,000")
    assert "40 of 10,000 points, evenly chosen." in html
    assert len(html) < 30_000


def test_at_rest_the_legend_shows_the_last_values() -> None:
    """Paper and pages without scripts have figures to read, too."""
    html = line_figure(
        "t", "c", [Series.curve("a", [1, 2], [5, 9], ([4, 7], [6, 11]))], x=Axis("step"), y=Y
    )

    assert '<p class="at">step: 2</p>' in html
    assert '<span class="value">9</span><span class="around">7\N{EN DASH}11</span>' in html


def test_curves_on_different_grids_are_read_off_together() -> None:
    """Between its points a curve has the height it is drawn at; beyond its ends it has none."""
    coarse = Series("coarse", [(0, 0.0), (10, 5.0)])
    fine = Series("fine", [(4, 1.0), (20, 1.0)])
    stops = record(line_figure("t", "c", [coarse, fine], x=X, y=Y))["stops"]
    read = {stop[2]: [(r[0], r[2]) for r in stop[3]] for stop in stops}

    assert read == {
        "0": [(0, "0")],
        "4": [(0, "2"), (1, "1")],
        "10": [(0, "5"), (1, "1")],
        "20": [(1, "1")],
    }


def test_intervals_are_sorted_and_their_ends_put_in_order() -> None:
    """The best first; an interval given backwards is the same interval."""
    rows = [Interval("b", 0.5, 0.6, 0.4), Interval("a", 0.9, 0.8, 0.95, 0.85)]
    stops = record(interval_figure("t", "c", rows, x=Axis("F1", low=0, high=1)))["stops"]

    assert [stop[2] for stop in stops] == ["a", "b"]
    assert "0.50 (0.40\N{EN DASH}0.60)" in str(stops[1])


@pytest.mark.parametrize(
    ("edges", "heights", "message"),
    [
        ([0, 1, 1], [1, 2], "must be ascending"),
        ([0, math.nan, 1], [1, 2], "must be ascending"),
        ([0, 1, 2], [1], "has 1 bars for 3 edges"),
    ],
)
def test_bins_that_cannot_be_drawn_are_refused(
    edges: list[float], heights: list[float], message: str
) -> None:
    """The sentence says what was given and what is needed."""
    with pytest.raises(SpancrewError, match=message):
        histogram_figure("t", "c", edges, [Bars("a", heights)], x=X, y=Y)


def test_every_text_is_escaped() -> None:
    """Titles, names and labels that look like HTML stay text, inside the script's record too."""
    x, limit, mark = Axis(EVIL), ThresholdLine(1, EVIL), Mark(1, 1, EVIL)
    html = document(
        "t",
        line_figure(EVIL, EVIL, [Series(EVIL, [(1, 1)])], x=x, y=x, marks=[mark], threshold=limit),
        scatter_figure(EVIL, EVIL, [Dots(EVIL, [Dot(1, 1, EVIL)])], x=x, y=x),
        histogram_figure(EVIL, EVIL, [0, 1], [Bars(EVIL, [1])], x=x, y=x, threshold=limit),
        interval_figure(EVIL, EVIL, [Interval(EVIL, 1, 0, 2, 1)], x=x, truth_name=EVIL),
        bar_figure(EVIL, EVIL, [(EVIL, 1)], x=Axis(EVIL, bins=[EVIL])),
        live=True,
    )

    assert "<evil" not in html
    assert html.count("<script") == html.count("</script>") == 6
    assert record(html)["prefix"] == f"{EVIL}: "


def test_a_live_page_may_run_its_own_script_only() -> None:
    """The policy names the hash of exactly what stands in the page; other pages allow none."""
    html, still = document("t", live=True), document("t")
    script = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    policy = f"script-src 'sha256-{digest}'"

    assert len(script) == 1
    assert f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; {policy}" in html
    assert "script" not in still
    assert "figure.live" not in still


def test_eleven_methods_look_different() -> None:
    """No two of the first 28 styles share both hue and dash; larger numbers start again."""
    styles = {style_of(k, None).classes for k in range(28)}

    assert len(styles) == 28
    assert style_of(3, Style(1, 2)) == Style(1, 2)
    assert Style(HUES, 4).classes == Style(0, 0).classes
