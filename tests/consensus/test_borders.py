"""Lengths, words and experts' labels that do not fit are refused before a kernel reads them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Evidence, MajorityVote, consensus_method, majority_vote
from spancrew.core import Answers, Ragged
from spancrew.errors import SpancrewError

METHODS = ("mv", "span-vote", "ds", "span-ds", "bsc", "auto")
ANSWERS = Answers(
    np.array([0, 0, 1], np.int32),
    np.array([0, 1, 0], np.int32),
    Ragged.of([[0, 1, 2], [0, 1, 0], [3]]),
    2,
)
WORDS = Ragged.of([[0, 1, 2], [3]], np.int32)
EVIDENCE = Evidence(ANSWERS, np.array([3, 1]), 2, 2, None, WORDS, 4)


@pytest.mark.parametrize("name", METHODS)
@given(lengths=st.lists(st.integers(-2, 5), max_size=4))
def test_every_method_refuses_lengths_of_other_sentences(name: str, lengths: list[int]) -> None:
    """Decreasing, negative, too long, too many, too few."""
    model = consensus_method(name).fit(EVIDENCE)
    given_ = np.array(lengths, np.int64)
    if lengths == [3, 1]:
        assert model.judge(ANSWERS, given_).labels.lengths.tolist() == lengths
        return
    with pytest.raises(SpancrewError, match="lengths of sentences"):
        model.judge(ANSWERS, given_)


@given(st.lists(st.integers(-2, 5), max_size=4))
def test_a_vote_alone_refuses_them_too(lengths: list[int]) -> None:
    """It returned what happened to be in memory once."""
    given_ = np.array(lengths, np.int64)
    for vote in (majority_vote, MajorityVote().labels_only):
        if lengths != [3, 1]:
            with pytest.raises(SpancrewError, match="lengths of sentences"):
                vote(ANSWERS, given_)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("dtype", [np.float64, np.bool_, object])
def test_lengths_are_whole_numbers(name: str, dtype: type) -> None:
    """Of any width."""
    model = consensus_method(name).fit(EVIDENCE)
    with pytest.raises(SpancrewError, match="lengths of sentences: a flat array of whole"):
        model.judge(ANSWERS, np.array([3, 1], dtype))

    assert len(model.judge(ANSWERS, np.array([3, 1], np.int16)).labels) == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels": 1}, "label number 1, but there are 1 labels"),
        ({"workers": 1}, "worker number 1, but there are 1 workers"),
        ({"lengths": np.array([1, 3])}, "sentence 0 has 1 tokens, but an answer on it has 3"),
        ({"known": Ragged.of([[0, 1, 2]])}, "there are 1 rows, but 2 sentences"),
        ({"known": Ragged.of([[0, 1], []])}, "sentence 0 has 3 tokens, but 2 codes"),
        ({"known": Ragged.of([[0, 5, 6], []])}, "label number 2, but there are 2 labels"),
        ({"words": Ragged.of([[0, 1], [3]])}, "words of sentences"),
        ({"words": Ragged.of([[0, 1, -2], [3]], np.int32)}, "-2 is there"),
        ({"vocabulary": 3}, "3 is there, but all must be below 3"),
        ({"weight": np.ones(3)}, r"\(3,\) is their shape, but \(2,\) is needed"),
        ({"weight": np.array([1.0, 0.0])}, "sentence 1 has 0, but it must be above 0"),
        ({"weight": np.array([np.nan, 1.0])}, "sentence 0 has nan, but it must be above 0"),
    ],
)
def test_evidence_fits_together_or_is_refused(change: dict[str, object], message: str) -> None:
    """When it is made, so that no fit has to look."""
    with pytest.raises(SpancrewError, match=message):
        replace(EVIDENCE, **change)  # type: ignore[arg-type]


def test_words_of_other_sentences_are_refused() -> None:
    """By a model that looks at words."""
    with pytest.raises(SpancrewError, match="words of sentences"):
        consensus_method("bsc").fit(EVIDENCE).judge(
            ANSWERS, EVIDENCE.lengths, Ragged.of([[0], [1]], np.int32)
        )
