"""Stand-ins compared with real answers."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ks_2samp

from spancrew.augment import Recipe
from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.crowds import (
    Calibrated,
    Comparison,
    Fidelity,
    Population,
    compare,
    fidelity,
    fit_population,
)
from spancrew.crowds._compare import kolmogorov_smirnov, ratio_margin
from spancrew.errors import SpancrewError
from spancrew.formats import read


def apart(figure: Comparison) -> float:
    """Return the difference between the real and the generated value."""
    assert figure.real is not None
    assert figure.generated is not None
    return abs(figure.generated - figure.real)


def test_the_real_crowd_is_faithful_to_itself(pilot: Dataset) -> None:
    """Every figure is equal and every distance 0."""
    part = pilot.take(np.flatnonzero(pilot.answers.per_sentence >= 4))
    same = compare(part, lambda _seed: part.answers.codes, 2)

    assert same.ks == 0
    assert same.worker_f1_mean_abs_error == 0
    assert same.mv_exact_f1.real == same.mv_exact_f1.generated
    assert all(apart(kind) < 1e-9 for kind in same.error_kinds.values())


def test_the_distance_is_the_one_of_scipy() -> None:
    """Kolmogorov and Smirnov, on samples with ties."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        one, other = rng.integers(0, 9, 40) / 9, rng.integers(2, 9, 70) / 9

        assert kolmogorov_smirnov(one, other) == pytest.approx(ks_2samp(one, other).statistic)


@pytest.fixture(scope="module")
def demo_modes() -> dict[str, Fidelity]:
    """Compare the calibrated crowd with the demo's, on the sentences that it was fitted to."""
    return fidelity(read("demo").dataset, in_sample=True)


@pytest.mark.parametrize("mode", ["known", "new"])
def test_the_calibrated_crowd_behaves_like_the_demo(
    demo_modes: dict[str, Fidelity], mode: str
) -> None:
    """Agreement, votes and answers; the demo's crowd was made by quite another model."""
    got = demo_modes[mode]

    assert got.ks < 0.06
    assert apart(got.mv_exact_f1) < 0.03
    assert apart(got.exactly_right) < 0.03
    assert apart(got.exactly_wrong) < 0.03
    assert got.worker_f1_mean_abs_error < 0.02
    json.dumps(got.as_json(), allow_nan=False)


def test_ses_does_not_behave_like_the_demo(demo_modes: dict[str, Fidelity]) -> None:
    """Which is why there is another crowd."""
    ses = fidelity(read("demo").dataset, "ses", in_sample=True)["new"]

    assert ses.ks > 3 * demo_modes["new"].ks


def crowd_of(*answers: int, gold: bool = True) -> Dataset:
    """Return sentences with so many answers each."""
    sentences = [Sentence.from_tokens(f"s{k}", ["a", "b"]) for k in range(len(answers))]
    golden = {s.id: [Span(0, 1, "X")] for s in sentences} if gold else {}
    given = [
        Answer(s.id, f"w{w}", (Span(0, 1 + w % 2, "X"),))
        for s, count in zip(sentences, answers, strict=True)
        for w in range(count)
    ]
    return Dataset.of(sentences, golden, given)


def test_sentences_with_exactly_four_answers_are_compared() -> None:
    """Three are too few; a half is rounded up where it is judged."""
    data = crowd_of(4, 3, 4, 5, 4, 2, 4)
    words = Recipe(words="tokens")
    whole = fidelity(data, "ses", words, in_sample=True)["new"]
    half = fidelity(data, "ses", words)["new"]

    assert (whole.sentences, whole.answers) == (5, 21)
    assert half.sentences == 3


