"""The paper's Appendix A: feedback from coin tosses, free of any sentence.

Agreement is a random number between 0 and 1; above the threshold a worker's reward is 1 with the
chance of their score by majority vote, else with that of their score by the expert. What is
reported is the mean of tosses with the latter: the quality of the answers.
"""

from typing import NamedTuple

import numpy as np

from spancrew.consensus import majority_vote
from spancrew.core import Chance, Dataset, FloatArray
from spancrew.experiments._findings import Measured, measured
from spancrew.experiments._paper import SIMULATOR, SIMULATOR_SAVED
from spancrew.metrics import Metric
from spancrew.policies import Cucb, Oracle, Policy, Random, Standings

THRESHOLD = 0.4
_AGREEMENT, _QUALITY, _REWARD, _DEAL = 8, 9, 10, 11
"""Uses of chance."""


class TwoScores(NamedTuple):
    """F1 of every worker's answers as one pool, by the expert and by the majority vote."""

    by_expert: FloatArray
    by_crowd: FloatArray


class TossOutcome(NamedTuple):
    """Mean quality of the answers and share of sentences that experts scored, by run."""

    f1: FloatArray
    expert_share: FloatArray


def two_scores(dataset: Dataset, metric: Metric) -> TwoScores:
    """Score every worker twice; the vote is over all real answers, their own among them."""
    answers, workers = dataset.answers, len(dataset.workers)
    vote = majority_vote(answers, dataset.sentences.starts.lengths)
    by_expert, by_crowd = (
        metric.groups(
            answers.codes, reference, answers.worker, workers, gold_rows=answers.sentence
        )[:, 2]
        for reference in (dataset.gold, vote)
    )
    return TwoScores(by_expert, by_crowd)


class TossSetting(NamedTuple):
    """How many sentences, answers and workers are played through."""

    sentences: int
    answers: int = 4
    crew: int = 20
    runs: int = 10
    seed: int = 0


def toss(scores: TwoScores, policy: Policy, threshold: float, setting: TossSetting) -> TossOutcome:
    """Rehearse with coin tosses; a threshold above 1 always asks the expert, below 0 never."""
    sentences, answers, crew, runs, seed = setting
    chance = Chance.of(seed, range(runs))
    standings = Standings.start(runs, len(scores.by_expert))
    standings.truth = scores.by_expert
    _warm_up(standings, scores, chance)
    quality, experts, done, step = np.zeros(runs), np.zeros(runs), 0, 0
    while done < sentences:
        step += 1
        standings.tick()
        groups = min(crew // answers, sentences - done)
        at = chance.at(step)
        chosen = policy.select(standings, crew, at)
        dealt = np.take_along_axis(chosen, at.shuffled(crew, _DEAL), 1)[:, : groups * answers]
        trusted = at.uniform(groups, _AGREEMENT) > threshold
        quality += (at.uniform(dealt.shape[1], _QUALITY) < scores.by_expert[dealt]).sum(axis=1)
        by_crowd = np.repeat(trusted, answers, axis=1)
        odds = np.where(by_crowd, scores.by_crowd[dealt], scores.by_expert[dealt])
        rewards = (at.uniform(dealt.shape[1], _REWARD) < odds).astype(np.float64)
        standings.learn(np.arange(runs), dealt, rewards)
        experts += (~trusted).sum(axis=1)
        done += groups
    return TossOutcome(quality / (sentences * answers), experts / sentences)


def _warm_up(standings: Standings, scores: TwoScores, chance: Chance) -> None:
    runs, workers = standings.count.shape
    everybody = np.tile(np.arange(workers), (runs, 1))
    rewards = chance.uniform(workers, _REWARD) < scores.by_expert
    for worker in range(workers):
        one = slice(worker, worker + 1)
        standings.learn(np.arange(runs), everybody[:, one], rewards[:, one].astype(np.float64))
    standings.time += workers


def simulator(
    dataset: Dataset, *, sentences: int, runs: int = 10, seed: int = 0
) -> list[Measured]:
    """Return Table 5 with the scores of real workers, beside the paper's."""
    scores = two_scores(dataset, Metric("proportional:authors", empty=0.0))
    setting = TossSetting(sentences, runs=runs, seed=seed)
    rows: dict[str, tuple[Policy, float]] = {
        "Oracle": (Oracle(), 2.0),
        "Random": (Random(), 2.0),
        "Exp.": (Cucb(), 2.0),
        "MV": (Cucb(), -1.0),
        "Exp.+MV": (Cucb(), THRESHOLD),
    }
    found = {
        name: toss(scores, policy, threshold, setting)
        for name, (policy, threshold) in rows.items()
    }
    variant = "simulator"
    table = [
        measured(name, "f1", SIMULATOR[name], 100 * tossed.f1, variant)
        for name, tossed in found.items()
    ]
    saved = 100 * (1 - found["Exp.+MV"].expert_share)
    return [*table, measured("Exp.+MV", "experts saved", SIMULATOR_SAVED, saved, variant)]
