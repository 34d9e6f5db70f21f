"""The reliability of workers, against worlds enumerated one by one and against statsmodels."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from spancrew.consensus import (
    Beliefs,
    Evidence,
    MajorityVote,
    clamped,
    reliability,
)
from spancrew.core import Dataset, Ragged, Span, decode
from spancrew.errors import SpancrewError
from spancrew.testing._believed import audited
from spancrew.testing._made_up import MadeUpCrowd
from tests.consensus.believed import believed
from tests.strategies import LABELS, datasets

Chances = dict[Span, float]


def chances_on(evidence: Evidence, beliefs: Beliefs, sentence: int) -> tuple[Chances, float]:
    """Return the probability of each span of a sentence, and how many others are expected."""
    if evidence.known is not None and len(row := evidence.known[sentence]):
        return dict.fromkeys(decode(row, LABELS), 1.0), 0.0
    first = beliefs.labels.offsets[sentence]
    spans = decode(beliefs.labels[sentence], LABELS)
    chances = {span: float(beliefs.spans[first + span.start]) for span in spans}
    return chances, float(beliefs.expected[sentence]) - sum(chances.values())


def mean_over_worlds(chances: Chances, answer: set[Span]) -> tuple[float, float]:
    """Return the mean number of hits and of true spans over all worlds, each span true or not."""
    hits = trues = 0.0
    for world in product((True, False), repeat=len(chances)):
        weight = 1.0
        for is_true, chance in zip(world, chances.values(), strict=True):
            weight *= chance if is_true else 1 - chance
        true = {span for span, is_true in zip(chances, world, strict=True) if is_true}
        hits += weight * len(true & answer)
        trues += weight * len(true)
    return hits, trues


def by_hand(evidence: Evidence, beliefs: Beliefs, worker: int) -> tuple[int, float, float]:
    """Return a worker's spans, hits and the spans that should have been given."""
    answers = evidence.answers
    spans, hits, due = 0, 0.0, 0.0
    for k in np.flatnonzero(answers.worker == worker).tolist():
        chances, others = chances_on(evidence, beliefs, int(answers.sentence[k]))
        given = set(decode(answers.codes[k], LABELS))
        right, trues = mean_over_worlds(chances, given)
        spans, hits, due = spans + len(given), hits + right, due + trues + others
    return spans, hits, due


@given(drawn=believed(), level=st.sampled_from([0.5, 0.8, 0.95, 0.99]))
def test_it_is_what_enumerated_worlds_and_statsmodels_give(
    drawn: tuple[Evidence, Beliefs], level: float
) -> None:
    """Every span true or not, each combination with its probability."""
    evidence, beliefs = drawn
    found = reliability(evidence, beliefs, level)

    assert len(found.score) == evidence.workers
    for worker in range(evidence.workers):
        spans, hits, due = by_hand(evidence, beliefs, worker)
        assert found.spans[worker] == spans
        trials = (spans + due) / 2
        if trials > 1e-6:
            wilson = proportion_confint(hits, trials, 1 - level, method="wilson")
            assert found.score[worker] == pytest.approx(2 * hits / (spans + due), abs=1e-9)
            assert found.low[worker] == pytest.approx(wilson[0], abs=1e-6)
            assert found.high[worker] == pytest.approx(wilson[1], abs=1e-6)


@given(drawn=believed())
def test_intervals_hold_the_score_and_stay_between_0_and_1(
    drawn: tuple[Evidence, Beliefs],
) -> None:
    """Never NaN, and the wider the surer it should be."""
    narrow, wide = (reliability(*drawn, level) for level in (0.5, 0.95))

    assert np.isfinite(np.concatenate(wide)).all()
    assert (wide.low >= 0).all()
    assert (wide.high <= 1).all()
    assert (wide.low <= narrow.low + 1e-12).all()
    assert (narrow.high <= wide.high + 1e-12).all()
    assert (narrow.low <= narrow.score + 1e-12).all()
    assert (narrow.score <= narrow.high + 1e-12).all()


@given(drawn=believed())
def test_experts_labels_may_be_clamped_before_or_not(drawn: tuple[Evidence, Beliefs]) -> None:
    """Clamping twice is clamping once."""
    evidence, beliefs = drawn
    once = clamped(beliefs, evidence.known)

    for one, other in zip(
        reliability(evidence, beliefs), reliability(evidence, once), strict=True
    ):
        assert np.array_equal(one, other)


@given(drawn=believed())
def test_clamped_beliefs_are_certain_where_an_expert_has_spoken(
    drawn: tuple[Evidence, Beliefs],
) -> None:
    """And as before elsewhere."""
    evidence, beliefs = drawn
    sure = clamped(beliefs, evidence.known)

    for k, is_known in enumerate(evidence.is_known.tolist()):
        before = beliefs.labels[k].tolist()
        known = evidence.known[k].tolist() if evidence.known is not None else []
        assert sure.labels[k].tolist() == (known if is_known else before)
        assert sure.confidence[k] == (1 if is_known else beliefs.confidence[k])
        assert sure.errors[k] == (0 if is_known else beliefs.errors[k])
        assert sure.expected[k] == (sure.found[k] if is_known else beliefs.expected[k])
        spans = Ragged(sure.spans, sure.labels.offsets)[k]
        if is_known:
            assert np.array_equal(spans, sure.labels[k] % 2 == 1)


def test_a_worker_of_whom_nothing_is_known_may_be_anything() -> None:
    """No answers, or nothing but empty ones where nothing is expected."""
    dataset = Dataset.of([])
    evidence = Evidence(dataset.answers, np.zeros(0, np.int64), 3, 2)
    nothing = MajorityVote().judge(evidence.answers, evidence.lengths)
    found = reliability(evidence, nothing)

    assert found.spans.tolist() == [0, 0]
    assert found.score.tolist() == [0.5, 0.5]
    assert np.allclose([found.low, found.high], [[0, 0], [1, 1]])


@given(dataset=datasets(gold=True))
def test_a_worker_who_says_what_experts_say_is_as_reliable_as_can_be(dataset: Dataset) -> None:
    """With every sentence known, the score is the exact F1 against the experts' labels."""
    evidence = Evidence.of(dataset, dataset.gold)
    beliefs = MajorityVote().judge(evidence.answers, evidence.lengths)
    found = reliability(evidence, beliefs)

    for worker in range(len(dataset.workers)):
        rows = np.flatnonzero(dataset.answers.worker == worker)
        gold = [dataset.gold[int(dataset.answers.sentence[k])] for k in rows]
        same = all(
            np.array_equal(dataset.answers.codes[int(k)], g)
            for k, g in zip(rows, gold, strict=True)
        )
        if same and found.spans[worker]:
            assert found.score[worker] == 1


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_confidence_that_is_none_is_refused(level: float) -> None:
    """It must lie between 0 and 1."""
    dataset = Dataset.of([])
    evidence = Evidence(dataset.answers, np.zeros(0, np.int64), 3, 2)
    nothing = MajorityVote().judge(evidence.answers, evidence.lengths)

    with pytest.raises(SpancrewError, match="not between 0 and 1"):
        reliability(evidence, nothing, level)


def test_audits_do_not_count_answers_twice() -> None:
    """With their rows anywhere, the figures are those without them."""
    evidence, gold = MadeUpCrowd(sentences=40).made()
    more = audited(evidence, gold, np.arange(0, 40, 3), 3.0)
    plain, checked = (
        reliability(each, MajorityVote().judge(each.answers, each.lengths))
        for each in (evidence, more)
    )

    for one, other in zip(plain, checked, strict=True):
        assert np.array_equal(one, other)
