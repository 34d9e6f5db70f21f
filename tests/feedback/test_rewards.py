"""What workers learn they are worth where the crowd's word counts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import Evidence, MajorityVote, Ties
from spancrew.core import Answers, Dataset, FloatArray, Ragged
from spancrew.feedback import crowd_rewards
from spancrew.metrics import Metric
from tests.feedback.sheets import judged
from tests.simulate.learner import Learner
from tests.simulate.small import small
from tests.strategies import datasets

METRICS = (Metric("exact"), Metric("token", "macro"), Metric("proportional", empty=0.0))


def rewards(
    data: Dataset, metric: Metric, ties: Ties = "label", *, leave_one_out: bool = False
) -> FloatArray:
    """Return the rewards of all answers."""
    consensus = MajorityVote(ties)
    beliefs = consensus.judge(data.answers, data.sentences.starts.lengths)
    rows = np.arange(len(data.answers))
    others = consensus if leave_one_out else None
    return crowd_rewards(data.answers, beliefs, metric, rows, others)


def slowly(data: Dataset, metric: Metric, ties: Ties, *, leave_one_out: bool) -> list[float]:
    """Score each answer against a vote of its own sentence, one after the other."""
    answers = data.answers
    found = []
    for k, sentence in enumerate(answers.sentence):
        voters = [
            j
            for j in range(*answers.first[sentence : sentence + 2])
            if j != k or not leave_one_out
        ]
        codes = Ragged.of([answers.codes[j].tolist() for j in voters])
        zeros = np.zeros(len(voters), np.int32)
        table = Answers(zeros, np.arange(len(voters), dtype=np.int32), codes, 1)
        joint = MajorityVote(ties).judge(table, answers.codes.lengths[k : k + 1]).labels
        own = Ragged.of([answers.codes[k].tolist()])
        found.append(float(metric.pairs(own, joint)[0, 2]) if voters else np.nan)
    return found


@given(datasets())
def test_rewards_are_those_of_a_slow_recomputation(data: Dataset) -> None:
    """With one's own vote and without it, by several scores and both rules of the vote."""
    for metric in METRICS:
        for ties in ("label", "first"):
            for leave_one_out in (False, True):
                ours = rewards(data, metric, ties, leave_one_out=leave_one_out)
                theirs = slowly(data, metric, ties, leave_one_out=leave_one_out)

                assert ours.tolist() == pytest.approx(theirs, abs=1e-12, nan_ok=True)


@given(datasets())
def test_some_rewards_are_a_part_of_all(data: Dataset) -> None:
    """Rows may be left out."""
    consensus = MajorityVote()
    beliefs = consensus.judge(data.answers, data.sentences.starts.lengths)
    rows = np.arange(0, len(data.answers), 2)
    for others in (None, consensus):
        some = crowd_rewards(data.answers, beliefs, Metric(), rows, others)
        everything = rewards(data, Metric(), leave_one_out=others is not None)

        assert np.array_equal(some, everything[rows], equal_nan=True)


@given(datasets(), st.integers(0, 2))
def test_a_model_that_learned_is_told_whose_answers_and_words_it_sees(
    data: Dataset, seed: int
) -> None:
    """Each answer against what the model makes of the others on the same sentence."""
    evidence = Evidence.of(data, Ragged.of([[]] * len(data)))
    rng = np.random.default_rng(seed)
    model = replace(Learner().fit(evidence), right=tuple(rng.random(max(evidence.workers, 1))))
    answers, words = data.answers, evidence.words
    assert words is not None
    rows = np.flatnonzero(rng.random(len(answers)) < 0.7)
    beliefs = model.judge(answers, evidence.lengths, words)
    ours = crowd_rewards(answers, beliefs, Metric(), rows, model, words)

    for reward, row in zip(ours.tolist(), rows.tolist(), strict=True):
        s = int(answers.sentence[row])
        others = np.array([k for k in range(*answers.first[s : s + 2]) if k != row], np.int64)
        alone = answers.take(others, np.zeros(len(others), np.int32), 1)
        labels = model.judge(alone, evidence.lengths[s : s + 1], words.take(np.array([s]))).labels
        own = Ragged.of([answers.codes[row].tolist()])
        theirs = float(Metric().pairs(own, labels)[0, 2]) if len(others) else np.nan

        assert reward == pytest.approx(theirs, nan_ok=True)


def test_ones_own_vote_flatters() -> None:
    """The mean reward of every worker is clearly lower without it."""
    data = small(200, 4)
    flattered, sober = (rewards(data, Metric(), leave_one_out=each) for each in (False, True))
    gained = flattered - sober

    assert all(gained[data.answers.worker == worker].mean() > 0.02 for worker in range(4))
    assert gained.mean() > 0.05


def test_of_two_who_differ_each_is_wrong_by_the_other() -> None:
    """With their own votes one of them would be right."""
    answers, beliefs = judged(["B-PER", "B-LOC"])
    rows = np.arange(2)
    flattered = crowd_rewards(answers, beliefs, Metric(), rows)
    sober = crowd_rewards(answers, beliefs, Metric(), rows, MajorityVote())

    assert flattered.tolist() == [0.0, 1.0]
    assert sober.tolist() == [0.0, 0.0]


def test_a_single_answer_has_nobody_to_be_compared_with() -> None:
    """NaN, which nobody learns from; with its own vote it is always right."""
    answers, beliefs = judged(["B-PER"])
    rows = np.zeros(1, np.int64)

    assert crowd_rewards(answers, beliefs, Metric(), rows).tolist() == [1.0]
    assert np.isnan(crowd_rewards(answers, beliefs, Metric(), rows, MajorityVote())).all()
