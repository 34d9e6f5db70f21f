"""Counts of what was right: they add up, and shortcuts never change a score."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics.sequence_labeling import precision_recall_fscore_support as seqeval_scores
from sklearn.metrics import precision_recall_fscore_support as sklearn_scores

from spancrew.core import Ragged, decode_tags, encode
from spancrew.metrics import Average, Metric, MetricName
from tests.strategies import LABELS, span_pairs, span_sets

NAMES: tuple[MetricName, ...] = ("token", "exact", "proportional", "proportional:authors")
AVERAGES: tuple[Average, ...] = ("micro", "macro")
METRICS = [
    Metric(name, average, empty) for name in NAMES for average in AVERAGES for empty in (0.0, 1.0)
]

Pairs = tuple[Ragged, Ragged]


@st.composite
def code_pairs(draw: st.DrawFn) -> Pairs:
    """Draw answers and golds; many pairs are the same."""
    answers, golds = [], []
    for length, answer, gold in draw(st.lists(span_pairs(), min_size=1, max_size=6)):
        same = draw(st.booleans())
        answers.append(encode(gold if same else answer, length, LABELS).tolist())
        golds.append(encode(gold, length, LABELS).tolist())
    return Ragged.of(answers), Ragged.of(golds)


@given(code_pairs())
def test_a_tally_scores_what_its_pair_scores(pairs: Pairs) -> None:
    """For every metric, average and value of nothing, also where answer and gold are the same."""
    for metric in METRICS:
        tallies = metric.tallies(*pairs, LABELS)

        assert tallies.shape == (len(pairs[0]), metric.classes(LABELS), 4)
        assert np.array_equal(metric.of_tallies(tallies), metric.pairs(*pairs))


@given(code_pairs(), st.data())
def test_tallies_add_up_to_the_score_of_the_whole(pairs: Pairs, data: st.DataObject) -> None:
    """The sum over the pairs of a group is the tally of the group."""
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(pairs[0]))))
    group = group[: len(pairs[0])]
    for metric in METRICS:
        sums = np.zeros((3, metric.classes(LABELS), 4))
        np.add.at(sums, group, metric.tallies(*pairs, LABELS))
        whole = metric.groups(*pairs, group, 3)

        assert metric.of_tallies(sums) == pytest.approx(whole, abs=1e-12)


@given(code_pairs(), st.data())
def test_tallies_are_taken_against_any_row_of_gold(pairs: Pairs, data: st.DataObject) -> None:
    """Rows may come in any order and more than once."""
    answers, gold = pairs
    rows = np.array(data.draw(st.lists(st.integers(0, len(gold) - 1), min_size=1, max_size=9)))
    for metric in METRICS:
        ours = metric.tallies(answers.take(rows), gold, LABELS, rows)

        assert np.array_equal(ours, metric.tallies(*pairs, LABELS)[rows])


def as_tags(rows: Ragged) -> list[list[str]]:
    """Write codes as tags."""
    return [list(decode_tags(row, LABELS)) for row in rows]


@given(code_pairs(), st.sampled_from(AVERAGES))
def test_sums_of_exact_tallies_are_what_seqeval_computes(pairs: Pairs, average: Any) -> None:
    """Over all sentences."""
    if not any(row.any() for rows in pairs for row in rows):
        return
    metric = Metric("exact", average)
    ours = metric.of_tallies(metric.tallies(*pairs, LABELS).sum(axis=0, keepdims=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # seqeval warns about labels on one side only
        theirs = seqeval_scores(
            as_tags(pairs[1]), as_tags(pairs[0]), average=average, zero_division=0
        )

    assert ours[0] == pytest.approx(theirs[:3])


@given(code_pairs())
def test_sums_of_token_tallies_are_what_sklearn_computes(pairs: Pairs) -> None:
    """Macro over all tags that occur, O included."""
    metric = Metric("token", "macro")
    ours = metric.of_tallies(metric.tallies(*pairs, LABELS).sum(axis=0, keepdims=True))
    answers, golds = ([tag for row in as_tags(rows) for tag in row] for rows in pairs)
    theirs = sklearn_scores(golds, answers, average="macro", zero_division=0)

    assert ours[0] == pytest.approx(theirs[:3])


@st.composite
def loose_codes(draw: st.DrawFn, length: int) -> list[int]:
    """Draw codes in which an I may follow anything, as in a vote whose strays stay."""
    return draw(st.lists(st.integers(0, 2 * len(LABELS)), min_size=length, max_size=length))


@given(st.data())
def test_an_i_that_continues_nothing_is_in_no_span(data: st.DataObject) -> None:
    """Exact and proportional scores read codes with strays as if the strays were O."""
    length = data.draw(st.integers(1, 8))
    answer = Ragged.of([encode(data.draw(span_sets(length)), length, LABELS).tolist()])
    loose = data.draw(loose_codes(length))
    gold, cleaned = Ragged.of([loose]), Ragged.of([without_strays(loose)])
    for name in NAMES[1:]:
        metric = Metric(name)

        assert np.array_equal(metric.pairs(answer, gold), metric.pairs(answer, cleaned))
        assert np.array_equal(metric.pairs(gold, answer), metric.pairs(cleaned, answer))


def without_strays(codes: list[int]) -> list[int]:
    """Turn every I that continues nothing into O."""
    kept: list[int] = []
    for code in codes:
        stray = code > 0 and code % 2 == 0 and (kept[-1] if kept else 0) not in {code, code - 1}
        kept.append(0 if stray else code)
    return kept


@pytest.mark.parametrize(
    ("name", "average", "classes"),
    [("token", "micro", 1), ("token", "macro", 7), ("exact", "macro", 3), ("exact", "micro", 1)],
)
def test_a_tally_has_a_class_for_each_label_or_tag(
    name: MetricName, average: Average, classes: int
) -> None:
    """One for all if pooled."""
    assert Metric(name, average).classes(LABELS) == classes
