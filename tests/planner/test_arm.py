"""What a family gives at any knob, and where it meets an aim."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import FloatArray
from spancrew.feedback import Prices
from spancrew.planner import Aim, People, Terms
from spancrew.planner._arm import FamilyArm
from spancrew.planner._candidates import Family, families
from spancrew.planner._figures import ANSWERS, AUDITED, F1, SENT, corrected, grown

FAMILY = Family("expected-error:expert_share={:g}", "auto", 3, 20)
SHARE = st.floats(0, 1)
FIGURES = st.tuples(SHARE, st.floats(0, 0.7), st.floats(0, 0.3), st.just(3.0)).map(np.array)


def arm_with(f1: list[float]) -> FamilyArm:
    """Return an arm whose F1 is known at the first knobs."""
    rows = np.array(
        [[each, knob, 0.05, 3.0] for each, knob in zip(f1, (0.1, 0.3, 0.6), strict=True)]
    )
    return FamilyArm.of(FAMILY, rows)


@given(st.lists(st.floats(0.5, 0.99), min_size=3, max_size=3), st.floats(0.6, 0.999))
def test_the_knob_is_the_lowest_that_reaches_the_quality(f1: list[float], quality: float) -> None:
    """Experts who label everything reach any."""
    arm = arm_with(f1)
    knob = arm.knob_for_quality(quality)
    steps = [step for step in arm._ladder() if step < knob]

    assert arm.figures(knob)[F1] >= quality
    assert all(arm.figures(step)[F1] < quality + 0.001 for step in steps)


@given(st.floats(1_050, 6_000))
def test_the_knob_for_a_budget_spends_no_more(budget: float) -> None:
    """And one step more would."""
    terms = Terms(Aim(1_000, None, budget, prices=Prices(0.3, 1.0)), People(20))
    arm = arm_with([0.8, 0.9, 0.95])
    knob = arm.knob_for_budget(terms)
    steps = [step for step in arm._ladder() if step > knob]

    assert terms.cost(FAMILY.at(knob), arm.figures(knob)) <= budget
    assert not steps or terms.cost(FAMILY.at(steps[0]), arm.figures(steps[0])) > budget


@given(FIGURES, st.sampled_from([0.05, 0.1, 0.25, 0.6, 0.8]))
def test_a_better_look_is_believed_where_it_was_taken(figures: FloatArray, knob: float) -> None:
    """None are left where experts label all, and more errors stay more errors."""
    arm = arm_with([0.8, 0.9, 0.95])
    seen = arm.seen(knob, figures)

    ladder = np.array([seen.figures(step)[F1] for step in seen._ladder()])
    assert np.allclose(seen.figures(knob), figures, atol=1e-6)
    assert (np.diff(ladder) >= -1e-9).all()
    assert seen.figures(1.0)[[F1, SENT]].tolist() == [1.0, 1.0]
    assert np.allclose(seen.seen(knob, arm.figures(knob)).figures(0.3), arm.figures(0.3))


def test_what_was_seen_of_few_errors_says_little_of_many() -> None:
    """One error in a thousand in place of two: of two hundred, ten at most are gone."""
    arm = arm_with([0.8, 0.95, 0.998])
    row = arm.figures(0.6)
    row[F1] = 0.999
    seen = arm.seen(0.6, row)

    assert seen.figures(0.8)[F1] > 0.999
    assert 0.8 < seen.figures(0.1)[F1] < 0.812


@given(FIGURES, FIGURES)
def test_a_model_that_is_right_on_the_pilot_is_not_corrected(
    model: FloatArray, real: FloatArray
) -> None:
    """And one that is too good is made worse; but a rule that is steered keeps to its share."""
    rows, rosy = np.stack([model, model]), np.stack([real, real])
    rosy[:, F1] = min(real[F1] + 0.1, 1.0)
    rosy[:, SENT] = 0.5 * real[SENT]
    found = corrected(rows, np.stack([real, real]), rosy, [False, True])

    assert np.allclose(corrected(rows, rosy, rosy, [False, True]), rows)
    assert (found[:, F1] <= model[F1] + 1e-12).all()
    assert found[0, SENT] >= model[SENT] - 1e-12
    assert found[1, SENT] == model[SENT]


@given(st.floats(0.9, 0.999), st.floats(0.005, 0.05))
def test_a_correction_near_everything_has_no_bias(share: float, luck: float) -> None:
    """Pilots that are off to both sides by as much lead to the truth; none goes beyond it."""
    row = np.array([0.9, share - 0.05, 0.0, 4.0])
    real = np.repeat(row[None], 2, axis=0)
    real[:, SENT] = np.clip([share - luck, share + luck], 0, 1)
    rows = np.repeat(row[None], 2, axis=0)
    found = corrected(rows, real, rows, [False, False])[:, SENT]

    assert np.allclose(found, real[:, SENT])


@given(st.floats(0, 9))
def test_no_sentence_gets_fewer_answers_than_the_rule_asks_for(answers: float) -> None:
    """A rule that asks one by one begins with two; all others have a fixed number."""
    rows = np.array([[0.8, knob, 0.05, 2.5] for knob in (0.1, 0.3, 0.6)])
    growing = FamilyArm.of(Family("adaptive:expert_share={:g}", "auto", 4, 20), rows)
    seen = np.array([0.8, 0.3, 0.05, answers])

    assert growing.seen(0.3, seen).figures(0.3)[ANSWERS] == min(max(answers, 2), 4)
    assert arm_with([0.8, 0.9, 0.95]).seen(0.3, seen).figures(0.3)[ANSWERS] == 3


def test_figures_of_more_sentences_go_on_as_they_went() -> None:
    """Twice the sentences halve what is left to be learned."""
    half, whole = np.array([0.90]), np.array([0.92])

    assert grown(half, whole, 1_000, 1_000)[0] == 0.92
    assert np.isclose(grown(half, whole, 1_000, 2_000)[0], 0.93)


def test_every_family_can_be_rehearsed_at_any_knob() -> None:
    """Without experts, only those that ask none are there."""
    all_of_them = list(families(30, 5, has_experts=True))
    aim = Aim(100)

    for family in all_of_them:
        setting = family.at(0.123).setting(aim, 1, 0)
        assert setting.answers == family.answers
        assert (setting.audit > 0) == setting.feedback.asks_experts == family.has_knob
    assert {family.rule for family in families(30, 5, has_experts=False)} == {"crowd"}
    assert max(family.answers for family in families(3, 5, has_experts=True)) == 3


def test_costs_are_those_of_all_people() -> None:
    """Answers, sentences sent to experts, audits, and the warm-up beside them."""
    figures = np.zeros(4)
    figures[[F1, SENT, AUDITED, ANSWERS]] = 0.9, 0.2, 0.05, 3.0
    terms = Terms(Aim(1_000, prices=Prices(0.1, 2.0)), People(30))
    own = Terms(Aim(1_000, prices=Prices(0.1, 2.0), warm_up="own"), People(30))

    assert np.isclose(terms.cost(FAMILY.at(0.2), figures), 0.1 * 3_030 + 2.0 * (200 + 50 + 1))
    assert np.isclose(own.cost(FAMILY.at(0.2), figures), 0.1 * 3_030 + 2.0 * (200 + 50 + 30))
