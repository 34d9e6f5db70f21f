"""The worker selection of the authors' code, run by run as it was, over our own parts.

What differs from the paper's text: queues instead of groups, so that the answers on a sentence
come from different steps; rewards arrive when a sentence is complete; every worker starts with
the head of their queue; that answer is scored twice.
"""

from dataclasses import dataclass, field

import numpy as np

from spancrew.consensus import MajorityVote
from spancrew.core import (
    Answers,
    BoolArray,
    Chance,
    Dataset,
    FloatArray,
    IndexArray,
    IntArray,
    kernel,
)
from spancrew.errors import SpancrewError
from spancrew.feedback import Doubts, FeedbackRule, Prices, Situation, rewards_of
from spancrew.metrics import Metric
from spancrew.policies import Cucb, EpsilonGreedy, Oracle, Policy, Standings, Thompson
from spancrew.simulate import AnswerTable

NONE = -1
"""In place of a sentence or a worker where there is none."""


@dataclass(frozen=True, slots=True)
class AuthorsSetting:
    """One row of the authors' tables."""

    policy: Policy
    feedback: FeedbackRule
    answers: int = 4
    crew: int = 20
    runs: int = 10
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AuthorsOutcome:
    """P, R and F1 of the collected answers as one pool, by run; expert share and regret, too.

    ``expert_share`` leaves out the warm-up, as theirs does; ``regret`` is runs x steps.
    """

    scores: FloatArray
    expert_share: FloatArray
    regret: FloatArray
    kappa: FloatArray = field(repr=False)


def authors_rehearsal(
    dataset: Dataset, table: AnswerTable, phi: FloatArray, metric: Metric, setting: AuthorsSetting
) -> AuthorsOutcome:
    """Select workers as the authors' code does; ``phi`` are the workers' true scores."""
    everybody = min(setting.crew, len(phi))
    if setting.answers > everybody:
        raise SpancrewError(
            f"{setting.answers} answers on a sentence cannot come from a crew of {everybody}: "
            "ask for fewer answers or a larger crew"
        )
    driver = _Driver(dataset, table, phi, metric, setting)
    driver.warm_up()
    step = 0
    while driver.queues.missing.any():
        step += 1
        driver.step(step)
    return driver.outcome()


class _Driver:
    """All runs of one setting."""

    def __init__(
        self,
        dataset: Dataset,
        table: AnswerTable,
        phi: FloatArray,
        metric: Metric,
        setting: AuthorsSetting,
    ) -> None:
        self.dataset = dataset
        self.table = table
        self.metric = metric
        self.setting = setting
        self.phi = phi
        self.chance = Chance.of(setting.seed, range(setting.runs))
        self.queues = Queues.start(dataset, len(phi), setting.answers, self.chance)
        self.standings = Standings.start(setting.runs, len(phi))
        self.standings.truth = phi
        self.exhausted = np.zeros((setting.runs, len(phi)), bool)
        self.asked = np.zeros((setting.runs, len(phi)), np.int64)
        self.experts = np.zeros(setting.runs, np.int64)
        self.doubts = Doubts.start(setting.runs)
        self.kappa: list[FloatArray] = []
        self.regret: list[FloatArray] = []
        best = np.sort(phi)[-setting.crew :]
        self.best = best.sum()

    def warm_up(self) -> None:
        """Let every worker label the head of their queue; the expert scores it."""
        runs, workers = self.asked.shape
        crew = np.tile(np.arange(workers), (runs, 1))
        taken = self.queues.take(crew)
        self.asked += taken != NONE
        self.standings.time += workers
        if isinstance(self.setting.policy, Thompson):
            return  # theirs does not look at the warm-up
        run, worker = np.nonzero(taken != NONE)
        scores = self.table.scores(taken[run, worker], worker)
        self.standings.learn(run, worker[:, None], scores[:, None])

    def step(self, step: int) -> None:
        """Choose a crew, let each take a sentence, reward the complete sentences."""
        setting, standings = self.setting, self.standings
        standings.time += 1
        if isinstance(setting.policy, Cucb | EpsilonGreedy | Oracle):
            standings.available = ~self.exhausted
        crew = setting.policy.select(standings, setting.crew, self.chance.at(step))
        before = self.queues.missing.copy()
        taken = self.queues.take(crew)
        run, place = np.nonzero((crew >= 0) & (taken == NONE))
        self.exhausted[run, crew[run, place]] = True
        run, place = np.nonzero(taken != NONE)
        worker, sentence = crew[run, place], taken[run, place]
        self.asked[run, worker] += 1
        self._keep_regret(run, self.table.scores(sentence, worker))
        self._reward(*np.nonzero((before > 0) & (self.queues.missing == 0)))
        if not isinstance(setting.policy, Thompson):
            # Their T is the answers given, whether scored or not, and the first was scored twice.
            standings.pending = self.asked - standings.count.astype(np.int64)

    def _keep_regret(self, run: IntArray, scores: FloatArray) -> None:
        runs = self.setting.runs
        sums, counts = np.bincount(run, scores, runs), np.bincount(run, minlength=runs)
        mean = sums / np.maximum(counts, 1)
        self.regret.append(np.where(counts > 0, self.best - self.setting.crew * mean, 0.0))

    def _reward(self, run: IntArray, sentence: IntArray) -> None:
        """Judge the sentences that have all their answers, and tell all their workers."""
        if len(run) == 0:
            return
        crew = self.queues.given[run, sentence].astype(np.int64)
        answers = self._answers(sentence, crew)
        lengths = self.dataset.sentences.starts.lengths[sentence]
        beliefs = MajorityVote(ties="first").judge(answers, lengths)
        situation = Situation(self.doubts, run, np.zeros_like(run), Prices())
        verdict = self.setting.feedback.judge(answers, beliefs, situation)
        self.doubts.learn(run, beliefs, verdict)
        size = crew.shape[1]
        true = self.table.scores(np.repeat(sentence, size), crew.ravel())
        rewards = rewards_of(answers, verdict, self.metric, true, lambda _: beliefs)
        self.standings.learn(run, crew, rewards.reshape(crew.shape))
        self.experts += np.bincount(run[~verdict.trusted], minlength=self.setting.runs)
        self.kappa.append(verdict.reason)

    def _answers(self, sentence: IntArray, crew: IntArray) -> Answers:
        size = crew.shape[1]
        codes = self.table.answers(np.repeat(sentence, size), crew.ravel())
        owner = np.repeat(np.arange(len(sentence), dtype=np.int32), size)
        return Answers(owner, crew.ravel().astype(np.int32), codes, len(sentence))

    def outcome(self) -> AuthorsOutcome:
        """Return the results; the answers of a run are scored as one pool."""
        runs, size = self.queues.missing.shape
        run, sentence, place = np.nonzero(self.queues.given != NONE)
        worker = self.queues.given[run, sentence, place].astype(np.int64)
        codes = self.table.answers(sentence, worker)
        scores = self.metric.groups(codes, self.dataset.gold, run, runs, gold_rows=sentence)
        return AuthorsOutcome(
            scores,
            self.experts / size,
            np.cumsum(self.regret, axis=0).T,
            np.concatenate(self.kappa) if self.kappa else np.zeros(0),
        )


