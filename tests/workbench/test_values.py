"""What calls return: a line, a DataFrame, the output of a cell, a picture, a page."""

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import spancrew as sc
from spancrew.core import Dataset
from spancrew.errors import MissingPackageError, SpancrewError
from spancrew.formats import pandas_frame
from spancrew.metrics import Metric, worker_scores
from spancrew.report import text
from spancrew.workbench import Figure

SIZE = 60


@cache
def data() -> Dataset:
    """Return a few sentences of the bundled data set."""
    return sc.read("demo").dataset.take(np.arange(SIZE))


@cache
def made() -> dict[str, Any]:
    """Return a value of every call."""
    return {
        "inspect": sc.inspect(data()),
        "aggregate": sc.aggregate(data(), "mv"),
        "simulate": sc.simulate(data(), ["random", "cucb"], "gate", runs=1),
        "frontier": sc.frontier(data(), "mv", shares=[0, 0.5], orders=1),
        "certify": sc.certify(data(), "mv"),
        "fidelity": sc.fidelity(data(), "ses"),
    }


CALLS = ("inspect", "aggregate", "simulate", "frontier", "certify", "fidelity")


class Balanced(HTMLParser):
    """Notes elements that are not closed, or closed twice, and where a page calls outside."""

    void = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        self.wrong += [name for name, _ in attrs if name in {"src", "href", "onclick"}]
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def refuse_wrong(html: str) -> None:
    """Refuse HTML that is not whole."""
    page = Balanced()
    page.feed(html)

    assert page.wrong == []
    assert page.open == []


@pytest.mark.parametrize("call", CALLS)
def test_a_value_is_one_short_line(call: str) -> None:
    """Without arrays or addresses in memory."""
    line = repr(made()[call])

    assert "\n" not in line
    assert len(line) < 260
    assert not any(sign in line for sign in ("array", "0x", "[["))


@pytest.mark.parametrize("call", CALLS)
def test_a_value_shows_itself_in_a_cell(call: str) -> None:
    """With a style that touches nothing else, and no script that runs."""
    html = made()[call]._repr_html_()
    style = html.split("<style>")[1].split("</style>")[0]

    refuse_wrong(html)
    assert style.startswith(".spancrew.spancrew.spancrew {")
    assert style.count("{") == style.count("}")
    assert ":root" not in style
    assert "rem;" not in style
    assert html.count("<script") == html.count('<script type="application/json"')


@pytest.mark.parametrize("call", CALLS)
def test_a_value_can_be_kept_as_a_picture_and_as_a_page(call: str, tmp_path: Path) -> None:
    """Both are pages of their own."""
    made()[call].plot().save(tmp_path / "picture.html")
    picture = (tmp_path / "picture.html").read_text("utf-8")

    refuse_wrong(picture)
    assert "<svg" in picture
    refuse_wrong(made()[call].page())


def test_spans_are_drawn_in_the_colour_of_their_label() -> None:
    """Final labels where there are any, else gold; every text is escaped."""
    final = made()["aggregate"]._repr_html_()
    gold = sc.read(data())._repr_html_()

    assert 'class="c1">Amberwick Packet<span class="label">ORG</span></mark>' in gold
    assert "s001 · gold" in gold
    assert "and 55 more sentences" in gold
    assert "mv, confidence 0." in final
    assert "&lt;" not in gold


def test_the_frame_of_an_inspection_has_the_scores_of_the_workers() -> None:
    """The best first, all metrics."""
    frame = made()["inspect"].frame().set_index("worker")
    truth = worker_scores(data(), Metric("exact"))[:, 2]

    assert dict(frame["exact_f1"].dropna()) == {
        worker: f1 for worker, f1 in zip(data().workers, truth, strict=True) if not np.isnan(f1)
    }
    assert frame["exact_f1"].dropna().is_monotonic_decreasing


def test_the_frames_of_final_labels_have_every_sentence_span_and_worker() -> None:
    """With what is known of each."""
    labels = made()["aggregate"]
    sentences, spans = labels.frame(), labels.frame("spans")
    finals = [labels.dataset.final(k) for k in range(SIZE)]

    assert list(sentences["id"]) == list(data().sentences.ids)
    assert list(sentences["confidence"]) == [final.confidence for final in finals]
    assert list(spans["confidence"]) == [s.confidence for final in finals for s in final.spans]
    assert list(sentences["spans"].map(len)) == [len(final.spans) for final in finals]
    texts = dict(zip(data().sentences.ids, data().sentences.texts, strict=True))
    assert all(texts[row.id][row.start : row.end] == row.quote for row in spans.itertuples())
    assert set(labels.frame("workers")["worker"]) <= set(data().workers)


def test_the_frame_of_rehearsals_has_the_numbers_of_the_outcomes() -> None:
    """A row for each setting, and the cheapest is one of them."""
    found = made()["simulate"]
    frame = found.frame()
    outcomes = list(found.outcomes.values())

    assert list(frame["policy"]) == ["random", "cucb"]
    assert list(frame["money"]) == [float(outcome.money.mean()) for outcome in outcomes]
    assert found.sentence in repr(found)


def test_the_frames_of_the_others_have_the_values_that_they_show() -> None:
    """Points, labels and figures."""
    frontier, certified, fidelity = (made()[n] for n in ("frontier", "certify", "fidelity"))

    assert list(frontier.frame()["f1"]) == [point.exact_f1.mean for point in frontier.points]
    assert certified.frame()["f1"][0] == certified.certificate.delivered.f1.estimate
    assert certified.as_json()["audited"] == SIZE
    assert fidelity.frame()["known"][0] == fidelity["known"].ks
    assert list(fidelity) == ["known", "new"]
    assert len(fidelity) == 2


def test_there_is_no_picture_of_nothing() -> None:
    """A guess has no intervals."""
    with pytest.raises(SpancrewError, match="there is nothing to draw"):
        Figure.of("empty", "")


def test_a_frame_without_pandas_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that has it."""
    monkeypatch.setitem(sys.modules, "pandas", None)

    with pytest.raises(MissingPackageError, match=r'pip install "spancrew\[pandas\]"'):
        pandas_frame([], ["id"])


def test_the_papers_method_is_not_compared_with_itself() -> None:
    """Where it is the cheapest itself."""
    alone = sc.simulate(data(), "cucb:scale=0.2", "gate:threshold=0.65", runs=1, expert_price=9)
    both = sc.simulate(data(), ["cucb:scale=0.2", "random"], "gate", runs=1, expert_price=9)

    assert "the paper's" not in alone.comparison
    for found in (alone, both):
        assert found.cheapest is not None
        assert found.ranked[0] == found.cheapest
        is_papers = found.cheapest.name.startswith("cucb:scale=0.2 + gate")
        assert ("the paper's" in found.comparison) != is_papers


def test_the_page_of_rehearsals_says_what_the_terminal_says() -> None:
    """The cheapest row first and marked, what knows the truth last, and what it costs."""
    found = sc.simulate(data(), ["oracle", "random"], ["gate", "crowd"], runs=1, expert_price=9)
    page = found.page()
    methods, costs = page.split("<table", 2)[1:]
    first, *others = (each.name for each in found.ranked)

    for said in (found.sentence, found.comparison, found.scope):
        assert text(said) in page
    for part, names in ((methods, (f"* {first}", *others)), (costs, (first, *others))):
        places = [part.index(f">{name}<") for name in names]
        assert places == sorted(places)
    assert found.ranked[-1].name.startswith("oracle")
