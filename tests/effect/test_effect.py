"""A model learns from what money buys; all figures are those of the examples and the test."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.core import Dataset, LabelSet, Sentence, Span
from spancrew.effect import ARMS, Arm, ArmName, Crf, Design, Effect, Texts, Trained, effect
from spancrew.effect._arms import arm_of
from spancrew.effect._material import material_of
from spancrew.effect._scores import difference, scores_of
from spancrew.errors import SpancrewError
from spancrew.feedback import Prices
from spancrew.metrics import Metric
from tests.effect.small import WORKERS, pilot

DATA, TEST = pilot(120, 1, WORKERS, answers=4), pilot(60, 2, {}).without_answers()
DESIGN = Design(answers=2, experts=0.2)


@pytest.fixture(scope="module")
def found() -> Effect:
    """Return a small experiment with all arms."""
    return effect(DATA, TEST, Crf(), DESIGN, seeds=(3, 4))


def test_all_arms_are_trained_on_and_cost_what_they_say(found: Effect) -> None:
    """Crews give equally many answers; experts cost no more than the vote, less without doubts."""
    by_name = {each.name: each for each in found.arms}

    assert tuple(by_name) == ARMS
    assert by_name["random crew"].answers == by_name["selected crew"].answers == 2 * len(DATA)
    assert by_name["all answers"].money == pytest.approx(0.1 * len(DATA.answers))
    assert 0.7 < by_name["same money"].money / by_name["majority vote"].money < 1.1
    assert by_name["same money"].answers < by_name["majority vote"].answers
    assert by_name["gold"].money == len(DATA)
    assert by_name["gold"].label_f1 == 1


def test_better_labels_make_a_better_model(found: Effect) -> None:
    """The words say everything, so gold is learned, and flipped labels are, too."""
    scores = {each.name: each.f1.mean for each in found.arms}

    assert scores["gold"] > 0.98
    assert scores["final"] > scores["majority vote"]
    assert scores["selected crew"] > scores["random crew"] + 0.05


def test_the_result_says_how_sure_a_difference_is(found: Effect) -> None:
    """By seed, by draws of the test, and in JSON."""
    chosen = found.differences[0]

    assert (chosen.better, chosen.worse) == ("selected crew", "random crew")
    assert chosen.low <= chosen.mean <= chosen.high
    assert chosen.as_json()["by_seed"] == list(chosen.by_seed)
    assert chosen.wins == sum(each > 0 for each in chosen.by_seed)
    assert "selected crew" in repr(found)


def test_scores_of_a_seed_are_those_of_all_sentences_as_one_pool() -> None:
    """A second computation, by the metric itself."""
    codes = DATA.gold.take(np.random.default_rng(0).permutation(len(DATA)))
    tallies = Metric("exact").tallies(codes, DATA.gold, DATA.labels)[:, 0]

    assert tuple(scores_of([tallies])[0]) == Metric("exact").pool(codes, DATA.gold)


def test_an_arm_does_not_differ_from_itself() -> None:
    """Draws are paired: both arms get the same sentences."""
    tallies = Metric("exact").tallies(DATA.gold, DATA.gold, DATA.labels)[:, 0]
    same = difference(("one", "other", "all"), [tallies], [tallies])

    assert (same.mean, same.low, same.high) == (0, 0, 0)
    assert not same.is_clear


class Dying:
    """A model that is killed before its third training."""

    name = "dying"

    def __init__(self, trainings: int) -> None:
        self.left = trainings

    def trainer(self, texts: Texts, keep: Path | None = None) -> "Dying":
        """Train with a field."""
        self._trainer = Crf().trainer(texts, keep)
        return self

    def trained(self, arm: Arm, seed: int) -> Trained:
        """Train, unless it is over."""
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return self._trainer.trained(arm, seed)


def test_a_killed_experiment_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was trained is not trained again, and the result is the same."""
    arms: tuple[ArmName, ...] = ("random crew", "majority vote", "gold")
    whole = effect(DATA, TEST, Dying(6), DESIGN, arms=arms, seeds=(1, 2))
    with pytest.raises(KeyboardInterrupt):
        effect(DATA, TEST, Dying(2), DESIGN, arms=arms, seeds=(1, 2), keep=tmp_path)
    resumed = effect(DATA, TEST, Dying(4), DESIGN, arms=arms, seeds=(1, 2), keep=tmp_path)

    assert len(list(tmp_path.glob("cell-*.json"))) == 6
    assert [each.f1 for each in resumed.arms] == [each.f1 for each in whole.arms]
    assert resumed.differences == whole.differences


