"""What workers are rewarded with where the crowd's word counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Consensus, MajorityVote
from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.feedback import crowd_rewards
from spancrew.metrics import Metric
from tests.strategies import LABELS, datasets

METRICS = [Metric("exact"), Metric("token"), Metric("proportional", empty=0.0)]


def rewards(
    data: Dataset, metric: Metric, rows: np.ndarray, without_own: Consensus | None = None
) -> np.ndarray:
    """Return the rewards of some answers by majority vote."""
    beliefs = MajorityVote().judge(data.answers, data.sentences.starts.lengths)
    return crowd_rewards(data.answers, beliefs, metric, rows, without_own)


def alone(data: Dataset, rows: list[int], position: int) -> list[int]:
    """Vote among some answers on a sentence, as if there were no others."""
    part = data.answers.take(np.array(rows, np.int64), np.zeros(len(rows), np.int64), 1)
    length = data.sentences.starts.lengths[position : position + 1]
    voted: list[int] = MajorityVote().judge(part, length).labels[0].tolist()
    return voted


def f1(metric: Metric, data: Dataset, k: int, reference: list[int]) -> float:
    """Score one answer."""
    one = data.answers.codes.take(np.array([k]))
    other = type(one).of([reference], one.values.dtype)
    return float(metric.pairs(one, other)[0, 2])


@given(datasets(), st.sampled_from(METRICS), st.booleans(), st.data())
def test_rewards_are_those_of_a_slow_count(
    data: Dataset, metric: Metric, leave_one_out: bool, draw: st.DataObject
) -> None:
    """For any rows in any order; alone with a sentence, nobody can be rewarded by others."""
    count = len(data.answers)
    rows = draw.draw(st.lists(st.integers(0, count - 1), max_size=6) if count else st.just([]))
    method = MajorityVote() if leave_one_out else None
    found = rewards(data, metric, np.array(rows, np.int64), method)

    assert len(found) == len(rows)
    for k, reward in zip(rows, found, strict=True):
        sentence = int(data.answers.sentence[k])
        voters = list(range(*data.answers.first[sentence : sentence + 2]))
        if leave_one_out:
            voters.remove(k)
        if voters:
            assert reward == f1(metric, data, k, alone(data, voters, sentence))
        else:
            assert np.isnan(reward)


def test_a_single_answer_is_always_right_by_its_own_vote() -> None:
    """That is what flatters; without it there is nothing to compare with."""
    sentence = Sentence.from_tokens("s", ["Ana", "left"])
    data = Dataset.of([sentence], None, [Answer("s", "ada", (Span(1, 2, "LOC"),))], LABELS)
    row = np.array([0])

    assert rewards(data, Metric(), row).tolist() == [1.0]
    assert np.isnan(rewards(data, Metric(), row, MajorityVote())).all()


def test_rewards_without_the_own_vote_flatter_less() -> None:
    """Of three workers who guess, on many sentences."""
    rng = np.random.default_rng(3)
    made = [Sentence.from_tokens(f"s{k}", ["x"]) for k in range(300)]
    given_answers = [
        Answer(sentence.id, worker, (Span(0, 1, str(rng.choice(LABELS.names))),))
        for sentence in made
        for worker in ("ada", "bo", "cy")
    ]
    data = Dataset.of(made, None, given_answers, LABELS)
    rows = np.arange(900)
    with_own = rewards(data, Metric(), rows)
    without = rewards(data, Metric(), rows, MajorityVote())

    assert with_own.mean() > without.mean() + 0.1
    assert without.mean() == pytest.approx(1 / 3, abs=0.05)
