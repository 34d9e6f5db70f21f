"""Labels are revised at the end, unless audits show that this makes them worse."""

from dataclasses import dataclass

import numpy as np
import pytest

from spancrew.consensus import Auto, Beliefs, Bsc, Consensus, Evidence, MajorityVote, revision
from spancrew.core import Answers, IntArray, Ragged
from spancrew.metrics import Metric
from spancrew.testing._believed import audited, judged
from tests.consensus.invented import invent


@dataclass(frozen=True, slots=True)
class Stubborn(Consensus):
    """Says the same whatever it is given: nothing, on every sentence."""

    def fit(self, evidence: Evidence, before: object = None) -> "Stubborn":  # noqa: ARG002  see above
        """Learn nothing, but say that it may."""
        assert not evidence.is_audit.any()
        return self

    def judge(
        self,
        answers: Answers,
        lengths: IntArray,
        words: Ragged | None = None,  # noqa: ARG002  see above
    ) -> Beliefs:
        """Return no spans."""
        beliefs = MajorityVote().judge(answers, lengths)
        nothing = np.zeros_like(beliefs.labels.values)
        return beliefs._replace(labels=Ragged(nothing, beliefs.labels.offsets))


def rows_of(evidence: Evidence, labels: Ragged) -> Ragged:
    """Return labels with a further row behind each audited sentence."""
    sentence = np.cumsum(~evidence.is_audit) - 1
    return labels.take(sentence)


@pytest.mark.parametrize("method", [Bsc(), Auto()])
def test_without_audits_labels_are_those_of_a_fit_to_everything(method: Consensus) -> None:
    """One data set has one truth, whatever was settled on the way."""
    evidence = invent(80).evidence
    anything = MajorityVote().judge(evidence.answers, evidence.lengths).labels
    found = revision(method, evidence, anything)

    assert found.is_taken
    assert found.labels == judged(method.fit(evidence), evidence).labels


def test_audits_can_stop_a_revision_that_does_harm() -> None:
    """Good labels stay where the last look would take them all away."""
    crowd = invent(200)
    checked = audited(crowd.evidence, crowd.truth, np.arange(0, 200, 8), 8.0)
    good = rows_of(checked, MajorityVote().judge(*_sheet(crowd.evidence)).labels)
    found = revision(Stubborn(), checked, good)

    assert not found.is_taken
    assert found.labels == good


def test_audits_that_see_no_difference_leave_the_revision_alone() -> None:
    """So do those in favour of it."""
    crowd = invent(200)
    empty = Ragged(np.zeros_like(crowd.truth.values), crowd.truth.offsets)
    checked = audited(crowd.evidence, crowd.truth, np.arange(0, 200, 8), 8.0)

    assert revision(Stubborn(), checked, rows_of(checked, empty)).is_taken
    assert revision(Bsc(), checked, rows_of(checked, empty)).is_taken


def test_a_vote_has_nothing_to_revise() -> None:
    """What was settled is final."""
    evidence = invent(30).evidence
    settled = Ragged(np.zeros(int(evidence.lengths.sum()), np.uint8), _offsets(evidence))
    found = revision(MajorityVote(), evidence, settled)

    assert not found.is_taken
    assert found.labels == settled


def test_the_revision_is_no_worse_than_what_audits_accept() -> None:
    """With everything audited, the better of both is taken."""
    crowd = invent(300, seed=3)
    checked = audited(crowd.evidence, crowd.truth, np.arange(300), 1.0)
    vote = MajorityVote().judge(*_sheet(crowd.evidence)).labels
    found = revision(Bsc(), checked, rows_of(checked, vote)).labels
    own = found.take(np.flatnonzero(~checked.is_audit))

    assert Metric().pool(own, crowd.truth).f1 >= Metric().pool(vote, crowd.truth).f1


def _sheet(evidence: Evidence) -> tuple[Answers, IntArray]:
    return evidence.answers, evidence.lengths


def _offsets(evidence: Evidence) -> IntArray:
    return np.concatenate([[0], np.cumsum(evidence.lengths)])
