"""Whether intervals have the truth as often as they say, over many audits."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.audits import audited_labels, measured, samples

from spancrew.certificates import AuditedLabels, certificate_of
from spancrew.certificates._ratio import PRECISION, RECALL
from spancrew.formats import read
from tests.certificates.populations import coverage, drawn_labels


def of_f1(labels: AuditedLabels) -> tuple[float, float, float]:
    """Return F1 of the crowd's part with its interval."""
    estimate, low, high = certificate_of(labels).crowd.f1
    assert low is not None
    assert high is not None
    return estimate, low, high


@pytest.mark.parametrize(
    ("wrong", "spans", "audits"),
    [(0.1, 2.0, 60), (0.1, 2.0, 250), (0.3, 2.0, 100), (0.05, 8.0, 100)],
)
def test_drawn_populations_are_covered(wrong: float, spans: float, audits: int) -> None:
    """With few and many errors, and with long sentences; estimates are right on average."""
    found = coverage(drawn_labels(600, wrong, spans), audits, 400)

    assert found.share >= 0.93
    assert abs(found.bias) < 0.004


@pytest.mark.parametrize("audits", [2, 5, 20, 60])
def test_few_audits_of_labels_that_are_nearly_right_are_covered(audits: int) -> None:
    """Where most samples have no error at all."""
    assert coverage(drawn_labels(600, 0.01), audits, 400).share >= 0.93


def test_intervals_are_no_wider_than_they_must_be_where_much_is_wrong() -> None:
    """Errors that are not rare vary less than rare ones, and few audits know that as well."""
    labels = drawn_labels(600, 0.45, spans=4.0)
    found = np.array([of_f1(sample) for sample in samples(labels, 20, 300, 0)])
    half_width = (found[:, 2] - found[:, 1]).mean() / 2

    assert half_width < 1.25 * 2.09 * found[:, 0].std()


def test_precision_and_recall_are_covered() -> None:
    """By the same sums."""
    labels = drawn_labels(600, 0.1)

    assert coverage(labels, 80, 400, PRECISION).share >= 0.93
    assert coverage(labels, 80, 400, RECALL).share >= 0.93


def test_what_is_delivered_after_audits_is_covered() -> None:
    """Where experts' labels replace the audited ones, the truth differs from sample to sample."""
    labels = replace(drawn_labels(300, 0.2), replaces=True)
    whole = labels.delivered.sum() + np.where(labels.is_by_crowd[:, None], labels.true, 0).sum()
    sure = labels.delivered[~labels.is_by_crowd].sum()
    is_covered = []
    for sample in samples(labels, 60, 200, 1):
        rows = sample.audited
        more = (labels.true - labels.right)[rows].sum()
        below = whole + sure + (labels.true - labels.delivered)[rows].sum()
        truth = 2 * (sure + labels.right.sum() + more) / below
        _, low, high = certificate_of(sample).delivered.f1
        is_covered.append(low is not None and high is not None and low <= truth <= high)

    assert np.mean(is_covered) >= 0.93


def test_the_demo_is_covered_by_intervals_that_the_model_makes_narrow() -> None:
    """On real answers, with the stated probabilities of a vote."""
    found = coverage(audited_labels(read("demo").dataset, "mv"), 100, 400)

    assert found.share >= 0.93


def test_a_large_share_of_a_small_population_says_more() -> None:
    """The same sample out of twenty times as many sentences has a wider interval.

    Fails if the correction for a finite population is left out.
    """
    few = drawn_labels(400, 0.2, experts=0.0)
    columns = (
        "decided",
        "is_audited",
        "delivered",
        "stated_right",
        "stated_true",
        "right",
        "true",
    )
    twenty: dict[str, Any] = {name: np.concatenate([getattr(few, name)] * 20) for name in columns}
    many = replace(few, most=None, rank=None, **twenty)
    rows = np.arange(300)
    _, low, high = of_f1(few.audited_at(rows))
    _, wide_low, wide_high = of_f1(many.audited_at(rows))

    assert (high - low) / (wide_high - wide_low) == pytest.approx(math.sqrt(0.25), rel=0.1)


def test_audits_of_doubtful_sentences_alone_certify_nothing() -> None:
    """They look worse than the rest: the sample has to be random."""
    labels = drawn_labels(2000, 0.15, experts=0.0)
    doubt = (labels.delivered - labels.stated_right).sum(axis=1)
    worst = np.argsort(-doubt)[:500]
    truth = of_f1(labels)[0]
    rng = np.random.default_rng(0)
    found = [of_f1(labels.audited_at(rng.choice(worst, 100, replace=False))) for _ in range(50)]

    assert np.mean([low <= truth <= high for _, low, high in found]) < 0.5


def test_a_model_that_has_seen_the_audits_is_biased() -> None:
    """If the stated figures of audited sentences are what the expert said, nothing is corrected.

    So audited sentences stay out of the fit until the certificate is written.
    """
    labels = drawn_labels(2000, 0.15, experts=0.0)
    truth = of_f1(labels)[0]

    def taught(sample: AuditedLabels) -> AuditedLabels:
        seen = sample.is_audited[:, None]
        return replace(
            sample,
            stated_right=np.where(seen, sample.right, sample.stated_right),
            stated_true=np.where(seen, sample.true, sample.stated_true),
        )

    apart = [of_f1(sample) for sample in samples(labels, 100, 60, 1)]
    mixed = [of_f1(taught(sample)) for sample in samples(labels, 100, 60, 1)]

    assert np.mean([low <= truth <= high for _, low, high in apart]) >= 0.9
    assert np.mean([low <= truth <= high for _, low, high in mixed]) < 0.5
    bias = np.mean([estimate for estimate, _, _ in mixed]) - truth
    assert bias > 4 * abs(np.mean([estimate for estimate, _, _ in apart]) - truth)


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("path", "experts", "narrower"),
    [("conll-crowd/collected.json", 0.2, 0.7), ("oei/dev-crowd.json", 0.3, 0.8)],
)
def test_real_crowds_are_covered(
    real_data: Path, path: str, experts: float, narrower: float
) -> None:
    """200 audits each; a fifth to a third narrower than without what was stated."""
    labels = audited_labels(read(real_data / path).dataset, experts=experts)

    for audits in (100, 200):
        found = measured(labels, audits, 200, seed=1, strict=0)
        assert found.share >= 0.93
        assert found.half_width <= narrower * found.plain
