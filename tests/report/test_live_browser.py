"""Live figures in a real browser: hover, keys, touch, legend, phone, paper, no script."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.report.live_example import HISTOGRAM, INTERVALS, LINES, SCATTER, example
from tests.spread import spread

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def live_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page with a figure of each kind."""
    path = tmp_path_factory.mktemp("live") / "live.html"
    path.write_text(example(), encoding="utf-8")
    return path


@pytest.fixture
def window(browser: Browser, live_page: Path) -> Iterator[Page]:
    """Open the page on a laptop."""
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(live_page.as_uri())
    yield opened
    opened.close()


def stage(window: Page, k: int) -> Locator:
    """Return the drawing of the k-th figure."""
    return window.locator("figure.live").nth(k).locator(".stage")


def point_at(window: Page, k: int, across: float, down: float) -> None:
    """Move the mouse over the k-th figure, in fractions of its plot."""
    svg = stage(window, k).locator("svg[data-plot]:visible")
    svg.scroll_into_view_if_needed()
    left, top, width, height = map(float, (svg.get_attribute("data-plot") or "").split())
    unit = svg.evaluate("svg => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width")
    box = svg.bounding_box()
    assert box is not None
    window.mouse.move(
        box["x"] + (left + across * width) * unit, box["y"] + (top + down * height) * unit
    )


def values(window: Page, k: int) -> list[str]:
    """Return the values that the legend of the k-th figure shows."""
    return window.locator("figure.live").nth(k).locator(".value").all_inner_texts()


@pytest.mark.parametrize(("width", "scheme"), spread([1280, 768, 390, 360], ["light", "dark"]))
def test_the_page_fits_the_window_and_asks_nobody(
    live_page: Path, browser: Browser, width: int, scheme: str
) -> None:
    """No request, no complaint in the console, no sideways scrolling, no tiny text."""
    opened = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    asked: list[str] = []
    said: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.goto(live_page.as_uri())
    overflow = opened.evaluate("document.documentElement.scrollWidth - innerWidth")
    heights = opened.evaluate(
        "[...document.querySelectorAll('.stage svg[data-plot]')]"
        ".map(svg => 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
    )
    opened.close()

    assert asked == [live_page.as_uri()]
    assert said == []
    assert overflow <= 0
    assert sum(height > 0 for height in heights) == 4
    assert all(height == 0 or 10 <= height <= 17 for height in heights)


def test_pointing_at_curves_shows_all_values_at_the_nearest_step(window: Page) -> None:
    """The legend follows the mouse, and shows the last values again when it leaves."""
    point_at(window, LINES, 0.252, 0.5)
    shown = values(window, LINES)
    title = window.locator(".at").first.inner_text()
    window.mouse.move(5, 5)

    assert title == "step: 25"
    assert shown == [f"{25 * (k + 1):,}" for k in range(11)]
    assert values(window, LINES) == [f"{100 * (k + 1):,}" for k in range(11)]


def test_the_legend_hides_and_shows_a_series(window: Page) -> None:
    """A hidden series is neither drawn nor read off; others stay."""
    button = window.get_by_role("button", name="method 3", exact=True)
    group = stage(window, LINES).locator('.wide [data-series="3"]')
    button.click()
    hidden = (button.get_attribute("aria-pressed"), group.is_visible())
    point_at(window, LINES, 0.25, 0.5)
    shown = values(window, LINES)
    button.click()

    assert hidden == ("false", False)
    assert (shown[2], shown[3], shown[4]) == ("75", "", "125")
    assert button.get_attribute("aria-pressed") == "true"
    assert group.is_visible()


def test_the_curves_that_are_left_are_stretched_to_the_plot(window: Page) -> None:
    """Hiding the largest gives the others its room, axis included; showing it takes it back."""
    labels = stage(window, LINES).locator(".wide .ups text")
    before = labels.all_text_contents()
    for k in range(5, 11):
        window.get_by_role("button", name=f"method {k}", exact=True).click()
    after = labels.all_text_contents()
    point_at(window, LINES, 1.0, 0.5)
    heights = (
        stage(window, LINES)
        .locator(".wide .guide circle")
        .evaluate_all("all => all.map(one => Number(one.getAttribute('cy')))")
    )
    window.get_by_role("button", name="Show all").first.click()

    assert before[-1] == "1,200"
    assert after == ["0", "100", "200", "300", "400", "500"]
    assert np.ptp(heights) > 200
    assert labels.all_text_contents() == before


