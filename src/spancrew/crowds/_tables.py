"""The columns that the drawing kernels work on.

What is looked up together lies together, in records: that is quicker to read, and a kernel with
few arguments is quicker to compile.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray, IntArray

P = ParamSpec("P")
R = TypeVar("R")

Records = npt.NDArray[np.void]

CORRECT = -1
"""The outcome of a gold span that was marked exactly; others are rows of the mistakes."""

SORTS = 4
"""Sorts of mistakes: missed, label, borders, both."""

BARE, RIGHT, WRONG = range(3)
STATES = 3
"""What an answer did with the gold spans: there were none, all are right, or not."""

BLANK = -1
"""The state of an answer that was given without a look at the sentence."""

MISSED = 0
"""The first row of the mistakes: nothing was marked."""

_I, _F = np.int64, np.float64
_SENTENCE = [("tokens", _I), ("first", _I), ("last", _I), ("company", _I), ("extra", _F)]
_SPAN = [("start", _I), ("end", _I), ("label", _I), ("kind", _I), ("ease", _F)]
_MISTAKE = [("left", _I), ("right", _I), ("label", _I), ("sort", _I)]
_KIND = [("first", _I), ("count", _I), ("parent", _I)]
_GRID = [("ease", _F), ("weight", _F)]
_COMPANY = [("spread", _F), ("by_sentence", _F), ("by_answer", _F), ("variety", _F)]
_POPULARITY = [("popularity", _F), ("cdf", _F)]
_EXTRA = [("length", _I), ("label", _I)]
_ANSWER = [("worker", _I), ("outcome", _I), ("extra", _I), ("last_extra", _I)]
_MARKED = [("start", _I), ("end", _I), ("label", _I)]

SENTENCE, SPAN, MISTAKE, KIND = (np.dtype(d) for d in (_SENTENCE, _SPAN, _MISTAKE, _KIND))
GRID, COMPANY, POPULARITY = (np.dtype(d) for d in (_GRID, _COMPANY, _POPULARITY))
EXTRA, ANSWER, MARKED = (np.dtype(d) for d in (_EXTRA, _ANSWER, _MARKED))


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a loop that only kernels call, as ``kernel_part`` does; x / 0 gives inf or NaN.

    Loops that need not look for a division by zero are compiled for several numbers at a time.
    """
    bare = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    options: dict[str, Any] = {"error_model": "numpy", **bare}
    return cast("Callable[P, R]", numba.njit(**options)(function))


def sum_by(group: IntArray, values: FloatArray | None, groups: int) -> FloatArray:
    """Return the sum of the values of each group; without values, how many there are."""
    return np.bincount(group, values, groups).astype(np.float64)


def records(dtype: np.dtype[np.void], *columns: npt.ArrayLike) -> Records:
    """Return columns as records; a single value stands for a whole column."""
    rows: Records = np.empty(len(np.atleast_1d(columns[0])), dtype)
    for name, column in zip(dtype.names or (), columns, strict=True):
        rows[name] = column
    return rows


class SentenceSheet(NamedTuple):
    """Sentences to be answered: their gold spans and what the population finds hard in them.

    The gold spans of a sentence are ``first`` to ``last`` of ``span``; ``company`` is its class by
    their number, ``extra`` the spurious spans that an average worker marks in it. Of a span,
    ``ease`` is how much easier it is than the average one (in logits), ``kind`` its class of
    mistakes.
    """

    sentence: Records
    span: Records


class Mistakes(NamedTuple):
    """All ways to get a gold span wrong that were seen, and how often in each class of spans.

    A mistake moves the borders by ``left`` and ``right`` and gives ``label`` (-1: the right
    one). ``sort`` is 0 for missed, 1 for the label, 2 for the borders, 3 for both. A kind of span
    has ``count`` mistakes from ``first`` on in ``seen``; ``parent`` is the wider kind that is
    asked when there are few; the widest is its own parent.
    """

    mistake: Records
    seen: IntArray
    kind: Records


class Habits(NamedTuple):
    """What all workers share.

    ``grid`` is the distribution of how easy a span is. By class of ``company``: ``spread``
    stretches it, ``by_sentence`` and ``by_answer`` are the correlations between the
    spans of a sentence and between those of an answer, ``variety`` is how many different mistakes
    a span invites (the concentration of a Dirichlet process). ``strangeness`` is the same for
    spurious spans (a beta process). ``popularity`` is the distribution of
    how many workers mark a shared spurious span, ``shared`` how many there are and ``fresh`` how
    many are nobody else's, both per
    expected spurious span; ``extra`` are those that were seen. An empty answer is kept with
    probability ``keep_empty``; an answer is
    left blank outright with probability ``blank``. ``mess`` multiplies the spurious spans of an
    answer by its STATES: nothing to be marked, all right, something wrong. ``contagion`` is the
    chance that a span invites the same mistakes as the one of the same label before it.
    ``temptation`` is how much sentences differ in spurious spans (the sigma of a lognormal),
    ``slant`` how much more variety there is in the mistakes on easy spans, ``tilt`` how much
    rather a hard span is missed than mistaken.
    """

    grid: Records
    company: Records
    popularity: Records
    extra: Records
    mess: FloatArray
    strangeness: float
    shared: float
    fresh: float
    keep_empty: float
    blank: float
    contagion: float
    temptation: float
    slant: float
    tilt: float


class Team(NamedTuple):
    """What differs between workers: skill in logits, leaning to sorts of mistakes, extra spans."""

    skill: FloatArray
    leaning: FloatArray
    extra: FloatArray


class History(NamedTuple):
    """What is known of real answers: who gave which outcome, and which spurious spans.

    The answers on sentence ``s`` are ``first[s]`` to ``first[s + 1]``. The outcomes of an answer
    begin at its ``outcome`` (a gold span each); its spurious spans are ``extra`` to ``last_extra``
    of ``marked``.
    """

    first: IntArray
    answer: Records
    outcome: IntArray
    marked: Records


class CrowdTables(NamedTuple):
    """Everything that an answer is drawn from."""

    sheet: SentenceSheet
    mistakes: Mistakes
    habits: Habits
    team: Team
    history: History
