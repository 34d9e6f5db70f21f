"""What workers learn they are worth where the crowd's word counts."""

import numpy as np

from spancrew.consensus import Beliefs, Consensus
from spancrew.core import Answers, FloatArray
from spancrew.metrics import Metric


def crowd_rewards(
    answers: Answers,
    beliefs: Beliefs,
    metric: Metric,
    without_own: Consensus | None = None,
) -> FloatArray:
    """Return the F1 of every answer against the crowd's joint word on its sentence.

    With ``without_own`` each answer is scored against what that method makes of the others; a
    single answer then has nothing to be scored against and gets NaN.
    """
    if without_own is None:
        scores = metric.pairs(answers.codes, beliefs.labels, gold_rows=answers.sentence)
        return scores[:, 2]
    rows, owner = _others(answers)
    lengths = answers.codes.lengths
    others = answers.take(rows, owner, len(answers))
    labels = without_own.judge(others, lengths).labels
    scores = metric.pairs(answers.codes, labels)[:, 2]
    scores[others.per_sentence == 0] = np.nan
    return scores


def _others(answers: Answers) -> tuple[np.ndarray, np.ndarray]:
    """Return, answer by answer, the rows of the other answers on its sentence."""
    size = answers.per_sentence[answers.sentence]
    owner = np.repeat(np.arange(len(answers)), size)
    ends = np.cumsum(size)
    within = np.arange(len(owner)) - np.repeat(ends - size, size)
    rows = answers.first[answers.sentence][owner] + within
    kept = rows != owner
    return rows[kept], owner[kept]
