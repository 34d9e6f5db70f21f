"""A language model behind a real HTTP server on this machine."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from spancrew.core import Sentence, Span
from spancrew.errors import MemberError, SpancrewError
from spancrew.members import AnswerJournal, Briefing, GivenSpan, Member, Reply, annotate
from spancrew.members._llm import joined
from spancrew.members._pacing import Pacer
from spancrew.testing import MemberContract
from tests.bridges.loopback import Fault
from tests.members.models import people
from tests.members.openai import FakeOpenAi, openai, says

RIGHT = (Span(0, 1, "PER"), Span(2, 3, "LOC"))


@pytest.fixture
def fake() -> Iterator[FakeOpenAi]:
    """Run a server."""
    with openai() as made:
        yield made


class TestLanguageModel(MemberContract):
    """One that knows two names."""

    member: Member

    @pytest.fixture(autouse=True)
    def _make(self, fake: FakeOpenAi) -> None:
        self.member = fake.member()


def test_a_model_is_asked_for_quotes(fake: FakeOpenAi) -> None:
    """The ledger has the price of exactly the tokens that it used."""
    found = annotate(people(4), fake.member())

    assert (found.worker, found.answered) == ("model:gpt-x", 4)
    assert found.dataset.answer(0).spans == RIGHT
    assert found.spent == pytest.approx(sum(fake.charged))
    body = fake.requests[0].body
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("gpt-x", 0.0, 400)
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["spans"]["items"]["properties"]["label"]["enum"] == ["LOC", "PER"]


@pytest.mark.parametrize("formats", [("json_schema",), ("json_object", "none"), ("none",)])
def test_a_server_gets_the_strictest_format_that_it_takes(
    fake: FakeOpenAi, formats: tuple[str, ...]
) -> None:
    """It is found out once, and costs nothing."""
    fake.formats = formats
    found = annotate(people(3), fake.member())

    assert found.dataset.answer(2).spans == RIGHT
    assert len(fake.loopback.seen) == 3 + ("json_schema", "json_object", "none").index(formats[0])
    assert found.spent == pytest.approx(sum(fake.charged))


def test_a_server_with_other_names_for_things_is_understood(fake: FakeOpenAi) -> None:
    """It says what it does not take."""
    fake.new_style = True
    found = annotate(people(2), fake.member(most_tokens=77))

    assert found.answered == 2
    assert fake.requests[0].body["max_completion_tokens"] == 77
    assert fake.requests[0].body.keys() & {"max_tokens", "temperature"} == set()


def test_whatever_goes_wrong_on_the_way_is_tried_again(fake: FakeOpenAi) -> None:
    """Errors, hang-ups, streams that stop, and bodies that are cut; money stays below the cap."""
    journal = AnswerJournal(None, 1.0)
    fake.careful = False
    fake.loopback.faults += [
        Fault("POST", 429, retry_after="0"),
        Fault("POST", 500),
        Fault("POST", 503, when="after"),
        Fault("POST", when="before"),
        Fault("POST", when="after"),
        Fault("POST", when="after", cut=7),
    ]
    found = annotate(people(1), fake.member(journal=journal), journal)

    assert found.dataset.answer(0).spans == RIGHT
    assert fake.loopback.faults == []
    assert len(fake.charged) == 4
    assert sum(fake.charged) <= found.spent <= 1.0


def test_an_answer_that_does_not_come_is_given_up(fake: FakeOpenAi) -> None:
    """The next attempt is another request."""
    held, seen = Event(), []

    def hold_first(_name: str, phase: str) -> None:
        if phase == "arrived":
            seen.append(phase)
            if len(seen) == 1:
                held.wait(60)

    fake.loopback.watch = hold_first
    try:
        found = annotate(people(1), fake.member(timeout=0.3))
    finally:
        held.set()

    assert found.dataset.answer(0).spans == RIGHT
    assert len(seen) == 2
    assert found.spent > sum(fake.charged[:1])


def test_wrong_quotes_and_labels_are_counted(fake: FakeOpenAi) -> None:
    """The right ones beside them stay."""
    rows = (
        '{"text": "Ana", "label": "PER"}, {"text": "Paris", "label": "LOC"},'
        '{"text": "Rome", "label": "CITY"}, {"text": "a", "label": "PER"}'
    )
    fake.script = [says(f'{{"spans": [{rows}]}}')]
    found = annotate(people(1), fake.member())

    assert found.dataset.answer(0).spans == (Span(0, 1, "PER"),)
    assert found.faults == {"quote": 1, "label": 1, "overlap": 1}


def test_an_answer_that_is_cut_off_gets_twice_the_tokens_once(fake: FakeOpenAi) -> None:
    """Then it is no answer, and paid for all the same."""
    fake.script = [says("{", "length"), says("{", "length"), says("{", "length")]
    found = annotate(people(2), fake.member(most_tokens=50))

    assert [request.body["max_tokens"] for request in fake.requests] == [50, 100, 50, 100]
    assert (found.answered, found.unusable) == (1, 1)
    assert found.faults == {"cut off": 1}
    assert found.spent == pytest.approx(sum(fake.charged))


def test_the_share_of_samples_is_the_confidence(fake: FakeOpenAi) -> None:
    """A sample that cannot be read does not count."""
    ana, rome = '{"text": "Ana", "label": "PER"}', '{"text": "Rome", "label": "LOC"}'
    fake.script = [
        says(f'{{"spans": [{ana}, {rome}]}}'),
        says(f'{{"spans": [{ana}]}}'),
        says("no JSON"),
        says(f'{{"spans": [{ana}]}}'),
    ]
    found = annotate(people(1), fake.member(samples=4))

    assert found.answers["s0"].spans == ((Span(0, 1, "PER"), 1.0),)
    assert found.faults == {"unreadable": 1}
    assert [request.body["seed"] for request in fake.requests] == [1, 2, 3, 4]
    assert fake.requests[0].body["temperature"] == 0.7


def test_half_of_the_samples_are_enough() -> None:
    """Without any that can be used there is no answer."""
    one, other = GivenSpan(0, 1, "PER"), GivenSpan(1, 2, "PER")
    unusable = Reply(None, {"x": 1})
    half = joined([Reply((one,)), Reply((one, other, other)), Reply(()), unusable, unusable])

    assert half == Reply((one._replace(confidence=2 / 3),), {"x": 2})
    assert joined([Reply(None), Reply(None)]).spans is None


def test_the_cap_holds_whatever_the_server_does(fake: FakeOpenAi) -> None:
    """Even if it charges for what nobody receives."""
    fake.careful = False
    fake.loopback.faults += [Fault("POST", when="after") for _ in range(30)]
    price = fake.member().estimate(list(people(1).sentences), ("LOC", "PER")).most
    assert price is not None
    journal = AnswerJournal(None, 5.5 * price)
    found = annotate(people(9), fake.member(journal=journal), journal)

    assert len(fake.charged) == 5
    assert sum(fake.charged) <= found.spent <= 5.5 * price
    assert found.stopped is not None
    assert "is spent" in found.stopped


def test_a_cap_needs_prices(fake: FakeOpenAi) -> None:
    """Of both kinds of tokens."""
    with pytest.raises(MemberError, match="a limit on money needs the prices"):
        fake.member(journal=AnswerJournal(None, 1.0), input_price=None, output_price=None)
    with pytest.raises(MemberError, match="both have a price"):
        fake.member(output_price=None)
    with pytest.raises(MemberError, match="ends in /v1"):
        fake.member(url="")


def test_the_prompt_has_guide_meanings_and_the_most_similar_examples(fake: FakeOpenAi) -> None:
    """The nearest stands last, and the sentence itself is never shown with its spans."""
    made = [
        Sentence.from_text(f"e{k}", text)
        for k, text in enumerate(["Bo saw Oslo", "Ana left Bern", "Ana left Rome 0", "It rained"])
    ]
    briefing = Briefing("Mark names.", {"PER": "people"}, [(each, ()) for each in made], 2)
    messages = fake.member(briefing).messages(people(1).sentences[0], ("LOC", "PER"))

    assert "Mark names." in messages[0]["content"]
    assert "- LOC\n- PER: people" in messages[0]["content"]
    assert [each["content"] for each in messages if each["role"] == "user"] == [
        "Bo saw Oslo",
        "Ana left Bern",
        "Ana left Rome 0",
    ]
    assert [each["role"] for each in messages][-2:] == ["assistant", "user"]


def test_a_meaning_of_no_label_is_refused(fake: FakeOpenAi) -> None:
    """It is a slip."""
    with pytest.raises(SpancrewError, match="a meaning for 'PRE', which is no label"):
        fake.member(Briefing(meanings={"PRE": "people"})).messages(
            people(1).sentences[0], ("PER",)
        )


def test_another_prompt_is_another_version(fake: FakeOpenAi) -> None:
    """So that its answers are not mixed with those to the first."""
    example = (people(1).sentences[0], RIGHT)
    versions = {
        fake.member(Briefing(guide, {}, examples, shown), **llm).version
        for guide, examples, shown, llm in (
            ("", [], 5, {}),
            ("Mark names.", [], 5, {}),
            ("", [example], 5, {}),
            ("", [example], 4, {}),
            ("", [], 5, {"samples": 2}),
            ("", [], 5, {"temperature": 0.1}),
        )
    }

    assert len(versions) == 6


def test_samples_that_were_paid_are_kept(fake: FakeOpenAi, tmp_path: Path) -> None:
    """If it breaks in the middle of a sentence, only the missing ones are asked for again."""
    file = tmp_path / "answers.db"
    with AnswerJournal(file) as journal:
        member = fake.member(journal=journal, samples=3)
        fake.loopback.watch = lambda _name, phase: (
            journal.stop() if phase == "done" and len(fake.requests) == 2 else None
        )
        broken = annotate(people(1), member, journal)
    with AnswerJournal(file) as journal:
        found = annotate(people(1), fake.member(journal=journal, samples=3), journal)

    assert (broken.answered, found.answered) == (0, 1)
    assert [request.body["seed"] for request in fake.requests] == [1, 2, 3]
    assert found.spent == pytest.approx(sum(fake.charged))


def test_the_key_is_nowhere_in_the_journal(
    fake: FakeOpenAi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server gets it."""
    monkeypatch.setenv("SPANCREW_MEMBER_KEY", "sk-very-secret")
    file = tmp_path / "answers.db"
    with AnswerJournal(file) as journal:
        annotate(people(2), fake.member(journal=journal), journal)
    with sqlite3.connect(file) as database:
        kept = database.execute("SELECT group_concat(body) FROM entries").fetchone()[0]
    database.close()

    assert fake.requests[0].headers["authorization"] == "Bearer sk-very-secret"
    assert "answered" in kept
    assert "very-secret" not in kept


def test_requests_are_spread_over_the_minute() -> None:
    """And wait if a server asks for a rest; the clock is a list."""
    now, waits = [0.0], []

    def pause(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    pacer = Pacer(30, clock=lambda: now[0], pause=pause)
    for _ in range(3):
        pacer.take_turn()
    pacer.rest(10.0)
    pacer.take_turn()

    assert waits == [2.0, 2.0, 10.0]
