"""Candidate spans, what to believe of them, and the vote on whole spans."""

from collections import Counter
from itertools import combinations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Consensus, MajorityVote, SpanVote
from spancrew.consensus._candidates import candidates_of, vote_shares
from spancrew.consensus._scheduling import best_spans
from spancrew.core import Answers, Ragged
from spancrew.errors import SpancrewError
from tests.consensus.drawn import Place, Rows, answer_rows, overlap, places, table

B, I = 1, 2  # noqa: E741  of the first label


def votes(rows: Rows) -> Counter[Place]:
    """Count who gave which span."""
    return Counter(place for row in rows for place in places(row))


def judged(method: SpanVote | MajorityVote, *rows: list[int]) -> list[int]:
    """Return the labels of one sentence."""
    return [int(code) for code in method.judge(*table([list(rows)])).labels[0]]


@given(st.lists(answer_rows() | st.just([]), max_size=4))
def test_candidates_are_all_spans_of_the_answers_once(sentences: list[Rows]) -> None:
    """With their votes and shares, ordered by end, start and label."""
    answers, _ = table(sentences)
    found = candidates_of(answers)
    shares = vote_shares(found, answers)

    for k, rows in enumerate(sentences):
        low, high = found.first[k : k + 2]
        expected = sorted(votes(rows).items(), key=lambda one: (one[0][1], one[0][0], one[0][2]))
        columns = (found.start, found.end, found.label)
        got = list(zip(*(column[low:high].tolist() for column in columns), strict=True))

        assert got == [place for place, _ in expected]
        assert found.votes[low:high].tolist() == [count for _, count in expected]
        assert np.allclose(shares[low:high], [count / len(rows) for _, count in expected])


@pytest.mark.parametrize("method", [MajorityVote(), SpanVote(), SpanVote(0.6)])
@given(sentences=st.lists(answer_rows(), min_size=1, max_size=3))
def test_a_span_is_as_likely_as_its_share_of_the_answers(
    method: MajorityVote | SpanVote, sentences: list[Rows]
) -> None:
    """Sum over all sets of candidates that may be true, each on its own."""
    beliefs = method.judge(*table(sentences))

    for k, rows in enumerate(sentences):
        shares = {place: count / len(rows) for place, count in votes(rows).items()}
        chosen = set(places(beliefs.labels[k].tolist()))
        confidence = errors = expected = 0.0
        for size in range(len(shares) + 1):
            for true in combinations(shares, size):
                chance = prod(v if c in true else 1 - v for c, v in shares.items())
                confidence += chance * (set(true) == chosen)
                errors += chance * len(set(true) ^ chosen)
                expected += chance * len(true)
        low = beliefs.labels.offsets[k]
        spans = {place[0]: shares.get(place, 0.0) for place in chosen}

        assert beliefs.confidence[k] == pytest.approx(confidence, abs=1e-9)
        assert beliefs.errors[k] == pytest.approx(errors)
        assert beliefs.expected[k] == pytest.approx(expected)
        assert all(
            beliefs.spans[low + t] == pytest.approx(spans.get(t, 0.0)) for t in range(len(rows[0]))
        )


@given(answer_rows(), st.sampled_from([0.0, 0.2, 0.3, 0.5, 0.9]))
def test_no_other_spans_without_overlap_have_a_larger_sum(rows: Rows, threshold: float) -> None:
    """Try all of them."""
    shares = {place: count / len(rows) for place, count in votes(rows).items()}
    sums = [
        sum(shares[place] - threshold for place in some)
        for size in range(len(shares) + 1)
        for some in combinations(shares, size)
        if not any(overlap(*pair) for pair in combinations(some, 2))
    ]
    got = places(SpanVote(threshold).judge(*table([rows])).labels[0].tolist())

    assert sum(shares[place] - threshold for place in got) == pytest.approx(max(sums))


