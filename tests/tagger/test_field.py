"""The random field against all sequences written out."""

import numpy as np
import pytest

from spancrew.core import IntArray, Ragged, chain_for, kernel, span_table
from spancrew.tagger import CrossFitted, facets_of
from spancrew.tagger._features import FEATURES, find_features
from spancrew.tagger._training import Field, blank_field, train
from tests.tagger.fields import probabilities, sequences

WORDS = ("Ana", "met", "Bo", "in", "Lisbon", "2026")
CODES = 5
SIZE = 64


@kernel
def _found(facets: IntArray, words: IntArray) -> IntArray:
    found = np.empty((len(words), FEATURES), np.int64)
    find_features(facets, words, SIZE, found)
    return found


def places(words: IntArray) -> IntArray:
    """Return the places of all features of a sentence."""
    return _found(facets_of(WORDS), words)


@pytest.fixture(scope="module")
def facets() -> IntArray:
    """Return the facets of a few words."""
    return facets_of(WORDS)


def drawn(seed: int) -> Field:
    """Return a field with random weights."""
    rng = np.random.default_rng(seed)
    field = blank_field(SIZE, CODES)
    moves = np.where(np.isfinite(field.moves), rng.normal(size=field.moves.shape), -np.inf)
    return Field(rng.normal(0, 0.2, (SIZE, CODES)).astype(np.float32), moves)


def as_tagger(field: Field, facets: IntArray) -> CrossFitted:
    """Return a tagger that has the same field for every part."""
    return CrossFitted(facets, np.stack([field.features] * 5), np.stack([field.moves] * 5))


@pytest.mark.parametrize("seed", range(6))
def test_it_tags_with_the_most_probable_sequence(facets: IntArray, seed: int) -> None:
    """Of all that spans can make."""
    words = np.random.default_rng(seed).integers(0, len(WORDS), 4)
    field = drawn(seed)
    expected = probabilities(field, places(words), len(words))
    tags = as_tagger(field, facets).tag(Ragged(words, np.array([0, len(words)])))

    assert tuple(tags.values.tolist()) == max(expected, key=lambda each: expected[each])


def test_a_word_that_came_after_the_training_has_nothing_in_common_with_others(
    facets: IntArray,
) -> None:
    """It is tagged by its place and its neighbours, as a word without any facet."""
    field, words = drawn(1), np.array([0, 1, 4, len(WORDS), len(WORDS) + 70], np.int32)
    blank = np.insert(facets, [len(WORDS)] * 2, 0, axis=0)
    row = np.array([0, len(words)])
    same = np.minimum(words, len(WORDS)).astype(np.int32)

    found = as_tagger(field, facets).tag(Ragged(words, row))
    assert found == as_tagger(field, blank).tag(Ragged(same, row))


@pytest.mark.parametrize("seed", range(6))
def test_the_chance_of_a_span_is_that_of_all_sequences_with_it(
    facets: IntArray, seed: int
) -> None:
    """Exactly this span: neither a longer nor a shorter one."""
    words = np.random.default_rng(seed).integers(0, len(WORDS), 4)
    field = drawn(seed)
    every = probabilities(field, places(words), len(words))
    spans = [
        (start, end, label)
        for start in range(4)
        for end in range(start + 1, 5)
        for label in range(2)
    ]
    start, end, label = (np.array(part) for part in zip(*spans, strict=True))
    found = as_tagger(field, facets).chances(
        Ragged(words, np.array([0, 4])), np.array([0, len(spans)]), start, end, label
    )
    expected = [
        sum(chance for each, chance in every.items() if span in _spans(each)) for span in spans
    ]

    np.testing.assert_allclose(found, expected, atol=1e-6)


def _spans(codes: tuple[int, ...]) -> set[tuple[int, int, int]]:
    table = span_table(Ragged.of([list(codes)]))
    return set(zip(table.start.tolist(), table.end.tolist(), table.label.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_training_follows_the_gradient_of_the_likelihood(facets: IntArray, seed: int) -> None:
    """One step of AdaGrad from expectations that are summed over all sequences."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, len(WORDS), 3)
    truth = sequences(3, CODES)[int(rng.integers(0, 40))]
    field = drawn(seed)
    before = Field(field.features.copy(), field.moves.copy())
    every = probabilities(before, places(words), 3)
    weight = 0.5
    train(
        field,
        facets,
        words,
        np.array([0, 3]),
        np.array(truth),
        np.array([weight]),
        np.array([0]),
        chain_for(3, CODES),
    )
    moves = np.zeros_like(before.moves)
    for codes, chance in [*every.items(), (truth, -1.0)]:
        for last, code in zip((0, *(each + 1 for each in codes)), codes, strict=False):
            moves[last, code] += weight * chance
    expected = before.moves - 0.05 * moves / np.sqrt(1e-2 + moves**2)

    np.testing.assert_allclose(field.moves, expected, atol=1e-6)


def test_training_makes_the_labels_likely(facets: IntArray) -> None:
    """After some rounds nothing else is."""
    words = Ragged.of([[0, 1, 2], [2, 3, 4, 5]])
    codes = np.array([1, 0, 1, 1, 0, 3, 4])
    field = blank_field(SIZE * 64, CODES)
    order = np.tile(np.arange(2), 40)
    numbers, room = words.values.astype(np.int64), chain_for(4, CODES)
    train(field, facets, numbers, words.offsets, codes, np.ones(2), order, room)
    tags = as_tagger(field, facets).tag(words)

    assert tags.values.tolist() == codes.tolist()
