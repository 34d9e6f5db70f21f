"""Final labels of a whole data set: the crowd's, the experts', and nobody's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Aggregated, MajorityVote, aggregate, majority_vote
from spancrew.core import Answer, Dataset, Final, FinalSpan, Sentence, Span
from spancrew.errors import SpancrewError
from tests.strategies import datasets

PER, LOC = Span(0, 1, "PER"), Span(2, 3, "LOC")
LONG = Span(1, 3, "LOC")


def sentence(id_: str) -> Sentence:
    """Return a sentence of three tokens."""
    return Sentence.from_tokens(id_, ["Ana", "left", "Rome"])


def crowd() -> Dataset:
    """Return four sentences: one with three answers, one with two, one with an expert's, none."""
    answers = [
        Answer("s1", "ada", (PER, LOC)),
        Answer("s1", "bo", (PER, LOC)),
        Answer("s1", "cy", (PER, LONG)),
        Answer("s2", "ada", (PER,)),
        Answer("s2", "bo", ()),
        Answer("s2", "judith", (LOC,)),
        Answer("s3", "cy", (LOC,)),
        Answer("s3", "ruth", (PER,)),
        Answer("s3", "judith", (PER, LOC)),
    ]
    gold = {"s1": [PER], "s2": []}
    return Dataset.of([sentence(f"s{k}") for k in range(1, 5)], gold, answers)


def final(found: Aggregated, position: int) -> Final:
    """Return the final labels of a sentence that has some."""
    labels = found.dataset.final(position)
    assert labels is not None
    return labels


def test_a_span_has_the_votes_of_those_who_gave_exactly_it() -> None:
    """Of as many as answered."""
    settled = final(aggregate(crowd(), MajorityVote()), 0)

    assert settled.by == "mv"
    assert settled.answers == 3
    assert [(each.span, each.votes) for each in settled.spans] == [(PER, 3), (LOC, 2)]
    assert [each.confidence for each in settled.spans] == pytest.approx([1, 2 / 3], abs=1e-6)


def test_the_name_of_the_method_has_its_options() -> None:
    """So that it can be read back."""
    assert final(aggregate(crowd(), MajorityVote("first")), 0).by == "mv:ties=first"


def test_a_sentence_without_answers_is_kept_with_confidence_0() -> None:
    """It has no spans."""
    found = aggregate(crowd(), MajorityVote())

    assert final(found, 3) == Final((), 0.0, 0, "mv")
    assert found.is_silent.tolist() == [False, False, False, True]


def test_an_experts_answers_are_final_and_not_the_crowds() -> None:
    """Nobody else's word counts there; votes say what the crowd thought."""
    found = aggregate(crowd(), MajorityVote(), ["judith"])

    assert final(found, 1) == Final((FinalSpan(LOC, 1.0, 0),), 1.0, 2, "expert")
    assert final(found, 2).by == "expert"
    assert [each.votes for each in final(found, 2).spans] == [1, 1]
    assert final(found, 0).by == "mv"
    assert len(found.evidence.answers) == 7
    assert len(found.dataset.answers) == 9


def test_of_two_experts_the_one_named_first_counts() -> None:
    """In either order."""
    ruth_first = aggregate(crowd(), MajorityVote(), ["ruth", "judith"])
    judith_first = aggregate(crowd(), MajorityVote(), ["judith", "ruth", "judith"])

    assert final(ruth_first, 2).labels == (PER,)
    assert final(judith_first, 2).labels == (PER, LOC)


def test_gold_is_not_looked_at_unless_it_is_trusted() -> None:
    """Then it counts before any expert; empty gold is a word, too."""
    trusted = aggregate(crowd(), MajorityVote(), ["judith"], trust_gold=True)

    assert final(trusted, 0) == Final((FinalSpan(PER, 1.0, 3),), 1.0, 3, "expert")
    assert final(trusted, 1) == Final((), 1.0, 2, "expert")
    assert final(trusted, 2).labels == (PER, LOC)
    assert aggregate(crowd(), MajorityVote()).finals.is_by_expert.tolist() == [False] * 4


def test_workers_are_measured_by_what_experts_say() -> None:
    """Where these have spoken; experts themselves are not measured."""
    found = aggregate(crowd(), MajorityVote(), ["judith"], trust_gold=True)
    ada, judith = (found.dataset.workers.index(name) for name in ("ada", "judith"))

    assert found.reliability.spans[judith] == 0
    assert found.reliability.score[ada] == pytest.approx(2 * 1 / (3 + 1))


@pytest.mark.parametrize(
    ("dataset", "experts", "trust_gold", "message"),
    [
        (Dataset.of([sentence("s1")], {"s1": [PER]}), [], False, "no sentence has an answer"),
        (crowd(), ["judit"], False, r"expert 'judit' is not .*did you mean 'judith'\?"),
        (crowd(), ["x"], False, "expert 'x' is not among the workers: spancrew inspect"),
        (crowd(), ["ada", "bo", "cy", "ruth", "judith"], False, "every answer is an expert's"),
        (Dataset.of([sentence("s1")], {}, [Answer("s1", "a")]), [], True, "none to trust"),
    ],
)
def test_what_cannot_be_joined_is_refused(
    dataset: Dataset, experts: list[str], trust_gold: bool, message: str
) -> None:
    """With the remedy."""
    with pytest.raises(SpancrewError, match=message):
        aggregate(dataset, MajorityVote(), experts, trust_gold=trust_gold)


@given(dataset=datasets().filter(lambda d: len(d.answers) > 0), trust=st.booleans())
def test_final_labels_are_valid_for_any_data_set(dataset: Dataset, trust: bool) -> None:
    """Votes are those that a count by hand gives, and nothing else of the data set changes."""
    trusted = trust and bool(dataset.has_gold.any())
    found = aggregate(dataset, MajorityVote(), trust_gold=trusted)
    voted = majority_vote(dataset.answers, dataset.sentences.starts.lengths)

    assert found.dataset.answers == dataset.answers
    assert found.dataset.gold == dataset.gold
    assert np.isfinite(found.finals.confidence).all()
    for position in range(len(dataset)):
        settled = final(found, position)
        given_spans = [answer.spans for answer in dataset.answers_on(position)]
        assert settled.answers == len(given_spans)
        for each in settled.spans:
            assert each.votes == sum(each.span in spans for spans in given_spans)
        if trusted and dataset.has_gold[position]:
            assert settled.labels == dataset.gold_spans(position)
        else:
            assert np.array_equal(found.finals.codes[position], voted[position])
