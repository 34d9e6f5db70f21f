"""What a certificate says, and when it refuses to."""

import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.audits import audited_labels, samples
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import DescrStatsW

from spancrew.certificates import (
    BY_CROWD,
    BY_EXPERT,
    BY_GOLD,
    OTHER,
    AuditedLabels,
    Certificate,
    Estimate,
    Quality,
    audits_needed,
    certificate_of,
    expert_agreement,
    guess_of,
)
from spancrew.certificates._part import crowd_part
from spancrew.certificates._prediction import learned, predicted
from spancrew.consensus import aggregate
from spancrew.core import LabelSet, Ragged
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.metrics import Metric
from tests.certificates.populations import drawn_labels


@st.composite
def audited(draw: st.DrawFn) -> AuditedLabels:
    """Return any audited labels: two labels, up to twelve sentences, any audits."""
    count = draw(st.integers(1, 12))
    numbers = st.lists(st.integers(0, 3), min_size=2 * count, max_size=2 * count)
    shape = (count, 2)

    def column() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.reshape(np.array(draw(numbers), float), shape)

    delivered, true = column(), column()
    decided = np.array(
        draw(
            st.lists(
                st.sampled_from([BY_CROWD, BY_EXPERT, BY_GOLD]), min_size=count, max_size=count
            )
        )
    )
    chosen = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    is_audited = chosen & (decided == BY_CROWD)
    if (decided == BY_CROWD).any() and not is_audited.any():
        is_audited = decided == BY_CROWD
    seen = is_audited[:, None]
    return AuditedLabels(
        ("A", "B"),
        decided,
        is_audited,
        delivered,
        delivered * draw(st.floats(0, 1)),
        column(),
        np.where(seen, np.minimum(np.minimum(delivered, true), column()), 0.0),
        np.where(seen, true, 0.0),
        np.full(count, 20.0),
        np.arange(count, dtype=float),
        replaces=draw(st.booleans()),
    )


def figures(certificate: Certificate) -> list[Estimate]:
    """Return all numbers that have an interval."""
    parts = [certificate.delivered, certificate.crowd]
    parts += [each.quality for each in certificate.labels]
    return [figure for quality in parts for figure in quality]


@given(audited(), st.booleans())
def test_every_interval_is_within_what_is_possible(labels: AuditedLabels, strict: bool) -> None:
    """It has its estimate, and is a point only if every sentence of the crowd was audited."""
    made = certificate_of(labels, strict=strict)
    is_complete = made.audited == made.crowd_sentences

    for estimate, low, high in figures(made):
        assert low is not None
        assert high is not None
        assert 0 <= low <= estimate + 1e-12
        assert estimate - 1e-12 <= high <= 1
    assert made.crowd.recall.low == made.crowd.recall.high or not is_complete
    assert is_complete or made.crowd.f1.low != made.crowd.f1.high


@given(audited())
def test_with_everything_audited_it_is_the_truth(labels: AuditedLabels) -> None:
    """Whatever was stated."""
    whole = replace(
        labels, decided=np.where(labels.is_audited, BY_CROWD, BY_EXPERT), replaces=False
    )
    made = certificate_of(whole)
    sure = labels.delivered[~labels.is_audited].sum()
    right = labels.right.sum() + sure
    below = labels.delivered.sum() + labels.true.sum() + sure
    truth = 2 * right / below if below else 1.0

    assert made.delivered.f1 == pytest.approx((truth, truth, truth))


@given(audited(), st.randoms(use_true_random=False))
def test_the_order_of_sentences_does_not_matter(labels: AuditedLabels, random: object) -> None:
    """Nor that of the audits, unless it is strict."""
    order = np.random.default_rng(len(labels)).permutation(len(labels))
    columns = (
        "decided",
        "is_audited",
        "delivered",
        "stated_right",
        "stated_true",
        "right",
        "true",
    )
    shuffled = replace(
        labels, rank=None, most=None, **{name: getattr(labels, name)[order] for name in columns}
    )

    for one, other in zip(
        figures(certificate_of(labels)), figures(certificate_of(shuffled)), strict=True
    ):
        assert one == pytest.approx(other)


