"""The sequence model against an enumeration of all readings."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.consensus._bsc import BscModel
from spancrew.consensus._bsc_chain import count_all
from spancrew.consensus._bsc_tables import Counts, contexts_of, digamma, may_follow
from spancrew.consensus._sheets import sheets_of
from spancrew.core import Answers, Ragged, chain_for
from tests.consensus.enumerated import (
    Case,
    Reading,
    drawn_tables,
    posterior,
    readings,
    span_chances,
    spans_in,
)
from tests.spread import often

LABELS, WORKERS, WORDS = 2, 3, 4
VALID = {size: list(readings(size, 2 * LABELS + 1)) for size in range(1, 5)}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Case, int]:
    """Draw a sentence with answers and a seed for the tables."""
    size = draw(st.integers(1, 4))
    answers = draw(st.lists(st.sampled_from(VALID[size]), min_size=1, max_size=3))
    words = draw(st.none() | st.lists(st.integers(0, WORDS - 1), min_size=size, max_size=size))
    workers = draw(st.permutations(range(WORKERS)))[: len(answers)]
    return Case([list(answer) for answer in answers], workers, words), draw(st.integers(0, 99))


def columns(case: Case) -> tuple[Answers, np.ndarray, Ragged | None]:
    """Return a case as the model takes it."""
    count = len(case.answers)
    workers = np.array(case.workers, np.int32)
    answers = Answers(np.zeros(count, np.int32), workers, Ragged.of(case.answers), 1)
    words = None if case.words is None else Ragged.of([case.words], np.int32)
    return answers, np.array([case.size]), words


@given(cases())
@settings(max_examples=often(20, 60), deadline=None)
def test_every_probability_is_that_of_the_enumeration(drawn: tuple[Case, int]) -> None:
    """Of the chosen spans, of the whole sentence, of what is expected and of what is wrong."""
    case, seed = drawn
    tables = drawn_tables(np.random.default_rng(seed), WORKERS, LABELS, WORDS)
    truth = posterior(case, tables)
    chances = span_chances(truth)
    answers, lengths, words = columns(case)
    beliefs = BscModel(tables, 0.4, 1).judge(answers, lengths, words)
    chosen: Reading = tuple(beliefs.labels[0].tolist())
    wrong = sum(
        probability * len(spans_in(chosen) ^ spans_in(reading))
        for reading, probability in truth.items()
    )

    assert beliefs.confidence[0] == pytest.approx(truth[chosen], abs=1e-9)
    assert beliefs.expected[0] == pytest.approx(sum(chances.values()), abs=1e-9)
    assert beliefs.errors[0] == pytest.approx(wrong, abs=1e-9)
    for start, end, label in spans_in(chosen):
        assert beliefs.spans[start] == pytest.approx(chances[start, end, label], abs=1e-9)


@given(cases(), st.sampled_from([0.1, 0.3, 0.5]))
@settings(max_examples=often(15, 40), deadline=None)
def test_no_other_spans_are_worth_more(drawn: tuple[Case, int], threshold: float) -> None:
    """All readings are tried; spans below 5 % are never offered, which costs at most that."""
    case, seed = drawn
    tables = drawn_tables(np.random.default_rng(seed), WORKERS, LABELS, WORDS)
    chances = {k: v for k, v in span_chances(posterior(case, tables)).items() if v > 0.05}
    answers, lengths, words = columns(case)
    labels = BscModel(tables, threshold, 1).judge(answers, lengths, words).labels

    def worth(reading: Reading) -> float:
        return sum(chances.get(span, -math.inf) - threshold for span in spans_in(reading))

    best = max(worth(reading) for reading in VALID[case.size])

    assert worth(tuple(labels[0].tolist())) == pytest.approx(best, abs=1e-9)


@given(cases())
@settings(max_examples=often(15, 40), deadline=None)
def test_counts_are_expectations_over_the_enumeration(drawn: tuple[Case, int]) -> None:
    """Moves, workers' answers and words, summed over all readings."""
    case, seed = drawn
    tables = drawn_tables(np.random.default_rng(seed), WORKERS, LABELS, WORDS)
    answers, lengths, words = columns(case)
    counts = Counts(*(np.zeros_like(part) for part in tables[:3]))
    room = chain_for(int(lengths.max()), tables.moves.shape[1])
    nobody = Ragged(np.zeros(0, np.uint8), np.zeros(2, np.int64))
    count_all(
        sheets_of(answers, lengths, words), tables, nobody.values, nobody.offsets, counts, room
    )
    expected = Counts(*(np.zeros_like(part) for part in tables[:3]))
    for reading, probability in posterior(case, tables).items():
        _count(case, reading, probability, expected)

    for got, wanted in zip(counts, expected, strict=True):
        assert np.allclose(got, wanted, atol=1e-9)


def test_experts_labels_are_counted_as_they_are() -> None:
    """Whatever the tables say."""
    case = Case([[1, 2, 0]], [0], [3, 1, 0])
    tables = drawn_tables(np.random.default_rng(5), WORKERS, LABELS, WORDS)
    answers, lengths, words = columns(case)
    counts = Counts(*(np.zeros_like(part) for part in tables[:3]))
    room = chain_for(3, tables.moves.shape[1])
    known = Ragged.of([[3, 0, 1]])
    count_all(
        sheets_of(answers, lengths, words), tables, known.values, known.offsets, counts, room
    )
    expected = Counts(*(np.zeros_like(part) for part in tables[:3]))
    _count(case, (3, 0, 1), 1.0, expected)

    for got, wanted in zip(counts, expected, strict=True):
        assert np.array_equal(got, wanted)


def _count(case: Case, reading: Reading, probability: float, counts: Counts) -> None:
    for token, true in enumerate(reading):
        counts.moves[reading[token - 1] + 1 if token else 0, true] += probability
        for worker, answer in zip(case.workers, case.answers, strict=True):
            before = answer[token - 1] + 1 if token else 0
            counts.workers[worker, before, answer[token], true] += probability
        if case.words is not None:
            counts.words[case.words[token], true] += probability


@given(st.floats(1e-3, 1e6))
def test_digamma_is_that_of_scipy(x: float) -> None:
    """Of all counts that occur."""
    from scipy.special import digamma as oracle

    assert digamma(x) == pytest.approx(float(oracle(x)), rel=1e-9, abs=1e-9)


def test_a_context_forgets_all_but_inside_and_outside_where_tables_would_be_too_large() -> None:
    """With 60 labels and 5,000 workers a table for every code would take 70 GB."""
    small, large = contexts_of(4, 47), contexts_of(60, 5_000)

    assert small.of.tolist() == list(range(10))
    assert large.of.tolist() == [0, 0] + [1] * 120
    assert large.allows.shape == (2, 121)
    assert not large.allows[0, 2::2].any()
    assert large.allows[1].all()


def test_an_inside_continues_its_own_label_only() -> None:
    """B-0 and I-0 before I-0; O, the other label and nothing else."""
    assert [may_follow(before, 2) for before in range(5)] == [False, True, True, False, False]
    assert all(may_follow(before, code) for before in range(5) for code in (0, 1, 3))
