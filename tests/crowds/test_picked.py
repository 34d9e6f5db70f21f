"""Gold that was picked from the answers."""

import numpy as np

from spancrew.core import Answer, Dataset, LabelSet, Sentence, decode
from spancrew.crowds import Population, fidelity, fit_population
from spancrew.metrics import Metric
from tests.consensus.zoo import ZOO, draw_crowd

LABELS = LabelSet(("A", "B"))
FEW = 3_000
"""Answers to draw in a round; what is taken from skills shows soon."""


def taste(*, picked: bool) -> Dataset:
    """Draw workers of many tastes; an expert picks the best answer as gold, or has the truth."""
    drawn = draw_crowd(ZOO["matters of taste"]._replace(sentences=300), seed=7)
    given, gold = drawn.evidence.answers, drawn.truth
    if picked:
        sentence = given.sentence.astype(np.int64)
        score = Metric("exact").pairs(given.codes, gold, gold_rows=sentence)[:, 2]
        order = np.lexsort((score, sentence))
        gold = given.codes.take(order[np.flatnonzero(np.diff(sentence[order], append=-1))])
    sentences = [Sentence.from_tokens(f"s{k}", ["x"] * len(codes)) for k, codes in enumerate(gold)]
    answers = [
        Answer(f"s{s}", f"w{w}", tuple(decode(codes, LABELS)))
        for s, w, codes in zip(given.sentence, given.worker, given.codes, strict=True)
    ]
    spans = {s.id: decode(codes, LABELS) for s, codes in zip(sentences, gold, strict=True)}
    return Dataset.of(sentences, spans, answers)


def test_a_crowd_that_answers_for_itself_keeps_its_f1(population: Population) -> None:
    """Nothing is taken from anybody's skill, in the demo and where tastes differ."""
    honest = fit_population(taste(picked=False), FEW)

    assert population.fresh.lift == population.known.lift == 0
    assert honest.fresh.lift == honest.known.lift == 0


def test_where_gold_was_picked_the_vote_is_about_matched() -> None:
    """One answer is always right, the others hardly ever; unlifted it is 12 points too good."""
    data = taste(picked=True)
    modes = fidelity(data, in_sample=True)

    assert -1 < fit_population(data, FEW).fresh.lift < -0.05
    assert all(mode.mv_exact_f1.distance < 0.06 for mode in modes.values())
    assert all(mode.ks < 0.13 for mode in modes.values())
