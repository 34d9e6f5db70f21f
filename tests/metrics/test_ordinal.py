"""Agreement on a scale."""

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answers, Ragged
from spancrew.metrics import ordinal_alpha, overall_agreement

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
