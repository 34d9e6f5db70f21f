"""Stand-ins compared with real answers."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ks_2samp

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.crowds import Comparison, Fidelity, compare, fidelity, fit_population
from spancrew.crowds._fidelity import kolmogorov_smirnov
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
    """Compare the calibrated crowd with the demo's."""
    return fidelity(read("demo").dataset)


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
    ses = fidelity(read("demo").dataset, "ses")["new"]

    assert ses.ks > 3 * demo_modes["new"].ks


def test_there_must_be_something_to_compare() -> None:
    """Four answers and gold."""
    data = Dataset.of([Sentence.from_tokens("s", ["a"])], {"s": []}, [Answer("s", "w")])

    with pytest.raises(SpancrewError, match="no sentence has gold and at least 4 answers"):
        fidelity(data)


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


@pytest.mark.realdata
def test_the_figures_of_the_issue_hold_on_conll(real_data: Path) -> None:
    """Distances and differences as promised, in both modes."""
    modes = fidelity(read(real_data / "conll-crowd" / "collected.json").dataset)

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
    """Gold that was chosen among the workers' answers is harder to imitate."""
    for got in fidelity(read(real_data / "oei" / "dev-crowd.json").dataset).values():
        assert got.ks <= 0.08


def test_figures_that_do_not_exist_are_none() -> None:
    """No sentence above the threshold: no majority vote there, and no NaN in the JSON."""
    sentence = Sentence.from_tokens("s", ["a", "b", "c", "d"])
    answers = [Answer("s", f"w{k}", (Span(k, k + 1, "X"),)) for k in range(4)]
    data = Dataset.of([sentence], {"s": [Span(0, 1, "X")]}, answers)
    got = compare(data, lambda _seed: data.answers.codes, 1)

    assert got.mv_exact_f1_above["0.65"] == Comparison(None, None)
    json.dumps(got.as_json(), allow_nan=False)
