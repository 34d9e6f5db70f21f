"""Tables and pasted text on the set-up page: columns, cuts, and what would help."""

import json
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from spancrew.client import Client
from tests.browser import (
    assert_accessible,
    assert_accessible_in_both_themes,
    assert_state_accessible,
    visiting,
)
from tests.pages.conftest import Visitors
from tests.pages.setups import (
    add_labels,
    choose,
    column,
    heading,
    press_next,
    wait_for_dashboard,
)
from tests.pages.shifts import PHONE
from tests.serving import serving

pytestmark = pytest.mark.browser

REVIEWS = """nr,review text,stars
r1,Dr. Wu left New York. She was happy with the hotel.,5
r2,"Great food, says Ana.",4
"""
PROLIFIC = """who,sentence,from_char,to_char,kind
5f1a,Ana left Rome.,0,3,PER
60bc,Ana left Rome.,9,13,LOC
60bc,Yes.,,,
"""


def table(folder: Path, text: str, name: str = "reviews.csv") -> Path:
    """Return a file with a text."""
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.browser(quick=True)
def test_a_newcomer_comes_with_a_csv_and_leaves_with_links(
    browser: Browser, tmp_path: Path
) -> None:
    """From the link that the server prints to work for a worker, in the browser alone."""
    with serving(tmp_path) as server, visiting(browser, server.url) as one:
        assert server.link is not None
        one.expected = ("422",)
        page = one.enter(server.link)
        page.get_by_role("link", name="New campaign").first.click()
        page.wait_for_url("**/campaigns/new")
        choose(page, table(tmp_path, REVIEWS))
        column(page, "Text").select_option("review text")
        page.get_by_label("Cut into").select_option("sentences")
        expect(page.locator(".examples p")).to_have_count(3)
        press_next(page)
        add_labels(page, "PER", "LOC")
        press_next(page)
        press_next(page)
        page.get_by_role("button", name="Create campaign").click()
        campaign = wait_for_dashboard(page)
        page.get_by_role("link", name="People").first.click()
        page.wait_for_url("**/people")
        page.get_by_label("Names, one per line").fill("Mia Mouse")
        page.get_by_role("button", name="Make links").click()
        link = page.get_by_label("Link of Mia Mouse", exact=True).input_value()
        page.get_by_role("link", name="Dashboard", exact=True).click()
        page.wait_for_url(f"**/{campaign}")
        page.get_by_role("button", name="Start").first.click()
        expect(page.locator("#phase")).to_have_text("Running")
        with visiting(browser, server.url) as mia:
            work = mia.enter(link)
            expect(work.locator(".sentence")).to_be_visible()

            assert campaign in work.content()


def test_columns_are_picked_and_kept(admins: Visitors, admin: Client, tmp_path: Path) -> None:
    """Without the text nothing goes on; the choice outlives a reload and counts at the end."""
    one = admins()
    one.expected = ("422",)
    page = one.page("/campaigns/new")
    choose(page, table(tmp_path, REVIEWS))
    problem = page.locator("#step-data > .problem")
    expect(problem).to_contain_text("no column looks like the text")
    expect(column(page, "Text")).to_have_attribute("aria-invalid", "true")
    assert "--" not in page.locator("main").inner_text()
    assert_accessible_in_both_themes(page)
    press_next(page)
    expect(problem).to_contain_text("Choose a column for: Text.")
    column(page, "Text").select_option("review text")
    column(page, "Id of the sentence").select_option("nr")
    expect(page.locator("#h-column_id")).to_have_text("r1")
    expect(problem).to_be_empty()
    page.get_by_label("Cut into").select_option("sentences")
    expect(page.locator(".examples p").nth(1)).to_have_text("She was happy with the hotel.")
    assert_state_accessible(page)
    page.reload()
    expect(column(page, "Text")).to_have_value("review text")
    press_next(page)
    add_labels(page, "PER")
    press_next(page)
    press_next(page)
    page.get_by_label("Campaign name").press("Enter")

    assert admin.campaign(wait_for_dashboard(page)).details().sentences == 3


def test_answers_are_laid_out_as_the_table_has_them(admins: Visitors, tmp_path: Path) -> None:
    """Another layout asks for other columns; the preview says whose spans they are."""
    page = admins().page("/campaigns/new")
    choose(page, table(tmp_path, PROLIFIC))
    expect(page.locator(".examples p")).to_have_count(3)
    page.get_by_label("What is in a row?").select_option("spans")
    expect(page.locator("#preview")).to_have_text("Choose a column for: Start, End, Label.")
    for role, name in (("Start", "from_char"), ("End", "to_char"), ("Label", "kind")):
        column(page, role).focus()
        column(page, role).select_option(name)
        expect(column(page, role)).to_be_focused()
    column(page, "Worker").select_option("who")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("by 2 workers")
    expect(preview.locator(".answer").first).to_contain_text("5f1a")
    expect(preview.locator("mark")).to_have_text(["PER Ana", "LOC Rome"])
    expect(page.get_by_label("Cut into")).to_be_hidden()
    assert_state_accessible(page)
    page.get_by_label("What is in a row?").select_option("texts")
    expect(preview).not_to_contain_text("by 2 workers")
    expect(preview.locator(".tiles")).to_contain_text("3")


