"""Both rules of the majority vote against plain re-implementations."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Beliefs, MajorityVote, Ties, majority_vote
from spancrew.core import Answers, Dataset, Ragged, encode
from spancrew.errors import SpancrewError
from tests.strategies import LABELS, datasets, span_sets

Rows = list[list[int]]


@st.composite
def answer_rows(draw: st.DrawFn) -> Rows:
    """Draw up to six answers on one sentence, in the order of their arrival."""
    length = draw(st.integers(1, 6))
    count = draw(st.integers(0, 6))
    return [encode(draw(span_sets(length)), length, LABELS).tolist() for _ in range(count)]


def judge(sentences: list[Rows], ties: Ties) -> Beliefs:
    """Vote on sentences, each with its answers; without any, it has two tokens."""
    lengths = [len(rows[0]) if rows else 2 for rows in sentences]
    sentence = [k for k, rows in enumerate(sentences) for _ in rows]
    worker = [j for rows in sentences for j in range(len(rows))]
    codes = Ragged.of([row for rows in sentences for row in rows])
    table = Answers(
        np.array(sentence, np.int32), np.array(worker, np.int32), codes, len(sentences)
    )
    return MajorityVote(ties).judge(table, np.array(lengths))


def first_seen(rows: Rows, length: int) -> list[int]:
    """Vote so that ties go to the tag seen first, and no I continues nothing."""
    voted: list[int] = []
    for token in range(length):
        votes = Counter(row[token] for row in rows)  # most_common keeps the order of arrival
        code = votes.most_common(1)[0][0] if votes else 0
        voted.append(repaired(code, voted))
    return voted


def lowest_label(rows: Rows, length: int) -> list[int]:
    """Vote so that O loses a tie, the lower code wins, and no I continues nothing."""
    voted: list[int] = []
    for token in range(length):
        votes = Counter(row[token] for row in rows)
        ranked = sorted(votes, key=lambda code: (-votes[code], code == 0, code))
        voted.append(repaired(ranked[0] if ranked else 0, voted))
    return voted


def repaired(code: int, before: list[int]) -> int:
    """Return B for an I that continues nothing."""
    is_inside = code > 0 and code % 2 == 0
    continues = before and before[-1] in {code, code - 1}
    return code - 1 if is_inside and not continues else code


def is_contested(rows: Rows, voted: list[int]) -> bool:
    """Tell whether a label won a token on which another label had as many votes."""
    for token in (token for token, code in enumerate(voted) if code):
        votes = Counter(row[token] for row in rows)
        most = max(votes.values(), default=0)
        labels = {(code + 1) // 2 for code, number in votes.items() if number == most and code}
        if len(labels) > 1:
            return True
    return False


@given(st.lists(answer_rows(), min_size=1, max_size=4))
def test_label_is_the_rule_of_the_documentation(sentences: list[Rows]) -> None:
    """Token by token, on several sentences at once."""
    labels, contested, *_ = judge(sentences, "label")

    for k, rows in enumerate(sentences):
        assert labels[k].tolist() == lowest_label(rows, len(labels[k]))
        assert contested[k] == is_contested(rows, labels[k].tolist())


@given(st.lists(answer_rows(), min_size=1, max_size=4))
def test_first_lets_the_code_that_came_first_win_a_tie(sentences: list[Rows]) -> None:
    """As the paper's code does."""
    labels, contested, *_ = judge(sentences, "first")

    for k, rows in enumerate(sentences):
        assert labels[k].tolist() == first_seen(rows, len(labels[k]))
        assert contested[k] == is_contested(rows, labels[k].tolist())


@given(answer_rows(), st.data())
def test_label_and_contested_do_not_depend_on_the_order(rows: Rows, data: st.DataObject) -> None:
    """Shuffle the answers."""
    shuffled = data.draw(st.permutations(rows))
    one, other = judge([rows], "label"), judge([shuffled], "label")

    assert one.labels == other.labels
    assert one.contested.tolist() == other.contested.tolist()


def test_first_depends_on_the_order() -> None:
    """It is there for the reproduction of the paper only."""
    per, loc = [5], [1]

    assert judge([[per, loc]], "first").labels[0].tolist() == per
    assert judge([[loc, per]], "first").labels[0].tolist() == loc


@pytest.mark.parametrize("ties", ["label", "first"])
def test_an_i_after_another_label_begins_a_span(ties: Ties) -> None:
    """The paper's code repairs it after O only, and its scores then pass it over."""
    assert judge([[[1, 6], [1, 6], [5, 6]]], ties).labels[0].tolist() == [1, 5]


@given(answer_rows())
def test_where_no_token_is_level_both_rules_count_alike(rows: Rows) -> None:
    """The rules differ in ties only."""
    length = len(rows[0]) if rows else 2
    tallied = [Counter(row[token] for row in rows).most_common(2) for token in range(length)]
    if any(len(two) == 2 and two[0][1] == two[1][1] for two in tallied):
        return
    one, other = (judge([rows], ties).labels[0] for ties in ("label", "first"))

    assert one.tolist() == other.tolist()


@given(datasets())
def test_the_short_way_is_the_default_rule(data: Dataset) -> None:
    """A function for those who want labels only."""
    lengths = data.sentences.starts.lengths

    assert (
        majority_vote(data.answers, lengths) == MajorityVote().judge(data.answers, lengths).labels
    )


def test_a_sentence_without_answers_is_all_o_and_not_contested() -> None:
    """Nobody said anything."""
    labels, contested, *_ = judge([[], [[1]]], "label")

    assert labels[0].tolist() == [0, 0]
    assert not contested.any()


def test_an_unknown_rule_is_refused() -> None:
    """The message names those there are."""
    with pytest.raises(SpancrewError, match=r"ties 'chance' is not known \(label or first\)"):
        MajorityVote("chance")  # type: ignore[arg-type]


@given(datasets())
def test_labels_alone_are_the_same_labels(data: Dataset) -> None:
    """Only the probabilities are missing, and look like it."""
    lengths = data.sentences.starts.lengths
    whole, alone = (
        judge(data.answers, lengths)
        for judge in (MajorityVote().judge, MajorityVote().labels_only)
    )

    assert alone.labels == whole.labels
    assert np.array_equal(alone.contested, whole.contested)
    assert np.isnan([*alone.spans, *alone.confidence, *alone.errors, *alone.expected]).all()
