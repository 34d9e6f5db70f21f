"""Wrong spans taken apart."""

import numpy as np
import pytest
from hypothesis import given

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.metrics import (
    ERROR_KINDS,
    Metric,
    answer_scores,
    answers_per_worker,
    error_name,
    error_table,
    spread,
)
from tests.strategies import LABELS, datasets


def kinds(gold: list[Span], given_spans: list[Span]) -> list[str]:
    """Return the names of the errors of one answer."""
    sentence = Sentence.from_tokens("s", ["w"] * 12)
    data = Dataset.of([sentence], {"s": gold}, [Answer("s", "w", tuple(given_spans))], LABELS)
    return [error_name(k) for k in error_table(data).kinds]


@pytest.mark.parametrize(
    ("start", "end", "label", "expected"),
    [
        (4, 7, "PER", []),
        (3, 6, "PER", ["shift"]),
        (6, 9, "PER", ["shift"]),
        (3, 7, "PER", ["expand"]),
        (2, 9, "PER", ["expand"]),
        (5, 7, "PER", ["shrink"]),
        (5, 6, "PER", ["shrink"]),
        (5, 9, "PER", ["shift+expand"]),
        (2, 5, "PER", ["shift"]),
        (6, 8, "PER", ["shift+shrink"]),
        (4, 7, "LOC", ["mislabelled"]),
        (4, 8, "LOC", ["expand+mislabelled"]),
        (7, 10, "PER", ["missed", "spurious"]),
    ],
)
def test_each_kind_of_error_has_its_name(
    start: int, end: int, label: str, expected: list[str]
) -> None:
    """Against one gold span over the tokens 4 to 7."""
    assert kinds([Span(4, 7, "PER")], [Span(start, end, label)]) == expected


def test_one_long_span_over_several_gold_spans_takes_one_and_misses_the_others() -> None:
    """The paper's case of five short spans under one long one."""
    gold = [Span(k, k + 1, "PER") for k in (0, 2, 4)]

    assert sorted(kinds(gold, [Span(0, 5, "PER")])) == ["expand", "missed", "missed"]


def test_a_split_span_is_one_shrunk_and_one_spurious_span() -> None:
    """The longer half is the partner."""
    assert sorted(kinds([Span(0, 5, "PER")], [Span(0, 3, "PER"), Span(3, 5, "PER")])) == [
        "shrink",
        "spurious",
    ]


def test_equal_labels_are_paired_first() -> None:
    """Two candidates with the same overlap: the label decides."""
    assert kinds([Span(2, 4, "PER")], [Span(1, 3, "LOC"), Span(3, 5, "PER")]) == [
        "spurious",
        "shift",
    ]


@given(datasets(gold=True))
def test_an_answer_has_errors_if_and_only_if_it_differs_from_gold(data: Dataset) -> None:
    """Errors and exact F1 tell the same story."""
    wrong = np.zeros(len(data.answers), bool)
    wrong[error_table(data).answer] = True

    assert (answer_scores(data, Metric("exact"))[:, 2] < 1).tolist() == wrong.tolist()


@given(datasets())
def test_a_span_that_is_missed_or_spurious_is_nothing_else(data: Dataset) -> None:
    """And has no partner."""
    table = error_table(data)
    alone = table.has("missed") | table.has("spurious")

    assert {error_name(k) for k in table.kinds[alone]} <= {"missed", "spurious"}
    assert ((table.start < 0) == table.has("missed")).all()
    assert ((table.gold_start < 0) == table.has("spurious")).all()
    assert (table.kinds < 1 << len(ERROR_KINDS)).all()


def test_the_spread_of_work_is_that_of_the_sample() -> None:
    """SD with n - 1, as in the paper's Table 1."""
    got = spread(np.array([48, 230, 1626]))

    assert got is not None
    assert (got.max, got.min, got.range, got.median) == (1626, 48, 1578, 230)
    assert got.sd == pytest.approx(np.std([48, 230, 1626], ddof=1))
    assert got.cv == pytest.approx(got.sd / got.mean)
    assert spread(np.zeros(0, np.int64)) is None


def test_workers_without_answers_count_as_zero() -> None:
    """Every worker has an entry."""
    data = Dataset.of([Sentence.from_tokens("s", ["a"])], answers=[Answer("s", "w")])

    assert answers_per_worker(data).tolist() == [1]
