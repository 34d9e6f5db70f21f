"""What the real answers on a sentence say about how easy its spans are."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.core import FloatArray, IntArray, kernel
from spancrew.crowds._tables import CORRECT, CrowdTables, History, Records, SentenceSheet, part


class EaseBeliefs(NamedTuple):
    """Distributions of easiness over the grid; the last column has their sums.

    Those of question ``k`` begin at row ``first[k]``, one for each gold span.
    """

    first: IntArray
    weight: FloatArray


class _Room(NamedTuple):
    """Odds at the points of the grid (right and wrong x company), and likelihoods of answers."""

    odds: FloatArray
    factor: FloatArray


def believe(tables: CrowdTables, sentences: IntArray, workers: IntArray) -> EaseBeliefs:
    """Return what each worker's stand-in may believe: the worker's own real answer is left out.

    Questions are grouped by sentence.
    """
    sheet, habits, team, history = tables.sheet, tables.habits, tables.team, tables.history
    spans = sheet.sentence["last"][sentences] - sheet.sentence["first"][sentences]
    known = history.first[sentences + 1] - history.first[sentences]
    # The rows of those who know nothing come first.
    most = int(spans.max(initial=0))
    rows = most + int(spans[known > 0].sum())
    points = len(habits.grid)
    beliefs = EaseBeliefs(np.zeros(len(sentences), np.int64), np.empty((rows, points + 1)))
    beliefs.weight[:most, :points] = habits.grid["weight"]
    beliefs.weight[:most, points] = np.cumsum(habits.grid["weight"])[-1]
    stretched = np.multiply.outer(habits.company["spread"], habits.grid["ease"])
    room = _Room(
        np.exp([-stretched, stretched]), np.empty((int((spans * known).max(initial=0)), points))
    )
    _believe(
        sheet,
        habits.grid["weight"].copy(),
        team.skill,
        history,
        sentences,
        workers,
        most,
        room,
        beliefs,
    )
    return beliefs


@kernel
def _believe(  # noqa: PLR0913, PLR0917  a kernel gets its tables one by one
    sheet: SentenceSheet,
    prior: FloatArray,
    skill: FloatArray,
    history: History,
    sentences: IntArray,
    workers: IntArray,
    most: int,
    room: _Room,
    beliefs: EaseBeliefs,
) -> None:
    row, shared = most, -1
    for k in range(len(sentences)):
        s = sentences[k]
        known = history.first[s + 1] - history.first[s]
        spans = sheet.sentence[s]["last"] - sheet.sentence[s]["first"]
        if known == 0:
            continue
        if k == 0 or s != sentences[k - 1]:
            _weigh(sheet, skill, history, s, room)
            shared = -1
        own = _own(history, s, workers[k])
        if own < 0 and shared >= 0:
            beliefs.first[k] = shared
            continue
        beliefs.first[k] = row
        if own < 0:
            shared = row
        for g in range(spans):
            _multiply(prior, room.factor, known, own, spans, g, beliefs.weight, row)
            row += 1


@part
def _own(history: History, s: int, worker: int) -> int:
    """Return the place of the worker's own answer among those on the sentence, or -1."""
    for k in range(history.first[s], history.first[s + 1]):
        if history.answer[k]["worker"] == worker:
            return int(k - history.first[s])
    return -1


@part
def _weigh(sheet: SentenceSheet, skill: FloatArray, history: History, s: int, room: _Room) -> None:
    """Fill in how likely each outcome of each real answer is at each point of the grid."""
    sentence = sheet.sentence[s]
    row = 0
    for k in range(history.first[s], history.first[s + 1]):
        answer = history.answer[k]
        for g in range(sentence["last"] - sentence["first"]):
            logit = skill[answer["worker"]] + sheet.span[sentence["first"] + g]["ease"]
            wrong = int(history.outcome[answer["outcome"] + g] != CORRECT)
            odds = math.exp(logit if wrong else -logit)
            for e in range(room.factor.shape[1]):
                room.factor[row, e] = 1 / (1 + odds * room.odds[wrong, sentence["company"], e])
            row += 1


@part
def _multiply(  # noqa: PLR0913, PLR0917
    prior: FloatArray,
    factor: FloatArray,
    answers: int,
    own: int,
    spans: int,
    g: int,
    weight: FloatArray,
    row: int,
) -> None:
    """Multiply the prior weights with the factors of all answers but the own one."""
    points = len(prior)
    for e in range(points):
        weight[row, e] = prior[e]
    for a in range(answers):
        if a != own:
            for e in range(points):
                weight[row, e] *= factor[a * spans + g, e]
    total = 0.0
    for e in range(points):
        total += weight[row, e]
    weight[row, points] = total


@part
def quantile(grid: Records, weight: FloatArray, row: int, rank: float) -> float:
    """Return the easiness below which a share ``rank`` of a row lies, between points."""
    points = len(grid)
    target = rank * weight[row, points]
    step = grid[1]["ease"] - grid[0]["ease"]
    below = 0.0
    for e in range(points):
        here = weight[row, e]
        if below + here >= target and here > 0:
            return float(grid[e]["ease"] + ((target - below) / here - 0.5) * step)
        below += here
    return float(grid[points - 1]["ease"])
