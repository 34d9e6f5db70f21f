"""The whole story of a campaign through its pages, as everybody in it sees it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from spancrew.core import Dataset, decode
from spancrew.formats import read
from tests.browser import Visit
from tests.pages.admins import as_admin
from tests.pages.conftest import Visitors
from tests.pages.setups import open_details
from tests.pages.shifts import PHONE, Marks, Seat
from tests.serving import Serving

pytestmark = pytest.mark.browser

DEMO = read("demo").dataset
WORKERS = ("Mia Mouse", "Kim Keys", "Tom Touch")
DONE = 3
"""Sentences that everybody answers, at least; on one of them they do not agree."""


@pytest.mark.browser(quick=True)
def test_a_campaign_from_its_set_up_to_its_labels(
    visit: Visitors, server: Serving, tmp_path: Path
) -> None:
    """An admin sets up, three label in three ways, an expert settles, and the labels are right."""
    dashboard = set_up(visit(**as_admin(server)).page("/campaigns"))
    links = invited(dashboard, WORKERS, "Workers") | invited(dashboard, ("Eve Expert",), "Experts")
    dashboard.get_by_role("link", name="Dashboard", exact=True).click()
    dashboard.get_by_role("button", name="Start").first.click()
    expect(dashboard.locator("#phase")).to_have_text("Running")

    crew = [Seat(visit(**how).enter(links[name])) for name, how in zip(WORKERS, HOW, strict=True)]
    labelled, doubt = label(crew)
    expect(settled(dashboard, "By the crowd")).to_contain_text(str(len(labelled) - 1))
    settle(visit(), links["Eve Expert"], doubt)
    expect(settled(dashboard, "By experts")).to_contain_text("1")

    result = exported(dashboard, tmp_path / "labels.jsonl")
    assert {id_: final(result, id_) for id_ in labelled} == {id_: gold(id_) for id_ in labelled}
    assert result.finals is not None
    assert int(result.finals.is_settled.sum()) == len(labelled)
    assert int(result.finals.is_by_expert.sum()) == 1


HOW: tuple[dict[str, Any], ...] = ({}, {}, PHONE)


def set_up(page: Page) -> Page:
    """Create a campaign on the demo data, and arrive at its dashboard."""
    page.get_by_role("link", name="New campaign").first.click()
    page.wait_for_load_state()
    page.get_by_role("radio", name="Demo: news").check()
    expect(page.locator("#preview")).to_contain_text("600")
    page.get_by_label("Practice sentences").fill("0")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    open_details(page)
    page.get_by_label("Answers per sentence").fill("3")
    page.get_by_label("Crew size").fill("3")
    page.get_by_role("radio", name="An expert where workers disagree").check()
    page.get_by_text("More settings").click()
    page.get_by_label("New workers start with").select_option(label="ordinary work")
    page.get_by_label("Audits, in %").fill("0")
    page.get_by_role("button", name="Next").click()
    page.get_by_label("Campaign name").fill("Names of the week")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Names of the week")
    return page


def invited(page: Page, names: tuple[str, ...], role: str) -> dict[str, str]:
    """Invite people, and return the link of each."""
    page.get_by_role("link", name="People").first.click()
    page.get_by_label("Role").select_option(label=role)
    page.get_by_label("Names, one per line").fill("\n".join(names))
    page.get_by_role("button", name="Make links").click()
    return {name: page.get_by_label(f"Link of {name}", exact=True).input_value() for name in names}


def gold(id_: str) -> Marks:
    """Return the right labels of a sentence."""
    spans = DEMO.gold_spans(DEMO.sentences.index(id_)) or ()
    return [(span.start, span.end, span.label) for span in spans]


def label(crew: list[Seat]) -> tuple[list[str], str]:
    """Let everybody label in their own way; return what has all answers, and what is in doubt.

    Only the mouse finds anything in the first sentence that has something to find.
    """
    ids = {text: id_ for id_, text in zip(DEMO.sentences.ids, DEMO.sentences.texts, strict=True)}
    counts: Counter[str] = Counter()
    last: dict[Seat, str] = {}
    while sum(count == len(crew) for count in counts.values()) < DONE:
        for seat, mark in zip(crew, (by_mouse, by_keyboard, by_touch), strict=True):
            last[seat] = at_hand(seat, last.get(seat))
            id_ = ids[last[seat]]
            counts[id_] += 1
            doubt = next(iter(id_ for id_ in counts if gold(id_)), None)
            answer(seat, mark, [] if id_ == doubt and mark is not by_mouse else gold(id_))
    assert doubt is not None
    return [id_ for id_, count in counts.items() if count == len(crew)], doubt


def at_hand(seat: Seat, text: str | None) -> str:
    """Return the sentence in hand, once it is another one than the last."""
    seat.ready()
    sentence = seat.page.locator(".desk:not([aria-busy]) .sentence")
    if text is not None:
        expect(sentence).not_to_have_text(text)
    return " ".join(sentence.inner_text().split())


def answer(seat: Seat, mark: Callable[[Seat, Marks], None], spans: Marks) -> None:
    """Hand in some spans, or say that there are none."""
    if not spans:
        seat.button("Nothing to mark here").click()
        return
    mark(seat, spans)


def by_mouse(seat: Seat, spans: Marks) -> None:
    """Drag over the words and click on the label."""
    for start, end, name in spans:
        seat.drag(start, end - 1)
        seat.label(name).click()
    assert seat.spans == spans
    seat.submit()


def by_keyboard(seat: Seat, spans: Marks) -> None:
    """Go there with arrows, extend with shift, press the number of the label."""
    for start, end, name in spans:
        steps = ["ArrowRight"] * start + ["Shift+ArrowRight"] * (end - start - 1)
        seat.presses("Home", *steps, str(DEMO.labels.names.index(name) + 1))
    assert seat.spans == spans
    seat.presses("Enter")


def by_touch(seat: Seat, spans: Marks) -> None:
    """Tap the first and the last word, then the label."""
    for start, end, name in spans:
        seat.token(start).tap()
        if end > start + 1:
            seat.token(end - 1).tap()
        seat.label(name).tap()
    assert seat.spans == spans
    seat.button("Submit").tap()


def settle(expert: Visit, link: str, id_: str) -> None:
    """Take the right answer of the one who saw something, and submit it."""
    page = expert.enter(link)
    page.get_by_role("button", name="Use").first.wait_for()
    seat = Seat(page)
    for start, end, name in gold(id_):
        seat.mark(start, end, name)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="No sentence needs an expert now")).to_be_visible()


def settled(page: Page, by: str) -> Locator:
    """Return what the dashboard says of those who decide."""
    return page.locator("#figures li", has_text=by)


def exported(page: Page, path: Path) -> Dataset:
    """Download the final labels from the dashboard."""
    page.locator("#export-title").scroll_into_view_if_needed()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(path)
    return read(path, "spancrew").dataset


def final(result: Dataset, id_: str) -> Marks:
    """Return the final labels of a sentence."""
    assert result.finals is not None
    codes = result.finals.codes.take(np.array([result.sentences.index(id_)])).values
    return [(span.start, span.end, span.label) for span in decode(codes, result.labels)]