def test_a_column_for_each_worker(admins: Visitors, tmp_path: Path) -> None:
    """Those that hold spans are ticked already; one can be left out."""
    marks = json.dumps([[0, 3, "PER"]]).replace('"', '""')
    wide = f'text,ana,bo\nAna left Rome.,"{marks}",[]\n'
    page = admins().page("/campaigns/new")
    choose(page, table(tmp_path, wide))
    expect(page.locator("#preview")).to_contain_text("by 2 workers")
    page.get_by_label("bo", exact=True).focus()
    page.keyboard.press("Space")
    expect(page.locator("#preview")).to_contain_text("by 1 worker")
    expect(page.get_by_label("bo", exact=True)).to_be_focused()
    assert_state_accessible(page)


def test_text_is_pasted(admins: Visitors, admin: Client) -> None:
    """As lines, or cut otherwise; rows of a spreadsheet are a table."""
    page = admins().page("/campaigns/new")
    page.get_by_role("radio", name="Pasted text").check()
    page.get_by_label("Paste your text here").fill("Ana left. She was happy.\n今天天气很好。")
    expect(page.locator(".examples p")).to_have_count(2)
    page.get_by_label("Cut into").select_option("sentences")
    expect(page.locator(".examples p")).to_have_count(3)
    assert_state_accessible(page)
    page.get_by_label("Paste your text here").fill("id\ttext\n1\tAna left.\n")
    expect(column(page, "Text")).to_have_value("text")
    page.reload()
    expect(page.get_by_label("Paste your text here")).to_have_value("id\ttext\n1\tAna left.\n")
    press_next(page)
    heading(page, "Which labels do you use?")
    add_labels(page, "PER")
    press_next(page)
    press_next(page)
    expect(page.get_by_label("Campaign name")).to_have_value("Pasted text")
    page.get_by_label("Campaign name").press("Enter")

    assert admin.campaign(wait_for_dashboard(page)).details().sentences == 1


def test_what_would_help_stands_beside_its_choice(admins: Visitors, tmp_path: Path) -> None:
    """The choice is opened, and mends it."""
    one = admins()
    one.expected = ("422",)
    page = one.page("/campaigns/new")
    overlap = {"text": "Ana left.", "label": [[0, 3, "A"], [0, 8, "B"]]}
    choose(page, table(tmp_path, json.dumps(overlap), "a.jsonl"))
    expect(page.locator("#p-overlaps")).to_have_text("Choose which of them to keep.")
    page.get_by_label("Spans that overlap").select_option("longest")
    expect(page.locator("#preview")).to_contain_text("1 repair while reading")
    choose(page, table(tmp_path, "just prose\n", "a.dat"))
    expect(page.locator("#p-format")).to_have_text("Choose the format.")
    page.get_by_label("Format").select_option("text")
    expect(page.locator("#preview")).to_contain_text("just prose")


def test_on_a_phone_in_chinese(admins: Visitors, tmp_path: Path) -> None:
    """The picker fits 360 pixels, and only data are left in English."""
    page = admins(locale="zh-CN", **PHONE).page("/campaigns/new")
    page.get_by_role("radio", name="我的文件").check()
    page.locator("input[type=file]").set_input_files(table(tmp_path, PROLIFIC))
    page.get_by_label("每一行是什么").select_option("spans")
    expect(page.locator("#preview")).to_contain_text("请为以下内容选择列")
    assert_accessible(page)
    see_columns(page, {"起点": "from_char", "终点": "to_char", "标签": "kind"})


def see_columns(page: Page, columns: dict[str, str]) -> None:
    """Choose columns, and see the preview that comes of them."""
    for role, name in columns.items():
        column(page, role).select_option(name)
    expect(page.locator("#preview mark")).to_have_count(2)
    assert_accessible(page)


def packed(path: Path, files: dict[str, str]) -> Path:
    """Return an archive of files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_folder_comes_as_a_zip_archive(admins: Visitors, admin: Client, tmp_path: Path) -> None:
    """What is wrong in it has the name of its file, and a choice mends it."""
    brat = {"harbour/a.txt": "Ana left Rome.\n", "harbour/a.ann": "T1\tPER 0 3;9 13\tAna Rome\n"}
    texts = {"harbour/a.txt": "Ana left Rome.\nYes.\n", "harbour/b.txt": "No.\n"}
    one = admins()
    one.expected = ("422",)
    page = one.page("/campaigns/new")
    choose(page, packed(tmp_path / "harbour.zip", brat))
    problem = page.locator("#step-data > .problem")
    expect(problem).to_contain_text("harbour/a.ann, line 1: ")
    pieces = page.get_by_label("Spans in several pieces")
    expect(pieces).to_have_attribute("aria-invalid", "true")
    pieces.select_option("split")
    expect(problem).to_be_empty()
    expect(page.locator("#preview mark")).to_have_text(["PER Ana", "PER Rome"])
    expect(page.locator("#preview")).to_contain_text("Read as brat.")
    assert_accessible(page)
    choose(page, packed(tmp_path / "texts.zip", texts))
    expect(page.locator(".examples p")).to_have_count(3)
    press_next(page)
    add_labels(page, "PER")
    press_next(page)
    press_next(page)
    page.get_by_label("Campaign name").press("Enter")

    assert admin.campaign(wait_for_dashboard(page)).details().sentences == 3
