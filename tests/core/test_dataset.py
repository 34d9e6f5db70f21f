"""Data sets in columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, LabelSet, Ragged, Sentence, Span, decode, span_table
from spancrew.errors import (
    DuplicateError,
    InvalidSpanError,
    UnknownLabelError,
    UnknownSentenceError,
)
from tests.strategies import LABELS, datasets

SENTENCE = Sentence.from_tokens("s1", ["Ana", "left", "Rome"])
PER, LOC = Span(0, 1, "PER"), Span(2, 3, "LOC")


@given(datasets())
def test_a_data_set_gives_back_what_it_was_built_from(data: Dataset) -> None:
    """Take it apart into values and build it again."""
    gold = {s.id: data.gold_spans(k) for k, s in enumerate(data.sentences)}
    known = {id_: spans for id_, spans in gold.items() if spans is not None}
    answers = [data.answer(k) for k in range(len(data.answers))]
    again = Dataset.of(data.sentences, known, answers, data.labels)

    assert again == data
    assert [a for k in range(len(data)) for a in data.answers_on(k)] == answers


def test_answers_are_grouped_by_sentence_in_the_order_of_arrival() -> None:
    """Whatever order they come in."""
    other = Sentence.from_tokens("s2", ["x"])
    arriving = [Answer("s2", "b"), Answer("s1", "b", (PER,), 2.5, 9.0, "ses"), Answer("s2", "a")]
    data = Dataset.of([SENTENCE, other], answers=arriving)

    assert [data.answer(k) for k in range(3)] == [arriving[1], arriving[0], arriving[2]]
    assert data.workers == ("b", "a")
    assert data.answers.per_sentence.tolist() == [1, 2]


def test_labels_are_in_alphabetical_order_unless_declared() -> None:
    """So that two files with the same labels give the same codes."""
    inferred = Dataset.of([SENTENCE], {"s1": [PER, LOC]})
    declared = Dataset.of([SENTENCE], {"s1": [PER, LOC]}, labels=LabelSet(("PER", "LOC")))

    assert inferred.gold[0].tolist() == [3, 0, 1]
    assert declared.gold[0].tolist() == [1, 0, 3]


def test_no_gold_and_empty_gold_differ() -> None:
    """An expert who marked nothing has given an answer."""
    other = Sentence.from_tokens("s2", ["x", "y"])
    data = Dataset.of([SENTENCE, other], {"s2": []})

    assert data.gold_spans(0) is None
    assert data.gold_spans(1) == ()
    assert data.has_gold.tolist() == [False, True]


@pytest.mark.parametrize(
    ("answers", "error", "problem"),
    [
        (
            [Answer("s1", "w9", (Span(0, 2, "PER"), Span(1, 3, "LOC")))],
            InvalidSpanError,
            "sentence 's1', worker 'w9': spans 0-2 PER and 1-3 LOC overlap",
        ),
        (
            [Answer("s1", "w9", (Span(2, 7, "PER"),))],
            InvalidSpanError,
            "sentence 's1', worker 'w9': span 2-7 PER ends outside the sentence of 3 tokens",
        ),
        ([Answer("s1", "w9", (Span(0, 1, "PRE"),))], UnknownLabelError, "did you mean 'PER'"),
        (
            [Answer("s1", "w9"), Answer("s1", "w8"), Answer("s1", "w9")],
            DuplicateError,
            "sentence 's1', worker 'w9': two answers",
        ),
        (
            [Answer("s7", "w9")],
            UnknownSentenceError,
            "an answer of worker 'w9' is for sentence 's7', which is not in the data set",
        ),
    ],
)
def test_what_is_not_valid_is_refused(
    answers: list[Answer], error: type[Exception], problem: str
) -> None:
    """The message names sentence, worker and offsets."""
    with pytest.raises(error) as caught:
        Dataset.of([SENTENCE], answers=answers, labels=LABELS)

    assert problem in str(caught.value)


def test_a_sentence_or_its_gold_may_not_come_twice() -> None:
    """Ids are unique; gold for an unknown id is an error, too."""
    with pytest.raises(DuplicateError, match="sentence 's1' is there twice"):
        Dataset.of([SENTENCE, SENTENCE])
    with pytest.raises(UnknownSentenceError, match="gold is for sentence 's7'"):
        Dataset.of([SENTENCE], {"s7": []})


def test_a_sentence_is_found_by_its_id() -> None:
    """And an unknown id is refused."""
    data = Dataset.of([SENTENCE])

    assert data.sentences.index("s1") == 0
    with pytest.raises(UnknownSentenceError, match="'s7' is not in the data set"):
        data.sentences.index("s7")


def test_columns_cannot_be_written_to() -> None:
    """A data set is a value."""
    data = Dataset.of([SENTENCE], {"s1": [PER]}, [Answer("s1", "w1")])

    for column in (data.gold.values, data.answers.codes.values, data.answers.worker):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_an_answer_takes_sixteen_bytes_and_one_per_token() -> None:
    """The figure that the documentation states."""
    long = Sentence.from_tokens("s", ["w"] * 20)
    answers = [Answer("s", f"w{k}") for k in range(1000)]
    data = Dataset.of([long], answers=answers)
    fixed = data.answers.first.nbytes + 8

    assert data.answers.nbytes == 1000 * (16 + 20) + fixed


@given(datasets())
def test_the_span_table_has_every_span(data: Dataset) -> None:
    """The kernel agrees with decoding row by row."""
    rows = data.answers.codes
    table = span_table(rows)
    expected = [
        (k, s.start, s.end, data.labels.id(s.label))
        for k, row in enumerate(rows)
        for s in decode(row, data.labels)
    ]

    assert list(zip(*(column.tolist() for column in table), strict=True)) == expected


def test_ragged_rows_can_be_taken_in_any_order() -> None:
    """Also more than once; a row that is not there is an error."""
    rows = Ragged.of([[1, 2], [], [3]])

    assert [r.tolist() for r in rows.take(np.array([2, 0, 0, 1]))] == [[3], [1, 2], [1, 2], []]
    assert rows[-1].tolist() == [3]
    with pytest.raises(IndexError):
        rows[3]
    with pytest.raises(ValueError, match="offsets must begin with 0"):
        Ragged(np.zeros(3), np.array([0, 2]))


@given(datasets(), st.randoms(use_true_random=False))
def test_a_part_of_a_data_set_has_its_sentences_with_all_they_had(
    data: Dataset, random: "np.random.Generator"
) -> None:
    """In the order that was asked for; workers stay, answers follow their sentences."""
    chosen = np.array([k for k in range(len(data)) if random.random() < 0.6][::-1], np.int64)
    part = data.take(chosen)

    assert part.workers == data.workers
    assert part.sentences.ids == tuple(data.sentences.ids[k] for k in chosen)
    for new, old in enumerate(chosen):
        assert part.sentences[new] == data.sentences[old]
        assert part.gold_spans(new) == data.gold_spans(int(old))
        assert list(part.answers_on(new)) == list(data.answers_on(int(old)))


@given(datasets())
def test_answers_can_be_left_out(data: Dataset) -> None:
    """Sentences, gold and workers stay."""
    bare = data.without_answers()

    assert len(bare.answers) == 0
    assert (bare.gold, bare.sentences, bare.workers) == (data.gold, data.sentences, data.workers)