def test_codes_are_counted_as_the_metrics_do() -> None:
    """On the bundled data: the truth is the pooled exact F1, and labels add up."""
    dataset = read("demo").dataset
    labels = audited_labels(dataset, "mv")
    made = certificate_of(replace(labels, replaces=False))
    joined = aggregate(dataset, "mv")
    scores = Metric("exact").pool(joined.finals.codes, dataset.gold)
    parts = {each.label: each for each in made.labels}
    by_label = Metric("exact", "macro").pool(joined.finals.codes, dataset.gold)

    assert made.delivered.f1 == pytest.approx((scores.f1,) * 3)
    assert made.delivered.precision.estimate == pytest.approx(scores.precision)
    assert made.delivered.recall.estimate == pytest.approx(scores.recall)
    assert sum(each.delivered for each in parts.values()) == labels.delivered.sum()
    mean = np.mean([each.quality.f1.estimate for each in parts.values()])
    assert mean == pytest.approx(by_label.f1)
    assert labels.stated_true.sum() == pytest.approx(joined.beliefs.expected.sum())
    assert labels.stated_right.sum() == pytest.approx(joined.beliefs.spans.sum())


def test_of_a_mean_it_is_the_textbook_interval_with_a_finite_population() -> None:
    """One span in every sentence: precision is a mean; statsmodels has the interval of residuals.

    What small samples add to the variance is below 3 % here.
    """
    rng = np.random.default_rng(3)
    stated = rng.beta(4, 2, (5000, 1))
    right = (rng.random((5000, 1)) < stated).astype(float)
    one = np.ones((5000, 1))
    rows = rng.choice(5000, 2000, replace=False)
    labels = AuditedLabels(
        ("A",), np.zeros(5000, int), np.ones(5000, bool), one, stated, one, right, one
    ).audited_at(rows)
    found = certificate_of(labels).crowd.precision
    part = crowd_part(labels, np.array([0]))
    right_spans = predicted(part.stated, learned(part)).right
    residual = DescrStatsW(right[rows, 0] - right_spans[rows])
    low, high = residual.tconfint_mean()
    estimate = right_spans.mean() + residual.mean
    half = (high - low) / 2 * math.sqrt(1 - 2000 / 5000)

    assert found.estimate == pytest.approx(estimate)
    assert found.high is not None
    assert found.low is not None
    assert found.high - estimate == pytest.approx(half, rel=0.03)
    assert estimate - found.low == pytest.approx(half, rel=0.06)


def test_audited_sentences_are_delivered_as_the_expert_has_them() -> None:
    """So what is delivered is better than what the crowd settled, unless audits do not replace."""
    labels = next(samples(replace(drawn_labels(wrong=0.2), replaces=True), 200, 1, 1))
    made, kept = certificate_of(labels), certificate_of(replace(labels, replaces=False))

    assert made.crowd == kept.crowd
    assert made.delivered.f1.estimate > kept.delivered.f1.estimate > made.crowd.f1.estimate
    assert made.experts == (labels.decided == BY_EXPERT).sum()


def test_a_calm_sample_does_not_make_a_point() -> None:
    """Five audits without an error say little: by the rule of three, many may be wrong."""
    ones = np.ones((1000, 1))
    labels = AuditedLabels(
        ("A",), np.zeros(1000, int), np.arange(1000) < 5, ones, ones, ones, ones, ones
    )
    made = certificate_of(labels)

    assert made.crowd.f1.estimate == 1
    assert made.crowd.f1.low is not None
    assert made.crowd.f1.low < 1 - 0.4
    assert made.wrong_sentences is not None
    assert made.wrong_sentences.high == pytest.approx(1 - 0.05 ** (1 / 5), abs=0.01)


