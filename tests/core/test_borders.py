"""Arrays that do not fit together are refused before a kernel reads them."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answers, Chance, Dataset, Ragged, gather, offsets_of, span_table
from spancrew.errors import InvalidArrayError, SpancrewError
from tests.strategies import LABELS, datasets

ANY = st.integers(-3, 12)
NO_NUMBERS = st.sampled_from([np.float64, np.bool_, np.complex128, object, "U1"])


def two_answers() -> Answers:
    """Return two answers on a sentence of three tokens and one on a sentence of one."""
    columns = np.array([0, 0, 1], np.int32), np.array([0, 1, 0], np.int32)
    return Answers(*columns, Ragged.of([[0, 1, 2], [0, 0, 3], [1]]), 2)


@given(st.lists(ANY, max_size=6), st.integers(0, 10))
def test_offsets_are_right_or_refused(offsets: list[int], size: int) -> None:
    """Those that begin with 0, end with the size and never decrease are right."""
    right = offsets[:1] == [0] and offsets[-1] == size and offsets == sorted(offsets)
    values = np.zeros(size, np.uint8)
    if not right:
        with pytest.raises(InvalidArrayError, match="offsets"):
            Ragged(values, np.array(offsets, np.int64))
        return
    rows = Ragged(values, np.array(offsets, np.int64))

    assert rows.lengths.sum() == size
    assert span_table(rows).row.size == 0


@given(NO_NUMBERS)
def test_offsets_of_another_type_are_refused(dtype: str) -> None:
    """Whatever is not a whole number."""
    with pytest.raises(SpancrewError, match="offsets of rows: a flat array of whole numbers"):
        Ragged(np.zeros(1, np.uint8), np.array([0, 1], dtype))


def test_wrong_offsets_do_not_end_the_process() -> None:
    """They ended it with a segmentation fault once."""
    script = (
        "import numpy as np\n"
        "from spancrew.core import Ragged, span_table\n"
        "from spancrew.errors import SpancrewError\n"
        "try:\n"
        "    span_table(Ragged(np.ones(4, np.uint8), np.array([0, 10**12, 4])))\n"
        "except SpancrewError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)  # noqa: S603, PLW1510  our own script, whose end is looked at

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("offsets must not decrease: row 1 begins at 1000000000000")


@given(st.lists(ANY, max_size=6))
def test_rows_that_are_not_there_cannot_be_taken(rows: list[int]) -> None:
    """Neither by a negative number."""
    three = Ragged.of([[1, 2], [], [3]])
    wanted = np.array(rows, np.int64)
    if all(0 <= row < 3 for row in rows):
        assert [row.tolist() for row in three.take(wanted)] == [three[k].tolist() for k in rows]
        return
    with pytest.raises(InvalidArrayError, match="rows to take"):
        three.take(wanted)


@given(st.lists(ANY, max_size=4), st.lists(ANY, max_size=4), st.integers(0, 6))
def test_runs_are_copied_or_refused(begin: list[int], offsets: list[int], size: int) -> None:
    """Never read or written outside."""
    values, out = np.arange(5, dtype=np.uint8), np.zeros(size, np.uint8)
    try:
        gather(values, np.array(begin, np.int64), np.array(offsets, np.int64), out)
    except InvalidArrayError:
        return
    for k, start in enumerate(begin):
        low, high = offsets[k : k + 2]
        assert out[low:high].tolist() == list(range(start, start + high - low))


@given(
    st.lists(st.integers(-1, 3), min_size=2, max_size=4),
    st.lists(st.integers(-1, 3), min_size=2, max_size=4),
    st.lists(st.integers(0, 2), min_size=2, max_size=4),
    st.integers(0, 3),
)
def test_answers_fit_together_or_are_refused(
    sentence: list[int], worker: list[int], lengths: list[int], sentences: int
) -> None:
    """Equal numbers of columns, sentences in order, one length for a sentence."""
    size: dict[int, int] = {}
    right = (
        len(sentence) == len(worker) == len(lengths)
        and sentence == sorted(sentence)
        and all(0 <= each < sentences for each in sentence)
        and min(worker) >= 0
        and all(size.setdefault(s, n) == n for s, n in zip(sentence, lengths, strict=True))
    )
    codes = Ragged(np.zeros(sum(lengths), np.uint8), offsets_of(np.array(lengths)))
    columns = np.array(sentence, np.int32), np.array(worker, np.int32)
    if not right:
        with pytest.raises(InvalidArrayError):
            Answers(*columns, codes, sentences)
        return

    assert len(Answers(*columns, codes, sentences)) == len(sentence)


@given(st.lists(ANY, max_size=4))
def test_lengths_are_those_of_the_answers_or_refused(lengths: list[int]) -> None:
    """Their number, too."""
    answers = two_answers()
    if lengths == [3, 1]:
        assert answers.checked_lengths(np.array(lengths)).tolist() == lengths
        return
    with pytest.raises(InvalidArrayError, match="lengths of sentences"):
        answers.checked_lengths(np.array(lengths, np.int64))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([0, -1, 0]), "codes of answers: -1 is there, but 0 is the least possible"),
        (np.array([0.0, 1.0, 0.5]), "codes of answers: a flat array of whole numbers"),
        (np.array([0, 1, 2], np.uint64), "codes of answers: uint64 is too wide"),
    ],
)
def test_codes_are_small_whole_numbers(values: np.ndarray, message: str) -> None:
    """Others would be places outside of tables."""
    one = np.zeros(1, np.int32)
    with pytest.raises(InvalidArrayError, match=message):
        Answers(one, one, Ragged(values, np.array([0, 3])), 1)


@given(datasets(gold=True))
def test_a_data_set_has_gold_and_answers_of_its_own_sentences(data: Dataset) -> None:
    """Not of others, and no labels or workers that it does not know."""
    sentences = data.sentences
    wrong = [
        (data.gold.take(np.arange(len(data) - 1)), data.answers, data.workers),
        (Ragged(data.gold.values + 2 * len(LABELS) + 1, data.gold.offsets), *_rest(data)),
    ]
    if len(data.answers):
        wrong.append((data.gold, data.answers, ()))
    for gold, answers, workers in wrong:
        with pytest.raises(InvalidArrayError):
            Dataset(data.labels, sentences, workers, gold, answers)


def _rest(data: Dataset) -> tuple[Answers, tuple[str, ...]]:
    return data.answers, data.workers


def test_beta_numbers_are_drawn_for_as_many_runs_as_there_are() -> None:
    """The parameters have a row for each."""
    with pytest.raises(InvalidArrayError, match="are not for 3 runs"):
        Chance.of(1, range(3)).beta(np.ones((2, 4)), np.ones((2, 4)))
