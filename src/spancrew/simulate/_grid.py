"""Grids: all combinations of crowds, methods, crews and answers, as texts name them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple, get_args

from spancrew.augment import Ties
from spancrew.consensus import Consensus, consensus_method, with_members
from spancrew.core import parse_spec
from spancrew.errors import SpancrewError
from spancrew.feedback import USUAL_AUDIT, FeedbackRule, feedback_rule
from spancrew.policies import CrewSize, Policy, crew_size, policy
from spancrew.simulate._cell import Cell
from spancrew.simulate._crowd import CROWDS, CrowdKind
from spancrew.simulate._setting import Setting

CREW = 20
"""The usual size of a crew, where there are as many workers."""
ANSWERS = 4
"""The usual number of answers on a sentence, where there are as many workers."""
QUALITY = 0.95
"""The F1 of the final labels that is aimed at, unless told."""

PAPERS_BEST = ("cucb:scale=0.2", "gate")
"""What the paper recommends."""

_PAPERS = (
    ("oracle", "gate"),
    ("random", "gate"),
    *product(("epsilon-greedy", "thompson", PAPERS_BEST[0]), ("expert", "crowd", "gate")),
)


def usual_methods(quality: float) -> Iterator[tuple[str, str, float]]:
    """Yield policy, rule and audits: the eleven of the paper, and three that beat them.

    Rules that can aim at a quality of the final labels do. They need audits to see whether they
    reach it, as many as in a live campaign.
    """
    for who, rule in _PAPERS:
        yield who, rule, 0.0
    yield "difficulty-thompson", "gate", 0.0
    for rule in ("expected-error", "adaptive"):
        aims = 0 < quality < 1
        yield (
            "difficulty-thompson",
            f"{rule}:quality={quality:g}" if aims else rule,
            USUAL_AUDIT if aims else 0.0,
        )


class CrowdChoice(NamedTuple):
    """A crowd as named on the command line."""

    name: str
    kind: CrowdKind
    ties: Ties = "uniform"


def crowd_choice(text: str) -> CrowdChoice:
    """Return the crowd that a text names: calibrated, ses, ses:ties=first, replay, bernoulli."""
    name, options = parse_spec(text)
    kind = next((each for each in CROWDS if each == name), None)
    if kind is None:
        raise SpancrewError(f"crowd {name!r} is not known (one of {', '.join(CROWDS)})")
    ties = options.pop("ties", None) if kind == "ses" else None
    if options:
        offered = "ses has the option ties" if kind == "ses" else f"{kind} has none"
        raise SpancrewError(f"crowd {kind!r} has no option {next(iter(options))!r}: {offered}")
    if ties is None:
        return CrowdChoice(text, kind)
    known = next((each for each in get_args(Ties) if each == ties), None)
    if known is None:
        raise SpancrewError(f"ties {ties!r} is not known (one of {', '.join(get_args(Ties))})")
    return CrowdChoice(text, kind, known)


class Grid(NamedTuple):
    """What is combined: crowds, methods (policy, rule, consensus and audits), crews, answers."""

    crowds: Sequence[CrowdChoice]
    methods: Sequence[tuple[Policy, FeedbackRule, Consensus, float]]
    crews: Sequence[CrewSize | None]
    answers: Sequence[int | None]

    @classmethod
    def of(
        cls,
        crowds: Sequence[str] | None,
        policies: Sequence[str] | None,
        rules: Sequence[str] | None,
        joins: Sequence[str] | None,
        crews: Sequence[int | str] | None,
        answers: Sequence[int] | None,
        quality: float = QUALITY,
    ) -> "Grid":
        """Return the grid that options describe; the usual methods if none are named.

        Those of them that can do so aim at a ``quality``.
        """
        methods: Iterable[tuple[str, str, float]] = usual_methods(quality)
        if policies or rules or joins:
            methods = product(policies or ["difficulty-thompson"], rules or ["gate"], [0.0])
        named = [(policy(one), feedback_rule(other), audit) for one, other, audit in methods]
        return cls(
            [crowd_choice(each) for each in crowds or ["calibrated"]],
            [
                (who, rule, join, audit)
                for who, rule, audit in named
                for join in [consensus_method(each) for each in joins or ()]
                or [rule.usual_consensus]
            ],
            [crew_size(each) for each in crews or ()] or [None],
            answers or [None],
        )

    def with_members(self, members: Sequence[str]) -> "Grid":
        """Return the same, with members beside the people in every consensus method."""
        methods = [
            (who, rule, with_members(join, members), audit)
            for who, rule, join, audit in self.methods
        ]
        return self._replace(methods=methods)

    def cells(self, base: Setting, workers: int) -> Iterator[Cell]:
        """Yield every combination, with the usual crew and answers where none are named.

        What is audited is up to ``base``, or else to the method.
        """
        for choice, (who, rule, join, audit), crew, answers in product(
            self.crowds, self.methods, self.crews, self.answers
        ):
            each = answers or min(ANSWERS, workers)
            setting = replace(
                base,
                policy=who,
                feedback=rule,
                consensus=join,
                crew=crew or max(min(CREW, workers), each),
                answers=each,
                audit=base.audit or audit,
            )
            yield Cell(choice.name, setting)
