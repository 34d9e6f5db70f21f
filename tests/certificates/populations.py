"""Populations of which everything is known, so that many audits can be drawn of each."""

from typing import NamedTuple

import numpy as np
from benchmarks.audits import samples

from spancrew.certificates import BY_CROWD, BY_EXPERT, AuditedLabels
from spancrew.certificates._interval import estimated
from spancrew.certificates._part import crowd_part
from spancrew.certificates._prediction import AS_STATED, learned
from spancrew.certificates._ratio import F1, Ratio


def drawn_labels(
    sentences: int = 1500,
    wrong: float = 0.1,
    spans: float = 2.0,
    experts: float = 0.2,
    seed: int = 0,
    labels: int = 2,
) -> AuditedLabels:
    """Return labels with all crowd sentences audited.

    Most sentences are easy and some are hard; ``wrong`` is the share of wrong spans. What is
    stated is too sure, as consensus methods are.
    """
    rng = np.random.default_rng(seed)
    shape = (sentences, labels)
    hard = rng.beta(0.3, 0.3 * (1 - wrong) / wrong, sentences)[:, None]
    delivered = rng.poisson(spans / labels, shape).astype(float)
    right = rng.binomial(delivered.astype(int), 1 - hard).astype(float)
    true = right + rng.poisson(hard * spans / labels, shape)
    stated = delivered * (1 - hard**1.3)
    is_expert = rng.random(sentences) < experts
    is_crowd = ~is_expert[:, None]
    return AuditedLabels(
        tuple(f"L{k}" for k in range(labels)),
        np.where(is_expert, BY_EXPERT, BY_CROWD),
        ~is_expert,
        delivered,
        stated,
        stated + hard**1.3 * spans / labels,
        np.where(is_crowd, right, 0.0),
        np.where(is_crowd, true, 0.0),
        delivered.sum(axis=1) + 20.0,
        np.zeros(sentences),
        replaces=False,
    )


class Coverage(NamedTuple):
    """How often the interval of F1 has the truth, its mean half-width and the mean error."""

    share: float
    half_width: float
    bias: float


def coverage(
    labels: AuditedLabels, size: int, count: int, ratio: Ratio = F1, seed: int = 1
) -> Coverage:
    """Return how good intervals of the crowd's part are over many samples.

    Each as in a certificate, without the figures that are not asked for.
    """
    every = np.arange(len(labels.labels))
    truth = estimated(crowd_part(labels, every), ratio, AS_STATED, 0.95).estimate
    parts = (crowd_part(sample, every) for sample in samples(labels, size, count, seed))
    found = [estimated(part, ratio, learned(part), 0.95) for part in parts]
    estimate, low, high = np.array(found, float).T
    is_covered = (low <= truth + 1e-9) & (truth - 1e-9 <= high)
    return Coverage(
        float(is_covered.mean()),
        float((high - low).mean() / 2),
        float(estimate.mean() - truth),
    )
