"""The paper's Algorithm 1 for many runs in lock step."""

from collections import deque

import numpy as np

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, Chance, FloatArray, IntArray, kernel
from spancrew.feedback import Verdict, crowd_rewards
from spancrew.metrics import Metric
from spancrew.policies import NOBODY, Standings
from spancrew.simulate._record import Record
from spancrew.simulate._rounds import Groups, Queue, by_crew, by_sentence
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting

_WARM_UP, _ATTENDANCE = 5, 6
"""Uses of chance: which sentence a worker starts with, who is there in a step."""

PATIENCE = 1_000
"""Steps in which nobody can work, one after the other, before a rehearsal gives up."""


class Engine:
    """Some runs of one setting in one scene.

    A worker whose group gets the sentence of their own warm-up is not asked again: that answer
    counts, and is neither paid nor rewarded twice. An expert who has labelled a sentence for the
    warm-up is not paid again for it.
    """

    def __init__(
        self, scene: Scene, setting: Setting, runs: range, metrics: tuple[Metric, ...]
    ) -> None:
        self.scene = scene
        self.setting = setting
        self.chance = Chance.of(setting.seed, runs)
        self.record = Record(scene, metrics, len(runs))
        self.standings = self._standings(len(runs))
        self.queue = Queue(np.arange(len(scene.dataset)), self.chance)
        self.warm_sentence = np.full(self.standings.count.shape, -1)
        self.by_expert = np.zeros((len(runs), len(scene.dataset)), bool)
        self.answered = np.zeros(self.standings.count.shape, np.int64)
        self.regret: list[FloatArray] = []
        self.experts: list[IntArray] = []
        self._late: deque[tuple[Groups, FloatArray]] = deque()

    def _standings(self, runs: int) -> Standings:
        learning = self.setting.policy.learning
        standings = Standings.start(
            runs,
            len(self.scene.workers),
            memory=learning.memory,
            difficulty=learning.difficulty,
        )
        standings.truth = self.scene.truth
        if self.setting.worker_prices is not None:
            standings.price = np.array(self.setting.worker_prices, np.float64)
        return standings

    def run(self) -> None:
        """Rehearse until every sentence is settled or nobody is left to answer."""
        self.warm_up()
        step = idle = 0
        while self.queue.left.any() and idle < PATIENCE:
            step += 1
            idle = 0 if self.step(step) else idle + 1
        self._learn_late(0)

    def warm_up(self) -> None:
        """Let every worker label a random sentence, scored by the expert; t becomes |W|."""
        runs, workers = self.standings.count.shape
        drawn = self.chance.uniform(workers, _WARM_UP)
        sentence = self._own_sentence(drawn)
        run, worker = np.nonzero(sentence >= 0)
        self.warm_sentence = sentence
        chosen = sentence[run, worker]
        groups = Groups(run, chosen, worker[:, None])
        self.record.asked(groups)
        self.by_expert[run, chosen] = True
        self.answered[run, worker] += 1
        self.standings.learn(run, groups.crew, self.scene.source.scores(chosen, worker)[:, None])
        self.standings.time += workers
        self.experts.append(self.by_expert.sum(axis=1))
        self.regret.append(np.zeros(runs))

    def _own_sentence(self, drawn: FloatArray) -> IntArray:
        """Return a sentence for every worker that they can answer; -1 if there is none."""
        size = len(self.scene.dataset)
        if self.scene.can is None:
            return (drawn * size).astype(np.int64)
        sentence = np.full(drawn.shape, -1)
        for worker in range(drawn.shape[1]):
            own = np.flatnonzero(self.scene.can[:, worker])
            if len(own):
                sentence[:, worker] = own[(drawn[:, worker] * len(own)).astype(np.int64)]
        return sentence

    def step(self, step: int) -> bool:
        """Let one step pass; tell whether any sentence was settled."""
        self.standings.tick()
        self.standings.available = self._available(step)
        groups = self._groups(self.chance.at(step))
        if len(groups.run):
            self._settle(groups)
        self._learn_late(self.setting.delay)
        return len(groups.run) > 0

    def _available(self, step: int) -> BoolArray:
        there = np.ones(self.answered.shape, bool)
        if self.setting.cap is not None:
            there &= self.answered < self.setting.cap
        if self.setting.attendance < 1:
            draws = self.chance.at(step).uniform(there.shape[1], _ATTENDANCE)
            there &= draws < self.setting.attendance
        return there

    def _groups(self, chance: Chance) -> Groups:
        setting, can = self.setting, self.scene.can
        if can is None:
            return by_crew(
                setting.policy,
                self.standings,
                setting.crew,
                setting.answers,
                self.queue,
                chance,
            )
        return by_sentence(
            setting.policy, self.standings, can, setting.answers, self.queue, chance
        )

    def _settle(self, groups: Groups) -> None:
        """Collect the answers, decide whose word counts, keep what follows."""
        answers = self._answers(groups)
        beliefs = self.setting.consensus.judge(answers, self.scene.lengths[groups.sentence])
        verdict = self.setting.feedback.judge(answers, beliefs)
        true = np.full(groups.crew.shape, np.nan)
        true[groups.crew != NOBODY] = self.scene.source.scores(
            groups.sentence[answers.sentence], answers.worker
        )
        rewards = self._rewards(groups, answers, beliefs, verdict, true)
        self.record.asked(groups)
        self.record.settled(groups, beliefs, verdict)
        self._keep_regret(groups, true)
        self._pay(groups, ~verdict.trusted)
        self._late.append((self._only_new(groups, rewards), rewards))

    def _answers(self, groups: Groups) -> Answers:
        row, place = np.nonzero(groups.crew != NOBODY)
        worker = groups.crew[row, place]
        codes = self.scene.source.answers(groups.sentence[row], worker)
        return Answers(
            row.astype(np.int32), worker.astype(np.int32), codes, len(groups.run)
        )

    def _rewards(
        self,
        groups: Groups,
        answers: Answers,
        beliefs: Beliefs,
        verdict: Verdict,
        true: FloatArray,
    ) -> FloatArray:
        """Return the reward of every answer: by the crowd's word where it is trusted."""
        if not verdict.trusted.any():
            return true
        consensus = self.setting.consensus if self.setting.feedback.leave_one_out else None
        rewards = true.copy()
        by_crowd = crowd_rewards(answers, beliefs, self.scene.metric, consensus)
        rewards[groups.crew != NOBODY] = by_crowd
        rewards[~verdict.trusted] = true[~verdict.trusted]
        return rewards

    def _only_new(self, groups: Groups, rewards: FloatArray) -> Groups:
        """Leave out who is not to be rewarded: nobody, and whose warm-up this was."""
        repeated = self.warm_sentence[groups.run[:, None], groups.crew] == groups.sentence[:, None]
        crew = np.where(repeated | np.isnan(rewards), NOBODY, groups.crew)
        count(self.answered, groups.run, crew, 1)
        count(self.standings.pending, groups.run, crew, 1)
        return groups._replace(crew=crew)

    def _keep_regret(self, groups: Groups, true: FloatArray) -> None:
        lost = np.nansum(self._best(groups)[:, None] - true, axis=1)
        self.regret.append(np.bincount(groups.run, lost, len(self.regret[0])))

    def _best(self, groups: Groups) -> FloatArray:
        """Return the mean score per answer of the truly best crew."""
        if self.scene.can is None:
            best = np.sort(self.scene.truth)[-self.setting.crew :].mean()
            return np.full(len(groups.run), best)
        truth = np.where(self.scene.can[groups.sentence], self.scene.truth, np.nan)
        ranked = -np.sort(-truth, axis=1)[:, : self.setting.answers]
        return np.nanmean(ranked, axis=1)

    def _pay(self, groups: Groups, asked: BoolArray) -> None:
        """Count the expert's labels, each sentence once."""
        run, sentence = groups.run[asked], groups.sentence[asked]
        new = ~self.by_expert[run, sentence]
        self.by_expert[run, sentence] = True
        self.experts.append(np.bincount(run[new], minlength=len(self.regret[0])))

    def _learn_late(self, delay: int) -> None:
        """Learn from all rewards but the last ``delay`` steps'."""
        while len(self._late) > delay:
            groups, rewards = self._late.popleft()
            self.standings.learn(groups.run, groups.crew, rewards)
            count(self.standings.pending, groups.run, groups.crew, -1)


@kernel
def count(numbers: IntArray, run: IntArray, crew: IntArray, change: int) -> None:
    """Change the numbers of the workers of some groups."""
    for row in range(len(run)):
        for k in range(crew.shape[1]):
            if crew[row, k] >= 0:
                numbers[run[row], crew[row, k]] += change
