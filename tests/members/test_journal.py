"""The journal of answers: what it keeps, what it refuses, and the money."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Sentence, Span
from spancrew.errors import MemberError, MoneyError, StoreError
from spancrew.members import AnswerJournal, Checked, KeptAnswer, SureSpan

SENTENCE = Sentence.from_tokens("s", ["Ana", "left"])
FOUND = Checked((SureSpan(Span(0, 1, "PER"), 0.25),), Counter(label=2))


def test_answers_and_money_are_there_after_a_second_start(tmp_path: Path) -> None:
    """With confidence and faults; a sentence of another text is another sentence."""
    file = tmp_path / "answers.db"
    with AnswerJournal(file) as journal:
        journal.begin("m", "1", ["PER"])
        journal.send("a", 0.5)
        journal.settle("a", 0.2, {"said": "so"})
        journal.note([(SENTENCE, KeptAnswer(FOUND, 1.5))])
    with AnswerJournal(file) as journal:
        journal.begin("m", "1", ["PER"])

        assert journal.answer(SENTENCE) == KeptAnswer(FOUND, 1.5)
        assert journal.answer(Sentence.from_tokens("s", ["Ana", "leaves"])) is None
        assert journal.reply("a") == {"said": "so"}
        assert journal.spent == 0.2


@pytest.mark.parametrize(
    ("name", "version", "labels", "renamed", "field"),
    [
        ("other", "1", ["PER"], {}, "member"),
        ("m", "2", ["PER"], {}, "version"),
        ("m", "1", ["PER", "LOC"], {}, "labels"),
        ("m", "1", ["PER"], {"A": "PER"}, "renamed"),
    ],
)
def test_answers_to_something_else_are_not_mixed_in(
    tmp_path: Path, name: str, version: str, labels: list[str], renamed: dict[str, str], field: str
) -> None:
    """The message says what is different."""
    with AnswerJournal(tmp_path / "answers.db") as journal:
        journal.begin("m", "1", ["PER"])

        with pytest.raises(StoreError, match=f"{field} was .* another file"):
            journal.begin(name, version, labels, renamed)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    """So is a file that is something else."""
    (tmp_path / "text").write_text("answers " * 100)
    with (
        AnswerJournal(tmp_path / "answers.db"),
        pytest.raises(StoreError, match="another annotate is at work"),
    ):
        AnswerJournal(tmp_path / "answers.db")

    with pytest.raises(StoreError, match="no journal of answers"):
        AnswerJournal(tmp_path / "text")


def test_a_request_that_was_killed_counts_with_the_most_it_can_have_cost(tmp_path: Path) -> None:
    """And once more when it is sent again."""
    file = tmp_path / "answers.db"
    with AnswerJournal(file, 1.0) as journal:
        journal.send("a", 0.4)
    with AnswerJournal(file, 1.0) as journal:
        before = journal.spent
        journal.send("a", 0.4)
        journal.settle("a", 0.1, "reply")

        assert before == 0.4
        assert journal.spent == pytest.approx(0.5)
        with pytest.raises(MoneyError, match=r"may cost 0.6, and 0.5 of 1 is spent"):
            journal.send("b", 0.6)


@given(
    st.floats(0.1, 2.0),
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1), st.floats(0, 1)), max_size=30),
)
def test_the_cap_is_never_exceeded(cap: float, calls: list[tuple[int, float, float]]) -> None:
    """Whatever requests come, are lost or are refused; the sum is worked out a second time."""
    journal, most_ever, lost = AnswerJournal(None, cap), 0.0, dict[int, float]()
    for key, most, share in calls:
        try:
            journal.send(str(key), most)
        except MoneyError:
            continue
        most_ever += lost.pop(key, 0.0)
        if share < 0.3:
            lost[key] = most
        else:
            journal.settle(str(key), most * share, "reply")
            most_ever += most * share

        assert journal.spent == pytest.approx(most_ever + sum(lost.values()))
        assert journal.spent <= cap + 1e-6


def test_nothing_is_sent_after_it_was_stopped() -> None:
    """Whoever tries again hears of it."""
    journal = AnswerJournal()
    journal.stop()

    with pytest.raises(MemberError, match="no more requests"):
        journal.send("a", 0.0)
