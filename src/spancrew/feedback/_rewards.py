"""What workers learn they are worth where the crowd's word counts."""

import numpy as np

from spancrew.consensus import Beliefs, Consensus
from spancrew.core import Answers, FloatArray, IntArray
from spancrew.metrics import Metric


def crowd_rewards(
    answers: Answers,
    beliefs: Beliefs,
    metric: Metric,
    rows: IntArray,
    without_own: Consensus | None = None,
) -> FloatArray:
    """Return the F1 of the answers ``rows`` against the crowd's joint word on their sentences.

    With ``without_own`` each answer is scored against what that method makes of the others; a
    single answer then has nothing to be scored against and gets NaN.
    """
    if without_own is None:
        return metric.pairs(answers.codes, beliefs.labels, rows, answers.sentence[rows])[:, 2]
    found, owner = _others(answers)
    others = answers.take(found, owner, len(answers))
    labels = without_own.judge(others, answers.codes.lengths).labels
    scores = metric.pairs(answers.codes, labels, rows, rows)[:, 2]
    scores[others.per_sentence[rows] == 0] = np.nan
    return scores


def _others(answers: Answers) -> tuple[IntArray, IntArray]:
    """Return, answer by answer, the rows of the other answers on its sentence."""
    size = answers.per_sentence[answers.sentence]
    owner = np.repeat(np.arange(len(answers)), size)
    ends = np.cumsum(size)
    within = np.arange(len(owner)) - np.repeat(ends - size, size)
    rows = answers.first[answers.sentence][owner] + within
    kept = rows != owner
    return rows[kept], owner[kept]
