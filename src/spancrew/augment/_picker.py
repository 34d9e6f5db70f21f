"""All answers that SES can make of one sentence, by their score."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from spancrew.augment import _credit
from spancrew.augment._chain import ANY, build
from spancrew.augment._draw import Reachable, Streams, draw_any, draw_first, levels_of
from spancrew.augment._options import list_options
from spancrew.augment._variants import SPAN, Rows, list_variants
from spancrew.core import BoolArray, FloatArray, IntArray, LabelSet, Span, decode, in_order
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

Ties = Literal["uniform", "first", "best-exact"]

MOST_STATES = 1 << 20
"""With more states than this, the proportional credits of a sentence are rounded to a grid."""

_CODE = {
    "token": _credit.TOKEN,
    "exact": _credit.EXACT,
    "proportional": _credit.PROPORTIONAL,
    "proportional:authors": _credit.AUTHORS,
}


@dataclass(frozen=True, slots=True)
class Ses:
    """Which candidates there are, how they are scored, and which of equals is taken.

    ``ties``: ``uniform`` draws among all combinations that have the wanted score; ``first`` takes
    the first in the order of :func:`candidates`, so that workers who need the same score give the
    same answer; ``best-exact`` draws among those with the highest exact F1 (the authors' code
    takes one of these). ``flips`` adds every gold span under every other label (the authors' code
    draws one other label).
    """

    labels: LabelSet
    metric: Metric
    ties: Ties = "uniform"
    flips: bool = False

    def __post_init__(self) -> None:
        """Refuse an unknown tie rule and a macro average."""
        if self.ties not in get_args(Ties):
            known = ", ".join(get_args(Ties))
            raise SpancrewError(f"ties {self.ties!r} is not known (one of {known})")
        if self.metric.average != "micro":
            raise SpancrewError(
                "SES answers are matched by a micro-averaged score, because a macro average "
                "needs the counts of every label; leave out average='macro'"
            )


class Picker:
    """The reachable scores of one sentence, and draws of answers that have them.

    ``starts`` tells for every token whether a word starts there. ``scores`` are all scores that a
    candidate has, from low to high; with more than ``most_states`` states (proportional only)
    they are rounded, and ``is_rounded`` says so.

    >>> ses = Ses(LabelSet(("LOC", "PER")), Metric("exact"))
    >>> picker = Picker(ses, np.ones(4, bool), [Span(1, 2, "PER")])
    >>> picker.scores.tolist(), picker.counts.tolist()
    ([0.0, 1.0], [6.0, 1.0])
    >>> picker.draw(1, np.random.default_rng(0))
    (Span(start=1, end=2, label='PER'),)
    """

    def __init__(
        self,
        ses: Ses,
        starts: BoolArray,
        gold: Iterable[Span] | Rows,
        *,
        most_states: int = MOST_STATES,
    ) -> None:
        if not isinstance(gold, np.ndarray):
            gold = span_rows(gold, ses.labels, len(starts))
        self._ses = ses
        self._length = len(starts)
        self._reachable, self.is_rounded = solve(ses, np.array(starts, bool), gold, most_states)

    @property
    def scores(self) -> FloatArray:
        """Return the reachable scores from low to high."""
        return self._reachable.levels.score

    @property
    def counts(self) -> FloatArray:
        """Return the number of combinations behind every score that ties may choose from.

        Exact up to 2^53, to 15 digits beyond, infinite above 10^308.
        """
        levels = self._reachable.levels
        sums = np.add.reduceat(levels.ways["count"][: levels.first[-1]], levels.first[:-1])
        with np.errstate(over="ignore"):
            for factor in self._reachable.chain.shrunk:
                sums = sums / factor
        return sums

    def draw(self, level: int, rng: np.random.Generator) -> tuple[Span, ...]:
        """Return an answer whose score is ``scores[level]``."""
        stream = rng.integers(0, 1 << 64, 1, np.uint64)
        codes = self.codes(np.array([level], np.int64), stream)
        return decode(codes[0], self._ses.labels)

    def codes(self, levels: IntArray, streams: Streams) -> npt.NDArray[Any]:
        """Return a row of codes for every level, each drawn from its own stream."""
        size, dtype = self._length, self._ses.labels.dtype
        if self._ses.ties != "first":
            out = np.empty((len(levels), size), dtype)
            draw_any(self._reachable, levels, streams, out)
            return out
        distinct, back = np.unique(levels, return_inverse=True)
        firsts = np.empty((len(distinct), size), dtype)
        draw_first(self._reachable, distinct, firsts)
        return firsts[back]


def candidates(
    spans: Iterable[Span],
    starts: BoolArray,
    labels: LabelSet | None = None,
) -> tuple[tuple[Span | None, ...], ...]:
    """Return the variants of every gold span of a sentence; None is a span that vanished.

    The span itself comes first, then shrunk at its end, at its start, to nothing; with ``labels``,
    under every other label; shifted right, expanded right, shifted left, expanded left.

    >>> for variant in candidates([Span(1, 2, "PER")], np.ones(3, bool))[0]:
    ...     print(variant)
    1-2 PER
    None
    2-3 PER
    1-3 PER
    0-1 PER
    0-2 PER
    """
    ordered = in_order(spans, len(starts))
    known = labels or LabelSet.of(span.label for span in ordered)
    rows = span_rows(ordered, known, len(starts))
    listed, first = list_variants(np.array(starts, bool), rows, len(known), labels is not None)
    made = [
        Span(start, end, known.names[label]) if start < end else None
        for start, end, label, _ in listed.tolist()
    ]
    return tuple(tuple(made[a:b]) for a, b in pairwise(first))


def span_rows(spans: Iterable[Span], labels: LabelSet, length: int) -> Rows:
    """Return spans as records, from left to right."""
    ordered = in_order(spans, length)
    return np.array([(span.start, span.end, labels.id(span.label)) for span in ordered], SPAN)


def solve(ses: Ses, starts: BoolArray, gold: Rows, most_states: int) -> tuple[Reachable, bool]:
    """Work out the reachable scores; tell whether credits had to be rounded."""
    metric, best = _CODE[ses.metric.name], ses.ties == "best-exact"
    variants = list_variants(starts, gold, len(ses.labels), ses.flips)
    units = _credit.units_of(metric, gold)
    for unit in units:
        is_last = unit == units[-1]
        rules = _credit.rules_of(metric, len(starts), gold, best=best, unit=unit)
        if not (is_last or _credit.fits(rules)):
            continue
        options = list_options(rules, gold, variants)
        chain = build(options, 1 << 60 if is_last else most_states)
        if chain.bounds[ANY, 1]:
            break
    levels = levels_of(rules, chain, best, ses.metric.empty)
    return Reachable(variants, options, chain, levels), unit != units[0]