@dataclass(slots=True)
class Queues:
    """What every worker of every run would label next.

    A queue holds the sentences that the worker really answered, in file order, then all others in
    an order that all workers of a run share. ``head`` is how far each queue is read, ``missing``
    how many answers a sentence still needs, ``done`` who has answered what, ``given`` who answered
    each sentence, in the order of arrival.
    """

    order: IndexArray
    head: IntArray
    missing: IntArray
    done: BoolArray
    given: IndexArray

    @classmethod
    def start(cls, dataset: Dataset, workers: int, answers: int, chance: Chance) -> "Queues":
        """Fill the queues."""
        runs, size = len(chance.seeds), len(dataset)
        real = np.zeros((workers, size), bool)
        real[dataset.answers.worker, dataset.answers.sentence] = True
        shuffled = chance.at(0).shuffled(size)
        order = np.empty((runs, workers, size), np.int32)
        for run in range(runs):
            for worker in range(workers):
                order[run, worker] = np.concatenate(
                    [np.flatnonzero(real[worker]), shuffled[run][~real[worker][shuffled[run]]]]
                )
        return cls(
            order,
            np.zeros((runs, workers), np.int64),
            np.full((runs, size), answers),
            np.zeros((runs, workers, size), bool),
            np.full((runs, size, answers), NONE, np.int32),
        )

    def take(self, crew: IntArray) -> IntArray:
        """Let the workers of every crew, one after the other, take the head of their queue.

        Return the sentences (runs x crew); NONE for a worker whose queue is empty.
        """
        taken = np.empty(crew.shape, np.int64)
        _take(crew, self.order, self.head, self.missing, self.done, self.given, taken)
        return taken


@kernel
def _take(
    crew: IntArray,
    order: IndexArray,
    head: IntArray,
    missing: IntArray,
    done: BoolArray,
    given: IndexArray,
    taken: IntArray,
) -> None:
    size = order.shape[2]
    for run in range(len(crew)):
        for k in range(crew.shape[1]):
            worker = crew[run, k]
            taken[run, k] = -1
            if worker < 0:
                continue
            place = head[run, worker]
            while place < size and (
                missing[run, order[run, worker, place]] == 0
                or done[run, worker, order[run, worker, place]]
            ):
                place += 1
            head[run, worker] = place
            if place == size:
                continue
            sentence = order[run, worker, place]
            given[run, sentence, given.shape[2] - missing[run, sentence]] = worker
            missing[run, sentence] -= 1
            done[run, worker, sentence] = True
            taken[run, k] = sentence
