"""Appendix B: how often the majority is right, against other ways to compute it."""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spancrew.core import Dataset, span_table
from spancrew.errors import SpancrewError
from spancrew.experiments._bound import (
    CHANCES,
    SIZES,
    BoundPoint,
    Majority,
    bound_point,
    bound_points,
    bound_rows,
    majority_bound,
    majority_right,
    workers_needed,
)
from spancrew.experiments._bound_chart import bound_chart, chance_chart
from spancrew.formats import read
from spancrew.metrics import Metric, answer_scores

CHANCE = st.floats(0, 1)
CROWD = st.lists(CHANCE, min_size=1, max_size=9)
GOOD_CROWD = st.lists(CHANCE, min_size=1, max_size=60).filter(lambda p: np.mean(p) >= 0.5)


@pytest.fixture(scope="module")
def points() -> list[BoundPoint]:
    """Return the whole comparison once."""
    return bound_points(seed=0, draws=10_000)


def enumerated(chances: list[float]) -> Majority:
    """Return the same by going through every way in which workers can be right or wrong."""
    exact = strict = 0.0
    for right in itertools.product((False, True), repeat=len(chances)):
        weight = math.prod(p if r else 1 - p for p, r in zip(chances, right, strict=True))
        exact += weight * (2 * sum(right) >= len(chances))
        strict += weight * (2 * sum(right) > len(chances))
    return Majority(exact, strict, (exact + strict) / 2)


