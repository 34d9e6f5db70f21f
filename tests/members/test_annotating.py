"""A model answers a data set; whatever it does, nothing that was answered is lost."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from spancrew.core import Dataset, DatasetBuilder, Final, Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.members import AnswerJournal, GivenSpan, Member, Reply, annotate
from spancrew.testing import MemberContract
from tests.members.models import Scripted, first_words, people
from tests.strategies import datasets


class TestScripted(MemberContract):
    """A model that does what it should."""

    member: Member = Scripted()


@given(datasets())
def test_all_that_was_there_stays(dataset: Dataset) -> None:
    """Gold, answers, their order and what is known of them."""
    found = annotate(dataset, Scripted(lambda given: [Reply(()) for _ in given]))
    without = found.dataset.answers.worker != len(dataset.workers)

    assert found.dataset.workers == (*dataset.workers, "model:scripted")
    assert found.dataset.sentences == dataset.sentences
    assert found.dataset.gold == dataset.gold
    assert [found.dataset.answer(k) for k in without.nonzero()[0]] == [
        dataset.answer(k) for k in range(len(dataset.answers))
    ]
    assert (~without).sum() == len(dataset)


def test_final_labels_stay() -> None:
    """They have a place of their own."""
    given = people(1)
    builder = DatasetBuilder(given.labels)
    builder.add_sentence(given.sentences[0])
    builder.add_final("s0", Final((), 0.5, 3, "crowd"))
    found = annotate(builder.build(), Scripted()).dataset

    assert found.final(0) == Final((), 0.5, 3, "crowd")


def test_a_model_becomes_a_worker() -> None:
    """Sentences, spans, seconds and confidence are told."""
    found = annotate(people(5), Scripted())

    assert (found.answered, found.unusable, found.open, found.spans) == (5, 0, 0, 5)
    assert found.stopped is None
    assert found.dataset.answer(0).spans == (Span(0, 1, "PER"),)
    assert found.dataset.answer(0).worker == "model:scripted"
    assert found.answers["s0"].spans == ((Span(0, 1, "PER"), 0.75),)
    assert found.seconds is not None


def test_sentences_that_it_has_answered_are_left_alone() -> None:
    """Neither in the data set, nor in the journal of an earlier run."""
    member, journal = Scripted(), AnswerJournal()
    once = annotate(people(3), member, journal)
    twice = annotate(people(5), member, journal)
    again = annotate(once.dataset, member)

    assert member.asked == ["s0", "s1", "s2", "s3", "s4"]
    assert (twice.earlier, twice.answered) == (3, 5)
    assert again.sentences == 0
    assert again.dataset == once.dataset


def failing(after: int, every: int = 1) -> Scripted:
    """Return a model that fails from a call on, or now and then."""
    calls = iter(range(10**6))

    def answering(given: Sequence[Sentence]) -> Sequence[Reply]:
        number = next(calls)
        if number >= after and (number - after) % every == 0:
            raise ZeroDivisionError("oops")
        return first_words(given)

    return Scripted(answering)


def test_a_model_that_breaks_is_given_up_after_three_calls(tmp_path: Path) -> None:
    """What it answered before is there; a second run asks about the others only."""
    with AnswerJournal(tmp_path / "answers.db") as journal:
        broken = failing(after=2)
        found = annotate(people(20), broken, journal)
        well = Scripted()
        rest = annotate(people(20), well, journal)

    assert (found.answered, found.open) == (4, 16)
    assert len(broken.asked) == 10
    assert found.stopped == "ZeroDivisionError: oops (test_annotating.py, line 82)"
    assert len(found.dataset.answers) == 4
    assert well.asked == [f"s{k}" for k in range(4, 20)]
    assert (rest.answered, rest.stopped) == (20, None)


def test_a_model_that_fails_now_and_then_is_asked_to_the_end() -> None:
    """The sentences of failed calls stay open, and the reason is told."""
    found = annotate(people(20), failing(after=1, every=3))

    assert (found.answered, found.open) == (14, 6)
    assert found.stopped == "ZeroDivisionError: oops (test_annotating.py, line 82)"


def test_another_number_of_answers_than_sentences_is_no_answer() -> None:
    """Nobody guesses which belongs to which; they are not asked about again."""
    member, journal = Scripted(lambda given: first_words(given)[1:]), AnswerJournal()
    found = annotate(people(4), member, journal)
    annotate(people(4), member, journal)

    assert (found.answered, found.unusable, found.open) == (0, 4, 0)
    assert found.faults == {"count": 4}
    assert len(member.asked) == 4
    assert len(found.dataset.answers) == 0


def test_the_cap_ends_it_before_it_is_reached(tmp_path: Path) -> None:
    """Over several runs; with more money it goes on."""
    file, member = tmp_path / "answers.db", Scripted(price=0.1)
    with AnswerJournal(file, 0.75) as journal:
        first = annotate(people(20), member, journal)
    with AnswerJournal(file, 0.75) as journal:
        second = annotate(people(20), member, journal)
    with AnswerJournal(file, 2.0) as journal:
        third = annotate(people(20), member, journal)

    assert (first.answered, second.answered, third.answered) == (6, 6, 20)
    assert first.spent == second.spent == pytest.approx(0.6)
    assert third.spent == pytest.approx(2.0)
    assert first.stopped == "the next request may cost 0.2, and 0.6 of 0.75 is spent"
    assert len(member.asked) == 20


def test_calls_at_the_same_time_give_the_same_answers() -> None:
    """Every sentence is asked about once."""
    member = Scripted()
    member.in_parallel = 4
    found = annotate(people(41), member)
    alone = annotate(people(41), Scripted())

    assert sorted(member.asked) == sorted(people(41).sentences.ids)
    assert [each.spans for each in map(found.dataset.answer, range(41))] == [
        each.spans for each in map(alone.dataset.answer, range(41))
    ]


def test_confidence_is_looked_at_when_answers_are_read() -> None:
    """So a journal serves for any bar."""
    journal = AnswerJournal()
    strict = annotate(people(3), Scripted(), journal, least=0.8)
    lenient = annotate(people(3), Scripted(), journal, least=0.7)

    assert (strict.spans, strict.faults) == (0, {"unsure": 3})
    assert (lenient.spans, lenient.faults) == (3, {})


def test_a_model_needs_labels_and_a_name() -> None:
    """The messages say so."""
    unlabelled = Dataset.of([Sentence.from_tokens("s", ["x"])])
    nameless = Scripted()
    nameless.name = " "

    with pytest.raises(SpancrewError, match="there are no labels"):
        annotate(unlabelled, Scripted())
    with pytest.raises(SpancrewError, match="needs a name"):
        annotate(people(1), nameless)


def test_answers_and_money_go_into_one_journal() -> None:
    """A model that pays by itself brings its own; another one is refused."""
    member, journal = Scripted(price=1.0), AnswerJournal()
    member.journal = journal
    found = annotate(people(2), member)

    assert journal.answer(people(2).sentences[0]) is not None
    assert found.spent == 0.0
    with pytest.raises(SpancrewError, match="in another journal"):
        annotate(people(2), member, AnswerJournal())


def test_spans_that_do_not_fit_are_counted() -> None:
    """Over all sentences."""
    rows = (GivenSpan(0, 1, "PER"), GivenSpan(0, 9, "PER"), GivenSpan(1, 2, "X"))
    found = annotate(people(3), Scripted(lambda given: [Reply(rows) for _ in given]))

    assert found.faults == {"outside": 3, "label": 3}
    assert replace(found, stopped="x").open == 0
