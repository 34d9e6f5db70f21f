"""Whose word counts: the decisions of the design, each pinned."""

import numpy as np
import pytest
from hypothesis import given
from statsmodels.stats.inter_rater import fleiss_kappa

from spancrew.consensus import MajorityVote
from spancrew.core import Dataset
from spancrew.errors import SpancrewError
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly
from spancrew.metrics import agreement_of
from tests.feedback.sheets import is_trusted, judged
from tests.strategies import datasets

OUTSIDE = " O" * 9
SPLIT = ["B-PER" + OUTSIDE] * 2 + ["B-ORG" + OUTSIDE] * 2
"""Two say person and two say organisation, with the same borders, in ten tokens."""

MOSTLY = ["B-PER O O O", "B-PER O O O", "B-PER O B-LOC O"]


def kappa_of(sheet: list[str]) -> float:
    """Return Fleiss' kappa by another library."""
    rows = [answer.split() for answer in sheet]
    tags = sorted({tag for row in rows for tag in row})
    table = [[column.count(tag) for tag in tags] for column in zip(*rows, strict=True)]
    return float(fleiss_kappa(np.array(table)))


@pytest.mark.parametrize("shift", [0.0, 5e-10, -5e-10])
def test_agreement_at_the_threshold_goes_to_the_expert(shift: float) -> None:
    """Within a billionth, whatever rounding made of it; with equal='crowd', to the crowd."""
    threshold = kappa_of(MOSTLY) + shift

    assert not is_trusted(AgreementGate(threshold), MOSTLY)
    assert is_trusted(AgreementGate(threshold, equal="crowd"), MOSTLY)


@pytest.mark.parametrize("equal", ["expert", "crowd"])
def test_agreement_above_goes_to_the_crowd_and_below_to_the_expert(equal: str) -> None:
    """A hundred-millionth is enough."""
    kappa = kappa_of(MOSTLY)

    assert is_trusted(AgreementGate(kappa - 1e-8, equal=equal), MOSTLY)  # type: ignore[arg-type]
    assert not is_trusted(AgreementGate(kappa + 1e-8, equal=equal), MOSTLY)  # type: ignore[arg-type]


def test_a_split_between_labels_can_pass_for_agreement() -> None:
    """Its kappa is 0.64, so that `ties` alone sends it to the expert."""
    assert agreement_of([answer.split() for answer in SPLIT]) == pytest.approx(0.64, abs=0.005)
    assert kappa_of(SPLIT) == pytest.approx(0.64, abs=0.005)
    assert is_trusted(AgreementGate(0.6, ties="paper"), SPLIT)
    assert not is_trusted(AgreementGate(0.6, ties="expert"), SPLIT)
    assert not is_trusted(AgreementGate(0.6), SPLIT)


def test_a_tie_between_a_label_and_nothing_is_no_tie_between_labels() -> None:
    """Agreement decides; O loses the vote."""
    sheet = ["B-PER" + OUTSIDE] * 2 + ["O" + OUTSIDE] * 2

    assert is_trusted(AgreementGate(0.2), sheet) == is_trusted(
        AgreementGate(0.2, ties="paper"), sheet
    )


@pytest.mark.parametrize("sheet", [["O O O"] * 4, ["B-PER I-PER"] * 2, ["O"] * 2, ["B-LOC"] * 3])
def test_unanimous_answers_are_trusted_empty_ones_too(sheet: list[str]) -> None:
    """Up to any threshold below 1; nobody is above 1."""
    rule = AgreementGate(0.999)

    assert is_trusted(rule, sheet)
    assert rule.judge(*judged(sheet)).reason.tolist() == [1.0]
    assert not is_trusted(AgreementGate(1.0), sheet)
    assert is_trusted(AgreementGate(1.0, equal="crowd"), sheet)


@pytest.mark.parametrize("sheet", [["B-PER O"], []])
def test_one_answer_has_no_agreement_and_goes_to_the_expert(sheet: list[str]) -> None:
    """However low the threshold; none at all, likewise."""
    for equal in ("expert", "crowd"):
        verdict = AgreementGate(-1.0, equal=equal).judge(*judged(sheet))

        assert not verdict.trusted[0]
        assert np.isnan(verdict.reason[0])


@pytest.mark.parametrize("threshold", [1.5, -1.01, float("nan"), float("inf")])
def test_a_threshold_that_no_agreement_can_meet_is_refused(threshold: float) -> None:
    """And what to do instead is said."""
    with pytest.raises(SpancrewError, match="to ask the expert always, use the rule 'expert'"):
        AgreementGate(threshold)


def test_unknown_words_are_refused() -> None:
    """With those that are known."""
    with pytest.raises(SpancrewError, match=r"kappa 'cohen' is not known \(one of fleiss, "):
        AgreementGate(kappa="cohen")  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match=r"ties 'label' is not known \(one of expert, paper\)"):
        AgreementGate(ties="label")  # type: ignore[arg-type]
    with pytest.raises(SpancrewError, match=r"equal 'me' is not known \(one of expert, crowd\)"):
        AgreementGate(equal="me")  # type: ignore[arg-type]


def test_live_defaults_are_the_careful_ones() -> None:
    """Fleiss, ties and the threshold itself to the expert, rewards as in the paper."""
    assert AgreementGate() == AgreementGate(
        0.65, "fleiss", "expert", "expert", leave_one_out=False
    )


def test_the_kappa_of_the_papers_code_decides_if_asked() -> None:
    """Between the two kappas lies a threshold that tells them apart."""
    rows = [answer.split() for answer in MOSTLY]
    fleiss, davies = agreement_of(rows), agreement_of(rows, "davies_fleiss")
    assert fleiss is not None
    assert davies is not None
    between = (fleiss + davies) / 2

    assert fleiss < davies
    assert not is_trusted(AgreementGate(between), MOSTLY)
    assert is_trusted(AgreementGate(between, "davies_fleiss"), MOSTLY)


@given(datasets())
def test_the_simple_rules_ask_always_and_never(data: Dataset) -> None:
    """Looking at nothing, so that there is no reason."""
    beliefs = MajorityVote().judge(data.answers, data.sentences.starts.lengths)
    always = ExpertOnly().judge(data.answers, beliefs)
    never = CrowdOnly().judge(data.answers, beliefs)

    assert not always.trusted.any()
    assert never.trusted.all()
    assert np.isnan([*always.reason, *never.reason]).all()
    assert not ExpertOnly().leave_one_out


@given(datasets())
def test_the_gate_opens_sentence_by_sentence(data: Dataset) -> None:
    """Each by its own kappa and its own ties."""
    answers = data.answers
    beliefs = MajorityVote().judge(answers, data.sentences.starts.lengths)
    verdict = AgreementGate(0.4).judge(answers, beliefs)

    for s in range(len(data)):
        rows = [answers.codes[k] for k in range(*answers.first[s : s + 2])]
        kappa = agreement_of([[data.labels.tag(int(code)) for code in row] for row in rows])
        above = kappa is not None and kappa > 0.4 + 1e-9
        assert verdict.trusted[s] == (above and not beliefs.contested[s])