@given(CHANCE, st.integers(1, 300))
def test_workers_with_equal_chances_are_binomial(chance: float, workers: int) -> None:
    """As SciPy computes it, with a tie as right and as wrong."""
    found = majority_right([chance] * workers)

    assert found.exact == pytest.approx(stats.binom.sf((workers - 1) // 2, workers, chance))
    assert found.strict == pytest.approx(stats.binom.sf(workers // 2, workers, chance))


@given(CROWD)
def test_workers_with_unequal_chances_are_as_counted_one_by_one(chances: list[float]) -> None:
    """Over all 2^N ways."""
    assert majority_right(chances) == pytest.approx(enumerated(chances))


@given(CROWD, st.data())
def test_the_majority_gains_by_every_better_worker(
    chances: list[float], data: st.DataObject
) -> None:
    """Never less when one chance goes up."""
    worker = data.draw(st.integers(0, len(chances) - 1))
    better = chances.copy()
    better[worker] = data.draw(st.floats(chances[worker], 1))
    before, after = majority_right(chances), majority_right(better)

    assert all(b <= a + 1e-12 for b, a in zip(before, after, strict=True))


@given(GOOD_CROWD)
def test_the_bounds_hold_from_a_mean_chance_of_one_half(chances: list[float]) -> None:
    """The paper's below Hoeffding's, and both even with ties as wrong."""
    paper, hoeffding = majority_bound(chances), majority_bound(chances, factor=2)
    found = majority_right(chances)

    assert paper <= hoeffding
    assert hoeffding <= found.strict + 1e-12
    assert found.strict <= found.fair <= found.exact


@pytest.mark.parametrize("chance", [0.0, 0.1, 0.2, 0.3, 0.4])
def test_the_bound_fails_below_one_half(chance: float) -> None:
    """The formula is symmetric, the truth is not."""
    crowd = [chance] * 40

    assert majority_bound(crowd) == pytest.approx(majority_bound([1 - chance] * 40))
    assert majority_bound(crowd) > majority_right(crowd).exact
    assert bound_point(crowd, draws=10).worth == "invalid"


@given(st.floats(0.5, 1), st.integers(1, 20))
def test_a_coin_at_ties_makes_the_even_worker_worthless(chance: float, pairs: int) -> None:
    """2n workers of equal chance are as good as 2n - 1."""
    even, odd = majority_right([chance] * 2 * pairs), majority_right([chance] * (2 * pairs - 1))

    assert even.fair == pytest.approx(odd.exact)
    assert odd.exact == odd.strict


@given(st.floats(0.51, 1), st.floats(0.05, 0.99), st.sampled_from([1.0, 2.0]))
def test_the_number_of_workers_needed_is_the_first_that_keeps_the_promise(
    chance: float, promised: float, factor: float
) -> None:
    """One fewer does not keep it."""
    needed = workers_needed(chance, promised, factor)

    assert needed is not None
    assert majority_bound([chance] * needed, factor) >= promised - 1e-9
    assert needed == 1 or majority_bound([chance] * (needed - 1), factor) <= promised + 1e-9


def test_no_number_of_workers_makes_a_coin_useful() -> None:
    """At 1/2 the bound stays 0."""
    assert workers_needed(0.5) is workers_needed(0.3) is None
    assert majority_bound([0.5] * 1000) == 0


def test_the_grid_covers_every_chance_and_size_in_order(points: list[BoundPoint]) -> None:
    """The paper's 4 and 10 answers among them."""
    asked = [(size, chance) for chance in CHANCES for size in SIZES]

    assert [(p.workers, round(p.chance, 9)) for p in points] == asked
    assert {4, 10} < set(SIZES)
    assert pytest.approx(np.arange(0.5, 0.951, 0.05)) == CHANCES


def test_the_simulation_is_within_four_standard_errors(points: list[BoundPoint]) -> None:
    """At each of the 400 points; and about one in twenty is more than two away."""
    away = [abs(p.simulated - p.exact) - 1e-12 for p in points]
    ratio = np.array(
        [a / max(p.simulated_error, 1e-12) for a, p in zip(away, points, strict=True)]
    )

    assert ratio.max() < 4
    assert 0.01 < np.mean(ratio > 2) < 0.08


def test_more_draws_make_a_smaller_error() -> None:
    """By the root of their number; a crowd that is always right has none."""
    few, many = bound_point([0.7] * 5, draws=100), bound_point([0.7] * 5, draws=10_000)

    assert few.simulated_error == pytest.approx(10 * many.simulated_error)
    assert bound_point([1.0] * 5)[5:7] == (1.0, 0.0)


def test_the_simulation_of_unequal_chances_is_right() -> None:
    """Better than equal ones of the same mean; worse than a coin with a mean above 1/2."""
    found = [bound_point(crowd, seed=7) for crowd in ([0.7] * 3, [0.9, 0.9, 0.3], [1, 0.3, 0.25])]

    assert [point.exact for point in found] == pytest.approx([0.784, 0.864, 0.475])
    for point in found:
        assert abs(point.simulated - point.exact) < 4 * point.simulated_error


def test_a_seed_decides_the_draws_and_nothing_else() -> None:
    """The same again, alone or among others; another seed, other draws."""
    among = bound_points(3, 500, chances=(0.6, 0.7), sizes=(4, 5))
    alone, other = bound_point([0.7] * 4, 3, 500), bound_point([0.7] * 4, 4, 500)

    assert among[2] == alone
    assert alone.simulated != other.simulated
    assert alone[:5] == other[:5]


def test_the_bound_is_vacuous_for_four_answers_of_all_but_the_best(
    points: list[BoundPoint],
) -> None:
    """With 4 answers useful from 0.95 on, with 10 from 0.8 on; at 1/2 never."""
    useful = {(p.workers, round(p.chance, 2)) for p in points if p.worth == "useful"}

    assert min(chance for workers, chance in useful if workers == 4) == 0.95
    assert min(chance for workers, chance in useful if workers == 10) == 0.8
    assert {p.worth for p in points if p.chance == 0.5} == {"vacuous"}


def test_rows_set_the_exact_and_the_simulated_chance_beside_the_bound() -> None:
    """In the form of every reproduction."""
    point = bound_point([0.7] * 4)
    exact, simulated = bound_rows([point])

    assert exact._asdict() | {"difference": exact.difference} == {
        "row": "N=4 p=0.7",
        "column": "P(majority right)",
        "paper": point.bound,
        "ours": point.exact,
        "sd": 0.0,
        "difference": point.exact - point.bound,
        "variant": "bound",
    }
    assert simulated.column == "P(majority right), simulated"
    assert (simulated.ours, simulated.sd) == (point.simulated, point.simulated_error)


def test_rows_have_nothing_of_the_papers_where_its_bound_does_not_hold() -> None:
    """A number there would look like a claim."""
    rows = bound_rows([bound_point([0.3] * 4)])

    assert [(row.paper, row.difference) for row in rows] == [(None, None)] * 2


def test_the_chart_against_workers_draws_a_line_for_every_chance(points: list[BoundPoint]) -> None:
    """Exact and bound as lines, the simulation as dots; the caption says what is vacuous."""
    html = bound_chart(points)

    assert _named(html) == {
        f"p = {chance}, {kind}" for chance in (0.6, 0.7, 0.8, 0.9) for kind in KINDS
    }
    for size in ("wide", "narrow"):
        drawn = _drawn(html, size)
        assert [len(points) for points in drawn["line"]] == [len(SIZES)] * 2 * 4
        assert [len(points) for points in drawn["pips"]] == [len(SIZES)] * 4
        assert "below 1/2 a bound is vacuous" in _svg(html, size)


def test_the_chart_against_the_chance_shows_where_the_bound_does_not_hold() -> None:
    """For 4 and for 10 answers."""
    html = chance_chart(bound_points(0, 100, np.linspace(0, 1, 11).tolist(), (1, 4, 10)))

    assert _named(html) == {f"N = {size}, {kind}" for size in (4, 10) for kind in KINDS}
    assert html.count('class="pips"') == 2 * 2 + 2  # in both sizes, and in the legend
    assert "it does not hold" in _svg(html, "wide")


KINDS = ("exact", "bound", "simulated")


def _named(html: str) -> set[str]:
    """Return the names in the legend."""
    return set(re.findall(r'<span class="name">(.*?)</span>', html))


def _svg(html: str, size: str) -> str:
    (found,) = re.findall(rf'<svg class="{size}".*?</svg>', html)
    return str(found)


def _drawn(html: str, size: str) -> dict[str, list[list[str]]]:
    """Return the points of every curve: of lines, and of those drawn as points only."""
    number = r"-?\d*\.?\d+"
    drawn: dict[str, list[list[str]]] = {"line": [], "pips": []}
    for group in re.findall(r'<g class="series.*?</g>', _svg(html, size)):
        line = re.search(r'd="M([^"]*)" class="line"', group)
        pips = re.search(r'd="([^"]*)" class="pips"', group)
        if line:
            drawn["line"].append(re.findall(number, line[1])[::2])
        elif pips:
            drawn["pips"].append(pips[1].split("M")[1:])
    return drawn


@pytest.mark.parametrize(
    ("chances", "said"),
    [
        ([], r"shape \(0,\)"),
        ([[0.5]], r"shape \(1, 1\)"),
        ([0.5, 1.2], "chance 1.2 of worker 2"),
        ([-0.1], "chance -0.1 of worker 1"),
        ([math.nan], "chance nan of worker 1"),
    ],
)
def test_chances_that_are_none_are_refused(chances: list[float], said: str) -> None:
    """With the value and the worker."""
    with pytest.raises(SpancrewError, match=said):
        bound_point(chances)


def test_impossible_promises_and_no_draws_are_refused() -> None:
    """In one sentence each."""
    with pytest.raises(SpancrewError, match="promise of 1"):
        workers_needed(0.7, 1.0)
    with pytest.raises(SpancrewError, match="0 draws"):
        bound_point([0.7], draws=0)


@pytest.mark.realdata
def test_a_real_crowd_errs_together_as_the_page_says(real_data: Path) -> None:
    """CoNLL: the gold spans with exactly four answers, and how many answers are exactly right."""
    dataset = read(real_data / "conll-crowd" / "collected.json").dataset
    answers = dataset.answers
    exactly_right = answer_scores(dataset, Metric("exact"))[:, 2] > 1 - 1e-9
    found = _found(dataset)
    heads = [(s, right) for s, right in found if len(right) == 4]
    chances = _shares(dataset, found)
    crowds = [chances[answers.worker[answers.first[s] : answers.first[s + 1]]] for s, _ in heads]
    four = np.array([right.sum() for _, right in heads])
    promised = [majority_bound(c) for c in crowds if c.mean() >= 0.5]
    enough = np.repeat(answers.per_sentence, answers.per_sentence) >= 4

    assert len(heads) == 2508
    assert np.mean([majority_right(c) for c in crowds], axis=0) == pytest.approx(
        (0.842, 0.508, 0.675), abs=5e-4
    )
    assert (np.mean(four >= 2), np.mean(four > 2)) == pytest.approx((0.723, 0.532), abs=5e-4)
    assert (four.mean() / 4, np.mean(crowds)) == pytest.approx((0.604, 0.618), abs=5e-4)
    assert (np.mean(promised), len(promised)) == pytest.approx((0.088, 2234), abs=5e-4)
    assert np.mean(exactly_right[enough]) == pytest.approx(0.45, abs=5e-3)


def _found(dataset: Dataset) -> list[tuple[int, np.ndarray]]:
    """Return for every gold span its sentence and which of the answers have it."""
    answers, given_spans = dataset.answers, span_table(dataset.answers.codes)
    have = set(zip(*(column.tolist() for column in given_spans), strict=True))
    spans = zip(*(column.tolist() for column in span_table(dataset.gold)), strict=True)
    return [
        (s, np.array([(k, *span) in have for k in range(*answers.first[s : s + 2])], bool))
        for s, *span in spans
    ]


def _shares(dataset: Dataset, found: list[tuple[int, np.ndarray]]) -> np.ndarray:
    """Return for every worker the share of gold spans that they found."""
    first, worker = dataset.answers.first, dataset.answers.worker
    who = np.concatenate([worker[first[s] : first[s + 1]] for s, _ in found])
    right = np.concatenate([right for _, right in found])
    return np.bincount(who, right) / np.bincount(who)
