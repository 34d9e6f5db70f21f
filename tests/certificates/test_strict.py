"""Lower bounds that hold at every look."""

import numpy as np
import pytest
from benchmarks.audits import samples

from spancrew.certificates import AuditedLabels, certificate_of
from spancrew.certificates._part import Part, PartCounts, crowd_part, delivered_part
from spancrew.certificates._ratio import F1, PRECISION, RECALL, Ratio
from spancrew.certificates._strict import _game, strict_low
from tests.certificates.populations import drawn_labels

_EVERY = np.arange(2)


def truth_of(labels: AuditedLabels, ratio: Ratio) -> float:
    """Return the ratio of what the crowd decided."""
    right, true = labels.right.sum(), labels.true.sum()
    return ratio.value(right, labels.delivered[labels.is_by_crowd].sum(), true)


@pytest.mark.parametrize("ratio", [F1, PRECISION, RECALL])
def test_the_bound_holds_at_all_looks_together(ratio: Ratio) -> None:
    """The bound after the last audit is the highest of all looks: it may rarely be too high."""
    labels = drawn_labels(100, 0.25, experts=0.0)
    truth = truth_of(labels, ratio)
    lows = np.array(
        [strict_low(crowd_part(each, _EVERY), ratio, 0.8) for each in samples(labels, 70, 60, 1)]
    )

    assert np.mean(lows > truth) <= 0.2
    assert np.mean(lows) > truth - 0.25


def test_the_usual_interval_does_not_hold_at_all_looks() -> None:
    """Which is why there is a strict one."""
    labels = drawn_labels(150, 0.25, experts=0.0)
    truth = truth_of(labels, F1)
    is_ever_above = []
    for sample in samples(labels, 110, 25, 1):
        rows = sample.audited
        looks = (sample.audited_at(rows[:count]) for count in range(20, 111, 10))
        lows = [certificate_of(look, 0.6).crowd.f1.low for look in looks]
        is_ever_above.append(max(low for low in lows if low is not None) > truth)

    assert np.mean(is_ever_above) > 0.25


def test_more_audits_never_lower_the_bound() -> None:
    """What was rejected once stays rejected."""
    sample = next(samples(drawn_labels(300, 0.1), 150, 1, 1))
    lows = [
        strict_low(crowd_part(sample.audited_at(sample.audited[:count]), _EVERY), F1, 0.95)
        for count in (20, 60, 100, 150)
    ]

    assert lows == sorted(lows)
    assert lows[-1] > 0.5


def test_labels_of_experts_raise_the_bound_of_what_is_delivered() -> None:
    """They are certain."""
    sample = next(samples(drawn_labels(300, 0.2, experts=0.5), 100, 1, 1))
    crowd = strict_low(crowd_part(sample, _EVERY), F1, 0.95)

    assert strict_low(delivered_part(sample, _EVERY), F1, 0.95) > crowd


def test_a_strict_certificate_has_lower_bounds_alone() -> None:
    """Below those of the usual one."""
    sample = next(samples(drawn_labels(600, 0.1), 150, 1, 1))
    strict, usual = certificate_of(sample, strict=True), certificate_of(sample)

    assert strict.strict
    assert strict.delivered.f1.high == 1
    assert strict.delivered.f1.low is not None
    assert usual.delivered.f1.low is not None
    assert strict.delivered.f1.low < usual.delivered.f1.low


def test_what_is_cut_off_is_added_to_what_has_to_be_beaten() -> None:
    """At the truth nothing can be won by all audits, even if the longest sentence is all wrong."""
    given, right, true = (np.ones(50_000) for _ in range(3))
    given[0], right[0], true[0] = 30, 0, 60
    found = PartCounts(given, right, true)
    part = Part(PartCounts(given, given, given), np.arange(50_000), found, true)
    truth = F1.value(right.sum(), given.sum(), true.sum())
    payoff, least, null = _game(part, F1, np.array([truth]), part.stated)

    assert least[0] < 60
    assert payoff.sum() <= null[0] + 1e-9