@pytest.mark.parametrize("crowd", ["calibrated", "ses"])
def test_the_crowd_is_judged_on_sentences_that_it_was_not_fitted_to(crowd: Any) -> None:
    """Another seed, other halves; whoever is only in one half is there, too."""
    data = read("demo-zh").dataset
    words = Recipe(words="tokens")
    first, again, other = (fidelity(data, crowd, words, seed=k)["new"] for k in (1, 1, 2))
    whole = fidelity(data, crowd, words, in_sample=True)["new"]

    assert first == again
    assert first.kappa.real != other.kappa.real
    assert first.sentences == -(-whole.sentences // 2)


def test_answers_met_later_count_like_those_fitted_to(
    pilot: Dataset, population: Population
) -> None:
    """Its own data set, met a second time, gives the same stand-ins; others are refused."""
    met = population.meeting(pilot)
    asked = pilot.answers.sentence.astype(np.int64), pilot.answers.worker.astype(np.int64)
    one, same = (Calibrated.known(pilot, p, 3, stand_in=True) for p in (population, met))

    assert len(met.mistakes.mistake) > len(population.mistakes.mistake)
    assert one.answers(*asked) == same.answers(*asked)
    with pytest.raises(SpancrewError, match="by other workers"):
        population.meeting(read("demo-zh").dataset)


def test_there_must_be_something_to_compare() -> None:
    """Four answers and gold; two sentences of them, unless one is judged in-sample."""
    for data in (crowd_of(3, 1), crowd_of(4, 4, gold=False)):
        with pytest.raises(SpancrewError, match="no sentence has gold and at least 4 answers"):
            fidelity(data)
    with pytest.raises(SpancrewError, match="collect more, or judge in-sample"):
        fidelity(crowd_of(4, 3))
    assert fidelity(crowd_of(4, 3), "ses", in_sample=True)["new"].sentences == 1


def test_the_vote_is_compared_by_agreement() -> None:
    """By hand: all the same and right, three of four wrong, all different; and one all empty."""
    tokens = ["a", "b", "c", "d"]
    given: dict[str, list[int | None]] = {
        "same": [0, 0, 0, 0],
        "mostly": [1, 1, 1, 1, 0],
        "apart": [0, 1, 2, 3],
        "empty": [None] * 4,
    }
    answers = [
        Answer(name, f"w{k}", () if start is None else (Span(start, start + 1, "X"),))
        for name, starts in given.items()
        for k, start in enumerate(starts)
    ]
    sentences = [Sentence.from_tokens(name, tokens) for name in given]
    data = Dataset.of(sentences, {name: [Span(0, 1, "X")] for name in given}, answers)
    got = compare(data, lambda _seed: data.answers.codes, 1)
    low, middle, high, unanimous = got.vote_by_agreement

    assert [band.sentences for band in got.vote_by_agreement] == [1, 1, 2, 2]
    assert [band.spans for band in got.vote_by_agreement] == [1, 1, 2, 2]
    assert low.vote == middle.vote == Comparison(0.0, 0.0)
    assert high.vote == unanimous.vote == Comparison(2 / 3, 2 / 3)
    assert got.mv_exact_f1_above["0.65"] == high.vote
    assert got.as_json()["vote_by_agreement"][2] == {
        "from": 0.65,
        "to": 1.0,
        "real": 2 / 3,
        "generated": 2 / 3,
        "margin": high.margin,
    }
    assert high.margin > 0


def test_a_population_needs_answers_with_gold() -> None:
    """The message says what to do."""
    data = Dataset.of([Sentence.from_tokens("s", ["a"])], answers=[Answer("s", "w")])

    with pytest.raises(SpancrewError, match="give a pilot data set with gold and answers"):
        fit_population(data)


@pytest.mark.parametrize(
    "spans", [(), (Span(0, 1, "X"),), (Span(0, 3, "X"),)], ids=["nothing", "one", "the whole"]
)
def test_tiny_data_sets_are_fitted_without_a_fuss(spans: tuple[Span, ...]) -> None:
    """A single worker, one sentence, a span over all of it, everything right, nothing to mark."""
    sentence = Sentence.from_tokens("s", ["a", "b", "c"])
    idle = Sentence.from_tokens("t", ["a"])
    data = Dataset.of([sentence, idle], {"s": spans, "t": []}, [Answer("s", "w", spans)])
    got = fit_population(data)

    assert np.isfinite(got.fresh.skill).all()
    assert np.isfinite(got.known.skill).all()


@pytest.mark.long
@pytest.mark.realdata
def test_the_figures_of_the_issue_hold_on_conll(real_data: Path) -> None:
    """Distances and differences as promised, in both modes."""
    data = read(real_data / "conll-crowd" / "collected.json").dataset
    modes = fidelity(data, in_sample=True)

    assert modes["known"].ks <= 0.04
    assert modes["new"].ks <= 0.05
    for got in modes.values():
        assert apart(got.mv_exact_f1) <= 0.015
        assert apart(got.share_above["0.65"]) <= 0.02
        assert apart(got.exactly_right) <= 0.03
        assert apart(got.exactly_wrong) <= 0.03
        assert got.worker_f1_mean_abs_error <= 0.005


@pytest.mark.realdata
def test_the_figures_of_the_issue_hold_on_oei(real_data: Path) -> None:
    """Gold was picked from the answers: the vote is matched, and agreement is a bit worse."""
    data = read(real_data / "oei" / "dev-crowd.json").dataset
    for got in fidelity(data, in_sample=True).values():
        assert got.ks <= 0.09
        assert apart(got.mv_exact_f1) <= 0.02


def test_figures_that_do_not_exist_are_none() -> None:
    """No sentence above the threshold: no majority vote there, and no NaN in the JSON."""
    sentence = Sentence.from_tokens("s", ["a", "b", "c", "d"])
    answers = [Answer("s", f"w{k}", (Span(k, k + 1, "X"),)) for k in range(4)]
    data = Dataset.of([sentence], {"s": [Span(0, 1, "X")]}, answers)
    got = compare(data, lambda _seed: data.answers.codes, 1)

    assert got.mv_exact_f1_above["0.65"] == Comparison(None, None)
    json.dumps(got.as_json(), allow_nan=False)


def test_the_margin_of_a_vote_is_that_of_other_sentences_of_the_kind() -> None:
    """It covers the truth in 95 % of many draws; nothing is known of a single sentence."""
    rng = np.random.default_rng(3)
    below = 2.0 * rng.integers(1, 6, (600, 80))
    above = 2.0 * rng.binomial((below / 2).astype(np.int64), 0.7)
    off = above.sum(axis=1) / below.sum(axis=1) - 0.7
    margins = [ratio_margin(*each) for each in zip(above, below, strict=True)]

    assert np.mean(np.abs(off) <= margins) == pytest.approx(0.95, abs=0.025)
    assert ratio_margin(np.ones(1), np.ones(1)) == ratio_margin(np.zeros(4), np.zeros(4)) == 1.0
