"""The paper's Algorithm 1 for many runs in lock step."""

from collections import deque

import numpy as np

from spancrew.consensus import taken
from spancrew.core import BoolArray, Chance, FloatArray, IntArray
from spancrew.crowds import attendance
from spancrew.errors import SpancrewError
from spancrew.feedback import Doubts
from spancrew.metrics import Metric
from spancrew.policies import Groups, Queue, Standings, best_mean, by_crew, by_sentence
from spancrew.simulate._audits import Audits, labelled
from spancrew.simulate._counting import Kept, StepCounts, count_step, take_off
from spancrew.simulate._decide import Decided, StepDecider
from spancrew.simulate._models import JudgedSentences, Models
from spancrew.simulate._plain import PlainDecider
from spancrew.simulate._record import Record
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import Setting
from spancrew.simulate._warm_up import first_sentences

_ATTENDANCE = 6
"""The use of chance that decides who is there in a step."""

PATIENCE = 1_000
"""Steps in which nobody can work, one after the other, before a rehearsal gives up."""


ENOUGH = 2
"""So many times as many workers are there, on average, as one sentence needs."""


def attendance_in(scene: Scene, setting: Setting) -> FloatArray:
    """Return how often every worker is there in a step.

    Where not everybody can answer everything, the answers that there are say who is there.
    """
    if setting.attendance != "pilot":
        return np.full(len(scene.workers), setting.attendance)
    if scene.can is not None:
        return np.ones(len(scene.workers))
    if scene.activity is None:
        raise SpancrewError(
            "attendance pilot: this scene does not say how active its workers are; give a "
            "probability, or set the activity of the scene"
        )
    return attendance(scene.activity, ENOUGH * setting.answers)


