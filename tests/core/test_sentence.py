"""Sentences: text, tokens, offsets in code points."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Sentence, Span
from spancrew.core._tokenise import characters, suits, words
from spancrew.errors import InvalidSentenceError, InvalidSpanError

THUMB = "\N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}"
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}"
FLAGS = "🇨🇳🇫🇷"


@pytest.mark.parametrize(
    ("text", "unit", "tokens"),
    [
        ("Ana left, at 5.", "words", ["Ana", "left", ",", "at", "5", "."]),
        ("今天天气好。", "characters", ["今", "天", "天", "气", "好", "。"]),
        (f"好{THUMB}棒", "characters", ["好", THUMB, "棒"]),
        (f"好 {FAMILY}", "characters", ["好", FAMILY]),
        (f"好{FLAGS}", "characters", ["好", "🇨🇳", "🇫🇷"]),
        ("مَرْحَبًا بكم", "words", ["مَرْحَبًا", "بكم"]),
    ],
)
def test_text_is_cut_into_what_suits_its_script(text: str, unit: str, tokens: list[str]) -> None:
    """Chinese by characters, emoji whole, Arabic words with their vowel signs."""
    assert suits(text) == unit
    assert list(Sentence.from_text("s", text).tokens) == tokens


PIECES = st.sampled_from([*"aé好ل5, ", "\u0301", "\u064b", "\ufe0f", "🇨", "🇫", THUMB, FAMILY])


@given(st.lists(PIECES).map("".join))
def test_characters_are_graphemes(text: str) -> None:
    """The package regex finds the same borders; white space is never part of ours."""
    ours = [text[a:b] for a, b in characters(text)]
    theirs = regex.findall(r"\X", text)

    assert ours == [piece.strip() for piece in theirs if piece.strip()]


@given(st.text())
def test_tokens_are_in_order_and_hold_all_but_white_space(text: str) -> None:
    """No visible character is lost by either way of cutting."""
    for cut in (words, characters):
        borders = list(cut(text))
        kept = "".join(text[a:b] for a, b in borders)

        assert borders == sorted(borders)
        assert "".join(kept.split()) == "".join(text.split())


def test_offsets_are_code_points() -> None:
    """An emoji outside the basic plane counts once, unlike in a browser."""
    sentence = Sentence.from_text("s", "I 💛 Rome")

    assert sentence.locate(4, 8) == (2, 3, True)
    assert sentence.characters(Span(2, 3, "LOC")) == (4, 8)
    assert sentence.quote(Span(1, 3, "X")) == "💛 Rome"


@pytest.mark.parametrize(
    ("start", "end", "located"),
    [
        (0, 3, (0, 1, True)),
        (0, 4, (0, 1, True)),
        (3, 8, (1, 2, True)),
        (1, 8, (0, 2, False)),
        (0, 6, (0, 2, False)),
        (4, 8, (1, 2, True)),
    ],
)
def test_characters_become_the_tokens_they_touch(
    start: int, end: int, located: tuple[int, int, bool]
) -> None:
    """White space at the edges is exact; half a token is not."""
    assert Sentence.from_tokens("s", ["New", "York"]).locate(start, end) == located


@pytest.mark.parametrize(
    ("start", "end", "problem"),
    [
        (-1, 2, "characters -1-2 are empty or outside the text of 8 characters (sentence 's')"),
        (5, 5, "characters 5-5 are empty or outside"),
        (0, 9, "characters 0-9 are empty or outside"),
        (3, 4, "characters 3-4 hold no token (sentence 's')"),
    ],
)
def test_characters_without_a_token_are_refused(start: int, end: int, problem: str) -> None:
    """The message names the offsets and the sentence."""
    with pytest.raises(InvalidSpanError) as caught:
        Sentence.from_tokens("s", ["New", "York"]).locate(start, end)

    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("id_", "text", "bounds"),
    [
        ("", "a", ((0, 1),)),
        ("s", "a", ()),
        ("s", "ab", ((0, 0),)),
        ("s", "ab", ((0, 3),)),
        ("s", "ab", ((1, 2), (0, 1))),
        ("s", "ab", ((0, 2), (1, 2))),
    ],
)
def test_a_sentence_is_valid_once_built(
    id_: str, text: str, bounds: tuple[tuple[int, int], ...]
) -> None:
    """No id, no tokens, empty, outside, out of order, overlapping."""
    with pytest.raises(InvalidSentenceError):
        Sentence(id_, text, bounds)


def test_a_blank_token_is_refused() -> None:
    """The message names sentence and position."""
    with pytest.raises(InvalidSentenceError, match="sentence 's': token 1 is blank"):
        Sentence.from_tokens("s", ["a", " "])
