"""The first guess of skills and effects."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from spancrew.core import Answer, Dataset, FloatArray, Sentence, Span
from spancrew.crowds._ease import EASE, EaseEstimate, SeenMarks, estimate, potential, raised
from spancrew.crowds._evidence import evidence_of
from spancrew.crowds._features import features_of


@example(workers=1, classes=3, spans=33, share=1.0, seed=23)
@given(
    workers=st.integers(1, 4),
    classes=st.integers(1, 3),
    spans=st.integers(1, 60),
    share=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
    seed=st.integers(0, 1000),
)
def test_no_step_makes_it_worse_and_the_end_is_near_the_best(
    workers: int, classes: int, spans: int, share: float, seed: int
) -> None:
    """One worker and one class, all right or all wrong included; scipy finds little better."""
    rng = np.random.default_rng(seed)
    right = (rng.random(spans) < share).astype(float)
    cells = rng.integers(0, classes, (spans, 5)) + classes * np.arange(5)
    marks = SeenMarks(right, rng.integers(0, workers, spans), cells)
    weight = rng.dirichlet(np.ones(len(EASE)))

    def height(place: FloatArray) -> float:
        return potential(marks, EaseEstimate(place[:workers], place[workers:], weight))

    guess = EaseEstimate(np.zeros(workers), np.zeros(5 * classes), weight)
    heights = [potential(marks, guess)]
    for _ in range(60):
        guess = raised(marks, guess)
        heights.append(potential(marks, guess))
    best = minimize(lambda place: -height(place), np.zeros(workers + 5 * classes))

    assert np.all(np.diff(heights) >= 0)
    assert heights[-1] == pytest.approx(-best.fun, abs=0.2)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_thousands_of_answers_that_are_all_alike_end_in_numbers(share: float) -> None:
    """All right or all wrong: chances of 0 and 1 have no logarithm."""
    sentences = [Sentence.from_tokens(f"s{k}", ["a", "b"]) for k in range(1000)]
    marked = (Span(0, 1, "X"),) if share else ()
    data = Dataset.of(
        sentences,
        {s.id: [Span(0, 1, "X")] for s in sentences},
        [Answer(s.id, f"w{w}", marked) for s in sentences for w in range(5)],
    )
    features = features_of(data, data.labels)
    got = estimate(evidence_of(data), features.span, features.classes, 5)

    assert all(np.isfinite(part).all() for part in got)
    assert np.sign(got.skill).tolist() == [np.sign(share - 0.5)] * 5