def test_rare_labels_are_pooled_and_named() -> None:
    """Those with fewer than ten audited true spans."""
    labels = drawn_labels(labels=3, spans=3)
    rare = np.array([1.0, 1.0, 0.0])
    few = replace(
        labels, labels=("A", "B", "C"), true=labels.true * rare, right=labels.right * rare
    )
    made = certificate_of(few)

    assert [each.label for each in made.labels] == ["A", "B", OTHER]
    assert made.labels[-1].pooled == ("C",)


def test_nothing_audited_is_refused_with_a_remedy() -> None:
    """How many audits, and which option draws them."""
    labels = drawn_labels().audited_at(np.zeros(0, int))
    needed = audits_needed(labels, 0.03)

    with pytest.raises(SpancrewError, match=rf"about {needed:,} of .* audit={needed} draws them"):
        certificate_of(labels)


def test_the_audits_needed_give_about_that_interval() -> None:
    """Where the consensus states what is true."""
    labels = drawn_labels(4000, wrong=0.15)
    needed = audits_needed(labels, 0.02)
    found = certificate_of(next(samples(labels, needed, 1, 1))).delivered.f1

    assert found.high is not None
    assert found.low is not None
    assert 100 < needed < 1500
    assert (found.high - found.low) / 2 == pytest.approx(0.02, rel=0.5)
    assert audits_needed(labels, 1e-6) == labels.is_by_crowd.sum()


def test_a_guess_has_no_interval() -> None:
    """It is what the stated probabilities amount to."""
    labels = drawn_labels(experts=0.0)
    made = guess_of(labels)
    stated = 2 * labels.stated_right.sum() / (labels.delivered.sum() + labels.stated_true.sum())

    assert made.kind == "guess"
    assert made.crowd.f1.estimate == pytest.approx(stated)
    assert made.crowd.f1[1:] == (None, None)
    assert made.audited == 0
    assert made.level is None
    assert made.wrong_sentences is None


def test_labels_of_experts_alone_need_no_audit() -> None:
    """There is nothing that could be wrong."""
    labels = replace(drawn_labels().audited_at(np.zeros(0, int)), decided=np.full(1500, BY_EXPERT))
    exact = Estimate(1.0, 1.0, 1.0)

    assert certificate_of(labels).delivered == Quality(exact, exact, exact)


def test_two_experts_are_compared_where_both_have_labelled() -> None:
    """As one pool."""
    first = Ragged.of([[1, 0], [1, 2], [], [0, 1]])
    second = Ragged.of([[1, 0], [1, 0], [0, 0], []])

    assert expert_agreement(first, second) == (2, 0.5)
    assert expert_agreement(Ragged.of([[]]), Ragged.of([[1]])) is None


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    """95 is not taken for 95 %."""
    with pytest.raises(SpancrewError, match=r"0\.95 is usual"):
        certificate_of(drawn_labels(), level)


def test_arrays_that_do_not_fit_are_refused() -> None:
    """With the place and the numbers."""
    labels = drawn_labels(10)
    with pytest.raises(SpancrewError, match=r"true: .* is the shape"):
        replace(labels, true=labels.true[:5])
    with pytest.raises(SpancrewError, match="was not decided by the crowd"):
        replace(labels, decided=np.full(10, BY_EXPERT), is_audited=np.ones(10, bool))
    with pytest.raises(SpancrewError, match="more right spans"):
        replace(labels, right=labels.right + 50)
    with pytest.raises(SpancrewError, match="order in which audits were drawn"):
        certificate_of(replace(labels, rank=None), strict=True)
    with pytest.raises(SpancrewError, match="strict bounds assumed at most 0"):
        certificate_of(replace(labels, most=np.zeros(10)), strict=True)
    one = Ragged.of([[1, 0]])
    with pytest.raises(SpancrewError, match="audits: sentence 0 has 2 tokens, but 1 codes"):
        AuditedLabels.of(LabelSet(("A",)), one, np.ones(2), np.ones(1), Ragged.of([[1]]))
