"""Words that look alike have facets in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.tagger import facets_of
from spancrew.tagger._spelling import LAST_TWO, LOWER, OUTLINE, SHAPE, WORD


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=6))
def test_the_facets_of_a_word_do_not_depend_on_the_others(words: list[str]) -> None:
    """They are the same alone and among others, in any order."""
    together = facets_of(words)
    alone = [facets_of([word])[0] for word in words]

    assert np.array_equal(together[:-1], alone)
    assert np.array_equal(together[-1], facets_of([])[-1])


@pytest.mark.parametrize(
    ("one", "other", "facet", "same"),
    [
        ("Lisbon", "Berlin", SHAPE, True),
        ("Lisbon", "Rome", SHAPE, False),
        ("Lisbon", "Rome", OUTLINE, True),
        ("Lisbon", "lisbon", LOWER, True),
        ("Lisbon", "lisbon", WORD, False),
        ("running", "singing", LAST_TWO, True),
        ("2026", "1999", SHAPE, True),
        ("鱼", "肉", SHAPE, True),
        ("鱼", "肉", WORD, False),
    ],
)
def test_facets_say_what_words_have_in_common(
    one: str, other: str, facet: int, *, same: bool
) -> None:
    """Case, shape and last letters."""
    first, second, _ = facets_of([one, other])

    assert (first[facet] == second[facet]) is np.bool_(same)


def test_short_words_have_no_long_endings() -> None:
    """Their first and last letters are the word itself."""
    short, longer, _ = facets_of(["of", "offer"])

    assert short[LAST_TWO] == 0
    assert longer[LAST_TWO] != 0


def test_copies_of_a_word_are_the_same_word() -> None:
    """A rehearsal of a large campaign copies sentences, and gives their words a number."""
    one, other, _ = facets_of(["Lisbon", "Lisbon 2"])

    assert np.array_equal(one, other)
