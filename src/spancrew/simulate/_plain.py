"""The plain step of the paper: votes by token and agreement, on answers that lie in a table."""

from typing import Self

import numpy as np

from spancrew.consensus import Beliefs, MajorityVote
from spancrew.core import BoolArray, FloatArray, PlacedAnswers, Ragged
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, Verdict
from spancrew.policies import Groups
from spancrew.simulate._decide import Decided
from spancrew.simulate._scene import AnswerTable, Scene
from spancrew.simulate._setting import Setting

_UNKNOWN = np.zeros(0)
"""In place of probabilities, which nobody asks for."""


class PlainDecider:
    """Decides as a StepDecider does, in half the time: no answer is copied or checked again.

    That is possible where all answers were drawn beforehand, workers are counted alike, and the
    rule looks at agreement or at nothing.
    """

    def __init__(
        self, table: AnswerTable, vote: MajorityVote, scene: Scene, setting: Setting
    ) -> None:
        self._table = table
        self._vote = vote
        self._metric = scene.metric
        self._rule = setting.feedback
        self._prices = setting.mean_prices

    @classmethod
    def fitting(cls, scene: Scene, setting: Setting) -> Self | None:
        """Return one for a scene and a setting; None where more has to be looked at."""
        rule, table, vote = setting.feedback, scene.source, setting.consensus
        if type(rule) not in (AgreementGate, ExpertOnly, CrowdOnly) or rule.leave_one_out:
            return None
        if isinstance(rule, AgreementGate) and rule.kappa == "pairwise_f1":
            return None
        if (
            scene.dataset.kind != "spans"
            or setting.audit
            or not isinstance(table, AnswerTable)
            or type(vote) is not MajorityVote
        ):
            return None
        return cls(table, vote, scene, setting)

    def settle(self, groups: Groups) -> Decided:
        """Decide on the sentences of groups, of which every place is taken.

        There is a vote only where the crowd may be trusted; elsewhere rows of labels are empty.
        """
        answers, true = self._table.placed(groups.sentence, groups.crew)
        figures = self._figures(answers)
        may_trust = ~self._asks(figures, np.zeros(len(figures), bool))
        voting = answers._replace(lengths=np.where(may_trust, answers.lengths, 0))
        labels, contested = self._vote.placed_labels(voting)
        verdict = Verdict.final(~self._asks(figures, contested), figures)
        rewards = self._rewards(answers, labels, verdict.trusted, true)
        beliefs = Beliefs(labels, contested, *[_UNKNOWN] * 4)
        return Decided(groups, beliefs, verdict, true, rewards)

    def _figures(self, answers: PlacedAnswers) -> FloatArray:
        """Return the agreement on every sentence where the rule looks at it, else NaN."""
        if isinstance(self._rule, AgreementGate):
            return self._rule.placed_agreement(answers)
        return np.full(len(answers.lengths), np.nan)

    def _asks(self, figures: FloatArray, contested: BoolArray) -> BoolArray:
        """Tell on which sentences the rule asks the expert."""
        if isinstance(self._rule, AgreementGate):
            return self._rule.asks_at(figures, contested, self._prices)
        return np.full(len(figures), self._rule.asks_experts)

    def _rewards(
        self, answers: PlacedAnswers, labels: Ragged, trusted: BoolArray, true: FloatArray
    ) -> FloatArray:
        """Return the reward of every answer: by the crowd's label where it is trusted."""
        each = len(true) // len(trusted)
        rows = np.flatnonzero(np.repeat(trusted, each))
        if len(rows):
            true = true.copy()
            true[rows] = self._metric.placed_f1(answers, labels, rows, rows // each)
        return true
