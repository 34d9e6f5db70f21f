"""Final labels: a value for one sentence, columns for all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Dataset, DatasetBuilder, Final, FinalSpan, Sentence, Span
from spancrew.errors import DuplicateError, InvalidFinalError, InvalidSpanError, SpancrewError
from tests.formats.drawn import finals_of, full_datasets

ANA = FinalSpan(Span(0, 1, "PER"), 0.9, votes=3)
ROME = FinalSpan(Span(2, 3, "LOC"), 0.4, votes=1)
SETTLED = Final((ANA, ROME), 0.35, answers=4, by="mv")


def builder() -> DatasetBuilder:
    """Return a builder with two sentences."""
    made = DatasetBuilder()
    for id_ in ("s1", "s2"):
        made.add_sentence(Sentence.from_tokens(id_, ["Ana", "left", "Rome"]))
    return made


def settled() -> Dataset:
    """Return two sentences, of which the first has final labels."""
    made = builder()
    made.add_final("s1", SETTLED)
    return made.build()


def test_final_labels_come_back_as_they_were_added() -> None:
    """None where a sentence has none."""
    dataset = settled()

    assert dataset.final(0) == SETTLED
    assert dataset.final(1) is None
    assert dataset.labels.names == ("LOC", "PER")


def test_columns_are_by_sentence_and_by_token() -> None:
    """What is known of a span stands where it begins."""
    finals = settled().finals

    assert finals is not None
    assert finals.codes[0].tolist() == [3, 0, 1]
    assert finals.spans.tolist() == [0.9, 0, 0.4]
    assert finals.votes.tolist() == [3, 0, 1]
    assert finals.is_settled.tolist() == [True, False]
    assert finals.is_by_expert.tolist() == [False, False]
    assert len(finals) == 2


def test_without_final_labels_there_are_no_columns() -> None:
    """Which is how most data sets are."""
    assert builder().build().finals is None
    assert builder().build().final(0) is None


def test_data_sets_with_other_final_labels_differ() -> None:
    """In any column, or in having them at all."""
    dataset = settled()
    finals = dataset.finals

    assert finals is not None
    assert dataset == settled()
    assert dataset != builder().build()
    assert dataset != replace(dataset, finals=replace(finals, votes=finals.votes * 0))
    assert finals != "final labels"


@given(dataset=full_datasets(), data=st.data())
def test_taking_sentences_takes_their_final_labels(dataset: Dataset, data: st.DataObject) -> None:
    """In any order."""
    positions = np.array(data.draw(st.permutations(range(len(dataset)))))
    chosen = positions[: data.draw(st.integers(1, len(dataset)))]

    assert [dataset.take(chosen).final(k) for k in range(len(chosen))] == [
        dataset.final(int(position)) for position in chosen
    ]
    assert finals_of(dataset.without_answers()) == dict.fromkeys(dataset.sentences.ids)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"confidence": 1.2}, r"confidence 1\.2 is not between 0 and 1"),
        ({"confidence": float("nan")}, "confidence nan is not between"),
        ({"spans": (ANA._replace(confidence=-0.1),)}, r"confidence -0\.1"),
        ({"spans": (ANA._replace(votes=5),)}, "span 0-1 PER has 5 votes"),
        ({"spans": (ANA._replace(votes=-1),)}, "-1 votes"),
        ({"spans": (), "answers": -1}, "on -1 answers"),
        ({"by": ""}, "who decided"),
    ],
)
def test_impossible_final_labels_cannot_be_built(change: dict[str, object], message: str) -> None:
    """Each fault has its own message."""
    with pytest.raises(InvalidFinalError, match=message):
        replace(SETTLED, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spans", "error"),
    [
        ((ANA, FinalSpan(Span(0, 2, "LOC"), 0.1)), InvalidSpanError),
        ((FinalSpan(Span(2, 4, "LOC"), 0.1),), InvalidSpanError),
    ],
)
def test_final_labels_must_fit_their_sentence(
    spans: tuple[FinalSpan, ...], error: type[SpancrewError]
) -> None:
    """No overlaps, nothing outside."""
    with pytest.raises(error, match="final labels of sentence 's1'"):
        builder().add_final("s1", replace(SETTLED, spans=spans))


def test_a_sentence_is_settled_once() -> None:
    """A second time is an error."""
    made = builder()
    made.add_final("s1", SETTLED)

    with pytest.raises(DuplicateError, match="final labels of sentence 's1'"):
        made.add_final("s1", SETTLED)


def test_labels_that_only_final_labels_use_are_labels() -> None:
    """Their ids are given when all is known."""
    made = builder()
    made.add_final("s2", replace(SETTLED, spans=(FinalSpan(Span(0, 3, "AAA"), 0.5),)))
    made.add_answer(Answer("s1", "w1", (Span(0, 1, "PER"),)))
    dataset = made.build()

    assert dataset.labels.names == ("AAA", "PER")
    final = dataset.final(1)
    assert final is not None
    assert final.labels == (Span(0, 3, "AAA"),)
