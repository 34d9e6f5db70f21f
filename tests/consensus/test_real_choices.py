"""Choices of a real crowd: 800 pairs of sentences, 164 workers, ten answers on each."""

from pathlib import Path

import numpy as np
import pytest

from spancrew.consensus import DawidSkene, Evidence, aggregate
from spancrew.formats import read
from spancrew.simulate import frontier, pairs_of
from tests.consensus.test_dawid_skene import peer
from tests.spread import often

FILE = "choices/rte.tsv"


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("method", "low", "high"),
    [
        ("mv", 0.875, 0.905),
        ("mv:ties=first", 0.875, 0.905),
        ("ds:smoothing=1e-10,trust=0,iterations=100", 0.9275, 0.9275),
        ("ds", 0.9275, 0.94),
        ("two-coin", 0.92, 0.94),
        ("auto", 0.9275, 0.94),
    ],
)
def test_accuracies_are_as_measured(real_data: Path, method: str, low: float, high: float) -> None:
    """Of labels that nobody but the crowd has seen."""
    dataset, _ = read(real_data / FILE)
    found = aggregate(dataset, method).finals.codes.values

    assert low <= (found == dataset.gold.values).mean() <= high


@pytest.mark.realdata
def test_dawid_and_skene_agrees_with_crowd_kit_on_every_label(real_data: Path) -> None:
    """After as many rounds; workers who met only one label make the rest differ a little."""
    dataset, _ = read(real_data / FILE)
    evidence, rounds = Evidence.of(dataset), often(20, 100)
    model = DawidSkene(rounds, smoothing=1e-10, trust=0.0).fit(evidence)
    ours = model.chances(evidence.answers, evidence.lengths)[:, 1::2]
    theirs = peer("DawidSkene", evidence, n_iter=rounds + 1, tol=-np.inf)

    assert (ours.argmax(axis=1) == theirs.argmax(axis=1)).all()
    assert abs(ours - theirs).max() < 0.02


@pytest.mark.realdata
@pytest.mark.parametrize("audit", [0.0, 0.05])
def test_few_experts_go_far(real_data: Path, audit: float) -> None:
    """Online, every decision knows only the past; without audits, no other expert helps."""
    dataset, _ = read(real_data / FILE)
    pairs = pairs_of(["auto"], ["expected-error"])
    found = frontier(dataset, pairs, [0.1, 0.2], orders=5, audit=audit, processes=1)
    tenth, fifth = found.points

    assert tenth.exact_f1.mean >= 0.955
    assert fifth.exact_f1.mean >= 0.965
    assert tenth.asked.mean < 0.105
    assert fifth.asked.mean < 0.205
