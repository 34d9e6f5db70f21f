"""How much answers agree on a scale, on which some differences are larger than others."""

import numpy as np

from spancrew.core import Answers, FloatArray


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


def _votes(answers: Answers) -> FloatArray:
    """Return how many answers have each label on every question that somebody answered."""
    codes = answers.codes
    labels = (codes.values.astype(np.int64) - 1) // 2
    within = np.arange(len(labels)) - np.repeat(codes.offsets[:-1], codes.lengths)
    longest = int(codes.lengths.max(initial=1))
    place = np.repeat(answers.sentence.astype(np.int64), codes.lengths) * longest + within
    _, question = np.unique(place, return_inverse=True)
    votes = np.zeros((int(question.max(initial=-1)) + 1, int(labels.max(initial=0)) + 1))
    np.add.at(votes, (question, labels), 1.0)
    return votes


def _distances(counts: FloatArray) -> FloatArray:
    """Return the squared distance of every two labels."""
    middle = np.cumsum(counts) - counts / 2
    return np.asarray((middle[:, None] - middle) ** 2)
