"""The crowd's word where it agrees: each decision of the design, pinned."""

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.consensus import MajorityVote
from spancrew.core import Answers, Dataset, Ragged, encode_tags
from spancrew.errors import SpancrewError
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly, FeedbackRule, Verdict
from spancrew.metrics import AgreementName, agreement_of
from tests.strategies import LABELS, datasets

EMPTY = ["O", "O", "O"]
PER, ORG = ["B-PER", "I-PER", "O", "O"], ["B-ORG", "I-ORG", "O", "O"]
SPLIT = [PER, PER, ORG, ORG]
MIXED = [["B-PER", "O", "O", "B-LOC"], ["B-PER", "O", "O", "O"], ["B-PER", "O", "B-ORG", "O"]]


def judge(rule: FeedbackRule, *answers: list[str]) -> Verdict:
    """Judge the answers on one sentence."""
    codes = Ragged.of([encode_tags(row, LABELS).tolist() for row in answers])
    count = len(answers)
    table = Answers(np.zeros(count, np.int32), np.arange(count, dtype=np.int32), codes, 1)
    lengths = np.array([len(answers[0])])
    return rule.judge(table, MajorityVote().judge(table, lengths))


def is_trusted(rule: FeedbackRule, *answers: list[str]) -> bool:
    """Tell whether the crowd's word counts."""
    return bool(judge(rule, *answers).trusted[0])


def kappa_of(*answers: list[str]) -> float:
    """Return the agreement on a sentence."""
    found = agreement_of(answers)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("shift", "trusted"),
    [(0.0, False), (0.9e-9, False), (-0.9e-9, False), (1.1e-9, False), (-1.1e-9, True)],
)
def test_at_the_threshold_the_expert_is_asked(shift: float, trusted: bool) -> None:
    """Above it means above; what rounding could do does not count."""
    rule = AgreementGate(kappa_of(*MIXED) + shift, ties="paper")

    assert is_trusted(rule, *MIXED) == trusted


@pytest.mark.parametrize(
    ("shift", "trusted"), [(0.0, True), (0.9e-9, True), (-0.9e-9, True), (1.1e-9, False)]
)
def test_the_paper_s_code_trusts_the_crowd_at_the_threshold(shift: float, trusted: bool) -> None:
    """An option of its own."""
    rule = AgreementGate(kappa_of(*MIXED) + shift, ties="paper", equal="crowd")

    assert is_trusted(rule, *MIXED) == trusted


def test_a_two_to_two_split_on_the_label_goes_to_the_expert() -> None:
    """Kappa is 0.64 with borders that all agree on, so the paper's rule trusts an arbitrary one."""
    answers = [[*row, *["O"] * 10] for row in SPLIT]
    verdict = judge(AgreementGate(0.6), *answers)

    assert verdict.reason[0] == pytest.approx(0.64, abs=0.005)
    assert not verdict.trusted[0]
    assert is_trusted(AgreementGate(0.6, ties="paper"), *answers)


@pytest.mark.parametrize("other", [["O", "O", "B-LOC"], ["B-LOC", "I-LOC", "O"]])
def test_a_tie_that_is_not_between_labels_leaves_agreement_to_decide(other: list[str]) -> None:
    """O against a label, and B against I of one label, have no arbitrary winner."""
    answers = [other, other, ["O", "O", "O"], ["O", "O", "O"]]

    assert is_trusted(AgreementGate(-1.0, ties="expert"), *answers)


@pytest.mark.parametrize("kappa", get_args(AgreementName))
def test_unanimous_answers_are_trusted(kappa: AgreementName) -> None:
    """Empty ones among them, however high the threshold below 1."""
    rule = AgreementGate(0.99, kappa=kappa)

    assert is_trusted(rule, EMPTY, EMPTY)
    assert is_trusted(rule, PER, PER, PER)
    assert judge(rule, EMPTY, EMPTY).reason[0] == 1.0


def test_nobody_is_above_a_threshold_of_1() -> None:
    """Unless equal is enough."""
    assert not is_trusted(AgreementGate(1.0), PER, PER)
    assert is_trusted(AgreementGate(1.0, equal="crowd"), PER, PER)


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.65])
def test_a_single_answer_goes_to_the_expert(threshold: float) -> None:
    """It has no agreement, which is not an agreement of 1."""
    verdict = judge(AgreementGate(threshold), PER)

    assert not verdict.trusted[0]
    assert np.isnan(verdict.reason[0])


def test_a_sentence_without_answers_goes_to_the_expert() -> None:
    """There is nothing to trust."""
    none = Answers(np.zeros(0, np.int32), np.zeros(0, np.int32), Ragged.of([]), 1)
    beliefs = MajorityVote().judge(none, np.array([3]))

    assert not AgreementGate(-1.0).judge(none, beliefs).trusted[0]


@given(datasets(), st.sampled_from(get_args(AgreementName)), st.floats(-1, 1))
def test_sentences_above_the_threshold_are_trusted(
    data: Dataset, kappa: AgreementName, threshold: float
) -> None:
    """Sentence by sentence, computed one at a time."""
    beliefs = MajorityVote().judge(data.answers, data.sentences.starts.lengths)
    verdict = AgreementGate(threshold, kappa, ties="paper").judge(data.answers, beliefs)
    careful = AgreementGate(threshold, kappa).judge(data.answers, beliefs)
    for s in range(len(data)):
        rows = [data.answers.codes[k] for k in range(*data.answers.first[s : s + 2])]
        tags = [[data.labels.tag(int(code)) for code in row] for row in rows]
        found = agreement_of(tags, kappa) if len(tags) > 1 else None

        if found is None:
            assert not verdict.trusted[s]
        elif abs(found - threshold) > 2e-9:
            assert verdict.trusted[s] == (found > threshold)
        assert careful.trusted[s] == (verdict.trusted[s] and not beliefs.contested[s])


@given(datasets())
def test_experts_and_crowds_alone_look_at_nothing(data: Dataset) -> None:
    """And have no reason to give."""
    beliefs = MajorityVote().judge(data.answers, data.sentences.starts.lengths)
    by_expert = ExpertOnly().judge(data.answers, beliefs)
    by_crowd = CrowdOnly().judge(data.answers, beliefs)

    assert not by_expert.trusted.any()
    assert by_crowd.trusted.all()
    assert np.isnan([*by_expert.reason, *by_crowd.reason]).all()
    assert not ExpertOnly().leave_one_out
    assert CrowdOnly(leave_one_out=True).leave_one_out


@pytest.mark.parametrize("threshold", [1.5, -1.01, float("nan"), float("inf")])
def test_a_threshold_that_no_agreement_meets_is_refused(threshold: float) -> None:
    """The message says what to use instead."""
    with pytest.raises(SpancrewError, match="use the rule 'expert'") as caught:
        AgreementGate(threshold)

    assert f"threshold {threshold:g}" in str(caught.value)


@pytest.mark.parametrize("option", ["kappa", "ties", "equal"])
def test_an_unknown_word_is_refused(option: str) -> None:
    """The message names those there are."""
    word: dict[str, Any] = {option: "coin"}

    with pytest.raises(SpancrewError, match=f"{option} 'coin' is not known"):
        AgreementGate(**word)
