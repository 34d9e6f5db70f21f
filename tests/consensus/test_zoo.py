"""How near auto is to the best method, without any expert, in crowds of every kind."""

import numpy as np
import pytest

from spancrew.consensus import Auto, Consensus, consensus_method
from spancrew.metrics import Metric
from tests.consensus.invented import Invented
from tests.consensus.zoo import ZOO, draw_crowd

OTHERS = ("mv", "span-vote", "ds", "span-ds", "bsc")

HARD = {"few workers": 0.04, "two camps": 0.06, "few sentences": 0.06, "two answers of few": 0.05}
"""Crowds in which auto is known to fall further behind the best method."""


def f1_of(method: Consensus, crowd: Invented) -> float:
    """Return the exact F1 of the labels that a method makes of a crowd's answers."""
    evidence = crowd.evidence
    model = method.fit(evidence)
    labels = model.judge(evidence.answers, evidence.lengths, evidence.words).labels
    return Metric().pool(labels, crowd.truth).f1


@pytest.mark.parametrize("name", ZOO)
def test_auto_is_near_the_best_method(name: str) -> None:
    """On crowds that it was not chosen on."""
    crowd = draw_crowd(ZOO[name], seed=21)
    best = max(f1_of(consensus_method(other), crowd) for other in OTHERS)

    assert f1_of(Auto(), crowd) > best - HARD.get(name, 0.015)


def test_the_fewer_workers_the_less_they_are_told_apart() -> None:
    """Nobody knows who of so few is right, so their marks count alike."""
    trust = [
        Auto().fit(draw_crowd(ZOO["few workers"]._replace(workers=n)).evidence).sources.trust
        for n in (3, 4, 12)
    ]

    assert trust == sorted(trust)
    assert trust[0] < 0.5
    assert trust[2] == 1


def test_a_sequence_model_that_invents_spans_is_held_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The more, the less is enough; no crowd of the zoo is certain to be over the line."""
    crowd = draw_crowd(ZOO["two answers"])
    models = []
    for invented in (10.0, 0.1, 0.001):
        monkeypatch.setattr("spancrew.consensus._sources._INVENTED", invented)
        models.append(Auto().fit(crowd.evidence))
    freely, less, strictly = models

    assert freely.sources.trust == 1
    assert freely.sources.alike is None
    assert strictly.sources.trust < less.sources.trust < 1
    assert strictly.weights.spans[2] > less.weights.spans[2] > freely.weights.spans[2]


@pytest.mark.parametrize("name", ["ds", "span-ds", "bsc", "auto"])
def test_a_fit_begins_anew_when_there_is_twice_as_much(name: str) -> None:
    """Then it is the same with and without a model before it."""
    evidence = draw_crowd(ZOO["few sentences"]).evidence
    method = consensus_method(name)
    early = method.fit(evidence.take(np.arange(60)))
    late = method.fit(evidence.take(np.arange(61)))
    labels = [
        method.fit(evidence, before)
        .judge(evidence.answers, evidence.lengths, evidence.words)
        .labels
        for before in (None, early, late)
    ]

    assert labels[0] == labels[1]
    assert labels[0] != labels[2]