def test_a_damaged_cell_is_trained_again(tmp_path: Path) -> None:
    """And another test is never mistaken for this one."""
    effect(DATA, TEST, Dying(1), DESIGN, arms=("gold",), seeds=(1,), keep=tmp_path)
    for file in tmp_path.iterdir():
        file.write_text("{")
    effect(DATA, TEST, Dying(1), DESIGN, arms=("gold",), seeds=(1,), keep=tmp_path)
    other = TEST.take(np.arange(30))
    with pytest.raises(KeyboardInterrupt):
        effect(DATA, other, Dying(0), DESIGN, arms=("gold",), seeds=(1,), keep=tmp_path)


def test_labels_are_made_with_all_sentences_and_trained_on_some() -> None:
    """So a final label is the same whether few or all sentences are trained on."""
    some, every = (material_of(DATA, replace(DESIGN, sentences=n)) for n in (40, None))
    few, whole = arm_of("final", some, 3), arm_of("final", every, 3)
    paid = arm_of("all answers", some, 3)

    assert len(few.sentence) == len(some.rows) == 40
    np.testing.assert_array_equal(few.codes.values, whole.codes.take(some.rows).values)
    np.testing.assert_array_equal(few.weight, whole.weight[some.rows])
    assert few.experts == int((few.weight > 1).sum())
    assert paid.answers == len(paid.sentence) == int(DATA.answers.per_sentence[some.rows].sum())


def test_what_may_not_be_trained_is_missing() -> None:
    """Arms are compared over the seeds that both have."""
    left = iter([True, True, True, False])
    arms: tuple[ArmName, ...] = ("final", "gold")
    found = effect(
        DATA, TEST, Crf(), DESIGN, arms=arms, seeds=(1, 2), may_train=lambda: next(left)
    )

    assert found.missing == (("gold", 2),)
    assert [each.seeds for each in found.arms] == [(1, 2), (1,)]
    assert len(found.differences[0].by_seed) == 1


def test_experts_that_cannot_be_paid_are_not_asked() -> None:
    """With two answers on a sentence, the money of one of them pays few experts."""
    two = pilot(80, 5, WORKERS, answers=2)
    made = arm_of("same money", material_of(two, replace(DESIGN, prices=Prices(0.1, 2.0))), 0)

    assert made.experts <= 0.06 * len(two)
    assert made.answers * 0.1 + made.experts * 2.0 <= 0.1 * len(two.answers) + 2.0


def without_gold(dataset: Dataset) -> Dataset:
    """Return the same sentences and answers alone."""
    answers = [dataset.answer(k) for k in range(len(dataset.answers))]
    return Dataset.of(dataset.sentences, {}, answers, dataset.labels)


@pytest.mark.parametrize(
    ("data", "test", "said"),
    [
        (DATA.without_answers(), TEST, "to train on has answers of workers"),
        (without_gold(DATA), TEST, "to train on has gold"),
        (DATA, without_gold(TEST), "no test sentence has gold"),
    ],
)
def test_what_is_missing_is_named(data: Dataset, test: Dataset, said: str) -> None:
    """With what to take instead."""
    with pytest.raises(SpancrewError, match=said):
        effect(data, test, Crf())


def test_a_test_with_other_labels_is_refused() -> None:
    """Fewer labels are fine, in whatever order they are."""
    sentence = Sentence.from_tokens("a", ["anna", "saw", "rome"])
    strange = Dataset.of([sentence], {"a": [Span(0, 1, "ORG")]})
    one = Dataset.of([sentence], {"a": [Span(0, 1, "PER")]}, labels=LabelSet(("PER", "LOC")))

    with pytest.raises(SpancrewError, match="labels ORG, which the training data does not have"):
        effect(DATA, strange, Crf())
    assert effect(DATA, one, Crf(), arms=("gold",), seeds=(1,)).arms[0].recall.mean == 1


def test_nonsense_is_refused() -> None:
    """Before anything is trained."""
    with pytest.raises(SpancrewError, match="share from 0 to 1"):
        Design(experts=20)
    with pytest.raises(SpancrewError, match="at least 1"):
        Design(answers=0)
    with pytest.raises(SpancrewError, match="at least one seed"):
        effect(DATA, TEST, Crf(), seeds=())
