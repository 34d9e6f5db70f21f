"""How the knobs are turned, and what they move."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Dataset, FloatArray
from spancrew.crowds import Calibrated, Population, compare
from spancrew.crowds._calibrate import LARGEST_LOGIT, emptiness, turn
from spancrew.crowds._evidence import no_history
from spancrew.crowds._features import features_of
from spancrew.crowds._moments import LOST, LOST_EASY, Moments, moments_of
from spancrew.crowds._settings import Settings
from spancrew.crowds._vote import steepness, vote_excess
from spancrew.metrics import agreement

SHARES = st.floats(0.01, 0.99)


@given(goal=SHARES, empty=SHARES)
def test_the_share_of_empty_answers_is_reached_and_kept(goal: float, empty: float) -> None:
    """However often it is corrected; blank answers have no first try, and count once."""
    blank = 0.0
    for _ in range(5):
        keep, blank = emptiness(goal, (1 - blank) * empty, blank)

    kept = empty * keep / (1 - empty * (1 - keep))
    assert blank + (1 - blank) * kept == pytest.approx(goal)
    assert keep == 1 or blank == 0


def scale_of(dataset: Dataset) -> FloatArray:
    """Return the sorted kappas of the real answers."""
    kappa = agreement(dataset.answers, "fleiss")
    return np.sort(kappa[~np.isnan(kappa)])


def measured(pilot: Dataset, population: Population, settings: Settings) -> Moments:
    """Return the figures of a crowd with these settings, on the questions of the pilot."""
    sentences = pilot.answers.sentence.astype(np.int64)
    workers = pilot.answers.worker.astype(np.int64)
    bare = no_history(len(pilot))
    crowds = [
        Calibrated(pilot, population, settings, bare, pilot.workers, seed, stand_in=True)
        for seed in range(12)
    ]
    features = features_of(pilot, pilot.labels)
    where = (pilot.gold, sentences, workers, len(pilot.workers), features, scale_of(pilot))
    first, *others = (moments_of(c.answers(sentences, workers), *where) for c in crowds)
    for other in others:
        first = first.plus(other)
    return first


class Sweep(NamedTuple):
    """The same crowd with a knob turned down and up."""

    low: Moments
    high: Moments


def turned(pilot: Dataset, population: Population, **knob: tuple[float, float]) -> Sweep:
    """Measure both ends of a knob."""
    ((name, ends),) = knob.items()
    return Sweep(
        *(measured(pilot, population, population.fresh.but(**{name: end})) for end in ends)
    )


def lost_on_easy(moments: Moments) -> float:
    """Return how much more often a wrong span is missed where it is easy than in general."""
    sums, counts = moments.pairs.sum(axis=0), moments.pair_counts.sum(axis=0)
    return float(sums[LOST_EASY] / counts[LOST_EASY] - sums[LOST] / counts[LOST])


def test_tilt_lets_hard_spans_be_missed(pilot: Dataset, population: Population) -> None:
    """And easy ones be mistaken, which is the figure that it is turned by."""
    low, high = turned(pilot, population, tilt=(-6.0, 6.0))

    assert lost_on_easy(high) < lost_on_easy(low) - 0.05


def test_slant_flattens_the_vote_by_agreement(pilot: Dataset, population: Population) -> None:
    """Where mistakes on hard spans are the same ones, agreement says less about being right."""
    low, high = turned(pilot, population, slant=(-6.0, 6.0))

    assert steepness(low.vote, high.vote) < -0.005


def test_the_vote_is_counted_as_it_is_compared(pilot: Dataset) -> None:
    """By the fit as by the comparison, whose third band has two parts."""
    part = pilot.take(np.flatnonzero(pilot.answers.per_sentence >= 4))
    answers = part.answers
    codes, sentence = answers.codes, answers.sentence.astype(np.int64)
    worker, features = answers.worker.astype(np.int64), features_of(part, part.labels)
    where = (part.gold, sentence, worker, len(part.workers), features, scale_of(part))
    vote = moments_of(codes, *where).vote
    bands = compare(part, lambda _seed: codes, 1).vote_by_agreement

    for band, counts in zip(bands, [vote[0], vote[1], vote[2] + vote[3], vote[3]], strict=True):
        assert band.vote.real == pytest.approx(2 * counts[0] / (counts[1] + counts[2]))
        assert band.spans == counts[2]


def test_steepness_has_a_sign_and_ignores_empty_bands() -> None:
    """Too good where workers agree: positive; nothing there: nothing is said."""
    real = np.array([[50, 100, 100], [70, 100, 100], [90, 100, 100], [95, 100, 100]], float)
    steeper = real.copy()
    steeper[0, 0], steeper[3, 0] = 40, 100
    nobody = real.copy()
    nobody[3] = 0

    assert steepness(real, real) == 0
    assert steepness(real, steeper) == pytest.approx(-steepness(steeper, real))
    assert steepness(real, steeper) > 0.01
    assert steepness(real, nobody) == steepness(nobody, steeper * 0) == 0


def test_the_excess_of_the_vote_is_that_of_its_f1() -> None:
    """Over all bands; nothing at all is no excess."""
    real = np.array([[50, 100, 100], [70, 100, 100], [90, 100, 100], [95, 100, 100]], float)

    assert vote_excess(real, real + np.array([2, 0, 0])) == pytest.approx(0.02)
    assert vote_excess(real * 0, real * 0) == 0


@pytest.fixture(scope="module")
def calm(pilot: Dataset, population: Population) -> Moments:
    """Measure the crowd as it was fitted."""
    return measured(pilot, population, population.fresh)


@given(seed=st.integers(0, 10_000), size=st.sampled_from([0.0, 1.0, 1e3, 1e9]))
def test_no_figures_let_a_knob_run_away(
    population: Population, calm: Moments, seed: int, size: float
) -> None:
    """Sums that no crowd could have, in fifty rounds of full steps: all within bounds."""
    rng = np.random.default_rng(seed)

    def nonsense() -> Moments:
        drawn: list[Any] = [size * rng.random(np.shape(part)) ** 9 for part in calm]
        sums = Moments(*drawn)
        return sums._replace(answerable=sums.answerable + sums.empty)

    settings, real = population.fresh, nonsense()
    targets = rng.choice([0.0, 0.5, 1.0, np.nan], len(settings.skill))
    for _ in range(50):
        settings = turn(settings, real, targets, nonsense(), rng.random(), 0.8)

    assert np.abs(settings.skill).max() <= LARGEST_LOGIT
    assert np.abs(settings.effect).max() <= LARGEST_LOGIT
    for rates in (settings.extra_by_size, settings.extra, settings.leaning, settings.mess):
        assert 1e-6 <= rates.min() <= rates.max() <= 1e3
    for knobs in (settings.spread, settings.by_sentence, settings.by_answer, settings.variety):
        assert np.isfinite(knobs).all()
    for knob in (settings.strangeness, settings.temptation, settings.tilt, settings.slant):
        assert np.isfinite(knob)
    assert 0 <= settings.keep_empty <= 1
    assert 0 <= settings.blank <= 1
    assert abs(settings.lift) <= 1
