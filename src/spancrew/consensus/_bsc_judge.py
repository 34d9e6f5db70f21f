"""Read the likeliest spans off the posterior."""

import math
from typing import NamedTuple

import numpy as np

from spancrew.consensus._bsc_chain import run_chain
from spancrew.consensus._bsc_tables import BscTables
from spancrew.consensus._sheets import AnswerSheets
from spancrew.core import (
    Chain,
    CodeArray,
    FloatArray,
    IntArray,
    chain_part,
    chain_step,
    kernel,
    kernel_part,
    span_ends,
)

_FLOOR = 0.05
"""Spans less likely than this are not looked at."""


class Found(NamedTuple):
    """Where beliefs are written: codes and chances of spans by token, the rest by sentence."""

    codes: CodeArray
    spans: FloatArray
    confidence: FloatArray
    errors: FloatArray
    expected: FloatArray


class Choice(NamedTuple):
    """The best spans up to every token: their worth, and the last of them (code 0 for none)."""

    worth: FloatArray
    start: IntArray
    code: IntArray
    chance: FloatArray


@kernel
def judge_all(
    sheets: AnswerSheets, tables: BscTables, threshold: float, room_for: Chain, found: Found
) -> None:
    """Fill in the beliefs of every sentence that somebody answered.

    If there is room for all tokens, the posteriors of all sentences are there afterwards.
    """
    keeps = len(room_for.scale) == sheets.begins[-1]
    room = len(room_for.scale) + 1
    choice = Choice(
        np.empty(room), np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
    )
    for s in range(len(sheets.first) - 1):
        begin = sheets.begins[s]
        size = sheets.begins[s + 1] - begin
        if size == 0 or sheets.first[s + 1] == sheets.first[s]:
            continue
        at = begin if keeps else 0
        chain = chain_part(room_for, at, at + size)
        run_chain(sheets, tables, s, chain)
        choose(size, tables.moves, chain, threshold, choice)
        count, hits = _write(size, begin, choice, found)
        found.expected[s] = _expected(size, chain)
        found.errors[s] = max(count + found.expected[s] - 2 * hits, 0.0)
        found.confidence[s] = _path(size, begin, tables.moves, chain, found.codes)


@kernel_part
def choose(size: int, moves: FloatArray, chain: Chain, threshold: float, choice: Choice) -> None:
    """Choose the spans without overlap with the largest sum of chance - threshold."""
    for end in range(size + 1):
        choice.worth[end] = -1.0 if end else 0.0
    for start in range(size):
        _offer(choice, start, start + 1, int(np.int64(0)), 0.0, 0.0)
        for code in range(1, moves.shape[1], 2):
            if chain.ahead[start, code] * chain.back[start, code] > _FLOOR:
                _offer_spans(size, moves, chain, threshold, choice, start, code)


@kernel_part
def _offer_spans(
    size: int,
    moves: FloatArray,
    chain: Chain,
    threshold: float,
    choice: Choice,
    start: int,
    code: int,
) -> None:
    """Offer all spans that begin with a code, longer and longer while they are likely."""
    path, last = chain.ahead[start, code], code
    for token in range(start, size):
        if token > start:
            path *= chain_step(chain, moves, last + 1, token, code + 1)
            last = code + 1
        if path * chain.back[token, last] < _FLOOR:
            return
        chance = span_ends(chain, moves, path, token, last, size)
        _offer(choice, start, token + 1, code, chance, chance - threshold)


@kernel_part
def _offer(choice: Choice, start: int, end: int, code: int, chance: float, gain: float) -> None:
    worth = choice.worth[start] + gain
    if worth > choice.worth[end]:
        choice.worth[end] = worth
        choice.start[end], choice.code[end], choice.chance[end] = start, code, chance


@kernel_part
def _write(size: int, begin: int, choice: Choice, found: Found) -> tuple[int, float]:
    """Write the chosen spans down; return how many there are, and how many are expected right."""
    count, hits, end = 0, 0.0, size
    while end > 0:
        start, code = choice.start[end], choice.code[end]
        if code > 0:
            for token in range(start, end):
                found.codes[begin + token] = code if token == start else code + 1
            found.spans[begin + start] = choice.chance[end]
            count, hits = count + 1, hits + choice.chance[end]
        end = start
    return count, hits


@kernel_part
def _expected(size: int, chain: Chain) -> float:
    """Return the expected number of true spans: of codes that begin one."""
    total = 0.0
    for token in range(size):
        for code in range(1, chain.ahead.shape[1], 2):
            total += chain.ahead[token, code] * chain.back[token, code]
    return total


@kernel_part
def _path(size: int, begin: int, moves: FloatArray, chain: Chain, codes: CodeArray) -> float:
    """Return the probability that all codes of a sentence are right."""
    total = 0.0
    for token in range(size):
        before = 0 if token == 0 else int(np.int64(codes[begin + token - 1])) + 1
        share = chain_step(chain, moves, before, token, int(np.int64(codes[begin + token])))
        total += math.log(max(share, 1e-300))
    return min(math.exp(total), 1.0)
