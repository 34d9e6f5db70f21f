"""What people do on the pages of Potato, and what of it is an answer."""

import html
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.bridges import Filled, Sheet
from spancrew.bridges._potato_answers import filled_of, read_answers
from spancrew.bridges._potato_sheets import Placed, page_text
from spancrew.core import Sentence, Span
from tests.bridges.potato import PotatoUser
from tests.bridges.potato_desk import ANA, LOC, PER, SENTENCE, Desk

RECORDED = Path(__file__).with_name("recorded") / "potato_user_state.json"


def shown_by_potato(text: str) -> str:
    """Return what is left of a line's text on a page of Potato."""
    kept = re.sub(r"[\x00-\x09\x0b-\x1f\x7f]", "", text)
    kept = re.sub(r"[ \t]+", " ", kept).strip()
    return html.unescape(re.sub(r"<[^>]*>", "", kept))


def test_the_file_of_the_real_potato_is_read(tmp_path: Path) -> None:
    """Version 2.12 wrote it, after marks by mouse in Chromium around emoji, tabs and markup."""
    text = '  Ana\t\t😀  "x" <b>Oslo</b> &amp; R&D \n Rome\x00  😀 Paris \n'
    sentence = Sentence.from_text("s1", text)
    placed = Placed(ANA, Sheet("a1", sentence))
    answers = read_answers(RECORDED)
    found = filled_of(placed, answers.on(placed.id))
    other = filled_of(Placed(ANA, Sheet("a2", SENTENCE)), answers.on(f"{placed.id[:-4]}a2-1"))
    words = [(sentence.tokens[span.start], len(span), span.label) for span in found.spans]

    assert words == [
        ("Ana", 1, "PER"),
        ("Oslo", 1, "LOC"),
        ("Rome", 1, "LOC"),
        ("Paris", 1, "LOC"),
    ]
    assert (found.state, found.problem, found.seconds) == ("answered", None, 8.799)
    assert other == Filled("a2", "answered", (), 3.371)
    assert not answers.retired
    assert read_answers(tmp_path / "none.json").pages == {}


@given(st.text(st.sampled_from(" \t\n\x00\xa0\u2003abc<>&;\"'😀é#1"), max_size=20))
def test_potato_shows_every_character_of_a_sentence(text: str) -> None:
    """It drops spaces and control characters and reads markup; then all offsets would be off."""
    sentence = Sentence.from_text("s", f"{text}x")
    shown = shown_by_potato(page_text(Sheet("a1", sentence)))
    pairs = zip(shown, sentence.text, strict=True)

    assert all(a == b or a in " \u200b" for a, b in pairs)
    assert [shown[a:b].strip("\u200b ") for a, b in sentence.bounds] == [
        each.strip("\x00") for each in sentence.tokens
    ]


def test_words_stay_apart() -> None:
    """Also where a tab or a line break is between them."""
    sentence = Sentence.from_text("s1", "Ana\tsings\r\nin Rome")

    assert page_text(Sheet("a1", sentence)) == "Ana sings \u200bin Rome"


def test_a_sentence_is_one_line_whatever_is_in_it(desk: Desk) -> None:
    """Potato ends a line also at characters that JSON does not mind."""
    sentence = Sentence.from_text("s1", "Ana\u2028sings\x85in\x1cRome 😀")
    desk.tool.push(ANA, Sheet("a1", sentence))
    (found,) = PotatoUser(desk.fake, "ana").todo()

    assert len(html.unescape(found[0]["text"])) == len(sentence.text)


def test_marks_without_a_choice_are_no_answer(desk: Desk) -> None:
    """Nor is a page that somebody has seen; a draft that changes keeps the time from running."""
    page = desk.push()
    seen = desk.look()
    desk.mark(page, (0, 3, "PER"))
    (first,) = desk.look()
    desk.mark(page, (0, 3, "PER"), (13, 17, "LOC"))
    (second,) = desk.look()

    assert [each.state for each in seen] == ["untouched"]
    assert (first.state, second.state) == ("begun", "begun")
    assert first.draft != second.draft


@pytest.mark.parametrize(
    ("choice", "marks", "spans"),
    [
        ("All marked", [(13, 17, "LOC"), (0, 3, "PER")], (PER, LOC)),
        ("All marked", [(1, 2, "PER"), (12, 15, "LOC")], (PER, LOC)),
        ("Nothing to mark", [], ()),
        ("As suggested", [], (LOC,)),
    ],
)
def test_a_choice_makes_an_answer(
    desk: Desk, choice: str, marks: list[tuple[int, int, str]], spans: tuple[Span, ...]
) -> None:
    """Marks count as the tokens that they touch."""
    page = desk.push(suggestion=(LOC,))
    desk.mark(page, *marks)
    desk.choose(page, choice)

    assert desk.look() == [Filled("a1", "answered", spans, 2.5)]


@pytest.mark.parametrize(
    ("choice", "marks", "said"),
    [
        ("All marked", [], "nothing is marked"),
        ("Nothing to mark", [(0, 3, "PER")], "1 spans are marked"),
        ("As suggested", [], "nothing was suggested"),
        ("As suggested", [(0, 3, "PER")], "spans are marked, too"),
        ("Perhaps", [(0, 3, "PER")], "means nothing here"),
        ("All marked", [(10, 40, "PER")], "outside the text"),
    ],
)
def test_a_contradiction_is_no_answer(
    desk: Desk, choice: str, marks: list[tuple[int, int, str]], said: str
) -> None:
    """It waits until it is corrected."""
    page = desk.push()
    desk.mark(page, *marks)
    desk.choose(page, choice)
    (found,) = desk.look()
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "All marked")

    assert found.problem is not None
    assert said in found.problem
    assert desk.look() == [Filled("a1", "answered", (PER,), 2.5)]


def test_a_suggestion_and_marks_are_no_answer_together(desk: Desk) -> None:
    """Nobody knows which of the two is meant."""
    page = desk.push(suggestion=(LOC,))
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "As suggested")
    (found,) = desk.look()

    assert "spans are marked, too" in str(found.problem)


def test_other_schemes_of_the_project_do_not_matter(desk: Desk) -> None:
    """A config of yours may ask for more than spancrew does."""
    page = desk.push()
    desk.fake.mark("ana", page, [{"schema": "others", "start": 0, "end": 3, "name": "PER"}])
    row = [{"schema": "mood", "name": "All marked"}, "All marked"]
    desk.fake.users["ana"]["instance_id_to_label_to_value"][page] = [row]
    desk.fake.save("ana")
    before = desk.look()
    desk.choose(page, "Nothing to mark")

    assert before == [Filled("a1", "untouched")]
    assert desk.look() == [Filled("a1", "answered", (), 2.5)]


def test_a_span_in_pieces_is_no_answer(desk: Desk) -> None:
    """Potato can mark such spans where its config allows it."""
    page = desk.push()
    mark = {"start": 0, "end": 3, "name": "PER", "additional_parts": [{"start": 13, "end": 17}]}
    desk.fake.mark("ana", page, [mark])
    desk.choose(page, "All marked")
    (found,) = desk.look()

    assert "several pieces" in str(found.problem)


def test_a_skipped_page_is_given_back(desk: Desk) -> None:
    """Whatever was marked there."""
    page = desk.push()
    desk.mark(page, (0, 3, "PER"))
    desk.choose(page, "Skip")

    assert desk.look() == [Filled("a1", "skipped")]
