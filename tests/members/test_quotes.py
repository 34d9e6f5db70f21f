"""What a language model quotes is found in the sentence, or it is counted."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Sentence, Span
from spancrew.members._prompt import quoted
from spancrew.members._quotes import Unplaced, place
from spancrew.members._reply import is_cut_off, reply_of
from tests.members.openai import says
from tests.strategies import sentences

ROME = Sentence.from_text("s", "Romeo left Rome, Rome  and ROME for New York-Harbour.")
# Romeo 0, left 1, Rome 2, "," 3, Rome 4, and 5, ROME 6, for 7, New 8, York 9, - 10, Harbour 11


@pytest.mark.parametrize(
    ("quote", "occurrence", "found"),
    [
        ("Rome", 1, (2, 3)),
        ("Rome", 2, (4, 5)),
        ("Rome", "2", (4, 5)),
        ("rome", 3, (6, 7)),
        ("Romeo left", None, (0, 2)),
        ("New York", None, (8, 10)),
        ("  new   YORK ", 1, (8, 10)),
        ("NewYork", None, (8, 10)),
        ("Harb", None, (11, 12)),
        ("York-Harbor", None, (9, 12)),
        ("Harbours", 1, (11, 12)),
        ("Rome, Rome and", None, (2, 6)),
    ],
)
def test_a_quote_is_found(quote: str, occurrence: Any, found: tuple[int, int]) -> None:
    """As written, without case and blanks, inside a word, or with one slip."""
    assert place(ROME, quote, occurrence) == found


@pytest.mark.parametrize(
    ("quote", "occurrence", "fault"),
    [
        ("Rome", None, "ambiguous"),
        ("Rome", 7, "quote"),
        ("Rome", 0, "quote"),
        ("Rome", -1, "quote"),
        ("Rome", "first", "quote"),
        ("Rome", True, "quote"),
        ("Paris", 1, "quote"),
        ("", 1, "quote"),
        ("  ", None, "quote"),
        (None, 1, "quote"),
        (["Rome"], 1, "quote"),
        ("foX", None, "quote"),
    ],
)
def test_a_quote_that_has_no_place_is_counted(quote: Any, occurrence: Any, fault: str) -> None:
    """Nobody guesses which was meant."""
    assert place(ROME, quote, occurrence) == Unplaced(fault)


@given(sentences("s"), st.data())
def test_what_we_would_say_ourselves_is_found_again(
    sentence: Sentence, data: st.DataObject
) -> None:
    """Any span of any sentence, by its quote and the occurrence that examples show."""
    start = data.draw(st.integers(0, len(sentence) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(sentence))), "PER")
    found = reply_of({"choices": [says(quoted(sentence, [span]))]}, sentence)

    assert found.spans == ((span.start, span.end, "PER", None),)
    assert found.faults == {}


@given(sentences("s"), st.text(max_size=6), st.none() | st.integers(-1, 4))
def test_whatever_is_quoted_gets_tokens_or_a_fault(
    sentence: Sentence, quote: str, occurrence: int | None
) -> None:
    """Never an error."""
    found = place(sentence, quote, occurrence)

    assert isinstance(found, Unplaced) or 0 <= found[0] < found[1] <= len(sentence)


GOOD = '{"spans": [{"text": "New York", "label": "LOC", "occurrence": 1}]}'


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Here you are: {GOOD} I hope [this] helps.",
        f'<think>maybe {{"spans": []}}</think>{GOOD}',
        '[{"quote": "New York", "label": "LOC"}]',
        '{"entities": [{"text": "New York", "label": "LOC"}]}',
    ],
)
def test_json_is_found_in_a_reply(content: str) -> None:
    """With fences, words and thoughts around it, or under other names."""
    assert reply_of({"choices": [says(content)]}, ROME).spans == ((8, 10, "LOC", None),)


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        (says(GOOD[:40]), "unreadable"),
        (says("There are no names."), "unreadable"),
        (says('{"spans": "none"}'), "unreadable"),
        (says('{"spans": ["Rome"]}'), "unreadable"),
        (says("[" * 200 + "]" * 200), "unreadable"),
        (says(None), "unreadable"),
        (says(GOOD, "length"), "cut off"),
        (says(None, refusal="I will not."), "refused"),
        (says("", "content_filter"), "refused"),
        ({}, "unreadable"),
        ({"message": "hello"}, "unreadable"),
    ],
)
def test_a_reply_that_cannot_be_used_is_no_answer(choice: dict[str, Any], fault: str) -> None:
    """Least of all an empty one."""
    found = reply_of({"choices": [choice]}, ROME)

    assert (found.spans, found.faults) == (None, {fault: 1})


@pytest.mark.parametrize("completion", [None, [], {}, {"choices": []}, {"choices": "x"}, "text"])
def test_a_completion_without_choices_is_no_answer(completion: Any) -> None:
    """Whatever a server sends."""
    assert reply_of(completion, ROME).spans is None
    assert not is_cut_off(completion)


def test_a_label_that_is_no_text_is_counted() -> None:
    """The others stay."""
    rows = '{"spans": [{"text": "York", "label": ["LOC"]}, {"text": "New", "label": "X"}]}'
    found = reply_of({"choices": [says(rows)]}, ROME)

    assert found.spans == ((8, 9, "X", None),)
    assert found.faults == {"shape": 1}
