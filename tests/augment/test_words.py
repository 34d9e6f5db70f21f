"""Where words start: from tokens, from the data, from jieba."""

import sys

import numpy as np
import pytest

from spancrew.augment import word_starts
from spancrew.core import Dataset, Sentence
from spancrew.errors import InvalidSentenceError, MissingPackageError, SpancrewError
from spancrew.formats import read

ENGLISH = Sentence.from_text("en", "Ana left Rome, didn't she?")
CHINESE = Sentence.from_text("zh", "我非常喜欢北京的天气")


def starts(*sentences: Sentence, words: str = "auto") -> list[list[int]]:
    """Return for each sentence the tokens that start a word."""
    found = word_starts(Dataset.of(sentences), words)  # type: ignore[arg-type]
    return [np.flatnonzero(row).tolist() for row in found]


def test_in_a_text_of_words_every_token_is_one() -> None:
    """Nothing else is asked."""
    assert starts(ENGLISH) == [list(range(len(ENGLISH)))]


def test_in_a_text_of_characters_jieba_finds_the_words() -> None:
    """Tokens are characters, words are longer."""
    pytest.importorskip("jieba")

    assert starts(CHINESE) == [[0, 1, 3, 5, 7, 8]]
    assert starts(CHINESE, words="tokens") == [list(range(10))]


def test_the_data_can_say_where_words_start() -> None:
    """Its word counts more than jieba's."""
    told = Sentence(CHINESE.id, CHINESE.text, CHINESE.bounds, {"words": [0, 3, 5]})

    assert starts(told) == [[0, 3, 5]]
    assert starts(told, words="meta") == [[0, 3, 5]]


def test_a_sentence_that_says_nothing_is_refused_where_it_should() -> None:
    """With an example of what to write."""
    with pytest.raises(InvalidSentenceError, match="'en' does not say"):
        starts(ENGLISH, words="meta")


@pytest.mark.parametrize("told", ["0 3 5", [0, 99], [True], [-1], {"0": 1}])
def test_words_that_are_no_tokens_are_refused(told: object) -> None:
    """They must be whole numbers inside the sentence."""
    wrong = Sentence("s1", ENGLISH.text, ENGLISH.bounds, {"words": told})

    with pytest.raises(InvalidSentenceError, match=r"'s1'.*whole numbers from 0 to 6"):
        starts(wrong)


def test_without_jieba_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package, the extra, and the way without."""
    monkeypatch.setitem(sys.modules, "jieba", None)

    with pytest.raises(MissingPackageError, match=r"spancrew\[chinese\].*words = tokens"):
        starts(CHINESE)
    assert starts(ENGLISH)


def test_an_unknown_kind_of_words_is_refused() -> None:
    """With the known ones."""
    with pytest.raises(SpancrewError, match="auto, tokens, jieba, meta"):
        starts(ENGLISH, words="letters")


def test_the_bundled_chinese_is_cut_into_words() -> None:
    """Fewer words than tokens in every sentence."""
    pytest.importorskip("jieba")
    dataset = read("demo-zh").dataset
    found = word_starts(dataset)

    assert all(row[0] and row.sum() < len(row) for row in found)
