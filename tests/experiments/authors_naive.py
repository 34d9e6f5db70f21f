"""The authors' candidates listed once more, with lists and sets, for two labels."""

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np

from spancrew.core import BoolArray, Span

Variant = tuple[int, int, str]
Step = Callable[[int], int]


def naive(gold: tuple[Span, ...], borders: BoolArray, cap: int) -> set[tuple[Variant, ...]]:
    """Return all candidates as tuples of spans, empty ones among them."""
    lists: list[tuple[Variant, ...]] = [()]
    for i, span in enumerate(gold):
        right = gold[i + 1].start - (i > 0) if i + 1 < len(gold) else len(borders) - 1
        lists = _longer(lists, span, borders, right, cap if i > 0 else 10**9)
    return {spans for spans in lists if any(start < end for start, end, _ in spans)}


def _longer(
    lists: list[tuple[Variant, ...]], span: Span, borders: BoolArray, right: int, cap: int
) -> list[tuple[Variant, ...]]:
    longer: list[tuple[Variant, ...]] = []
    for begun in lists:
        left = begun[-1][1] if begun else 0
        for way in _ways(span, borders, left, right):
            for variant in way:
                longer.append((*begun, variant))
                if len(longer) > cap:
                    break
        if len(longer) > cap:
            break
    return longer


def _ways(span: Span, borders: BoolArray, left: int, right: int) -> list[Iterator[Variant]]:
    """Return what becomes of a span by shifting, by expanding and by shrinking."""
    at = np.flatnonzero(borders).tolist()
    outer = _forth(at, right), _back(at, left)
    inner = _forth(at, span.end), _back(at, span.start)
    same = (span.start, span.end, span.label)
    other = (span.start, span.end, "POS" if span.label == "NEG" else "NEG")
    return [
        chain([same, other], _shifted(span, *outer)),
        _expanded(span, *outer, left, right),
        _shrunk(span, *inner),
    ]


def _forth(at: list[int], most: int) -> Step:
    return lambda place: min([b for b in at if b > place] + [most])


def _back(at: list[int], least: int) -> Step:
    def step(place: int) -> int:
        word = max(b for b in at if b <= place)
        return max([b for b in at if b < word] + [least])

    return step


def _shifted(span: Span, forth: Step, back: Step) -> Iterator[Variant]:
    start, end = span.start, span.end
    while start < span.end:
        start, end = forth(start), forth(end)
        yield start, end, span.label
    start, end = span.start, span.end
    while end > span.start:
        start, end = back(start), back(end)
        yield start, end, span.label


def _expanded(span: Span, forth: Step, back: Step, left: int, right: int) -> Iterator[Variant]:
    end = span.end
    while end < right:
        end = forth(end)
        yield span.start, end, span.label
    start = span.start
    while start > left:
        start = back(start)
        yield start, span.end, span.label


def _shrunk(span: Span, forth: Step, back: Step) -> Iterator[Variant]:
    start = forth(span.start)
    while start < span.end:
        yield start, span.end, span.label
        start = forth(start)
    end = back(span.end)
    while end > span.start + 1:
        yield span.start, end, span.label
        end = back(end)
