"""Streams of sentences of which only the doubt is known, and drivers that decide about them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from spancrew.consensus import Beliefs
from spancrew.core import Answers, BoolArray, FloatArray, IntArray, Ragged
from spancrew.feedback import Doubts, FeedbackRule, Labelled, Prices, Situation


class Doubtful(NamedTuple):
    """Expected errors, and spans found and expected, of sentences in the order of arrival."""

    errors: FloatArray
    sizes: IntArray

    def part(self, first: int, size: int) -> "Doubtful":
        """Return so many sentences from one on."""
        some = slice(first, first + size)
        return Doubtful(self.errors[some], self.sizes[some])


def chained(parts: Sequence[Doubtful]) -> Doubtful:
    """Return the sentences of all parts, one part after the other."""
    errors = np.concatenate([part.errors for part in parts])
    return Doubtful(errors, np.concatenate([part.sizes for part in parts]))


def beliefs_of(doubtful: Doubtful) -> Beliefs:
    """Return beliefs about sentences with so many errors; half of their spans are found."""
    found = doubtful.sizes // 2
    labels = Ragged.of([[1] * size + [0] for size in found.tolist()])
    none = np.zeros(len(found), bool)
    confidence = np.exp(-doubtful.errors)
    expected = (doubtful.sizes - found).astype(np.float64)
    return Beliefs(
        labels, none, np.zeros(len(labels.values)), confidence, doubtful.errors, expected
    )


def single_answers(beliefs: Beliefs) -> Answers:
    """Return an answer on every sentence."""
    rows = np.arange(len(beliefs.errors), dtype=np.int32)
    return Answers(rows, rows * 0, beliefs.labels, len(rows))


def one_by_one(
    rule: FeedbackRule,
    doubtful: Doubtful,
    doubts: Doubts | None = None,
    batch: int = 1,
    prices: Prices | None = None,
    real: FloatArray | None = None,
) -> BoolArray:
    """Let a rule decide about a stream, so many sentences at a time; return whom it trusts.

    If ``real`` errors are given, experts find them on the sentences that they are asked for, and
    on every tenth of the others in an audit.
    """
    seen = doubts or Doubts.start(1)
    trusted = []
    for first in range(0, len(doubtful.errors), batch):
        part = doubtful.part(first, batch)
        beliefs = beliefs_of(part)
        run = np.zeros(len(part.errors), np.int64)
        situation = Situation(seen, run, run, prices or Prices())
        verdict = rule.judge(single_answers(beliefs), beliefs, situation)
        seen.learn(run, beliefs, verdict)
        if real is not None:
            _show(seen, part, verdict.trusted, real[first : first + batch])
        trusted.append(verdict.trusted)
    return np.concatenate(trusted)


def _show(seen: Doubts, part: Doubtful, trusted: BoolArray, real: FloatArray) -> None:
    """Let experts label what they are asked for, and audit."""
    before, sizes = int(seen.seen[0]) - len(real), part.sizes.astype(np.float64)
    rows = np.flatnonzero(~trusted)
    is_drawn = trusted & ((before + np.arange(len(real))) % 10 == 0)
    for chosen, learn in ((rows, seen.learn_expert), (np.flatnonzero(is_drawn), seen.learn_audit)):
        found = Labelled(part.errors[chosen], real[chosen], sizes[chosen], sizes[chosen] / 2)
        learn(np.zeros(len(chosen), np.int64), found)


def drawn(seed: int, size: int, *, ties: bool = False, drifts: bool = False) -> Doubtful:
    """Return a stream as crowds make them: half of the sentences are nearly sure.

    With ``ties`` doubts are quarters, as those of votes are; with ``drifts`` they become less and
    less, as those of methods that learn do.
    """
    rng = np.random.default_rng(seed)
    errors = np.where(rng.random(size) < 0.5, rng.beta(1, 40, size), rng.gamma(1.2, 0.6, size))
    if drifts:
        errors = errors * np.linspace(1.5, 0.4, size)
    if ties:
        errors = np.round(errors * 4) / 4
    return Doubtful(errors, 2 * rng.integers(0, 5, size))


def doubtful_streams(least: int = 1, most: int = 60) -> st.SearchStrategy[Doubtful]:
    """Draw sentences of any doubt."""
    errors = st.one_of(
        st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0, 2.0]), st.floats(0, 40, width=32)
    )
    rows = st.lists(st.tuples(errors, st.integers(0, 6)), min_size=least, max_size=most)
    return rows.map(
        lambda made: Doubtful(
            np.array([each for each, _ in made], np.float64), np.array([2 * n for _, n in made])
        )
    )
