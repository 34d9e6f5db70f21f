"""The majority's word."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import majority_vote
from spancrew.core import Answers, Dataset, Ragged, encode_tags, is_valid
from tests.strategies import LABELS, datasets


def vote(*answers: list[str]) -> list[str]:
    """Return the majority's tags on one sentence."""
    codes = Ragged.of([encode_tags(row, LABELS).tolist() for row in answers])
    count = len(answers)
    table = Answers(np.zeros(count, np.int32), np.arange(count, dtype=np.int32), codes, 1)
    got = majority_vote(table, np.array([len(answers[0])]))
    return [LABELS.tag(int(code)) for code in got[0]]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([["B-PER"], ["B-PER"], ["O"]], ["B-PER"]),
        ([["B-PER"], ["O"]], ["B-PER"]),
        ([["B-PER"], ["B-LOC"]], ["B-LOC"]),
        ([["O"], ["O"], ["B-PER"]], ["O"]),
        (
            [["B-LOC", "O"], ["B-LOC", "B-LOC"], ["B-LOC", "B-ORG"], *[["B-PER", "I-PER"]] * 2],
            ["B-LOC", "B-PER"],
        ),
        ([["B-PER", "I-PER"], ["O", "O"], ["O", "O"], ["B-LOC", "I-LOC"]], ["O", "O"]),
    ],
)
def test_ties_are_settled_as_the_documentation_says(
    answers: list[list[str]], expected: list[str]
) -> None:
    """O loses a tie, the lower label wins, a stray I becomes B."""
    assert vote(*answers) == expected


@given(datasets(), st.randoms(use_true_random=False))
def test_the_vote_is_valid_and_does_not_depend_on_the_order(
    data: Dataset, random: "np.random.Generator"
) -> None:
    """Shuffle the answers of each sentence; every vote is a possible answer."""
    answers = data.answers
    order = sorted(range(len(answers)), key=lambda k: (answers.sentence[k], random.random()))
    rows = np.array(order, np.int64)
    shuffled = Answers(
        answers.sentence[rows], answers.worker[rows], answers.codes.take(rows), len(data)
    )
    lengths = data.sentences.starts.lengths
    voted = majority_vote(answers, lengths)

    assert voted == majority_vote(shuffled, lengths)
    assert all(is_valid(row, data.labels) for row in voted)


@given(datasets())
def test_a_clear_majority_always_wins(data: Dataset) -> None:
    """Count the tags of each token; a stray I is read as B."""
    voted = majority_vote(data.answers, data.sentences.starts.lengths)

    for s in range(len(data)):
        rows = [data.answers.codes[k] for k in range(*data.answers.first[s : s + 2])]
        for token in range(len(voted[s])):
            counts = Counter(int(row[token]) for row in rows).most_common()
            if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]):
                winner = counts[0][0]
                repaired = winner - 1 if winner and winner % 2 == 0 else winner
                assert int(voted[s][token]) in {winner, repaired}
