"""Reachable scores, their multiplicities, and draws, against brute force."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import Picker, Ses
from spancrew.core import LabelSet, Span
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric, MetricName
from tests.augment import brute
from tests.augment.drawn import Case, cases
from tests.strategies import LABELS

METRICS: tuple[MetricName, ...] = ("exact", "proportional", "token", "proportional:authors")
metrics = st.sampled_from(METRICS).map(Metric)


def tally(picker: Picker) -> dict[float, int]:
    """Return the number of combinations by score."""
    pairs = zip(picker.scores.tolist(), picker.counts.tolist(), strict=True)
    return {round(score, 10): round(count) for score, count in pairs}


@given(cases(), metrics, st.booleans())
def test_scores_and_multiplicities_are_those_of_brute_force(
    case: Case, metric: Metric, flips: bool
) -> None:
    """Merges included: every combination is counted under the score that the metric gives it."""
    gold, starts = case
    picker = Picker(Ses(LABELS, metric, flips=flips), np.array(starts), gold)
    others = LABELS.names if flips else ()

    assert tally(picker) == dict(brute.tally(gold, starts, metric, others))
    assert not picker.is_rounded


@given(cases(), metrics, st.integers(0, 2**31))
def test_a_drawn_answer_has_the_promised_score(case: Case, metric: Metric, seed: int) -> None:
    """And is one of the combinations."""
    gold, starts = case
    picker = Picker(Ses(LABELS, metric), np.array(starts), gold)
    rng = np.random.default_rng(seed)
    known = set(brute.combinations(gold, starts))
    for level, score in enumerate(picker.scores):
        answer = picker.draw(level, rng)

        assert answer in known
        assert brute.scores([answer], gold, len(starts), metric) == [round(float(score), 10)]


@given(cases(), metrics)
def test_first_is_the_first_combination(case: Case, metric: Metric) -> None:
    """In the order of the variants, the leftmost span counting most."""
    gold, starts = case
    picker = Picker(Ses(LABELS, metric, "first"), np.array(starts), gold)
    answers = brute.combinations(gold, starts)
    found = brute.scores(answers, gold, len(starts), metric)
    rng = np.random.default_rng(0)
    for level, score in enumerate(picker.scores):
        assert picker.draw(level, rng) == answers[found.index(round(float(score), 10))]


@given(cases(), metrics)
def test_best_exact_counts_those_with_the_highest_exact_score(case: Case, metric: Metric) -> None:
    """Of all combinations with the wanted score."""
    gold, starts = case
    picker = Picker(Ses(LABELS, metric, "best-exact"), np.array(starts), gold)
    answers = brute.combinations(gold, starts)
    pairs = Counter(
        zip(
            brute.scores(answers, gold, len(starts), metric),
            brute.scores(answers, gold, len(starts), Metric("exact")),
            strict=True,
        )
    )
    best = {score: max(exact for other, exact in pairs if other == score) for score, _ in pairs}

    assert tally(picker) == {score: pairs[score, exact] for score, exact in best.items()}


def test_draws_are_uniform() -> None:
    """Chi-square over all combinations of one score, merged ones among them."""
    gold = (Span(1, 3, "PER"), Span(4, 6, "PER"))
    starts = [True] * 7
    metric = Metric("exact")
    picker = Picker(Ses(LABELS, metric), np.array(starts), gold)
    answers = brute.combinations(gold, starts)
    found = brute.scores(answers, gold, len(starts), metric)
    wanted = Counter(answer for answer, f1 in zip(answers, found, strict=True) if f1 == 0.0)
    rng = np.random.default_rng(5)
    draws = 20_000
    seen = Counter(picker.draw(0, rng) for _ in range(draws))
    share = draws / wanted.total()
    chi = sum((seen[a] - share * times) ** 2 / (share * times) for a, times in wanted.items())
    freedom = len(wanted) - 1

    assert set(seen) == set(wanted)
    assert any(len(answer) == 1 for answer in wanted)
    assert freedom > 10
    assert chi < freedom + 4 * (2 * freedom) ** 0.5


def test_the_same_generator_state_draws_the_same_answer() -> None:
    """Draws are reproducible."""
    picker = Picker(
        Ses(LABELS, Metric("exact")), np.ones(9, bool), [Span(1, 3, "PER"), Span(5, 7, "LOC")]
    )
    one, other = (
        [picker.draw(0, rng) for _ in range(20)]
        for rng in (np.random.default_rng(3), np.random.default_rng(3))
    )

    assert one == other
    assert len(set(one)) > 1


def test_two_that_meet_become_one_with_the_left_label() -> None:
    """Here only a merge reaches this token score: both expand over the gap of one token."""
    gold = (Span(0, 1, "LOC"), Span(2, 3, "PER"))
    answers = brute.combinations(gold, [True] * 3)
    picker = Picker(Ses(LABELS, Metric("exact")), np.ones(3, bool), gold)

    assert (Span(0, 3, "LOC"),) in answers
    assert sum(tally(picker).values()) == len(answers)


def test_gold_without_spans_has_the_empty_answer_only() -> None:
    """Its score is what the metric says of nothing."""
    for empty in (0.0, 1.0):
        picker = Picker(Ses(LABELS, Metric("exact", empty=empty)), np.ones(3, bool), [])

        assert tally(picker) == {empty: 1}
        assert picker.draw(0, np.random.default_rng(0)) == ()


def test_a_sentence_of_one_token_is_right_or_empty() -> None:
    """Two combinations."""
    picker = Picker(Ses(LABELS, Metric("exact")), np.ones(1, bool), [Span(0, 1, "PER")])

    assert tally(picker) == {0.0: 1, 1.0: 1}


def many_spans(count: int, gap: int = 1) -> tuple[Span, ...]:
    """Return spans of different lengths with gaps of different lengths."""
    spans, at = [], 1
    for k in range(count):
        size = 1 + (3 * k) % 7
        spans.append(Span(at, at + size, LABELS.names[k % 2]))
        at += size + gap + k % 3
    return tuple(spans)


def test_more_combinations_than_any_number_holds_are_no_obstacle() -> None:
    """240 spans: counts overflow, draws still have the promised score."""
    gold = many_spans(240, gap=12)
    length = gold[-1].end + 1
    metric = Metric("exact")
    picker = Picker(Ses(LABELS, metric), np.ones(length, bool), gold)
    rng = np.random.default_rng(0)
    for level in (0, len(picker.scores) // 2, len(picker.scores) - 1):
        answer = picker.draw(level, rng)

        assert brute.scores([answer], gold, length, metric)[0] == pytest.approx(
            picker.scores[level]
        )
    assert np.isinf(picker.counts).any()


def test_too_many_states_are_rounded_and_this_is_said() -> None:
    """Credits on a grid: the score of a draw is off by little."""
    gold = many_spans(9)
    length = gold[-1].end + 1
    metric = Metric("proportional")
    ses = Ses(LABELS, metric)
    exact = Picker(ses, np.ones(length, bool), gold)
    coarse = Picker(ses, np.ones(length, bool), gold, most_states=20_000)
    rng = np.random.default_rng(0)
    levels = range(0, len(coarse.scores), max(1, len(coarse.scores) // 50))
    drawn = [coarse.draw(level, rng) for level in levels]
    found = np.array(brute.scores(drawn, gold, length, metric))

    assert (exact.is_rounded, coarse.is_rounded) == (False, True)
    assert coarse.counts.sum() == exact.counts.sum()
    assert np.abs(found - coarse.scores[list(levels)]).max() < 0.05


def test_lengths_with_a_huge_common_multiple_are_rounded() -> None:
    """Keys would not fit into a machine word."""
    sizes = (64, 81, 25, 49, 11, 13, 17, 19, 23, 29, 31, 37)
    gold, at = [], 1
    for size in sizes:
        gold.append(Span(at, at + size, "PER"))
        at += size + 1
    picker = Picker(
        Ses(LABELS, Metric("proportional")), np.ones(at, bool), gold, most_states=50_000
    )

    assert picker.is_rounded
    assert picker.scores[-1] == 1.0


def test_a_macro_average_is_refused() -> None:
    """With the remedy."""
    with pytest.raises(SpancrewError, match="leave out average"):
        Ses(LABELS, Metric("exact", "macro"))


def test_an_unknown_tie_rule_is_refused() -> None:
    """With the known ones."""
    with pytest.raises(SpancrewError, match="uniform, first, best-exact"):
        Ses(LabelSet(()), Metric("exact"), "last")  # type: ignore[arg-type]
