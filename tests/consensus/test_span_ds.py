"""The two-coin model on candidate spans, against a plain re-implementation."""

from collections import defaultdict
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest

from spancrew.consensus import Evidence, MajorityVote, SpanDs
from spancrew.consensus._candidates import candidates_of
from spancrew.core import Ragged
from spancrew.errors import SpancrewError
from spancrew.testing._believed import by_chance, by_experts, f1_of, nothing
from spancrew.testing._made_up import MadeUpCrowd
from tests.consensus.drawn import Place, places, table

Key = tuple[int, int]
"""A worker and a label."""

Candidate = tuple[int, Place]
"""A sentence and a span."""


class Plain:
    """The same model with dictionaries, one candidate after the other."""

    def __init__(self, evidence: Evidence, method: SpanDs) -> None:
        self.method = method
        self.evidence = evidence
        answers = evidence.answers
        self.marks = [
            (int(s), int(w), set(places(row.tolist())))
            for s, w, row in zip(answers.sentence, answers.worker, answers.codes, strict=True)
        ]
        self.by_sentence: dict[int, set[Place]] = defaultdict(set)
        for s, _, marked in self.marks:
            self.by_sentence[s] |= marked
        known = evidence.known or Ragged.of([[]] * len(evidence.lengths))
        self.gold = {s: set(places(row.tolist())) for s, row in enumerate(known) if len(row)}

    def fit(self) -> dict[Candidate, float]:
        """Return the probability of every candidate after all rounds."""
        chance = {
            (s, place): self._share(s, place)
            for s in self.by_sentence
            for place in self.by_sentence[s]
        }
        self._settle(chance)
        for _ in range(self.method.iterations):
            chance = self._estimated(chance)
            self._settle(chance)
        return self._estimated(chance)

    def _share(self, s: int, place: Place) -> float:
        here = [marked for sentence, _, marked in self.marks if sentence == s]
        return sum(place in marked for marked in here) / len(here)

    def _settle(self, chance: dict[Candidate, float]) -> None:
        for s, place in chance:
            if s in self.gold:
                chance[s, place] = float(place in self.gold[s])

    def _estimated(self, chance: dict[Candidate, float]) -> dict[Candidate, float]:
        hit, slip = self._rates(chance)
        half = self.method.anchor / 2
        found = {}
        for s, place in chance:
            label = place[2]
            same = [q for (_, other), q in chance.items() if other[2] == label]
            odds = log((sum(same) + half) / (len(same) - sum(same) + half))
            for sentence, worker, marked in self.marks:
                if sentence == s:
                    a, b = hit[worker, label], slip[worker, label]
                    odds += log(a / b) if place in marked else log((1 - a) / (1 - b))
            found[s, place] = 1 / (1 + exp(-odds))
        return found

    def _rates(self, chance: dict[Candidate, float]) -> tuple[dict[Key, float], dict[Key, float]]:
        weight = self.method.weight
        true: dict[Key, float] = defaultdict(lambda: weight)
        false: dict[Key, float] = defaultdict(lambda: weight)
        hits: dict[Key, float] = defaultdict(lambda: weight * self.method.hit)
        slips: dict[Key, float] = defaultdict(lambda: weight * self.method.slip)
        for s, worker, marked in self.marks:
            for place in self.by_sentence[s]:
                key = (worker, place[2])
                true[key] += chance[s, place]
                false[key] += 1 - chance[s, place]
                hits[key] += chance[s, place] * (place in marked)
                slips[key] += (1 - chance[s, place]) * (place in marked)
            for place in self.gold.get(s, set()) - self.by_sentence[s]:
                true[worker, place[2]] += 1
        keys = [(w, k) for w in range(self.evidence.workers) for k in range(self.evidence.labels)]
        return (
            {key: hits[key] / true[key] for key in keys},
            {key: slips[key] / false[key] for key in keys},
        )


def plain_errors(
    evidence: Evidence, chance: dict[Candidate, float], labels: Ragged
) -> list[float]:
    """Return the expected errors of labels."""
    errors = [0.0] * len(evidence.lengths)
    for (s, place), q in chance.items():
        errors[s] += 1 - q if place in places(labels[s].tolist()) else q
    return errors


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", [SpanDs(), SpanDs(iterations=2, weight=1.0, anchor=3.0)])
def test_probabilities_are_those_of_the_plain_model(method: SpanDs, seed: int) -> None:
    """With experts on some sentences, who are forgotten when it judges."""
    evidence = by_chance(np.random.default_rng(seed))
    chance = Plain(evidence, method).fit()
    beliefs = method.fit(evidence).judge(evidence.answers, evidence.lengths)
    expected = [0.0] * len(evidence.lengths)
    for (s, _), q in chance.items():
        expected[s] += q

    assert len(chance) == len(candidates_of(evidence.answers).votes)
    assert np.allclose(beliefs.expected, expected)
    assert np.allclose(beliefs.errors, plain_errors(evidence, chance, beliefs.labels))


def test_a_true_span_that_nobody_marked_was_missed_by_all() -> None:
    """So a missing mark of theirs says less."""
    answers, lengths = table([[[1, 0, 3], [1, 0, 0]]])
    evidence = Evidence(answers, lengths, 2, 3)
    found = Ragged.of([[1, 0, 0]])
    missed = Ragged.of([[1, 3, 0]])
    one, other = (SpanDs().fit(replace(evidence, known=known)).coins for known in (found, missed))

    assert (other.no[:2, 1] > one.no[:2, 1]).all()
    assert (other.no[:, 0] == one.no[:, 0]).all()
    assert other.no[2, 1] == one.no[2, 1]


def test_experts_tell_good_workers_from_bad_ones() -> None:
    """Where most are bad, a vote cannot."""
    sheets = MadeUpCrowd(sentences=400, workers=4, answers=4, worst=0.05, best=0.9, labels=2)
    evidence, gold = sheets.made()
    known = by_experts(gold, np.arange(400) < 100)
    taught = SpanDs().fit(replace(evidence, known=known))

    assert f1_of(taught, evidence, gold) > 0.05 + f1_of(MajorityVote(), evidence, gold)


def test_workers_seldom_agree_and_yet_spans_are_found() -> None:
    """The anchor keeps the model from believing that next to nothing is true."""
    evidence, gold = MadeUpCrowd(sentences=50, workers=30, worst=0.2, best=0.5, labels=1).made()
    loose = SpanDs(anchor=1e-3, iterations=50).fit(evidence)

    assert f1_of(SpanDs(iterations=50).fit(evidence), evidence, gold) >= f1_of(
        loose, evidence, gold
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 1.0}, "threshold 1: it must be from 0 to below 1"),
        ({"iterations": 0}, "iterations 0: at least 1 is needed"),
        ({"weight": 0.0}, "weight 0: it counts answers, so it must be above 0"),
        ({"anchor": float("inf")}, "anchor inf: it counts answers"),
        ({"hit": 0.2, "slip": 0.6}, "hit 0.2, slip 0.6: true spans must be marked more often"),
        ({"slip": 0.0}, "0 < slip < hit < 1 is needed"),
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, float], message: str) -> None:
    """With the value, and what is possible."""
    with pytest.raises(SpancrewError, match=message):
        SpanDs(**options)  # type: ignore[arg-type]


def test_labels_that_were_not_announced_are_refused() -> None:
    """Kernels would read beyond their tables."""
    evidence, _ = MadeUpCrowd(sentences=10).made()
    model = SpanDs().fit(replace(nothing(), labels=1))

    with pytest.raises(SpancrewError, match="label number 2, but the model was fitted with 1 lab"):
        model.judge(evidence.answers, evidence.lengths)
