"""Agreement on a scale."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answers, Ragged
from spancrew.metrics import ordinal_alpha, overall_agreement, position_bias, weighted_kappa

ROWS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=8)


def answers_of(rows: list[list[int]]) -> Answers:
    """Return choices, a list for each sentence of one question."""
    sentence = [s for s, row in enumerate(rows) for _ in row]
    worker = [w for row in rows for w in range(len(row))]
    codes = Ragged.of([[2 * label + 1] for row in rows for label in row])
    return Answers(np.array(sentence, np.int32), np.array(worker, np.int32), codes, len(rows))


@given(rows=ROWS)
def test_alpha_on_a_scale_is_that_of_nltk(rows: list[list[int]]) -> None:
    """With the distances of the ordinal metric; it takes any number of answers on a question."""
    from nltk.metrics.agreement import AnnotationTask

    kept = [row for row in rows if len(row) > 1]
    labels = sorted(label for row in kept for label in row)
    found = ordinal_alpha(answers_of(rows))
    if len(set(labels)) < 2:
        assert found == (1.0 if kept else None)
        return
    count = {label: len(list(same)) for label, same in groupby(labels)}

    def apart(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = sum(n for label, n in count.items() if low <= label <= high)
        return float(between - (count[one] + count[other]) / 2) ** 2

    data = [(w, s, label) for s, row in enumerate(kept) for w, label in enumerate(row)]
    assert found == pytest.approx(AnnotationTask(data, apart).alpha())


@given(rows=st.lists(st.lists(st.integers(0, 1), min_size=2, max_size=4), min_size=2, max_size=8))
def test_two_labels_are_no_scale(rows: list[list[int]]) -> None:
    """There it is the nominal alpha."""
    answers = answers_of(rows)

    assert ordinal_alpha(answers) == pytest.approx(overall_agreement(answers, "alpha"))


def test_near_answers_agree_more_than_far_ones() -> None:
    """What a nominal measure cannot see."""
    near, far = [[0, 1], [3, 4], [2, 2]] * 4, [[0, 4], [1, 3], [2, 2]] * 4

    one, other = ordinal_alpha(answers_of(near)), ordinal_alpha(answers_of(far))
    assert one is not None
    assert other is not None
    assert one > 0.7 > other


@given(rows=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_weighted_kappa_of_two_workers_is_cohens(rows: list[tuple[int, int]]) -> None:
    """With the squared weights of scikit-learn."""
    from sklearn.metrics import cohen_kappa_score

    one, other = ([row[k] for row in rows] for k in (0, 1))
    found = weighted_kappa(answers_of([list(row) for row in rows]))
    if len({*one, *other}) == 1:
        assert found == 1.0
        return
    theirs = cohen_kappa_score(one, other, labels=list(range(5)), weights="quadratic")

    assert found == pytest.approx(theirs)


def test_weighted_kappa_adds_pairs_of_workers() -> None:
    """Worked out pair by pair; a question with one answer counts for chance alone."""
    rows = [[0, 1, 2], [4, 4], [3, 2, 4], [1]]
    levels = {w: [row[w] for row in rows if w < len(row)] for w in range(3)}
    apart = chance = 0.0
    for row in rows:
        for u in range(len(row)):
            for v in range(u):
                apart += (row[u] - row[v]) ** 2
                chance += float(np.mean([(a - b) ** 2 for a in levels[u] for b in levels[v]]))

    assert weighted_kappa(answers_of(rows)) == pytest.approx(1 - apart / chance)
    assert weighted_kappa(answers_of([[1], [2]])) is None


def test_a_worker_who_takes_the_first_response_stands_out() -> None:
    """By how much more often than the others on the same pairs; ties are left out."""
    rows = [[0, k % 2, k % 2, 2] for k in range(40)]
    found = position_bias(answers_of(rows), (0, 1, None), 5)

    assert found.pairs.tolist() == [40, 40, 40, 0, 0]
    assert found.bias[:3] == pytest.approx([0.5, -0.25, -0.25])
    assert found.low[0] > 0.3
    assert found.high[1] < 0
    assert np.isnan(found.bias[3:]).all()


def test_position_bias_is_the_mean_over_pairs() -> None:
    """With the interval of a mean."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (30, 3)).tolist()
    found = position_bias(answers_of(rows), (0, 1), 3)
    more = [(row[0] == 0) - np.mean([each == 0 for each in row[1:]]) for row in rows]

    assert found.bias[0] == pytest.approx(np.mean(more))
    half = 1.959964 * np.std(more, ddof=1) / np.sqrt(30)
    assert found.high[0] - found.bias[0] == pytest.approx(half, rel=1e-5)


def test_a_drawn_order_shows_what_all_have_in_common() -> None:
    """Two workers who always take what they see first, though they say A and B by turns."""
    rows = [[k % 2, (k + 1) % 2] for k in range(40)]
    turned = np.array([said == 1 for row in rows for said in row])
    answers = answers_of(rows)

    assert position_bias(answers, (0, 1), 2, turned).bias == pytest.approx([0.5, 0.5])
    assert position_bias(answers, (0, 1), 2, ~turned).bias == pytest.approx([-0.5, -0.5])
    assert position_bias(answers, (0, 1), 2).bias == pytest.approx([0.0, 0.0])
