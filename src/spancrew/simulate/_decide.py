"""The answers on the sentences of a step, asked for in one go or worker by worker."""

from functools import partial
from typing import NamedTuple

import numpy as np

from spancrew.consensus import Beliefs, taken, together
from spancrew.core import Answers, FloatArray, IntArray, Ragged
from spancrew.feedback import (
    Doubts,
    FeedbackRule,
    Prices,
    Situation,
    Verdict,
    rewards_of,
    weigh,
)
from spancrew.policies import NOBODY, Groups, Standings, asked, best_first
from spancrew.simulate._models import Models
from spancrew.simulate._scene import Scene


class StepDecision(NamedTuple):
    """Sentences with the workers who were asked, their answers, and the verdict.

    ``by_others`` has a row for every answer: the labels of the others on its sentence.
    """

    groups: Groups
    answers: Answers
    beliefs: Beliefs
    verdict: Verdict
    by_others: Ragged | None = None


class Decided(NamedTuple):
    """What follows from a step: verdicts on sentences, and what every answer was worth.

    ``true`` are the scores of the answers against gold, ``rewards`` what workers are told: by the
    crowd's labels where it is trusted. Both have an entry for every worker who was asked.
    """

    groups: Groups
    beliefs: Beliefs
    verdict: Verdict
    true: FloatArray
    rewards: FloatArray


class DecidedPart(NamedTuple):
    """The sentences of a step, by their rows, that a wave of answers has decided."""

    rows: IntArray
    crew: IntArray
    beliefs: Beliefs
    verdict: Verdict


class StepDecider:
    """Asks the workers of a step until the feedback rule decides.

    The first workers of all groups are asked at once; then, where the rule wants one more answer,
    the next worker of the group, and so on. The workers of a group are asked from the best on.
    Where models come first, the rule looks before that at sentences on which they are heard.
    """

    def __init__(
        self,
        scene: Scene,
        rule: FeedbackRule,
        models: Models,
        standings: Standings,
        doubts: Doubts,
        prices: Prices,
    ) -> None:
        self._source = scene.source
        self._metric = scene.metric
        self._rule = rule
        self._models = models
        self._standings = standings
        self._doubts = doubts
        self._prices = prices

    def settle(self, groups: Groups) -> Decided:
        """Decide on the sentences of groups, and say what the answers were worth."""
        decision = self.decide(groups)
        done, answers, beliefs, verdict, _ = decision
        row, worker = asked(done.crew)
        true = self._source.scores(done.sentence[row], worker)
        said = partial(self._said, decision)
        rewards = rewards_of(answers, verdict, self._metric, true, said)
        return Decided(done, beliefs, verdict, true, rewards)

    def _said(self, decision: StepDecision, rows: IntArray) -> Beliefs | Ragged:
        """Return what people say where the crowd rewards answers, or others for each of them."""
        groups, answers, beliefs, _, by_others = decision
        if by_others is not None:
            return by_others.take(rows)
        if self._rule.leave_one_out:
            return self._models.labels_by_others(groups, answers, rows)
        return self._models.of_people(groups, answers, beliefs)

    def decide(self, groups: Groups) -> StepDecision:
        """Ask until every sentence is decided; who was not asked is taken out of the crews."""
        most = groups.crew.shape[1]
        if self._rule.first is None:
            return self._judge(groups, most)
        groups = best_first(groups, self._standings)
        rows, size = np.arange(len(groups.run)), min(max(self._rule.first, 1), most)
        parts: list[DecidedPart] = []
        before = None
        if self._rule.first == 0:
            rows, before = self._by_models(groups, parts)
        while len(rows):
            now = Groups(groups.run[rows], groups.sentence[rows], groups.crew[rows])
            wave = self._judge(now, size, before)
            parts.append(_part(rows, wave))
            rows, before = rows[wave.verdict.more], wave.beliefs.errors[wave.verdict.more]
            size += 1
        return self._all(groups, parts)

    def _by_models(
        self, groups: Groups, parts: list[DecidedPart]
    ) -> tuple[IntArray, FloatArray | None]:
        """Decide what models leave no doubt about; return the rest, and what was expected of it.

        NaN stands where no model is heard.
        """
        heard = self._models.hear_models_on(groups)
        rows = np.flatnonzero(heard)
        if not len(rows):
            return np.arange(len(heard)), None
        now = Groups(groups.run[rows], groups.sentence[rows], groups.crew[rows])
        wave = self._judge(now, 0)
        parts.append(_part(rows, wave))
        is_left, before = ~heard, np.full(len(heard), np.nan)
        is_left[rows] = wave.verdict.more
        before[rows] = wave.beliefs.errors
        return np.flatnonzero(is_left), before[is_left]

    def _judge(self, groups: Groups, size: int, before: FloatArray | None = None) -> StepDecision:
        """Ask the first workers of all groups; ``before`` is what was expected with one less."""
        part = groups._replace(crew=groups.crew[:, :size])
        answers = self._answers(part)
        if (
            self._rule.leave_one_out
            and self._rule.first is None
            and self._models.judge_others_alike
        ):
            beliefs, by_others = self._models.judge_with_others(part, answers)
        else:
            beliefs, by_others = self._models.judge(part, answers), None
        left = (groups.crew[:, size:] != NOBODY).sum(axis=1)
        situation = Situation(self._doubts, part.run, left, self._prices, size == 0)
        verdict = weigh(self._rule, answers, beliefs, situation, before)
        if self._rule.needs_probabilities:
            self._doubts.learn(part.run, beliefs, verdict)
        return StepDecision(part, answers, beliefs, verdict, by_others)

    def _answers(self, groups: Groups) -> Answers:
        row, worker = asked(groups.crew)
        codes = self._models.codes(groups.sentence[row], worker)
        return Answers(row.astype(np.int32), worker.astype(np.int32), codes, len(groups.run))

    def _all(self, groups: Groups, parts: list[DecidedPart]) -> StepDecision:
        """Put the sentences of all waves together, in their first order."""
        order = np.argsort(np.concatenate([part.rows for part in parts]))
        crew = np.full_like(groups.crew, NOBODY)
        for part in parts:
            crew[part.rows, : part.crew.shape[1]] = part.crew
        columns = zip(*(part.verdict for part in parts), strict=True)
        verdict = Verdict(*(np.concatenate(column) for column in columns)).take(order)
        beliefs = taken(together([part.beliefs for part in parts]), order)
        done = groups._replace(crew=crew)
        return StepDecision(done, self._answers(done), beliefs, verdict)


def _part(rows: IntArray, wave: StepDecision) -> DecidedPart:
    decided = np.flatnonzero(~wave.verdict.more)
    beliefs, verdict = taken(wave.beliefs, decided), wave.verdict.take(decided)
    return DecidedPart(rows[decided], wave.groups.crew[decided], beliefs, verdict)
