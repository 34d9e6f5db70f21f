"""What a variant adds to the state from which a score follows.

The score of a combination depends on a few sums over its spans. They are digits of one whole
number, the key, so that the key of a combination is the sum of the keys of its parts.
"""

from math import lcm
from typing import Any, NamedTuple

from spancrew.augment._variants import Rows
from spancrew.core import kernel_part

TOKEN, EXACT, PROPORTIONAL, AUTHORS = 0, 1, 2, 3

GRID = (720, 240, 60, 24, 12, 6, 2, 1)
"""Units for proportional credits, tried in turn where the exact one has too many states."""


class Rules(NamedTuple):
    """How the sums of a sentence become a key.

    For exact, ``x`` is the number of matched spans; for token, ``x`` counts right tokens and ``y``
    tokens in spans; for proportional, ``x`` is the credit of the gold spans and ``y`` what the cap
    takes from the credit of the answer's spans, both in parts of ``unit``. ``y``, ``spans`` and
    ``matched`` are the sizes of the digits below ``x``; a digit of size 1 is not kept.
    """

    metric: int
    unit: int
    y: int
    spans: int
    matched: int
    gold_spans: int
    gold_tokens: int


class KeyDigits(NamedTuple):
    """The digits of a key."""

    x: int
    y: int
    spans: int
    matched: int


def rules_of(metric: int, length: int, gold: Rows, *, best: bool, unit: int) -> Rules:
    """Choose the digits for a sentence; ``best`` keeps what the exact F1 needs, too."""
    spans = len(gold)
    y = 1
    if metric == TOKEN:
        y = length + 1
    if metric == PROPORTIONAL:
        y = unit * (spans // 2) + 1
    return Rules(
        metric=metric,
        unit=unit,
        y=y,
        spans=1 if metric == TOKEN and not best else spans + 1,
        matched=spans + 1 if best and metric != EXACT else 1,
        gold_spans=spans,
        gold_tokens=int((gold["end"] - gold["start"]).sum()),
    )


def units_of(metric: int, gold: Rows) -> tuple[int, ...]:
    """Return the parts that a credit of 1 may be cut into: the exact one, then coarser ones."""
    if metric not in {PROPORTIONAL, AUTHORS}:
        return (1,)
    exact = lcm(*(gold["end"] - gold["start"]).tolist())
    return (exact, *(unit for unit in GRID if unit < exact))


def fits(rules: Rules) -> bool:
    """Tell whether keys, marked with their layer and reach, fit in 63 bits."""
    most = rules.gold_spans * max(rules.unit, rules.gold_tokens) + 1
    keys = most * rules.y * rules.spans * rules.matched
    return keys * max(4, 2 * rules.gold_spans + 2) < 1 << 62


@kernel_part
def key_of(rules: Rules, sums: KeyDigits) -> int:
    """Return the key of some sums; keys add up as sums do."""
    key = sums.x * rules.y
    if rules.y > 1:
        key += sums.y
    key *= rules.spans
    if rules.spans > 1:
        key += sums.spans
    key *= rules.matched
    if rules.matched > 1:
        key += sums.matched
    return key


@kernel_part
def sums_of(rules: Rules, key: int) -> KeyDigits:
    """Return the sums of a key; a digit that is not kept is 0."""
    key, matched = key // rules.matched, key % rules.matched
    key, spans = key // rules.spans, key % rules.spans
    return KeyDigits(key // rules.y, key % rules.y, spans, matched)


@kernel_part
def single(rules: Rules, span: Any, variant: Any) -> KeyDigits:
    """Return what a variant of a gold span adds if it meets no other."""
    if variant.start == variant.end:
        return KeyDigits(0, 0, 0, 0)
    overlap = matched = 0
    if variant.label == span.label:
        overlap = max(0, min(variant.end, span.end) - max(variant.start, span.start))
        matched = int(variant.start == span.start and variant.end == span.end)
    if rules.metric == EXACT:
        return KeyDigits(matched, 0, 1, matched)
    if rules.metric == TOKEN:
        # Where the starts differ, the later one begins a span here and is inside one there.
        right = overlap if variant.start == span.start else max(0, overlap - 1)
        return KeyDigits(right, variant.end - variant.start, 1, matched)
    size = span.end - span.start
    return KeyDigits((2 * overlap * rules.unit + size) // (2 * size), 0, 1, matched)


@kernel_part
def pair(rules: Rules, span: Any, variant: Any, next_span: Any, next_variant: Any) -> KeyDigits:
    """Return what the variants of two neighbours add; they may have met."""
    one = single(rules, span, variant)
    two = single(rules, next_span, next_variant)
    if variant.end <= next_variant.start:
        return KeyDigits(one.x + two.x, one.y + two.y, 2, 0)
    # The merged span has the label of the left one, and is never equal to a gold span.
    is_same = span.label == next_span.label
    x = one.x + two.x if is_same else one.x
    if rules.metric == EXACT:
        return KeyDigits(0, 0, 1, 0)
    if rules.metric == TOKEN:
        return KeyDigits(x, next_variant.end - variant.start, 1, 0)
    if rules.metric == PROPORTIONAL:
        return KeyDigits(x, max(0, x - rules.unit), 1, 0)
    # The authors' code keeps shares in a set: equal ones count once.
    return KeyDigits(one.x if is_same and one.x == two.x else x, 0, 1, 0)


@kernel_part
def score_of(rules: Rules, key: int) -> float:
    """Return the F1 of a combination; equal ratios give equal floats."""
    sums = sums_of(rules, key)
    if sums.x == 0:
        return 0.0
    if rules.metric == TOKEN:
        return 2 * sums.x / (sums.y + rules.gold_tokens)
    if rules.metric == EXACT or sums.y == 0:
        return 2 * sums.x / (rules.unit * (sums.spans + rules.gold_spans))
    credit = sums.x - sums.y
    below = credit * rules.gold_spans + sums.x * sums.spans
    return 2 * credit * sums.x / (rules.unit * below)


@kernel_part
def exact_of(rules: Rules, key: int) -> float:
    """Return the exact F1 of a combination, where the key keeps it."""
    sums = sums_of(rules, key)
    return 2 * sums.matched / (sums.spans + rules.gold_spans)
