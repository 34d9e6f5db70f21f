"""Sentences arrive, and whoever decides knows only the past."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from spancrew.consensus import (
    Auto,
    Bsc,
    Consensus,
    DawidSkene,
    Evidence,
    MajorityVote,
    aggregate,
    consensus_method,
    methods_for,
)
from spancrew.core import BoolArray, Dataset, IntArray, Ragged
from spancrew.metrics import agreement
from spancrew.simulate import GATES, GateName
from spancrew.simulate._calibration import are_right
from spancrew.simulate._gates import Steered, gate_for
from spancrew.simulate._stream import Arrivals, DrawnAudits, Streamed, arrivals_of, stream
from tests.consensus.zoo import ZOO, draw_crowd
from tests.simulate.learner import Learner
from tests.simulate.plain_stream import disagreement, plain_stream, pooled_f1
from tests.simulate.small import small
from tests.spread import spread

METHODS: dict[str, Consensus] = {
    "mv": MajorityVote(),
    "learner": Learner(),
    "ds": DawidSkene(),
    "bsc": Bsc(),
}


def arranged(dataset: Dataset, seed: int = 0) -> tuple[Arrivals, IntArray]:
    """Return the sentences in a random order, and this order."""
    order = np.random.default_rng(seed).permutation(len(dataset))
    return arrivals_of(dataset).take(order), order


def streamed(
    arrivals: Arrivals, method: Consensus, gate: GateName, share: float, seed: int = 0
) -> Streamed:
    """Let the sentences arrive at a gate."""
    rng = np.random.default_rng(seed)
    return stream(arrivals, method, gate_for(gate, share, arrivals.evidence.answers, rng))


def rows(codes: Ragged) -> list[tuple[int, ...]]:
    """Return plain rows."""
    return [tuple(row.tolist()) for row in codes]


@pytest.mark.parametrize(("method", "share"), spread(METHODS, [0.25, 1.0, 0.0], each=2))
@pytest.mark.parametrize("gate", ["expected-error", "kappa"])
def test_decisions_and_labels_are_those_of_a_plain_loop(
    method: str, gate: GateName, share: float
) -> None:
    """Step by step, with evidence that is put together from scratch for every fit."""
    dataset = small(150, workers=4, seed=3, share=0.9)
    dataset = dataset.take(np.flatnonzero(dataset.answers.per_sentence))
    arrivals, order = arranged(dataset)
    found = streamed(arrivals, METHODS[method], gate, share)
    doubts = [disagreement(dataset, s) for s in order] if gate == "kappa" else None
    plain = plain_stream(dataset, order.tolist(), METHODS[method], share, doubts)

    assert found.asked.tolist() == plain.asked
    assert rows(found.stated) == plain.stated
    assert rows(found.final) == plain.final
    assert pooled_f1(rows(found.final), rows(arrivals.gold)) == pytest.approx(
        pooled_f1(plain.final, rows(arrivals.gold))
    )


@drawn(st.integers(0, 10_000), st.sampled_from([0.1, 0.5]))
@settings(max_examples=10)
def test_any_doubts_are_steered_as_by_a_plain_loop(seed: int, share: float) -> None:
    """Drawn at random, as the gate that knows nothing does."""
    dataset = small(90, workers=3, seed=seed)
    arrivals, order = arranged(dataset, seed)
    doubts = np.random.default_rng(seed).random(len(dataset))
    found = stream(arrivals, Learner(), Steered(share, doubts))

    plain = plain_stream(dataset, order.tolist(), Learner(), share, doubts.tolist())
    assert found.asked.tolist() == plain.asked
    assert rows(found.final) == plain.final


@pytest.mark.parametrize(
    ("method", "gate"), spread(sorted(methods_for("spans")), ["expected-error", "kappa", "random"])
)
def test_what_comes_later_changes_nothing_before(method: str, gate: GateName) -> None:
    """Other answers and other gold on later sentences: the same decisions on earlier ones."""
    one, other = small(140, workers=5, seed=1), small(140, workers=5, seed=2)
    first, second = arrivals_of(one), arrivals_of(other)
    early = 75
    mixed = Arrivals(*_joined(first, second, early))
    chosen = consensus_method(method)
    expected = streamed(first, chosen, gate, 0.3)
    found = streamed(mixed, chosen, gate, 0.3)
    tokens = first.gold.offsets[early]

    assert found.asked[:early].tolist() == expected.asked[:early].tolist()
    assert found.confidence[:early].tolist() == expected.confidence[:early].tolist()
    assert found.stated.values[:tokens].tolist() == expected.stated.values[:tokens].tolist()
    assert found.stated != expected.stated


def _joined(first: Arrivals, second: Arrivals, early: int) -> tuple[Evidence, Ragged]:
    """Return the early sentences of one, and then the late ones of the other."""
    parts = [first.take(np.arange(early)), second.take(np.arange(early, len(second)))]
    answers = [part.evidence.answers for part in parts]
    words = [part.evidence.words for part in parts]
    assert words[0] is not None
    assert words[1] is not None
    joined = replace(
        answers[0],
        sentence=np.concatenate([answers[0].sentence, answers[1].sentence + np.int32(early)]),
        worker=np.concatenate([each.worker for each in answers]),
        codes=_stacked([each.codes for each in answers]),
        sentences=len(second),
    )
    evidence = replace(
        parts[0].evidence,
        answers=joined,
        lengths=np.concatenate([part.evidence.lengths for part in parts]),
        words=_stacked([each for each in words if each is not None]),
    )
    return evidence, _stacked([part.gold for part in parts])


def _stacked(parts: list[Ragged]) -> Ragged:
    lengths = np.concatenate([each.lengths for each in parts])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Ragged(np.concatenate([each.values for each in parts]), offsets)


@pytest.mark.parametrize("method", ["mv", "auto"])
def test_gold_is_looked_at_only_where_the_expert_is_asked(method: str) -> None:
    """Spoil it everywhere else: nothing changes."""
    arrivals, _ = arranged(small(130, workers=4, seed=5))
    chosen = consensus_method(method)
    found = streamed(arrivals, chosen, "expected-error", 0.3)
    spoilt = replace(arrivals, gold=_spoilt(arrivals.gold, ~found.asked))
    again = streamed(spoilt, chosen, "expected-error", 0.3)

    assert spoilt.gold != arrivals.gold
    assert again.asked.tolist() == found.asked.tolist()
    assert again.confidence.tolist() == found.confidence.tolist()
    assert again.final == found.final


def _spoilt(gold: Ragged, which: BoolArray) -> Ragged:
    values = gold.values.copy()
    values[np.repeat(which, gold.lengths)] = 1
    return Ragged(values, gold.offsets)


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.8, 1.0])
def test_every_gate_keeps_to_its_share(gate: GateName, share: float) -> None:
    """Within a point or so; exactly where the share is none or all."""
    arrivals, _ = arranged(small(400, workers=5, seed=4))
    found = streamed(arrivals, MajorityVote(), gate, share)

    assert found.asked.mean() == pytest.approx(share, abs=0.0 if share in {0, 1} else 0.015)


def test_nobody_is_asked_in_vain() -> None:
    """Where the expert was asked, the expert's labels are settled and final."""
    arrivals, _ = arranged(small(150, workers=3, seed=6))
    found = streamed(arrivals, Bsc(), "expected-error", 0.4)

    for place in np.flatnonzero(found.asked).tolist():
        assert found.settled[place].tolist() == arrivals.gold[place].tolist()
        assert found.final[place].tolist() == arrivals.gold[place].tolist()
    for place in np.flatnonzero(~found.asked).tolist():
        assert found.settled[place].tolist() == found.stated[place].tolist()


