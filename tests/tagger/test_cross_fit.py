"""No tagger judges what it was trained on."""

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import word_numbers
from spancrew.core import IntArray, Ragged
from spancrew.formats import read
from spancrew.tagger import PARTS, CrossFitted, facets_of, parts_of_words

SOME = 80


@cache
def material() -> tuple[IntArray, Ragged, Ragged]:
    """Return facets, words and gold of a few bundled sentences."""
    dataset = read("demo").dataset
    words, spelling = word_numbers(dataset)
    rows = np.arange(SOME)
    return facets_of(spelling), words.take(rows), dataset.gold.take(rows)


def trained(labels: Ragged, weight: np.ndarray | None = None) -> CrossFitted:
    """Train on labels of these sentences."""
    facets, words, _ = material()
    return CrossFitted.train(
        facets, words, labels, np.ones(SOME) if weight is None else weight, 9, 2
    )


@given(st.integers(0, SOME - 1))
def test_the_labels_of_a_sentence_do_not_change_its_own_tags(sentence: int) -> None:
    """Nor how likely its spans are."""
    _, words, gold = material()
    other = gold.values.copy()
    place = slice(gold.offsets[sentence], gold.offsets[sentence + 1])
    other[place] = np.where(other[place] > 0, 0, 1)
    own = words.take(np.array([sentence]))
    one, another = trained(gold), trained(Ragged(other, gold.offsets))

    assert one.tag(own) == another.tag(own)


def test_the_labels_of_a_copy_do_not_change_its_tags_either() -> None:
    """Sentences of the same words are in the same part."""
    facets, words, _ = material()
    twice = words.take(np.repeat(np.arange(SOME), 2))
    part = parts_of_words(facets, twice.values, twice.offsets, PARTS)

    assert (part[::2] == part[1::2]).all()
    assert set(part.tolist()) == set(range(5))


def test_labels_do_change_the_tags_of_others() -> None:
    """Or the first test could not fail."""
    _, words, gold = material()
    nothing = Ragged(np.zeros_like(gold.values), gold.offsets)

    assert trained(gold).tag(words).values.any()
    assert not trained(nothing).tag(words).values.any()


def test_sentences_without_weight_teach_nothing() -> None:
    """Whatever their labels are."""
    _, words, gold = material()
    weight = np.where(np.arange(SOME) < SOME // 2, 1.0, 0.0)
    other = gold.values.copy()
    other[gold.offsets[SOME // 2] :] = 1
    one, another = trained(gold, weight), trained(Ragged(other, gold.offsets), weight)

    assert one.tag(words) == another.tag(words)


def test_a_tagger_of_nothing_tags_nothing() -> None:
    """Before the first sentence is settled."""
    facets, words, gold = material()
    none = np.zeros(0, np.int64)
    blank = CrossFitted.train(facets, words.take(none), gold.take(none), np.zeros(0), 9, 4)

    assert not blank.tag(words).values.any()
