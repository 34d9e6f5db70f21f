"""How much answers agree on a scale, on which some differences are larger than others."""

import numpy as np

from spancrew.core import Answers, FloatArray, IntArray


def ordinal_alpha(answers: Answers) -> float | None:
    """Return Krippendorff's alpha of choices whose labels are a scale, in the order of their ids.

    It is over all questions with at least two answers; None if there are none. Two labels differ
    by how many answers lie between them on the scale (Krippendorff 2011, ordinal metric).
    """
    votes = _votes(answers)
    votes = votes[votes.sum(axis=1) > 1]
    if not len(votes):
        return None
    given = votes.sum(axis=1, keepdims=True)
    pairs = (votes / (given - 1)).T @ votes
    pairs -= np.diag((votes / (given - 1)).sum(axis=0))
    counts = pairs.sum(axis=1)
    apart = _distances(counts)
    by_chance = float(counts @ apart @ counts) / (counts.sum() - 1)
    return 1.0 if by_chance == 0 else float(1 - (pairs * apart).sum() / by_chance)


def weighted_kappa(answers: Answers) -> float | None:
    """Return Cohen's kappa with squared weights of choices whose labels are a scale.

    Workers are compared two by two on the questions that both answered; what they would differ by
    chance is taken from all answers of each. The differences of all pairs are added before they
    are divided, so that with two workers it is Cohen's (1968). None if no question has two
    answers.
    """
    question, level = questions_of(answers), _levels(answers)
    who = np.repeat(answers.worker, answers.codes.lengths)
    given = np.maximum(np.bincount(who), 1)
    mean, square = np.bincount(who, level) / given, np.bincount(who, level**2) / given
    size, own, own_square, usual, usual_square, both = (
        np.bincount(question, values)
        for values in (None, level, level**2, mean[who], square[who], mean[who] ** 2)
    )
    if not (size > 1).any():
        return None
    apart = float((size * own_square - own**2).sum())
    by_chance = float(((size - 1) * usual_square - (usual**2 - both)).sum())
    return 1.0 if by_chance <= 0 else 1 - apart / by_chance


def questions_of(answers: Answers) -> IntArray:
    """Return the number of the question of every choice, counted over those that are answered."""
    codes = answers.codes
    within = np.arange(codes.offsets[-1]) - np.repeat(codes.offsets[:-1], codes.lengths)
    longest = int(codes.lengths.max(initial=1))
    place = np.repeat(answers.sentence.astype(np.int64), codes.lengths) * longest + within
    return np.unique(place, return_inverse=True)[1]


def _levels(answers: Answers) -> FloatArray:
    """Return the label of every choice as its step on the scale."""
    return ((answers.codes.values.astype(np.int64) - 1) // 2).astype(np.float64)


def _votes(answers: Answers) -> FloatArray:
    """Return how many answers have each label on every question that somebody answered."""
    labels, question = _levels(answers).astype(np.int64), questions_of(answers)
    votes = np.zeros((int(question.max(initial=-1)) + 1, int(labels.max(initial=0)) + 1))
    np.add.at(votes, (question, labels), 1.0)
    return votes


def _distances(counts: FloatArray) -> FloatArray:
    """Return the squared distance of every two labels."""
    middle = np.cumsum(counts) - counts / 2
    return np.asarray((middle[:, None] - middle) ** 2)
