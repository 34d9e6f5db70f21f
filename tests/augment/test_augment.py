"""Whole data sets: filled, on target, reproducible, with every edge defined."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.augment import (
    Method,
    Recipe,
    Ties,
    augment,
    mean_scores,
    missing_answers,
    targets_of,
    word_starts,
)
from spancrew.core import Answer, Dataset, FloatArray, Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.metrics import Metric, MetricName
from tests.spread import often
from tests.strategies import LABELS, datasets

METHODS: tuple[Method, ...] = ("ses", "ses-only", "random")
TARGETS = {"ada": 0.3, "bo": 0.85, "new": 0.5}


def sentence(id_: str, length: int = 6) -> Sentence:
    """Return a sentence of so many words."""
    return Sentence.from_tokens(id_, [f"w{k}" for k in range(length)])


def deltas(dataset: Dataset, recipe: Recipe) -> FloatArray:
    """Return how far each worker's mean is from the target, in points."""
    made = augment(dataset, recipe)
    targets = np.array(list(targets_of(dataset, recipe.metric, None).values()))
    return np.asarray(np.abs(mean_scores(made, recipe.metric) - targets) * 100)


@given(datasets(), st.sampled_from(METHODS), st.integers(0, 9))
def test_every_worker_answers_every_sentence_with_gold(
    dataset: Dataset, method: Method, seed: int
) -> None:
    """Real answers stay as they are; the others carry their source."""
    if not dataset.has_gold.any():
        return
    made = augment(dataset, Recipe(method=method, seed=seed), TARGETS | {"cy": 0.1})
    known = {(a.sentence, a.worker): a for k in range(len(made)) for a in made.answers_on(k)}
    real = {(a.sentence, a.worker): a for k in range(len(dataset)) for a in dataset.answers_on(k)}
    gold = np.flatnonzero(dataset.has_gold)
    expected = {(dataset.sentences.ids[k], worker) for k in gold for worker in made.workers}

    assert set(known) == expected | set(real)
    assert all(known[pair] == answer for pair, answer in real.items())
    sources = {answer.source for pair, answer in known.items() if pair not in real}
    assert sources <= {"random" if method == "random" else "ses"}


@given(datasets(gold=True), st.sampled_from(METHODS))
def test_an_answer_on_demand_is_the_one_in_the_data_set(dataset: Dataset, method: Method) -> None:
    """Whatever is asked first, and by whom."""
    recipe = Recipe(method=method, seed=4)
    targets = TARGETS | {"cy": 0.1}
    made, drawn = augment(dataset, recipe, targets), missing_answers(dataset, recipe, targets)
    for k in reversed(range(len(made.answers))):
        if made.answer(k).source is None:
            continue
        place, worker = int(made.answers.sentence[k]), made.answers.worker[k : k + 1]

        assert drawn.codes(place, worker.astype(np.int64))[0].tolist() == list(
            made.answers.codes[k]
        )


@pytest.mark.parametrize("metric", ["exact", "proportional", "token"])
def test_means_end_on_target(metric: MetricName) -> None:
    """The bundled crowd: each worker within a hundredth of a point."""
    dataset = read("demo").dataset

    assert deltas(dataset, Recipe(Metric(metric), seed=1)).max() < 0.01


def test_ses_only_and_random_are_far_worse() -> None:
    """By two orders of magnitude and more."""
    dataset = read("demo").dataset
    balanced, closest, random = (
        deltas(dataset, Recipe(method=method)).mean() for method in METHODS
    )

    assert closest > 100 * balanced
    assert random > 100 * balanced


@pytest.mark.parametrize("ties", ["uniform", "first", "best-exact"])
def test_ties_change_answers_and_not_scores(ties: Ties) -> None:
    """The scores are settled before anything is drawn."""
    dataset = read("demo-zh").dataset
    recipe = Recipe(Metric("proportional"), words="tokens")
    one = augment(dataset, recipe)
    other = augment(dataset, replace(recipe, ties=ties, seed=8))

    assert mean_scores(one, recipe.metric) == pytest.approx(mean_scores(other, recipe.metric))
    assert one.answers.codes != other.answers.codes