class Engine:
    """Some runs of one setting in one scene.

    ``answered`` counts the paid answers of each person, ``by_models`` those of each model.
    ``by_expert`` marks the sentences that experts have labelled, those of the warm-up among them;
    ``regret`` and ``experts`` have an entry for every step, the first for the warm-up.
    ``certified`` is what audits say of the F1 of every run: estimate, low and high.

    A worker whose group gets the sentence of their own warm-up is not asked again: that answer
    counts, and is neither paid nor rewarded twice. An expert who has labelled a sentence for the
    warm-up is not paid again for it. One that all share is settled by it.
    """

    def __init__(
        self, scene: Scene, setting: Setting, runs: range, metrics: tuple[Metric, ...]
    ) -> None:
        self.scene = scene
        self.setting = setting
        self.chance = Chance.of(setting.seed, runs)
        self.record = Record(scene, metrics, len(runs))
        self.standings = self._standings(len(runs))
        self.models = Models(scene, setting, len(runs))
        self.doubts = Doubts.start(len(runs))
        self.decider = PlainDecider.fitting(scene, setting) or StepDecider(
            scene,
            setting.feedback,
            self.models,
            self.standings,
            self.doubts,
            setting.mean_prices,
        )
        self.queue = Queue(np.arange(len(scene.dataset)), self.chance)
        self.warm_sentence = np.full(self.standings.count.shape, -1)
        self.answered = np.zeros_like(self.standings.pending)
        self.by_models = np.zeros_like(self.answered)
        self.by_expert = np.zeros((len(runs), len(scene.dataset)), bool)
        self.audits = Audits(setting.audit, scene, self.chance, self.by_expert)
        self._drawn: Groups | None = None
        self.certified = np.full((len(runs), 3), np.nan)
        self.last_step = 0
        self._idle = np.zeros(len(runs), np.int64)
        self._attendance = attendance_in(scene, setting)
        self._are_some_away = bool(self._attendance.min() < 1)
        self._best_crew = best_mean(scene.truth[scene.people], setting.crew)
        self.regret: list[FloatArray] = []
        self.experts: list[IntArray] = []
        self._late: deque[tuple[IntArray, IntArray, FloatArray]] = deque()

    def _standings(self, runs: int) -> Standings:
        learning = self.setting.policy.learning
        standings = Standings.start(
            runs,
            len(self.scene.workers),
            memory=learning.memory,
            difficulty=learning.difficulty,
        )
        standings.truth = self.scene.truth
        # No policy weighs the price of a model, which has no seat in a crew.
        people, price = self.scene.people, self.setting.prices.answer
        if self.setting.worker_prices is not None:
            standings.price = np.where(people, self.setting.prices_of(people), price)
        standings.available = np.tile(people, (runs, 1))
        return standings

    def run(self) -> None:
        """Rehearse until every sentence is settled or nobody is left to answer."""
        self.warm_up()
        step = 0
        while (goes_on := (self.queue.left > 0) & (self._idle < PATIENCE)).any():
            step += 1
            self.step(step, goes_on)
        self._learn_late(0)
        self.audits.add_rest()
        stated = list(self.audits.by_run())
        revised = self._revised(stated)
        labels = {run: part.beliefs.labels for run, part in revised.items()}
        self.record.finish(self.audits.audited, labels)
        for run, settled in enumerate(stated):
            part = revised[run].only(settled.sentence) if run in revised else settled
            if self.audits.audited[run].any():
                self.certified[run] = self.audits.certificate(run, part).delivered.f1

    def _revised(self, stated: list[JudgedSentences]) -> dict[int, JudgedSentences]:
        """Return the revisions of runs, unless audits show that they make labels worse."""
        found = {}
        for run in np.flatnonzero(self.queue.taken > 0).tolist():
            if self._revises:
                part = self.models.revised(run)
                if part is None or (stated and self.audits.are_worse(run, stated[run], part)):
                    continue
                found[run] = part
        return found

    @property
    def _revises(self) -> bool:
        return self.setting.revise and self.setting.consensus.learns

    def warm_up(self) -> None:
        """Let workers label their first sentence, scored by the expert; t becomes their number."""
        first = first_sentences(self.scene, self.setting, self.chance, self.queue)
        sentence = first.of_worker
        # nonzero returns every second number of one array; kernels would be compiled for that.
        run, worker = map(np.ascontiguousarray, np.nonzero(sentence >= 0))
        self.warm_sentence = sentence
        chosen = sentence[run, worker]
        groups = Groups(run, chosen, worker[:, None])
        self.record.warmed_up(groups)
        self.by_expert[run, chosen] = True
        self.answered[run, worker] += 1
        if len(run):
            scores = self.scene.source.scores(chosen, worker)
            self.standings.learn(run, groups.crew, scores[:, None])
            self.models.warm_up(groups)
        self.standings.time += (sentence >= 0).sum(axis=1)
        if first.shared is not None:
            self.by_expert[np.arange(len(sentence)), first.shared] = True
            self.record.settled_first(first.shared)
        self.experts.append(self.by_expert.sum(axis=1))
        self.regret.append(np.zeros(len(sentence)))

    def step(self, step: int, goes_on: BoolArray) -> None:
        """Take one step in the runs that go on; the clock of the others stops."""
        self.standings.tick(goes_on)
        self.standings.available = goes_on[:, None] & self._available(step)
        groups = self._groups(self.chance.at(step))
        self._idle += 1
        self._idle[groups.run] = 0
        if len(groups.run):
            self.last_step = step
            self._settle(groups)
        else:
            self._let_pass(groups)
        self._learn_late(self.setting.delay)

    def _let_pass(self, nobody: Groups) -> None:
        """Keep a step in which nobody works, because rewards come steps later."""
        runs = len(self._idle)
        self.regret.append(np.zeros(runs))
        self.experts.append(np.zeros(runs, np.int64))
        self._late.append((nobody.run, nobody.crew, np.zeros(nobody.crew.shape)))

    def _available(self, step: int) -> BoolArray:
        """Tell who is there in a step: by run and worker, or by worker if all runs are alike."""
        there: BoolArray = self.scene.people
        if self.setting.cap is not None:
            there = there & (self.answered < self.setting.cap)
        if self._are_some_away:
            draws = self.chance.at(step).uniform(len(self.scene.workers), _ATTENDANCE)
            there = there & (draws < self._attendance)
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
            setting.policy,
            self.standings,
            can,
            setting.answers,
            self.queue,
            chance,
            setting.at_once,
        )

    def _settle(self, groups: Groups) -> None:
        """Collect the answers, decide for the crowd or the expert, and note what follows."""
        decided = self.decider.settle(groups)
        done, beliefs, verdict = decided.groups, decided.beliefs, decided.verdict
        paid = self._count(decided)
        if self._revises or self.setting.audit:
            self.record.settled_so_far(paid, beliefs, verdict)
        else:
            self.record.settled(paid, beliefs, verdict)
        if self.setting.feedback.decides_by == "agreement":
            self.record.agreed(done.run, verdict.reason)
        if self._drawn is not None:
            self.models.learn_audits(self._drawn)
        self.models.learn(done, self.by_expert[done.run, done.sentence])
        if self.setting.feedback.needs_probabilities:
            asked_of = np.flatnonzero(~verdict.trusted)
            said = taken(beliefs, asked_of)
            told = labelled(self.scene, said, done.sentence[asked_of])
            self.doubts.learn_expert(done.run[asked_of], told)
        self._drawn = self.audits.draw(done, beliefs, verdict.trusted, self.doubts)

    def _count(self, decided: Decided) -> Groups:
        """Count experts, answers and regret; return the groups with only the new answers."""
        done, runs = decided.groups, len(self.answered)
        row, model = self.scene.by_models(done.sentence)
        if len(row):
            np.add.at(self.by_models, (done.run[row], model), 1)
        best = self._best(done)
        counted = StepCounts.start(done.crew.shape, runs)
        kept = Kept(self.warm_sentence, self.by_expert, self.answered, self.standings.pending)
        trusted, true, rewards = decided.verdict.trusted, decided.true, decided.rewards
        count_step(done, trusted, true, rewards, best, kept, counted)
        self.experts.append(counted.experts)
        self.regret.append(counted.regret)
        self._late.append((done.run, counted.learner, counted.reward))
        return done._replace(crew=counted.new)

    def _best(self, groups: Groups) -> FloatArray:
        """Return the mean score per answer of the truly best crew."""
        if self.scene.can is None:
            return np.full(len(groups.run), self._best_crew)
        can = self.scene.can[groups.sentence] & self.scene.people
        truth = np.where(can, self.scene.truth, np.nan)
        ranked = -np.sort(-truth, axis=1)[:, : self.setting.answers]
        able = np.maximum((~np.isnan(ranked)).sum(axis=1), 1)
        best: FloatArray = np.nansum(ranked, axis=1) / able
        return best

    def _learn_late(self, delay: int) -> None:
        """Learn from all rewards but the last ``delay`` steps'."""
        while len(self._late) > delay:
            run, crew, rewards = self._late.popleft()
            self.standings.add(run, crew, rewards)
            take_off(run, crew, self.standings.pending)
