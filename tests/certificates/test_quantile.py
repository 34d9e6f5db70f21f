"""Quantiles and bounds, against scipy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spancrew.certificates._quantile import most_wrong, t_quantile


@pytest.mark.parametrize("share", [0.5, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9995])
@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 10, 30, 59, 60, 99, 500, 20_000])
def test_students_t_is_that_of_scipy(share: float, freedom: int) -> None:
    """By the finite series, and by the expansion for many degrees of freedom."""
    wanted = float(stats.t.ppf(share, freedom))

    assert t_quantile(share, freedom) == pytest.approx(wanted, rel=2e-6, abs=1e-9)


@given(st.data())
def test_the_most_wrong_sentences_are_those_of_the_hypergeometric_tail(
    data: st.DataObject,
) -> None:
    """As few wrong ones are still likely enough with them, and not with one more."""
    sentences = data.draw(st.integers(1, 400))
    audited = data.draw(st.integers(1, sentences))
    wrong = data.draw(st.integers(0, audited))
    level = data.draw(st.sampled_from([0.5, 0.9, 0.95, 0.99]))
    most = most_wrong(wrong, audited, sentences, level)

    def tail(all_wrong: int) -> float:
        return float(stats.hypergeom.cdf(wrong, sentences, all_wrong, audited))

    assert wrong <= most <= sentences - audited + wrong
    assert tail(most) > 1 - level - 1e-9
    assert most == sentences - audited + wrong or tail(most + 1) <= 1 - level + 1e-9


@pytest.mark.parametrize(("wrong", "audited"), [(0, 5), (0, 100), (3, 60), (60, 60)])
def test_in_a_large_population_it_is_the_bound_of_clopper_and_pearson(
    wrong: int, audited: int
) -> None:
    """Which is a quantile of a Beta distribution."""
    high = most_wrong(wrong, audited, 1_000_000, 0.95) / 1_000_000
    wanted = 1.0 if wrong == audited else stats.beta.ppf(0.95, wrong + 1, audited - wrong)

    assert high == pytest.approx(wanted, abs=1e-3)


def test_nothing_is_uncertain_if_all_are_audited() -> None:
    """The bound is the number itself."""
    assert [most_wrong(wrong, 50, 50, 0.99) for wrong in (0, 7, 50)] == [0, 7, 50]
