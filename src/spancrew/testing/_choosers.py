"""Crowds of choices with a known truth."""

import numpy as np

from spancrew.consensus import Evidence
from spancrew.core import Answers, Ragged


def chosen_by_crowd(  # noqa: PLR0913, PLR0917  what a crowd is like
    sheets: int = 200,
    workers: int = 12,
    answers: int = 4,
    labels: int = 3,
    questions: int = 1,
    worst: float = 0.4,
    best: float = 0.95,
    seed: int = 0,
) -> tuple[Evidence, Ragged]:
    """Return answers of workers with different skills, and the truth.

    One sheet in five is hard: there everybody is half as good.
    """
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, (sheets, questions))
    skill = np.linspace(worst, best, workers)
    who = np.concatenate([rng.permutation(workers)[:answers] for _ in range(sheets)])
    sheet = np.repeat(np.arange(sheets), answers)
    sure = skill[who] * np.where(sheet % 5 == 0, 0.5, 1.0)
    is_right = rng.random((len(who), questions)) < sure[:, None]
    other = (truth[sheet] + rng.integers(1, labels, is_right.shape)) % labels
    given = np.where(is_right, truth[sheet], other)
    lengths = np.full(sheets, questions)
    columns = Answers(sheet.astype(np.int32), who.astype(np.int32), as_choices(given), sheets)
    evidence = Evidence(columns, lengths, labels, workers, kind="choices")
    return evidence, as_choices(truth)


def as_choices(labels: np.ndarray) -> Ragged:
    """Return labels as codes, a row for each."""
    offsets = np.arange(len(labels) + 1) * labels.shape[1]
    return Ragged((2 * labels.ravel() + 1).astype(np.uint8), offsets)
