"""Sentences that arrive one by one, once more in plain Python."""

from collections.abc import Sequence
from typing import NamedTuple

from spancrew.consensus import Consensus
from spancrew.core import Dataset
from spancrew.crowds import Replay
from spancrew.feedback import ExpectedErrorGate, Prices
from spancrew.simulate import scene_of
from tests.feedback.plain_steering import PlainSteering
from tests.simulate.plain import Codes, kappa, spans
from tests.simulate.plain_consensus import Given, PlainConsensus

STEP = 20


class PlainStreamed(NamedTuple):
    """On which sentences the expert was asked, what the crowd said first, and the last word."""

    asked: list[bool]
    stated: list[Codes]
    final: list[Codes]


def plain_stream(
    dataset: Dataset,
    order: Sequence[int],
    method: Consensus,
    share: float,
    doubts: Sequence[float] | None = None,
) -> PlainStreamed:
    """Decide step by step; ``doubts`` in the order of arrival stand for expected errors."""
    crowd = PlainConsensus(scene_of(dataset, Replay(dataset)), method)
    steering = PlainSteering(ExpectedErrorGate(expert_share=share), Prices())
    asked: list[bool] = []
    stated: list[Codes] = []
    for first in range(0, len(order), STEP):
        for place in range(first, min(first + STEP, len(order))):
            opinion = crowd.opinion(order[place], given(dataset, order[place]))
            doubt = opinion.errors if doubts is None else doubts[place]
            asked.append(steering.judge(doubt, opinion.size) == "expert")
            stated.append(opinion.labels)
        steering.learn()
        step = zip(order[first : first + STEP], asked[first:], strict=True)
        crowd.learn([(sentence, given(dataset, sentence), known) for sentence, known in step])
    if method.learns:
        crowd.model = crowd.fit(None)
    final = [
        tuple(dataset.gold[s].tolist()) if known else crowd.opinion(s, given(dataset, s)).labels
        for s, known in zip(order, asked, strict=True)
    ]
    return PlainStreamed(asked, stated, final)


def given(dataset: Dataset, sentence: int) -> Given:
    """Return the answers on a sentence by worker."""
    answers = dataset.answers
    rows = range(answers.first[sentence], answers.first[sentence + 1])
    return {int(answers.worker[k]): tuple(answers.codes[k].tolist()) for k in rows}


def disagreement(dataset: Dataset, sentence: int) -> float:
    """Return 1 less kappa; the most there can be for a single answer."""
    answers = list(given(dataset, sentence).values())
    return 2.0 if len(answers) == 1 else 1 - kappa(answers)


def pooled_f1(labels: Sequence[Codes], gold: Sequence[Codes]) -> float:
    """Return the exact F1 of all sentences as one pool."""
    pairs = [(spans(one), spans(other)) for one, other in zip(labels, gold, strict=True)]
    common = sum(len(one & other) for one, other in pairs)
    return 2 * common / sum(len(one) + len(other) for one, other in pairs)