def test_hindsight_asks_on_the_lowest_agreement() -> None:
    """No sentence with more agreement is asked before one with less."""
    arrivals, _ = arranged(small(200, workers=4, seed=7))
    found = streamed(arrivals, MajorityVote(), "kappa-hindsight", 0.3)
    kappas = agreement(arrivals.evidence.answers)

    assert found.asked.sum() == 60
    assert kappas[found.asked].max() <= kappas[~found.asked].min()


def test_hindsight_breaks_ties_at_random() -> None:
    """And a single answer, which has no agreement, comes first of all."""
    arrivals, _ = arranged(small(60, workers=1, seed=8))
    found = [streamed(arrivals, MajorityVote(), "kappa-hindsight", 0.5, seed=s) for s in (0, 1)]

    assert found[0].asked.sum() == found[1].asked.sum() == 30
    assert found[0].asked.tolist() != found[1].asked.tolist()


@pytest.mark.parametrize("method", methods_for("spans"))
def test_without_experts_the_labels_are_those_of_aggregate(method: str) -> None:
    """One data set has one truth, however its answers came in."""
    dataset = small(170, workers=5, seed=9)
    arrivals, order = arranged(dataset)
    found = streamed(arrivals, consensus_method(method), "expected-error", 0.0)

    assert not found.asked.any()
    assert found.final == aggregate(dataset, method).finals.codes.take(order)


