"""The rewards of workers on sentences where the crowd is trusted."""

from collections.abc import Callable

import numpy as np

from spancrew.consensus import Beliefs, Model, first_of
from spancrew.core import Answers, FloatArray, IntArray, Ragged, checked_numbers
from spancrew.feedback._values import Verdict
from spancrew.metrics import Metric


def rewards_of(
    answers: Answers,
    verdict: Verdict,
    metric: Metric,
    otherwise: FloatArray,
    said: Callable[[IntArray], Beliefs | Ragged],
) -> FloatArray:
    """Return the reward of every answer: by the crowd where it is trusted, ``otherwise`` as given.

    ``said`` gets the answers that the crowd rewards, and returns what they are scored against:
    beliefs of all sentences, or for each of them its own row of labels, made of the others.
    """
    rows = np.flatnonzero(verdict.trusted[answers.sentence])
    if len(rows) == 0:
        return otherwise
    rewards, found = otherwise.copy(), said(rows)
    if isinstance(found, Ragged):
        rewards[rows] = rewards_by_others(answers, found, metric, rows)
    else:
        rewards[rows] = crowd_rewards(answers, found, metric, rows)
    return rewards


def crowd_rewards(
    answers: Answers,
    beliefs: Beliefs,
    metric: Metric,
    rows: IntArray,
    without_own: Model | None = None,
    words: Ragged | None = None,
) -> FloatArray:
    """Return the F1 of the answers ``rows`` against the crowd's labels of their sentences.

    With ``without_own`` each answer is scored against what that model makes of the others; a
    single answer then has nothing to be scored against and gets NaN. ``words`` has a row for every
    sentence, as the model wants them.
    """
    checked_numbers("rows of answers", rows, below=len(answers))
    sentence = answers.sentence[rows]
    if without_own is None:
        return metric.pairs(answers.codes, beliefs.labels, rows, sentence)[:, 2]
    labels = labels_by_others(without_own, answers, rows, words)
    return rewards_by_others(answers, labels, metric, rows)


def labels_by_others(
    model: Model, answers: Answers, rows: IntArray, words: Ragged | None = None
) -> Ragged:
    """Return for the answers ``rows`` what a model makes of the others on their sentences."""
    repeated = None if words is None else words.take(answers.sentence[rows])
    return model.judge(answers.others(rows), answers.codes.lengths[rows], repeated).labels


def rewards_by_others(
    answers: Answers, labels: Ragged, metric: Metric, rows: IntArray
) -> FloatArray:
    """Return the F1 of the answers ``rows``, each against its own row of labels.

    The labels are what a model makes of the other answers on the sentence; NaN if there are none.
    """
    scores: FloatArray = metric.pairs(answers.codes, labels, rows, np.arange(len(rows)))[:, 2]
    scores[answers.per_sentence[answers.sentence[rows]] == 1] = np.nan
    return scores


def judge_with_others(
    model: Model, answers: Answers, lengths: IntArray, words: Ragged | None = None
) -> tuple[Beliefs, Ragged]:
    """Return what a model makes of sentences, and for every answer its labels by the others.

    To judge once is cheaper than twice, although not all of it may be needed.
    """
    size = answers.sentences
    sentence = np.concatenate([np.arange(size), answers.sentence])
    repeated = None if words is None else words.take(sentence)
    both = model.judge(_with_others(answers), lengths[sentence], repeated)
    return first_of(both, size), both.labels.within(size, len(sentence))


def _with_others(answers: Answers) -> Answers:
    """Return all sentences, and after them one for every answer, with the others on its own."""
    others = answers.others(np.arange(len(answers)))
    return Answers.unchecked(
        np.concatenate([answers.sentence, others.sentence + np.int32(answers.sentences)]),
        np.concatenate([answers.worker, others.worker]),
        Ragged.joined([answers.codes, others.codes]),
        np.concatenate([answers.first, others.first[1:] + len(answers)]),
    )
