"""What a frontier compares: consensus methods with gates that decide when to ask the expert."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from typing import Literal, Protocol, get_args

import numpy as np

from spancrew.consensus import Beliefs, Consensus, consensus_method, consensus_name, with_members
from spancrew.core import Answers, BoolArray, FloatArray, Kind
from spancrew.errors import SpancrewError
from spancrew.feedback import Doubts, ExpectedErrorGate, Prices, Situation
from spancrew.metrics import agreement

GateName = Literal["expected-error", "kappa", "random", "kappa-hindsight"]
GATES: tuple[GateName, ...] = get_args(GateName)

_NO_AGREEMENT = -1.0
"""Stands for the agreement of a single answer, which has none: the least there can be."""


_DEFAULT: tuple[tuple[str, str], ...] = (
    ("mv", "kappa-hindsight"),
    ("mv", "kappa"),
    ("mv", "expected-error"),
    ("span-vote", "expected-error"),
    ("ds", "expected-error"),
    ("span-ds", "expected-error"),
    ("bsc", "expected-error"),
    ("auto", "expected-error"),
    ("auto", "random"),
)


_DEFAULT_CHOICES: tuple[tuple[str, str], ...] = (
    ("mv", "kappa-hindsight"),
    ("mv", "kappa"),
    ("mv", "expected-error"),
    ("ds", "expected-error"),
    ("two-coin", "expected-error"),
    ("auto", "expected-error"),
    ("auto", "random"),
)


class Gate(Protocol):
    """Decides on sentences in the order of their arrival, some at a time."""

    def asks(self, place: slice, answers: Answers, beliefs: Beliefs) -> BoolArray:
        """Tell for the sentences in this place whether the expert is asked."""
        ...


def gate_name(name: str) -> GateName:
    """Return the name if there is a gate of that name."""
    for known in GATES:
        if name == known:
            return known
    near = get_close_matches(name, GATES, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(GATES)}"
    raise SpancrewError(f"gate {name!r} is not known: {hint}")


def gate_for(
    name: GateName,
    share: float,
    answers: Answers,
    rng: np.random.Generator,
    kind: Kind = "spans",
) -> Gate:
    """Return a gate for sentences that arrive in this order.

    ``expected-error``, ``kappa`` and ``random`` steer towards the share by the same rule and
    differ only in what they doubt: sentences with many expected errors, with little agreement, or
    any. ``kappa-hindsight`` knows all agreement beforehand and asks on exactly the lowest. For
    choices, agreement is the share of pairs of answers that agree: kappa is lost on few questions.
    """
    made: dict[GateName, Callable[[], Gate]] = {
        "expected-error": lambda: Steered(share),
        "kappa": lambda: Steered(share, _disagreement(answers, kind)),
        "random": lambda: Steered(share, 1.0 - rng.random(answers.sentences)),
        "kappa-hindsight": lambda: Hindsight(share, _disagreement(answers, kind), rng),
    }
    return made[name]()


def _disagreement(answers: Answers, kind: Kind) -> FloatArray:
    found = agreement(answers, "pairwise_f1" if kind == "choices" else "fleiss")
    return 1.0 - np.where(np.isnan(found), _NO_AGREEMENT, found)


class Steered:
    """Asks on the most doubtful share of the sentences, as far as the past can tell.

    Without a ``doubt`` for every sentence, expected errors are the doubt.
    """

    def __init__(self, share: float, doubt: FloatArray | None = None) -> None:
        self._rule = ExpectedErrorGate(expert_share=share)
        self._doubt = doubt
        self._doubts = Doubts.start(1)

    def asks(self, place: slice, answers: Answers, beliefs: Beliefs) -> BoolArray:
        """Compare the doubts with those seen before, and remember them."""
        if self._doubt is not None:
            beliefs = beliefs._replace(errors=self._doubt[place])
        run = np.zeros(answers.sentences, np.int64)
        verdict = self._rule.judge(answers, beliefs, Situation(self._doubts, run, run, Prices()))
        self._doubts.learn(run, beliefs, verdict)
        return ~verdict.trusted


class Hindsight:
    """Asks on the most doubtful share of all sentences; among equals, on any."""

    def __init__(self, share: float, doubt: FloatArray, rng: np.random.Generator) -> None:
        most_doubtful = np.lexsort((rng.random(len(doubt)), -doubt))
        self._asked = np.zeros(len(doubt), bool)
        self._asked[most_doubtful[: round(share * len(doubt))]] = True

    def asks(self, place: slice, answers: Answers, beliefs: Beliefs) -> BoolArray:
        """Look up what was decided beforehand."""
        del answers, beliefs
        return self._asked[place]


@dataclass(frozen=True, slots=True)
class Pair:
    """How answers are joined, and who decides to ask the expert."""

    consensus: Consensus
    gate: GateName

    @property
    def method(self) -> str:
        """Return the name of the consensus method."""
        return consensus_name(self.consensus)

    @property
    def name(self) -> str:
        """Return both names."""
        return f"{self.method} + {self.gate}"


def pairs_of(
    methods: Sequence[str] = (),
    gates: Sequence[str] = (),
    members: Sequence[str] = (),
    kind: Kind = "spans",
) -> tuple[Pair, ...]:
    """Return all combinations of the methods and gates of these names.

    Without gates, expected errors decide; without methods, ``auto`` joins the answers. Without
    either: the paper's recipe, every method that serves the kind with its expected errors, and
    experts at random. Every method hears ``members`` beside the people.

    >>> [pair.name for pair in pairs_of(["mv"], ["kappa", "random"])]
    ['mv + kappa', 'mv + random']
    """
    named = _DEFAULT_CHOICES if kind == "choices" else _DEFAULT
    if methods or gates:
        named = tuple(product(methods or ["auto"], gates or ["expected-error"]))
    pairs = [
        Pair(with_members(consensus_method(method), members), gate_name(gate))
        for method, gate in named
    ]
    return tuple({pair.name: pair for pair in pairs}.values())