@given(answer_rows(), st.data())
def test_the_span_vote_does_not_depend_on_the_order(rows: Rows, data: st.DataObject) -> None:
    """Shuffle the answers."""
    shuffled = data.draw(st.permutations(rows))
    one, other = (SpanVote().judge(*table([some])) for some in (rows, shuffled))

    assert one.labels == other.labels
    assert one.contested.tolist() == other.contested.tolist()
    assert one.errors.tolist() == pytest.approx(other.errors.tolist())


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (([B, I], [B, 0]), [B, 0]),
        (([B, I], [0, B]), [B, I]),
        (([3, 0], [B, 0]), [B, 0]),
        (([B, B], [B, I], [B, I], [B, B]), [B, B]),
        (([B, 0], [0, 0], [0, 0], [0, 0]), [0, 0]),
        (([B, 0], [0, 0], [0, 0]), [B, 0]),
    ],
    ids=[
        "the one that ends first",
        "the longer of two that end together",
        "the lower label",
        "two are more than one",
        "a quarter is too little",
        "a third is enough",
    ],
)
def test_ties_are_settled_as_the_documentation_says(
    answers: tuple[list[int], ...], expected: list[int]
) -> None:
    """Ends first, then the longer one, then the lower label."""
    assert judged(SpanVote(), *answers) == expected


def test_a_share_equal_to_the_threshold_is_not_enough() -> None:
    """It adds nothing."""
    assert judged(SpanVote(0.5), [B], [0]) == [0]
    assert judged(SpanVote(0.49), [B], [0]) == [B]


def test_rounding_does_not_decide() -> None:
    """Three tenths in three steps are three tenths."""
    answers, lengths = table([[[B, B, B], [B, I, I]]])
    candidates = candidates_of(answers)
    chance = np.array([0.1, 0.1, 0.3, 0.1])
    labels, _ = best_spans(candidates, chance, 0.0, lengths, np.uint8)

    assert candidates.end.tolist() == [1, 2, 3, 3]
    assert chance[2] < 0.1 + 0.1 + 0.1
    assert labels[0].tolist() == [B, I, I]


def test_spans_of_another_label_with_as_many_votes_contest() -> None:
    """Only if they lie on the same tokens, and not if they have the same label."""
    answers, lengths = table(
        [
            [[B, 0], [3, 0]],
            [[B, 0], [B, I]],
            [[B, 3], [0, 0]],
            [[B, I], [0, 3]],
            [[B, 0], [B, 0], [3, 0]],
        ]
    )

    assert SpanVote().judge(answers, lengths).contested.tolist() == [
        True,
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize("method", [MajorityVote(), SpanVote()])
def test_nobody_is_sure_of_nothing(method: MajorityVote | SpanVote) -> None:
    """Without answers there are no spans and no confidence; with empty ones there is."""
    beliefs = method.judge(*table([[], [[0, 0]], [[0, B]]]))

    assert beliefs.confidence.tolist() == [0, 1, 1]
    assert beliefs.errors.tolist() == [0, 0, 0]
    assert beliefs.expected.tolist() == [0, 0, 1]
    assert beliefs.labels.values.tolist() == [0, 0, 0, 0, 0, B]
    assert beliefs.found.tolist() == [0, 0, 1]


@pytest.mark.parametrize("method", [MajorityVote(), SpanVote()])
def test_a_vote_learns_nothing(method: Consensus) -> None:
    """Its model is the vote itself."""
    assert not method.learns


@pytest.mark.parametrize("threshold", [-0.1, 1.0, float("nan")])
def test_a_threshold_out_of_range_is_refused(threshold: float) -> None:
    """Nothing or everything would pass."""
    with pytest.raises(SpancrewError, match="must be from 0 to below 1"):
        SpanVote(threshold)


def test_a_thousand_different_answers_are_no_burden() -> None:
    """Every one of them has spans of its own."""
    rng = np.random.default_rng(0)
    rows = (rng.random((1000, 300)) < 0.3).astype(np.uint8)
    codes = Ragged(rows.ravel(), np.arange(0, rows.size + 1, 300))
    answers = Answers(np.zeros(1000, np.int32), np.arange(1000, dtype=np.int32), codes, 1)
    beliefs = SpanVote(0.25).judge(answers, np.array([300]))

    assert beliefs.found[0] > 290
    assert beliefs.expected[0] == pytest.approx(rows.sum() / 1000)