def test_with_first_workers_with_the_same_score_give_the_same_answer() -> None:
    """Ten workers with one target are of one mind; with uniform they are not."""
    data = Dataset.of([sentence("s1", 12)], {"s1": [Span(2, 5, "PER"), Span(7, 9, "LOC")]})
    targets = {f"w{k}": 0.5 for k in range(10)}
    minds = {
        ties: {a.spans for a in augment(data, Recipe(ties=ties), targets).answers_on(0)}
        for ties in ("first", "uniform")
    }

    assert len(minds["first"]) == 1
    assert len(minds["uniform"]) > 1


def test_the_seed_decides_the_draw() -> None:
    """The same twice with one seed, different with another."""
    dataset = read("demo-zh").dataset
    one, two, other = (augment(dataset, Recipe(words="tokens", seed=seed)) for seed in (1, 1, 2))

    assert one == two
    assert one.answers.codes != other.answers.codes


def test_given_order_ends_further_from_the_target() -> None:
    """The reason why sentences with few spans come first."""
    dataset = read("demo").dataset
    ours, given_ = (
        deltas(dataset, Recipe(order=order)).mean() for order in ("few-spans-first", "given")
    )

    assert ours < given_


def test_a_sentence_without_gold_spans_gets_the_empty_answer() -> None:
    """It scores 1, and the other sentences make up for it."""
    gold = {f"s{k}": [Span(1, 3, "PER"), Span(4, 5, "LOC")] if k else [] for k in range(200)}
    data = Dataset.of([sentence(id_, 7) for id_ in gold], gold)
    made = augment(data, Recipe(), {"ada": 0.4})

    assert next(made.answers_on(0)).spans == ()
    assert mean_scores(made, Metric())[0] == pytest.approx(0.4, abs=0.002)


def test_a_sentence_without_gold_gets_no_answers() -> None:
    """There is nothing to make them from; real ones stay."""
    data = Dataset.of(
        [sentence("s1"), sentence("s2")],
        {"s1": [Span(0, 1, "PER")]},
        [Answer("s2", "ada", ()), Answer("s1", "ada", ())],
    )
    made = augment(data, Recipe(), {"bo": 0.5})

    assert [a.worker for a in made.answers_on(1)] == ["ada"]
    assert [a.worker for a in made.answers_on(0)] == ["ada", "bo"]


def test_times_of_real_answers_stay() -> None:
    """Made answers have none."""
    data = Dataset.of(
        [sentence("s1")],
        {"s1": [Span(0, 1, "PER")]},
        [Answer("s1", "ada", (), seconds=3.5, at=7.0, source="tool")],
    )
    made = augment(data, Recipe(), {"bo": 0.5})
    real, other = made.answers_on(0)

    assert real == data.answer(0)
    assert (other.seconds, other.at, other.source) == (None, None, "ses")


def test_a_full_data_set_stays_as_it_is() -> None:
    """Nothing is missing, nothing is made."""
    data = Dataset.of([sentence("s1")], {"s1": [Span(0, 1, "PER")]}, [Answer("s1", "ada", ())])

    assert augment(data) == data


def test_a_single_worker_and_a_sentence_of_one_token() -> None:
    """The span or nothing, in turn."""
    gold = {f"s{k}": [Span(0, 1, "PER")] for k in range(10)}
    data = Dataset.of([sentence(id_, 1) for id_ in gold], gold)
    made = augment(data, Recipe(), {"ada": 0.5})

    assert mean_scores(made, Metric()).tolist() == [0.5]


def test_a_span_over_the_whole_sentence_reaches_every_target() -> None:
    """It can shrink to nothing."""
    gold = {f"s{k}": [Span(0, 6, "PER")] for k in range(100)}
    data = Dataset.of([sentence(id_) for id_ in gold], gold)
    made = augment(data, Recipe(Metric("proportional")), {"low": 0.0, "mid": 0.41, "top": 1.0})

    assert mean_scores(made, Metric("proportional")) == pytest.approx([0.0, 0.41, 1.0], abs=0.01)


