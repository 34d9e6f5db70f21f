"""The plain step of the paper: votes by token and agreement, on answers that lie in a table."""

import math
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from spancrew.consensus import Beliefs, MajorityVote, vote_on
from spancrew.core import BoolArray, FloatArray, IntArray, Ragged, kernel, kernel_part
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, Verdict
from spancrew.metrics import MetricNumbers, agreement_number, agreement_on, score_on
from spancrew.policies import Groups
from spancrew.simulate._decide import Decided
from spancrew.simulate._scene import AnswerTable, Scene, TableNumbers
from spancrew.simulate._setting import Setting

_UNKNOWN = np.zeros(0)
"""In place of probabilities, which nobody asks for."""


class RuleNumbers(NamedTuple):
    """A rule for kernels: it trusts the crowd always, or where agreement is above a bound."""

    trusts_all: bool
    looks: bool
    method: int
    bound: float
    trusts_ties: bool

    @classmethod
    def of(cls, rule: AgreementGate | ExpertOnly | CrowdOnly) -> Self:
        """Return the numbers of a rule."""
        if isinstance(rule, AgreementGate):
            method, ties = agreement_number(rule.kappa), rule.trusts_ties
            return cls(
                trusts_all=False, looks=True, method=method, bound=rule.bound, trusts_ties=ties
            )
        trusts_all = not rule.asks_experts
        return cls(trusts_all=trusts_all, looks=False, method=0, bound=1.0, trusts_ties=True)


class PlainStep(NamedTuple):
    """What comes of a step: F1 against gold and reward of every answer, the rest by sentence.

    ``codes`` and ``offsets`` are the labels; rows are empty where the crowd is not trusted.
    """

    true: FloatArray
    reward: FloatArray
    agreement: FloatArray
    trusted: BoolArray
    contested: BoolArray
    codes: npt.NDArray[Any]
    offsets: IntArray

    @classmethod
    def start(cls, groups: Groups, table: TableNumbers) -> Self:
        """Return room for what comes of a step."""
        count, tokens = len(groups.run), int(table.lengths.take(groups.sentence).sum())
        true, reward = np.empty((2, groups.crew.size))
        trusted, contested = np.zeros((2, count), bool)
        codes, offsets = np.empty(tokens, table.codes.dtype), np.zeros(count + 1, np.int64)
        return cls(true, reward, np.empty(count), trusted, contested, codes, offsets)


class PlainDecider:
    """Decides as a StepDecider does, in one kernel, which makes a rehearsal nearly twice as fast.

    That is possible where all answers were drawn beforehand, workers are counted alike, and the
    rule looks at agreement or at nothing.
    """

    def __init__(
        self, table: AnswerTable, vote: MajorityVote, scene: Scene, setting: Setting
    ) -> None:
        rule = setting.feedback
        assert isinstance(rule, AgreementGate | ExpertOnly | CrowdOnly)  # noqa: S101  see fitting
        self._table = table.numbers
        self._by_order = vote.ties == "first"
        self._metric = scene.metric.numbers
        self._tally = np.empty((scene.metric.classes(scene.dataset.labels), 4))
        self._rule = RuleNumbers.of(rule)

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
        """Decide on the sentences of groups, of which every place is taken."""
        found = PlainStep.start(groups, self._table)
        rule, metric = self._rule, self._metric
        _settle(groups, self._table, rule, self._by_order, metric, self._tally, found)
        labels = Ragged.unchecked(found.codes[: found.offsets[-1]].copy(), found.offsets)
        beliefs = Beliefs(labels, found.contested, *[_UNKNOWN] * 4)
        verdict = Verdict.final(found.trusted, found.agreement)
        return Decided(groups, beliefs, verdict, found.true, found.reward)


@kernel
def _settle(
    groups: Groups,
    table: TableNumbers,
    rule: RuleNumbers,
    by_order: bool,
    metric: MetricNumbers,
    tally: FloatArray,
    found: PlainStep,
) -> None:
    """Decide group by group: for the crowd with its vote, or for the expert."""
    given = groups.crew.shape[1]
    starts, counts = np.empty(given, np.int64), np.empty((given, table.classes), np.int64)
    votes, score = np.empty(table.classes, np.int64), np.empty(3)
    end = 0
    for row in range(len(groups.run)):
        begin, length = row * given, table.lengths[groups.sentence[row]]
        _look_up(groups, row, table, starts, found.true[begin : begin + given])
        agreement = math.nan
        if rule.looks:
            agreement = agreement_on(rule.method, table.codes, starts, length, counts)
        labels = found.codes[end : end + length]
        # Agreement may be NaN, which is above nothing.
        if rule.trusts_all or agreement > rule.bound:
            found.contested[row] = vote_on(table.codes, starts, by_order, votes, labels)
            found.trusted[row] = rule.trusts_ties or not found.contested[row]
        for k in range(given):
            found.reward[begin + k] = found.true[begin + k]
            if found.trusted[row]:
                answer = table.codes[starts[k] : starts[k] + length]
                score_on(metric, answer, labels, tally, score)
                found.reward[begin + k] = score[2]
        end += length if found.trusted[row] else 0
        found.agreement[row], found.offsets[row + 1] = agreement, end


@kernel_part
def _look_up(
    groups: Groups, row: int, table: TableNumbers, starts: IntArray, true: FloatArray
) -> None:
    """Write where the answers of a group begin, and their F1 against gold."""
    sentence = groups.sentence[row]
    for k in range(len(starts)):
        worker = groups.crew[row, k]
        starts[k] = table.begin[sentence] + worker * table.lengths[sentence]
        true[k] = table.scores[sentence, worker]
