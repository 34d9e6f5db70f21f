"""The posterior of a sentence given its answers, and what to count of workers then."""

from spancrew.consensus._bsc_tables import LEAST_SHARE, BscTables, Counts
from spancrew.consensus._sheets import AnswerSheets
from spancrew.core import (
    Chain,
    CodeArray,
    FloatArray,
    IntArray,
    go_on,
    kernel,
    kernel_part,
    run_ahead,
    run_both_ways,
)

_FEW = 8
"""Answers whose probabilities, at least ``LEAST_SHARE`` each, have a product above 0."""


@kernel_part
def run_chain(sheets: AnswerSheets, tables: BscTables, s: int, chain: Chain) -> None:
    """Work out the posterior of a sentence."""
    size = sheets.begins[s + 1] - sheets.begins[s]
    weigh(sheets, tables, s, chain.evidence)
    run_both_ways(size, tables.moves, chain)


@kernel_part
def weigh(sheets: AnswerSheets, tables: BscTables, s: int, evidence: FloatArray) -> None:
    """Multiply what answers and words say of every token; the likeliest code gets 1."""
    begin, size = sheets.begins[s], sheets.begins[s + 1] - sheets.begins[s]
    for token in range(size):
        for true in range(evidence.shape[1]):
            evidence[token, true] = 1.0
    for a in range(sheets.first[s], sheets.first[s + 1]):
        _weigh_answer(sheets, tables, a, evidence[:size])
        if (a - sheets.first[s]) % _FEW == _FEW - 1:
            for token in range(size):
                _rescale(evidence[token])
    for token in range(size):
        if begin + token < len(sheets.words) and sheets.words[begin + token] < len(tables.words):
            _multiply(evidence[token], tables.words[sheets.words[begin + token]])
        _rescale(evidence[token])


@kernel_part
def _weigh_answer(sheets: AnswerSheets, tables: BscTables, a: int, evidence: FloatArray) -> None:
    at, w, context = sheets.offsets[a], _worker_row(sheets, tables, a), tables.context[0]
    for token in range(len(evidence)):
        code = int(sheets.codes[at + token])
        _multiply(evidence[token], tables.workers[w, context, code])
        context = tables.context[code + 1]


@kernel_part
def _multiply(row: FloatArray, by: FloatArray) -> None:
    for k in range(len(row)):
        row[k] *= by[k]


@kernel_part
def _add(row: FloatArray, more: FloatArray) -> None:
    for k in range(len(row)):
        row[k] += more[k]


@kernel_part
def _worker_row(sheets: AnswerSheets, tables: BscTables, a: int) -> int:
    """Return the row of the workers' table for an answer; the last is for workers not seen."""
    return int(min(sheets.worker[a], len(tables.workers) - 1))


@kernel_part
def _rescale(row: FloatArray) -> None:
    most = 0.0
    for k in range(len(row)):
        most = max(most, row[k])
    per_most = 1.0 / most
    for k in range(len(row)):
        row[k] = max(row[k] * per_most, LEAST_SHARE)


@kernel
def count_all(
    sheets: AnswerSheets,
    tables: BscTables,
    known: CodeArray,
    known_at: IntArray,
    counts: Counts,
    chain: Chain,
) -> None:
    """Add the expected counts of all sentences; those of experts count as they are.

    Row ``s`` of the known codes is empty where no expert has labelled sentence ``s``. ``chain`` is
    room for the longest sentence.
    """
    for s in range(len(sheets.first) - 1):
        size = sheets.begins[s + 1] - sheets.begins[s]
        if known_at[s + 1] > known_at[s]:
            _clamp(known, known_at[s], size, chain, counts.moves)
        elif size == 0 or sheets.first[s + 1] == sheets.first[s]:
            continue
        else:
            weigh(sheets, tables, s, chain.evidence)
            run_ahead(size, tables.moves, chain)
            _count_back(size, tables.moves, chain, counts.moves)
        _count_answers(sheets, tables, s, chain.ahead, counts)


@kernel_part
def _clamp(known: CodeArray, at: int, size: int, chain: Chain, moves: FloatArray) -> None:
    """Put certainty in the place of the posterior."""
    for token in range(size):
        for code in range(chain.ahead.shape[1]):
            chain.ahead[token, code] = 0.0
        chain.ahead[token, known[at + token]] = 1.0
        before = 0 if token == 0 else int(known[at + token - 1]) + 1
        moves[before, known[at + token]] += 1.0


@kernel_part
def _count_back(size: int, moves: FloatArray, chain: Chain, counts: FloatArray) -> None:
    """Go back over a sentence and count the moves on the way; leave the posterior in ``ahead``."""
    codes = moves.shape[1]
    for code in range(codes):
        chain.back[size - 1, code] = 1.0
    for token in range(size - 1, 0, -1):
        go_on(chain, token)
        for before in range(codes):
            share = chain.ahead[token - 1, before]
            value = 0.0
            for code in range(codes):
                on = moves[before + 1, code] * chain.onward[code]
                value += on
                counts[before + 1, code] += share * on
            chain.back[token - 1, before] = value
    for token in range(size):
        for code in range(codes):
            chain.ahead[token, code] *= chain.back[token, code]
    for code in range(codes):
        counts[0, code] += chain.ahead[0, code]


@kernel_part
def _count_answers(
    sheets: AnswerSheets, tables: BscTables, s: int, posterior: FloatArray, counts: Counts
) -> None:
    begin = sheets.begins[s]
    size = sheets.begins[s + 1] - begin
    for a in range(sheets.first[s], sheets.first[s + 1]):
        at, w = sheets.offsets[a], _worker_row(sheets, tables, a)
        context = tables.context[0]
        for token in range(size):
            code = int(sheets.codes[at + token])
            _add(counts.workers[w, context, code], posterior[token])
            context = tables.context[code + 1]
    for token in range(size):
        if begin + token < len(sheets.words) and sheets.words[begin + token] < len(counts.words):
            _add(counts.words[sheets.words[begin + token]], posterior[token])
