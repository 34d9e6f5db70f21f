"""What the real answers on a sentence say about how easy its spans are."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray, kernel
from spancrew.crowds._part import part
from spancrew.crowds._tables import CORRECT, Habits, History, Records, Sheet, Tables, Team


class Beliefs(NamedTuple):
    """Distributions of easiness over the grid; the last column has their sums.

    Those of question ``k`` begin at row ``first[k]``, one for each gold span.
    """

    first: IntArray
    weight: FloatArray


def believe(tables: Tables, sentences: IntArray, workers: IntArray) -> Beliefs:
    """Return what each worker's stand-in may believe: the worker's own real answer is left out.

    Questions are grouped by sentence.
    """
    sheet, habits, team, history = tables.sheet, tables.habits, tables.team, tables.history
    asked = sheet.sentence[sentences]
    spans = asked["last"] - asked["first"]
    known = history.first[sentences + 1] - history.first[sentences]
    # The rows of those who know nothing come first.
    most = int(spans.max(initial=0))
    rows = most + int(spans[known > 0].sum())
    beliefs = Beliefs(np.zeros(len(sentences), np.int64), np.empty((rows, len(habits.grid) + 1)))
    factor = np.empty((int((spans * known).max(initial=0)), len(habits.grid)))
    _believe(sheet, habits, team, history, sentences, workers, most, factor, beliefs)
    return beliefs


@kernel
def _believe(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: Sheet,
    habits: Habits,
    team: Team,
    history: History,
    sentences: IntArray,
    workers: IntArray,
    most: int,
    factor: FloatArray,
    beliefs: Beliefs,
) -> None:
    for g in range(most):
        _multiply(habits.grid, factor, 0, 0, 0, 0, beliefs.weight[g])
    row, shared = most, -1
    for k in range(len(sentences)):
        s = sentences[k]
        first, last = history.first[s], history.first[s + 1]
        spans = sheet.sentence[s]["last"] - sheet.sentence[s]["first"]
        if first == last:
            continue
        if k == 0 or s != sentences[k - 1]:
            _weigh(sheet, habits, team.skill, history, s, factor)
            shared = -1
        own = _own(history, s, workers[k])
        if own < 0 and shared >= 0:
            beliefs.first[k] = shared
            continue
        beliefs.first[k] = row
        if own < 0:
            shared = row
        for g in range(spans):
            _multiply(habits.grid, factor, last - first, own, spans, g, beliefs.weight[row])
            row += 1


@part
def _own(history: History, s: int, worker: int) -> int:
    """Return the place of the worker's own answer among those on the sentence, or -1."""
    for k in range(history.first[s], history.first[s + 1]):
        if history.answer[k]["worker"] == worker:
            return int(k - history.first[s])
    return -1


@part
def _weigh(
    sheet: Sheet,
    habits: Habits,
    skill: FloatArray,
    history: History,
    s: int,
    factor: FloatArray,
) -> None:
    """Fill in how likely each outcome of each real answer is at each point of the grid."""
    sentence = sheet.sentence[s]
    spread = habits.company[sentence["company"]]["spread"]
    row = 0
    for k in range(history.first[s], history.first[s + 1]):
        answer = history.answer[k]
        for g in range(sentence["last"] - sentence["first"]):
            middle = skill[answer["worker"]] + sheet.span[sentence["first"] + g]["ease"]
            sign = -1.0 if history.outcome[answer["outcome"] + g] == CORRECT else 1.0
            for e in range(len(habits.grid)):
                logit = middle + spread * habits.grid[e]["ease"]
                factor[row, e] = 1 / (1 + math.exp(sign * logit))
            row += 1


@part
def _multiply(
    grid: Records,
    factor: FloatArray,
    answers: int,
    own: int,
    spans: int,
    g: int,
    weight: FloatArray,
) -> None:
    """Multiply the weights of the grid with the factors of all answers but the own one."""
    points = len(grid)
    for e in range(points):
        weight[e] = grid[e]["weight"]
    for a in range(answers):
        if a != own:
            for e in range(points):
                weight[e] *= factor[a * spans + g, e]
    total = 0.0
    for e in range(points):
        total += weight[e]
    weight[points] = total


@part
def quantile(grid: Records, weight: FloatArray, rank: float) -> float:
    """Return the easiness below which a share ``rank`` of the weight lies, between points."""
    target = rank * weight[-1]
    step = grid[1]["ease"] - grid[0]["ease"]
    below = 0.0
    for e in range(len(grid)):
        if below + weight[e] >= target and weight[e] > 0:
            return float(grid[e]["ease"] + ((target - below) / weight[e] - 0.5) * step)
        below += weight[e]
    return float(grid[-1]["ease"])
