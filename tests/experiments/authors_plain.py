"""One run of the authors' worker selection in plain loops, as their code has it."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from spancrew.consensus import MajorityVote
from spancrew.core import Answers, Chance, Dataset, FloatArray, IntArray
from spancrew.experiments._authors_protocol import AuthorsSetting
from spancrew.metrics import Metric
from spancrew.policies import NOBODY, Random, Standings, Thompson
from spancrew.simulate import AnswerTable


class Plain(NamedTuple):
    """P, R and F1 of the pool, sentences that experts saw, regret by step."""

    scores: FloatArray
    experts: int
    regret: list[float]


@dataclass
class Run:
    """Queues as lists in which every sentence stands as often as it still needs answers."""

    queues: dict[int, list[int]]
    answers: int
    given: dict[int, list[int]] = field(default_factory=dict)

    def take(self, worker: int) -> int | None:
        """Let a worker take the first sentence of their list, and strike it off."""
        if not self.queues[worker]:
            return None
        sentence = self.queues[worker][0]
        for queue in self.queues.values():
            if sentence in queue:
                queue.remove(sentence)
        self.queues[worker] = [each for each in self.queues[worker] if each != sentence]
        self.given.setdefault(sentence, []).append(worker)
        return sentence

    def complete(self) -> set[int]:
        """Return the sentences that have all answers."""
        return {s for s, workers in self.given.items() if len(workers) == self.answers}


def plain_run(
    dataset: Dataset,
    table: AnswerTable,
    phi: FloatArray,
    metric: Metric,
    setting: AuthorsSetting,
    number: int,
) -> Plain:
    """Return what one run gives."""
    chance = Chance.of(setting.seed, range(number, number + 1))
    run = Run(_queues(dataset, len(phi), setting.answers, chance), setting.answers)
    learns = not isinstance(setting.policy, Thompson)
    asked, exhausted = [0] * len(phi), set[int]()
    rewards: list[list[float]] = [[] for _ in phi]
    for worker, sentence in _warm_up(run, len(phi)):
        asked[worker] += 1
        rewards[worker] += [_score(table, sentence, worker)] * learns
    experts, regret, step = 0, list[float](), 0
    # A sentence that the warm-up completes is never judged, as nobody is chosen for it.
    judged = run.complete()
    while len(run.complete()) < len(dataset):
        step += 1
        stays = isinstance(setting.policy, Random | Thompson)
        standings = _standings(rewards, asked, len(phi) + step, phi, set() if stays else exhausted)
        standings.pending *= learns
        scores = []
        for worker in setting.policy.select(standings, setting.crew, chance.at(step))[0].tolist():
            taken = run.take(worker) if worker != NOBODY else None
            if taken is None:
                exhausted.add(worker)
                continue
            asked[worker] += 1
            scores.append(_score(table, taken, worker))
        best = np.sort(phi)[-setting.crew :].sum()
        regret.append(float(best - setting.crew * np.mean(scores)))
        for sentence in sorted(run.complete() - judged):
            experts += _reward(dataset, table, metric, setting, sentence, run.given, rewards)
        judged = run.complete()
    return Plain(_pool(dataset, table, metric, run.given), experts, regret)


def _warm_up(run: Run, workers: int) -> list[tuple[int, int]]:
    """Let everybody take a sentence; return who took which."""
    taken = [(worker, run.take(worker)) for worker in range(workers)]
    return [(worker, sentence) for worker, sentence in taken if sentence is not None]


def _queues(dataset: Dataset, workers: int, answers: int, chance: Chance) -> dict[int, list[int]]:
    shared = chance.at(0).shuffled(len(dataset))[0].tolist()
    pairs = set(
        zip(dataset.answers.worker.tolist(), dataset.answers.sentence.tolist(), strict=True)
    )
    queues = {}
    for worker in range(workers):
        own = [s for s in range(len(dataset)) if (worker, s) in pairs]
        rest = [s for s in shared if (worker, s) not in pairs]
        queues[worker] = [s for s in own + rest for _ in range(answers)]
    return queues


def _standings(
    rewards: list[list[float]], asked: list[int], time: int, phi: FloatArray, gone: set[int]
) -> Standings:
    found = Standings.start(1, len(rewards))
    found.count[0] = [len(each) for each in rewards]
    found.total[0] = [sum(each) for each in rewards]
    found.pending[0] = [n - len(each) for n, each in zip(asked, rewards, strict=True)]
    found.available[0] = [worker not in gone for worker in range(len(rewards))]
    found.time[0] = time
    found.truth = phi
    return found


def _reward(
    dataset: Dataset,
    table: AnswerTable,
    metric: Metric,
    setting: AuthorsSetting,
    sentence: int,
    given: dict[int, list[int]],
    rewards: list[list[float]],
) -> int:
    """Tell the workers on a sentence their scores; return whether an expert was asked."""
    crew = np.array(given[sentence])
    codes = table.answers(np.full(len(crew), sentence), crew)
    answers = Answers(np.zeros(len(crew), np.int32), crew.astype(np.int32), codes, 1)
    beliefs = MajorityVote(ties="first").judge(answers, codes.lengths[:1])
    trusted = bool(setting.feedback.judge(answers, beliefs).trusted[0])
    zeros: IntArray = np.zeros(len(crew), np.int64)
    by_crowd = metric.pairs(codes, beliefs.labels, np.arange(len(crew)), zeros)[:, 2]
    for k, worker in enumerate(crew.tolist()):
        rewards[worker].append(float(by_crowd[k]) if trusted else _score(table, sentence, worker))
    return int(not trusted)


def _score(table: AnswerTable, sentence: int, worker: int) -> float:
    return float(table.scores(np.array([sentence]), np.array([worker]))[0])


def _pool(
    dataset: Dataset, table: AnswerTable, metric: Metric, given: dict[int, list[int]]
) -> FloatArray:
    pairs = [(s, worker) for s, workers in given.items() for worker in workers]
    sentences, workers = np.array(pairs).T
    codes = table.answers(sentences, workers)
    one = np.zeros(len(pairs), np.int64)
    return metric.groups(codes, dataset.gold, one, 1, gold_rows=sentences).ravel()
