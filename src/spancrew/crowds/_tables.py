"""The columns that the drawing kernels work on."""

from typing import NamedTuple

from spancrew.core import FloatArray, IntArray

CORRECT = -1
"""The outcome of a gold span that was marked exactly; others are rows of the mistakes."""

SORTS = 4
"""Sorts of mistakes: missed, label, borders, both."""

BARE, RIGHT, WRONG = range(3)
STATES = 3
"""What an answer did with the gold spans: there were none, all are right, or not."""

MISSED = 0
"""The first row of the mistakes: nothing was marked."""


class Sheet(NamedTuple):
    """Sentences to be answered: their gold spans and what the population finds hard in them.

    The gold spans of sentence ``s`` are ``first[s]`` to ``first[s + 1]``. ``ease`` is how much
    easier a span is than the average one (in logits), ``kind`` its class of mistakes, ``company``
    the class of the sentence by its number of gold spans, ``extra`` the spurious spans that an
    average worker marks in the sentence.
    """

    tokens: IntArray
    first: IntArray
    start: IntArray
    end: IntArray
    label: IntArray
    ease: FloatArray
    kind: IntArray
    company: IntArray
    extra: FloatArray


class Mistakes(NamedTuple):
    """All ways to get a gold span wrong that were seen, and how often in each class of spans.

    A mistake moves the borders by ``left`` and ``right`` and gives ``label`` (-1: the right
    one). ``sort`` is 0 for missed, 1 for the label, 2 for the borders, 3 for both. The mistakes
    seen in class ``c`` are ``seen[first[c]:first[c + 1]]``; ``parent[c]`` is the wider class that
    is asked when there are few; the widest is its own parent.
    """

    left: IntArray
    right: IntArray
    label: IntArray
    sort: IntArray
    seen: IntArray
    first: IntArray
    parent: IntArray


class Habits(NamedTuple):
    """What all workers share.

    ``ease`` and ``weight`` are the distribution of how easy a span is. By class of company:
    ``spread`` stretches it, ``by_sentence`` and ``by_answer`` are the correlations between the
    spans of a sentence and between those of an answer, ``variety`` is how many different mistakes
    a span invites (the concentration of a Dirichlet process). ``strangeness`` is the same for
    spurious spans (a beta process). ``popularity`` and ``popularity_cdf`` are the distribution of
    how many workers mark a shared spurious span, ``shared`` how many there are and ``fresh`` how
    many are nobody else's, both per
    expected spurious span. An empty answer is kept with probability ``keep_empty``; an answer is
    left blank outright with probability ``blank``. ``mess`` multiplies the spurious spans of an
    answer by its STATES: nothing to be marked, all right, something wrong. ``contagion`` is the
    chance that a span invites the same mistakes as the one of the same label before it.
    ``temptation`` is how much sentences differ in spurious spans (the sigma of a lognormal),
    ``slant`` how much more variety there is in the mistakes on easy spans.
    """

    ease: FloatArray
    weight: FloatArray
    spread: FloatArray
    by_sentence: FloatArray
    by_answer: FloatArray
    variety: FloatArray
    strangeness: float
    popularity: FloatArray
    popularity_cdf: FloatArray
    shared: float
    fresh: float
    keep_empty: float
    blank: float
    contagion: float
    temptation: float
    slant: float
    mess: FloatArray
    extra_length: IntArray
    extra_label: IntArray


class Team(NamedTuple):
    """What differs between workers: skill in logits, leaning to sorts of mistakes, extra spans."""

    skill: FloatArray
    leaning: FloatArray
    extra: FloatArray


class History(NamedTuple):
    """What is known of real answers: who gave which outcome, and which spurious spans.

    The answers on sentence ``s`` are ``first[s]`` to ``first[s + 1]``; the outcomes of answer
    ``k`` begin at ``outcome_first[k]`` (a gold span each), its spurious spans at
    ``extra_first[k]``.
    """

    first: IntArray
    worker: IntArray
    outcome: IntArray
    outcome_first: IntArray
    extra_start: IntArray
    extra_end: IntArray
    extra_label: IntArray
    extra_first: IntArray
