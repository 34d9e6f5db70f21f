"""Consensus methods learn while a rehearsal goes on, each run from what it has seen itself."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spancrew.consensus import Evidence, MajorityVote, Model, consensus_method
from spancrew.feedback import (
    Adaptive,
    AgreementGate,
    CrowdOnly,
    ExpectedErrorGate,
    ExpertOnly,
    FeedbackRule,
)
from spancrew.policies import Cucb, DifficultyThompson, Random
from spancrew.simulate import EXACT, Scene, Setting, join_outcomes, rehearse
from tests.simulate.learner import Learner
from tests.simulate.same import assert_same_decisions
from tests.simulate.small import small_scene
from tests.simulate.swept import differences
from tests.spread import often, spread

RULES: dict[str, FeedbackRule] = {
    "expert": ExpertOnly(),
    "crowd": CrowdOnly(),
    "crowd, leave one out": CrowdOnly(leave_one_out=True),
    "gate": AgreementGate(0.4),
    "expected error": ExpectedErrorGate(0.8),
    "expected error, quality": ExpectedErrorGate(quality=0.8),
    "expected error, share": ExpectedErrorGate(expert_share=0.3),
    "adaptive": Adaptive(0.8),
    "adaptive, quality": Adaptive(quality=0.8, first=1),
    "adaptive, share": Adaptive(expert_share=0.3),
    "adaptive, everybody at once": Adaptive(0.8, first=7),
}
PLAIN = Setting(Cucb(0.3), consensus=Learner(), crew=8, answers=4, runs=2, seed=2, warm_up="own")


@dataclass(frozen=True)
class Witness:
    """A learner that keeps what it was given to learn from."""

    learns: ClassVar[bool] = True
    seen: list[tuple[Evidence, Model | None]] = field(default_factory=list)

    def fit(self, evidence: Evidence, before: Model | None = None) -> Model:
        """Keep the evidence and learn from it."""
        self.seen.append((evidence, before))
        return Learner().fit(evidence, before)


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene of 170 sentences: enough for three fits."""
    return small_scene(170)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_decides_as_algorithm_1_with_a_method_that_learns(
    scene: Scene, rule: str
) -> None:
    """Refits come when they are due, from the sentences of the run itself."""
    assert_same_decisions(scene, replace(PLAIN, feedback=RULES[rule]))


@pytest.mark.parametrize(
    ("method", "rule"), spread(["ds", "bsc", "auto"], ["adaptive, share", "crowd, leave one out"])
)
def test_real_methods_learn_as_well(scene: Scene, method: str, rule: str) -> None:
    """Those that come with spancrew."""
    setting = replace(PLAIN, consensus=consensus_method(method), feedback=RULES[rule])

    assert_same_decisions(scene, setting)


@pytest.mark.parametrize("rule", ["crowd, leave one out", "adaptive, share"])
def test_real_answers_teach_as_well(rule: str) -> None:
    """Where sentences have few answers, or none."""
    scene = small_scene(120, share=0.3)
    setting = replace(PLAIN, feedback=RULES[rule], attendance=0.7, policy=DifficultyThompson())

    assert scene.can is not None
    assert_same_decisions(scene, setting)


@given(st.sampled_from(sorted(RULES)), st.integers(0, 1000), st.integers(1, 2))
@settings(max_examples=often(8, 15))
def test_runs_that_learn_are_the_same_alone_or_together(rule: str, seed: int, cut: int) -> None:
    """To the last bit."""
    scene = small_scene(90)
    setting = replace(PLAIN, feedback=RULES[rule], runs=3, seed=seed)
    together = rehearse(scene, setting)
    split = join_outcomes(
        [rehearse(scene, setting, range(cut)), rehearse(scene, setting, range(cut, 3))]
    )

    assert differences(split, together) == []


def test_evidence_only_grows(scene: Scene) -> None:
    """First the warm-up with its labels known, then sentences as settled, in the end all anew."""
    witness = Witness()
    rehearse(scene, replace(PLAIN, consensus=witness, feedback=ExpectedErrorGate(0.8), runs=1))
    (start, nothing), *fits = witness.seen
    sizes = [evidence.answers.sentences for evidence, _ in fits]

    assert nothing is None
    assert len(start.lengths) == len(start.answers) == 0
    assert start.vocabulary == 5
    assert sizes == [51, 101, 151, 179]
    assert [before is None for _, before in fits[1:]] == [False, False, True]
    for (one, _), (other, _) in pairwise(fits):
        assert one.words is not None
        assert other.words is not None
        assert other.words.values[: len(one.words.values)].tolist() == one.words.values.tolist()
        assert (other.answers.worker[: len(one.answers)] == one.answers.worker).all()
        assert (other.lengths[: len(one.lengths)] == one.lengths).all()
        assert (other.is_known[: len(one.lengths)] == one.is_known).all()


def test_evidence_is_what_a_run_has_seen(scene: Scene) -> None:
    """A worker a sentence in the warm-up, then four; known is what experts labelled."""
    witness = Witness()
    rehearse(scene, replace(PLAIN, consensus=witness, feedback=ExpertOnly(), runs=1))
    evidence, _ = witness.seen[-1]

    assert evidence.answers.per_sentence.tolist() == [1] * 9 + [4] * (len(evidence.lengths) - 9)
    assert evidence.answers.worker[:9].tolist() == list(range(9))
    assert evidence.is_known.all()
    assert evidence.known is not None
    assert (evidence.known.lengths == evidence.lengths).all()
    assert (evidence.answers.codes.lengths == evidence.lengths[evidence.answers.sentence]).all()
    assert (evidence.labels, evidence.workers) == (3, 9)


def test_what_no_expert_labelled_is_not_known(scene: Scene) -> None:
    """But for the sentences of the warm-up, whenever they are settled."""
    witness = Witness()
    rehearse(scene, replace(PLAIN, consensus=witness, feedback=CrowdOnly(), runs=1))
    evidence, _ = witness.seen[-1]

    assert evidence.is_known[:9].all()
    assert evidence.is_known[9:].sum() <= 9


def test_learning_pays(scene: Scene) -> None:
    """Final labels are better than those of the first sentences, when nobody was known yet."""
    setting = replace(PLAIN, policy=Random(), feedback=CrowdOnly(), runs=6, revise=False)
    first, *_, last = rehearse(scene, setting).final[EXACT][:, 4:, 2].mean(axis=0)

    assert last > first + 0.05


def test_what_was_learned_in_the_end_mends_the_first_sentences(scene: Scene) -> None:
    """A revision changes labels and nothing else."""
    setting = replace(PLAIN, policy=Random(), feedback=CrowdOnly(), runs=6)
    revised, settled = rehearse(scene, setting), rehearse(scene, replace(setting, revise=False))
    early = (slice(None), 4, 2)

    assert revised.final[EXACT][early].mean() > settled.final[EXACT][early].mean() + 0.03
    assert np.array_equal(revised.answers[EXACT], settled.answers[EXACT])
    assert np.array_equal(revised.regret, settled.regret)
    assert np.array_equal(revised.asked, settled.asked)


def test_a_method_that_learns_nothing_revises_nothing(scene: Scene) -> None:
    """The same bits with and without."""
    setting = replace(PLAIN, consensus=MajorityVote(), feedback=CrowdOnly(), runs=2)
    one, other = rehearse(scene, setting), rehearse(scene, replace(setting, revise=False))

    assert np.array_equal(one.final[EXACT], other.final[EXACT])