def test_a_single_sentence_is_enough() -> None:
    """There is no least number of them."""
    arrivals, _ = arranged(small(1, workers=2))
    found = streamed(arrivals, Bsc(), "expected-error", 1.0)

    assert found.asked.tolist() == [True]
    assert found.final == arrivals.gold


@dataclass(frozen=True, slots=True)
class Diary(Consensus):
    """A method that writes down what it is given; its labels are those of a vote."""

    seen: list[Evidence]

    def fit(self, evidence: Evidence, before: object = None) -> MajorityVote:  # noqa: ARG002  see above
        """Write it down."""
        self.seen.append(evidence)
        return MajorityVote()


def test_audits_are_further_rows_that_stand_for_the_crowds_sentences() -> None:
    """Each weighs 1/share, sentences that the gate asked for 1; the last fit sees none of them."""
    arrivals, _ = arranged(small(200, workers=4, seed=11))
    luck = np.random.default_rng(3).random(200)
    diary = Diary([])
    gate = gate_for("expected-error", 0.2, arrivals.evidence.answers, np.random.default_rng(0))
    found = stream(arrivals, diary, gate, DrawnAudits(0.25, luck))

    assert np.array_equal(found.audited, ~found.asked & (luck < 0.25))
    assert len(diary.seen) > 3
    for past in diary.seen[1:-1]:
        assert past.weight is not None
        own = past.for_fit()
        count = len(own.lengths)
        assert np.array_equal(own.is_known, found.asked[:count])
        assert past.is_audit.sum() == found.audited[:count].sum()
        assert np.array_equal(past.weight, np.where(past.is_audit, 4.0, 1.0))
        assert past.known is not None
        expected = arrivals.gold.take(np.flatnonzero(found.audited[:count]))
        assert past.known.take(np.flatnonzero(past.is_audit)) == expected
    assert not diary.seen[-1].is_audit.any()


def test_audited_sentences_have_the_experts_labels_in_the_end() -> None:
    """Decisions on others are the same for a method that audits do not calibrate."""
    arrivals, _ = arranged(small(200, workers=4, seed=12))
    plain = streamed(arrivals, Bsc(), "expected-error", 0.2)
    gate = gate_for("expected-error", 0.2, arrivals.evidence.answers, np.random.default_rng(0))
    luck = np.random.default_rng(4).random(200)
    found = stream(arrivals, Bsc(), gate, DrawnAudits(0.2, luck))

    assert np.array_equal(found.asked, plain.asked)
    assert found.stated == plain.stated
    for place in np.flatnonzero(found.audited).tolist():
        assert found.final[place].tolist() == arrivals.gold[place].tolist()
        assert found.settled[place].tolist() == arrivals.gold[place].tolist()


def test_audits_make_the_confident_end_honest() -> None:
    """Where all overlook spans, nobody else can know: without audits it is off by several times.

    So it is in four draws out of four: 5, 3, 3 and 3 times.
    """
    crowd = draw_crowd(ZOO["overlooked"]._replace(sentences=2000, length=(4, 10)), seed=3)
    arrivals = Arrivals(crowd.evidence, crowd.truth)
    luck = np.random.default_rng(5).random(2000)
    distance = []
    for share in (0.1, 0.0):
        gate = gate_for("expected-error", 0.3, arrivals.evidence.answers, np.random.default_rng(0))
        found = stream(arrivals, Auto(), gate, DrawnAudits(share, luck))
        late = ~found.asked & (np.arange(2000) > 700)
        right = are_right(found.stated, arrivals.gold)
        distance.append(abs(found.confidence[late].mean() - right[late].mean()))

    assert distance[0] < 0.03
    assert distance[1] > 2 * distance[0]