def test_all_series_can_be_hidden_and_shown_at_once(window: Page) -> None:
    """Comparing two of eleven takes three clicks."""
    window.get_by_role("button", name="Hide all").click()
    pressed = stage(window, LINES).locator(".wide .series:visible").count()
    window.get_by_role("button", name="Show all").click()

    assert pressed == 0
    assert stage(window, LINES).locator(".wide .series:visible").count() == 11


def test_pointing_at_a_name_stresses_its_curve(window: Page) -> None:
    """The others fade while the mouse is on a name of the legend."""
    window.get_by_role("button", name="method 4", exact=True).hover()
    window.wait_for_timeout(250)
    faded = (
        stage(window, LINES)
        .locator(".wide .series")
        .evaluate_all("groups => groups.map(group => getComputedStyle(group).opacity < 0.5)")
    )

    assert faded == [k != 4 for k in range(11)]


@pytest.mark.parametrize(
    ("figure", "across", "down", "expected"),
    [
        (
            SCATTER,
            0.5,
            0.5,
            "gate, point 1\ncost: 1.0 (0.9\N{EN DASH}1.1)\nF1: 1.0 (0.8\N{EN DASH}1.2)",
        ),
        (INTERVALS, 0.5, 0.001, "worker"),
    ],
)
def test_pointing_at_a_point_shows_its_card(
    window: Page, figure: int, across: float, down: float, expected: str
) -> None:
    """The card names the point and its values, and goes with the mouse."""
    point_at(window, figure, across, down)
    card = stage(window, figure).locator(".card")
    shown = card.inner_text()
    window.mouse.move(5, 5)

    assert shown.startswith(expected)
    assert card.is_hidden()


def test_bars_are_read_off_in_the_legend(window: Page) -> None:
    """Both series of the bin under the mouse."""
    point_at(window, HISTOGRAM, 0.45, 0.5)
    title = window.locator("figure.live").nth(HISTOGRAM).locator(".at").inner_text()

    assert values(window, HISTOGRAM) == ["5", "4"]
    assert title == "kappa: 0.3\N{EN DASH}0.6"


def test_keys_walk_along_the_values(window: Page) -> None:
    """Each figure is a slider to assistive technology, with its values as text."""
    curves = stage(window, LINES)
    curves.focus()
    for key in ("ArrowRight", "ArrowRight", "PageDown"):
        window.keyboard.press(key)
    spoken = curves.get_attribute("aria-valuetext") or ""
    rows = stage(window, INTERVALS)
    rows.focus()
    window.keyboard.press("End")

    assert curves.get_attribute("role") == "slider"
    assert spoken.startswith("step: 11; method 0 11, 10\N{EN DASH}12; method 1 22, ")
    assert rows.get_attribute("aria-valuenow") == "59"
    assert rows.locator(".rows").evaluate("rows => rows.scrollTop") > 0
    assert rows.locator(".card").is_visible()


def test_a_finger_reads_off_values_and_they_stay(browser: Browser, live_page: Path) -> None:
    """After the tap the values remain to be read."""
    phone = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    opened = phone.new_page()
    opened.goto(live_page.as_uri())
    curves = stage(opened, LINES)
    box = curves.bounding_box()
    assert box is not None
    opened.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    title = opened.locator(".at").first.inner_text()
    phone.close()

    assert title not in {"step: 100", "step: 0"}


def test_paper_has_everything_but_the_data(window: Page) -> None:
    """All workers are printed without scrolling, and no controls."""
    window.emulate_media(media="print")
    rows = stage(window, INTERVALS).locator(".rows")

    assert rows.evaluate("rows => rows.scrollHeight - rows.clientHeight") <= 1
    assert window.locator("details:visible").count() == 0
    assert window.get_by_text("Hide all").is_hidden()
    assert window.locator(".value").first.inner_text() == "100"


def test_without_a_script_figures_and_data_are_there(browser: Browser, live_page: Path) -> None:
    """The script only adds to the page."""
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(live_page.as_uri())
    opened.locator("summary").first.click()
    drawn = opened.locator(".stage svg[data-plot]:visible").count()
    rows = opened.locator("details").first.locator("tbody tr").count()
    context.close()

    assert drawn == 4
    assert rows == 40
