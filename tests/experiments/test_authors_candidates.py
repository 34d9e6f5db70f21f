"""The authors' candidates, against a naive list and against what their code is known to make."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import word_starts
from spancrew.core import BoolArray, IntArray, LabelSet, Span, decode, encode, is_valid, span_table
from spancrew.experiments._authors_answers import miscounted, word_borders
from spancrew.experiments._authors_candidates import authors_candidates
from spancrew.formats import read
from tests.experiments.authors_naive import naive
from tests.strategies import span_sets

TYPES = LabelSet(("LOC", "MISC", "ORG", "PER"))
POLES = LabelSet(("NEG", "POS"))


def rows(spans: tuple[Span, ...], labels: LabelSet) -> IntArray:
    """Return spans as rows of numbers."""
    numbers = [(span.start, span.end, labels.id(span.label)) for span in spans]
    return np.array(numbers, np.int64).reshape(-1, 3)


def of_words(text: str, *gold: Span, seed: int = 0) -> set[tuple[Span, ...]]:
    """Return the candidates of an English sentence."""
    borders = miscounted(np.array([len(word) for word in text.split()]))
    found = authors_candidates(rows(gold, TYPES), borders, TYPES, (seed, 0))
    return {decode(row, TYPES) for row in found}


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[Span, ...], BoolArray]:
    """Draw gold spans with two labels and the borders of words."""
    length = draw(st.integers(1, 9))
    gold = draw(span_sets(length, POLES).filter(bool))
    inner = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return gold, np.array([True, *inner])


def test_a_word_is_as_many_tokens_as_it_has_characters() -> None:
    """The example that was run through the authors' code: five candidates."""
    text = "The European Commission said on Thursday it disagreed"
    found = of_words(text, Span(1, 3, "ORG"))
    flipped = {spans for spans in found if spans[0].label != "ORG"}

    assert len(found) == 5
    assert [(span.start, span.end) for (span,) in flipped] == [(1, 3)]
    assert found - flipped == {(Span(a, b, "ORG"),) for a, b in ((1, 3), (0, 3), (1, 8), (3, 8))}


def test_words_of_one_letter_are_stepped_over_one_by_one() -> None:
    """The same gold has thirteen candidates then; none is shrunk to its first token."""
    found = of_words("a b c d e f g h", Span(1, 3, "ORG"))

    assert len(found) == 13
    assert (Span(2, 3, "ORG"),) in found
    assert (Span(1, 2, "ORG"),) not in found
    assert (Span(0, 1, "ORG"),) in found


def test_a_step_to_the_left_leaves_the_word_it_starts_in() -> None:
    """From inside the second word the first is reached, not the start of the second."""
    found = of_words("ab cd e f g h", Span(3, 4, "ORG"))

    assert (Span(0, 4, "ORG"),) in found
    assert (Span(2, 4, "ORG"),) not in found


def test_a_neighbour_that_follows_at_once_leaves_few_candidates() -> None:
    """The shift that cannot end fills the level; the same spans a token apart have many more."""
    touching = of_words("a b c d e f g h", *(Span(k, k + 1, "ORG") for k in (1, 3, 4, 6)))
    apart = of_words("a b c d e f g h", *(Span(k, k + 1, "ORG") for k in (0, 2, 4, 6)))

    assert len(touching) < 100
    assert len(apart) > 500


def test_a_single_label_has_no_other() -> None:
    """Only the borders vary."""
    labels = LabelSet(("ORG",))
    found = authors_candidates(
        rows((Span(0, 1, "ORG"),), labels), np.ones(3, bool), labels, (0, 0)
    )

    assert sorted(map(tuple, found.tolist())) == [(0, 1), (1, 0), (1, 2)]


@given(cases(), st.sampled_from([5, 40, 1000]))
def test_candidates_are_those_of_a_naive_list(
    case: tuple[tuple[Span, ...], BoolArray], cap: int
) -> None:
    """Whatever the cap; lists of spans differ where their codes may not."""
    gold, borders = case
    found = authors_candidates(rows(gold, POLES), borders, POLES, (0, 0), cap)
    expected = [
        encode((Span(*v) for v in spans if v[0] < v[1]), len(borders) - 1, POLES).tolist()
        for spans in naive(gold, borders, cap)
    ]

    assert sorted(found.tolist()) == sorted(expected)


@given(cases(), st.integers(0, 5))
def test_candidates_are_answers(case: tuple[tuple[Span, ...], BoolArray], seed: int) -> None:
    """Inside the sentence, never overlapping, never empty; gold is one; a seed fixes them."""
    gold, borders = case
    spans = tuple(Span(s.start, s.end, "PER" if s.label == "POS" else "LOC") for s in gold)
    found = authors_candidates(rows(spans, TYPES), borders, TYPES, (seed, 7), 500)
    again = authors_candidates(rows(spans, TYPES), borders, TYPES, (seed, 7), 500)

    assert found.any(axis=1).all()
    assert all(is_valid(row, TYPES) for row in found)
    assert encode(spans, len(borders) - 1, TYPES).tolist() in found.tolist()
    assert max(int((row % 2).sum()) for row in found) <= len(gold)
    assert np.array_equal(found, again)


def test_labels_are_drawn_for_each_sequence_before() -> None:
    """Every other label turns up; another seed draws others."""
    text, gold = "a b c d e f g h", (Span(1, 2, "ORG"), Span(4, 5, "ORG"))
    found = of_words(text, *gold)
    second = {spans[-1].label for spans in found if spans[-1].end == 5 and len(spans) == 2}

    assert second == {"ORG", "LOC", "MISC", "PER"}
    assert found != of_words(text, *gold, seed=1)


@pytest.mark.realdata
def test_candidates_are_as_many_as_the_authors_code_makes(real_data: Path) -> None:
    """All of CoNLL: total within a thousandth, quantiles and medians by number of spans."""
    data = read(real_data / "conll-crowd" / "collected.json").dataset
    table = span_table(data.gold)
    gold = np.stack([table.start, table.end, table.label], axis=1)
    first = np.searchsorted(table.row, np.arange(len(data) + 1))
    borders = word_borders(data, word_starts(data))
    counts = np.array(
        [
            len(authors_candidates(gold[first[k] : first[k + 1]], borders[k], data.labels, (0, k)))
            for k in range(len(data))
        ]
    )
    spans = np.minimum(np.diff(first), 7)
    medians = [float(np.median(counts[spans == k])) for k in range(1, 8)]

    assert counts.sum() == pytest.approx(5_774_071, rel=1e-3)
    assert np.quantile(counts, [0, 0.1, 0.25, 0.5]).tolist() == [2, 3, 4, 24]
    assert np.quantile(counts, [0.75, 0.9, 0.95]) == pytest.approx([190, 1400, 5600], rel=0.01)
    assert np.quantile(counts, [0.99, 1]) == pytest.approx([30_001, 30_003], abs=1)
    assert [int(np.sum(counts <= most)) for most in (5, 10)] == [1473, 1997]
    assert [int(np.sum(counts >= least)) for least in (5000, 29_000)] == [241, 87]
    assert medians[:3] == [4, 32, 254]
    assert medians[3:] == pytest.approx([1400, 11_091, 29_988, 30_002], rel=0.003)
    assert counts[spans == 1].max() == 19