def test_a_target_that_no_answer_can_reach_is_approached() -> None:
    """Half of the sentences have nothing to mark and score 1: 0.5 is the least there can be.

    Algorithm 2 goes above its target while it is on it, so one answer of the rest is right.
    """
    gold = {f"s{k}": [Span(1, 2, "PER")] if k % 2 else [] for k in range(40)}
    data = Dataset.of([sentence(id_) for id_ in gold], gold)
    made = augment(data, Recipe(), {"ada": 0.2})

    assert mean_scores(made, Metric()).tolist() == [(20 + 1) / 40]


def test_no_gold_at_all_is_an_error() -> None:
    """With the remedy."""
    data = Dataset.of([sentence("s1")], answers=[Answer("s1", "ada", ())])

    with pytest.raises(SpancrewError, match=r"no sentence has gold.*add the experts' spans"):
        augment(data)


def test_no_workers_is_an_error() -> None:
    """With the remedy."""
    data = Dataset.of([sentence("s1")], {"s1": []}, labels=LABELS)

    with pytest.raises(SpancrewError, match="no workers; give each one a target"):
        augment(data)


def test_a_worker_without_scored_answers_needs_a_target() -> None:
    """An answer on a sentence without gold does not help."""
    data = Dataset.of(
        [sentence("s1"), sentence("s2")],
        {"s1": [Span(0, 1, "PER")]},
        [Answer("s2", "ada", ())],
    )

    with pytest.raises(SpancrewError, match=r"worker 'ada' has no answer.*give them a target"):
        augment(data)
    assert len(augment(data, targets={"ada": 0.5}).answers) == 2


def test_a_target_in_percent_is_an_error() -> None:
    """With the remedy."""
    data = Dataset.of([sentence("s1")], {"s1": [Span(0, 1, "PER")]})

    with pytest.raises(SpancrewError, match=r"target F1 62\.9 is not between 0 and 1.*not 62"):
        augment(data, targets={"ada": 62.9})


@pytest.mark.parametrize(
    ("field", "value"), [("method", "magic"), ("ties", "last"), ("order", "random"), ("seed", -1)]
)
def test_a_recipe_refuses_what_it_does_not_know(field: str, value: object) -> None:
    """Before any work."""
    with pytest.raises(SpancrewError, match=field):
        replace(Recipe(), **{field: value})  # type: ignore[arg-type]


def test_word_starts_of_another_data_set_are_refused() -> None:
    """Their lengths differ."""
    one = Dataset.of([sentence("s1", 5)], {"s1": [Span(0, 1, "PER")]})
    other = Dataset.of([sentence("s1", 6)], {"s1": [Span(0, 1, "PER")]})

    with pytest.raises(SpancrewError, match="not those of this data set"):
        augment(one, Recipe(words=word_starts(other)), {"ada": 0.5})


def test_progress_is_reported_to_the_end() -> None:
    """Twice over the sentences: once for scores, once for answers."""
    data = Dataset.of([sentence("s1"), sentence("s2")], {"s1": [], "s2": [Span(0, 1, "PER")]})
    seen: list[tuple[int, int]] = []
    augment(data, Recipe(), {"ada": 0.5}, lambda done, total: seen.append((done, total)))

    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.realdata
@pytest.mark.parametrize("metric", often(["exact"], ["exact", "proportional", "token"]))
def test_the_real_crowd_ends_on_target(real_data: Path, metric: MetricName) -> None:
    """All 215,260 answers of the CoNLL crowd; no sentence is too large."""
    dataset = read(real_data / "conll-crowd" / "collected.json").dataset
    recipe = Recipe(Metric(metric))
    made = augment(dataset, recipe)
    targets = np.array(list(targets_of(dataset, recipe.metric, None).values()))

    assert len(made.answers) == 4_580 * 47
    assert np.abs(mean_scores(made, recipe.metric) - targets).mean() * 100 < 0.0014
