"""The HTML report: complete, escaped, self-contained, readable in a real browser."""

import base64
import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.formats import read
from spancrew.report import inspect, inspection_page
from spancrew.report._html import marked_text
from tests.spread import spread

CHARTS = ["Answers per worker", "F1 of every worker", "Agreement on a sentence", "Kinds of error"]


@pytest.fixture(scope="module")
def demo_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the report on the demo data."""
    path = tmp_path_factory.mktemp("report") / "demo.html"
    path.write_text(inspection_page(inspect("demo", read("demo").dataset)), encoding="utf-8")
    return path


def test_nothing_on_the_page_points_outside(demo_page: Path) -> None:
    """No script but its own, no link, no address but those inside the page."""
    html = demo_page.read_text(encoding="utf-8")
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert f"script-src 'sha256-{digest}'\"" in html
    assert html.count("<script") == 1 + html.count('<script type="application/json">')
    assert "<link" not in html
    assert not re.findall(r'(?:src|href|srcset)="(?!data:)', html)
    assert "default-src 'none'" in html


def test_all_workers_and_all_parts_are_there(demo_page: Path) -> None:
    """Six parts, thirty workers, four charts in two sizes."""
    html = demo_page.read_text(encoding="utf-8")
    parts = re.findall(r"<h2>(.*?)</h2>", html)

    assert parts == ["The data", "The workers", "Agreement", "Errors", "Repairs"]
    assert all(f"<td>{worker}</td>" in html for worker in read("demo").dataset.workers)
    assert re.findall(r'<figure class="chart live"><figcaption><b>(.*?)</b>', html) == CHARTS
    assert len(re.findall(r'<svg class="(?:wide|narrow)" [^>]*data-plot=', html)) == 8


def test_tables_can_be_told_apart_without_seeing_them(demo_page: Path) -> None:
    """Regions that share a name are one and the same to a screen reader."""
    html = demo_page.read_text(encoding="utf-8")
    names = re.findall(r'role="region" aria-label="(.*?)"', html)

    assert len(names) == 8
    assert len(set(names)) == len(names)


def test_text_from_the_data_is_escaped() -> None:
    """A sentence, a worker, a label and a repair that look like HTML stay text."""
    sentence = Sentence.from_tokens("<evil-id>", ["<evil-token>", "x"])
    answer = Answer("<evil-id>", "<evil-worker>", (Span(0, 2, "<evil-label>"),))
    data = Dataset.of([sentence], {"<evil-id>": [Span(0, 1, "<evil-label>")]}, [answer])
    html = inspection_page(inspect("<evil-name>", data, [("<evil-kind>", "<evil-repair>")]))

    assert "<evil" not in html
    for part in ("id", "token", "worker", "label", "name", "kind", "repair"):
        assert f"&lt;evil-{part}&gt;" in html


def test_touching_spans_stay_apart_and_carry_their_labels() -> None:
    """Two boxes, two labels, and the text between is kept."""
    sentence = Sentence.from_text("s", "好看,难吃", "characters")
    spans = (Span(0, 2, "POS"), Span(2, 3, "NEG"))
    html = marked_text(sentence.text, sentence.bounds, spans, {"POS": 0, "NEG": 1})

    assert html == (
        '<p class="sentence" dir="auto"><mark class="c0">好看<span class="label">POS</span></mark>'
        '<mark class="c1">,<span class="label">NEG</span></mark>难吃</p>'
    )


def test_a_data_set_with_nothing_to_score_still_has_a_report() -> None:
    """The parts say why they are empty."""
    data = Dataset.of([Sentence.from_tokens("s", ["a"])], answers=[Answer("s", "w")])
    html = inspection_page(inspect("bare", data))

    assert "No sentence has two answers to compare." in html
    assert "No answer has gold to be compared with." in html


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), spread([1280, 400], ["light", "dark"]))
def test_the_report_fits_the_window_and_asks_nobody(
    demo_page: Path, browser: Browser, width: int, scheme: str
) -> None:
    """No request to the outside, no sideways scrolling, every chart drawn."""
    window = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    asked: list[str] = []
    window.on("request", lambda request: asked.append(request.url))
    window.goto(demo_page.as_uri())
    drawn = window.evaluate(
        "[...document.querySelectorAll('svg[data-plot]')]"
        ".filter(svg => svg.getClientRects().length)"
        ".map(svg => svg.querySelectorAll('.bar, .dot').length > 0)"
    )
    overflow = window.evaluate("document.documentElement.scrollWidth - innerWidth")
    window.close()

    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert drawn == [True] * 4
    assert overflow <= 0
