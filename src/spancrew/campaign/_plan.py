"""What is to be done: labels, the three choices, prices and limits."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from spancrew.campaign._forecast import PlanForecast
from spancrew.campaign._legend import (
    MOST_INSTRUCTION,
    Legend,
    legend_of,
    refuse_legend,
    refuse_text,
)
from spancrew.consensus import (
    Consensus,
    ServesChoices,
    consensus_method,
    consensus_methods,
    consensus_name,
    refuse_unnamed_method,
    suited_to,
)
from spancrew.core import Kind, LabelSet, refuse_incomplete, refuse_unnamed
from spancrew.errors import JournalError, PlanError, SpancrewError
from spancrew.feedback import (
    ExpectedErrorGate,
    FeedbackRule,
    Prices,
    audit_chance,
    audit_of,
    feedback_name,
    feedback_rule,
    feedback_rules,
    refuse_audit,
)
from spancrew.metrics import Metric
from spancrew.policies import (
    CrewSize,
    DifficultyThompson,
    Policy,
    policies,
    policy,
    policy_name,
)

Mode = Literal["stream", "rounds"]
WarmUp = Literal["shared", "own", "none"]

_PAPERS_CREW = 20
_USUAL_AHEAD = 1
_MOST_SUGGESTED = 0.9
"""The largest share of the assignments with suggestions; the rest tells what they do."""
_SAID_APART = {
    "policy",
    "feedback",
    "consensus",
    "crew",
    "audit",
    "prices",
    "labels",
    "forecast",
    "ahead",
    "instruction",
    "legend",
    "suggestions",
}
_WHOLE = {
    "crew": (1, 100_000),
    "answers": (1, 1_000),
    "seed": (0, 2**63 - 1),
    "cap": (1, 2**31 - 1),
    "members": (0, 100),
    "ahead": (0, 31),
}
_SECONDS = "lease", "presence"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a campaign is run; every plan that can be built can be followed.

    Policy, feedback rule and consensus method are chosen freely; without ``consensus``, the usual
    one of the rule is taken. A sentence gets ``answers`` answers by a crew of ``crew`` workers;
    with ``auto``, everybody who is there and good enough. Where nothing is said, a stream has that
    and rounds have 20, as in the paper. ``mode``: in a ``stream`` whoever of the crew is free gets
    the sentence that is closest to done; in ``rounds`` a crew is chosen again when all its
    sentences are settled, as in the paper.
    ``kind``: ``spans`` over tokens, or ``choices``, one label for every token. ``warm_up``: what a
    new worker labels first; a ``shared`` sentence whose labels are known (an expert's where there
    is no gold), one of their ``own`` labelled by an expert, as in the paper, or ``none``. Of the
    assignments, ``gold_share`` are sentences with known labels. Of the sentences that the crowd
    settles, an expert labels ``audit`` as well, without seeing any answer: a share below 1 or a
    number; where nothing is said 5 %, or none if the rule asks no experts. A worker has ``lease``
    seconds for an assignment, gives at most ``cap`` answers, and counts as there for ``presence``
    seconds after they were last heard of. ``budget`` is never exceeded. At most
    ``members`` models answer a sentence beside the people; without a number, all that have joined.
    Where they are heard, what they say is shown to the people on a share ``suggestions`` of the
    assignments, up to 0.9, so that the others tell how far people follow it; spans only.
    A campaign that ``stays_open`` does not end when all sentences are settled, as more may come.
    ``ahead`` sentences wait on a worker's page beside the one in hand, so that they can go on
    without a connection; others cannot have them meanwhile. ``instruction`` is the one line that
    everybody sees above a sentence, ``legend`` what is said of the labels. ``forecast`` is what
    was expected when the campaign was planned; these three change nothing.
    """

    labels: tuple[str, ...]
    policy: Policy = field(default_factory=DifficultyThompson)
    feedback: FeedbackRule = field(default_factory=ExpectedErrorGate)
    consensus: Consensus | None = None
    mode: Mode = "stream"
    kind: Kind = "spans"
    crew: CrewSize | None = None
    answers: int = 4
    warm_up: WarmUp = "shared"
    gold_share: float = 0.0
    audit: float | None = None
    prices: Prices = field(default_factory=Prices)
    budget: float | None = None
    cap: int | None = None
    lease: float = 600.0
    presence: float = 120.0
    seed: int = 0
    members: int | None = None
    suggestions: float = 0.0
    stays_open: bool = False
    ahead: int = _USUAL_AHEAD
    instruction: str = ""
    legend: Legend = ()
    forecast: PlanForecast | None = None

    def __post_init__(self) -> None:
        """Refuse what no campaign can follow."""
        LabelSet(self.labels)
        if not self.labels:
            raise PlanError("a plan needs at least one label, such as PER")
        self._refuse_unknown_words()
        _refuse_numbers(self)
        refuse_text("the instruction", self.instruction, MOST_INSTRUCTION)
        refuse_legend(self.legend, self.labels)
        self._refuse_audit()
        if self.crew_size != "auto" and self.crew_size < self.answers:
            raise PlanError(
                f"a crew of {self.crew_size} cannot give {self.answers} answers on a sentence: "
                f"take a crew of at least {self.answers}, or fewer answers"
            )
        self._refuse_strangers()
        if self.policy.needs_truth:
            raise PlanError(
                f"the policy {policy_name(self.policy)!r} needs the true scores of the workers, "
                "which only a rehearsal knows; choose another one"
            )

    def _refuse_strangers(self) -> None:
        """Refuse a policy, a rule or a method that the journal could not name."""
        try:
            refuse_incomplete(self.policy, Policy)
            refuse_incomplete(self.feedback, FeedbackRule)
            refuse_incomplete(self.method, Consensus)
            refuse_unnamed(self.policy, "policy", policies())
            refuse_unnamed(self.feedback, "feedback", feedback_rules())
            refuse_unnamed_method(self.method)
            if self.kind == "spans":
                suited_to(self.method, self.kind)
        except SpancrewError as error:
            raise PlanError(str(error)) from None

    def _refuse_audit(self) -> None:
        try:
            refuse_audit(self.audit)
        except SpancrewError as error:
            raise PlanError(str(error)) from None

    def _refuse_unknown_words(self) -> None:
        for name, words in (("mode", Mode), ("kind", Kind), ("warm_up", WarmUp)):
            if getattr(self, name) not in get_args(words):
                known = ", ".join(get_args(words))
                raise PlanError(f"{name} {getattr(self, name)!r} is not known (one of {known})")

    @property
    def label_set(self) -> LabelSet:
        """Return the labels with their numbers."""
        return LabelSet(self.labels)

    @property
    def method(self) -> Consensus:
        """Return the consensus method: the one given, else the usual one of the rule."""
        return self.consensus or self.feedback.usual_consensus

    @property
    def crew_size(self) -> CrewSize:
        """Return how many workers a step asks: the number given, else the usual of the mode."""
        if self.crew is not None:
            return self.crew
        return "auto" if self.mode == "stream" else max(_PAPERS_CREW, self.answers)

    @property
    def joins(self) -> Consensus:
        """Return the form of the method that suits the kind of answers, where it has one."""
        is_chosen = self.kind == "choices" and isinstance(self.method, ServesChoices)
        return suited_to(self.method, "choices") if is_chosen else self.method

    @property
    def metric(self) -> Metric:
        """Return what answers are scored by: exact spans; for choices that is the accuracy."""
        return Metric()

    @property
    def first(self) -> int:
        """Return with how many answers of people a sentence starts if no model comes first."""
        first = self.feedback.first
        return self.answers if first is None else min(max(first, 1), self.answers)

    @property
    def models_first(self) -> bool:
        """Tell whether the rule looks at what models say before people are asked."""
        return self.feedback.first == 0

    @property
    def audits(self) -> float:
        """Return what is audited: a share below 1, or a number of sentences."""
        return audit_of(self.audit, self.feedback)

    def audit_chance(self, sentences: int) -> float:
        """Return the probability with which a sentence that the crowd settles is audited."""
        return audit_chance(self.audits, sentences)

    @property
    def has_experts(self) -> bool:
        """Tell whether experts may be asked about sentences."""
        return self.feedback.asks_experts or self.audits > 0

    def with_rule(self, feedback: FeedbackRule) -> "Plan":
        """Return the same plan with another feedback rule; the consensus method stays."""
        return replace(self, feedback=feedback, consensus=self.method)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON; policy, rule and method go by their names."""
        return {
            "labels": list(self.labels),
            "policy": policy_name(self.policy),
            "feedback": feedback_name(self.feedback),
            "consensus": consensus_name(self.method),
            "crew": self.crew_size,
            "audit": self.audits,
            "prices": {"answer": self.prices.answer, "expert": self.prices.expert},
            **{f.name: getattr(self, f.name) for f in fields(self) if f.name not in _SAID_APART},
            **self._said(),
        }

    def _said(self) -> dict[str, Any]:
        """Return what few plans have, and what is told to people, where there is any."""
        forecast = None if self.forecast is None else self.forecast.to_json()
        legend = {label: note.to_json() for label, note in self.legend}
        ahead = self.ahead if self.ahead != _USUAL_AHEAD else None
        said = {
            "ahead": ahead,
            "suggestions": self.suggestions or None,
            "instruction": self.instruction,
            "legend": legend,
        }
        return {name: value for name, value in said.items() if value not in (None, "", {})} | (
            {} if forecast is None else {"forecast": forecast}
        )

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Plan":
        """Return the plan that JSON describes; missing fields have their defaults.

        >>> Plan.from_json({"labels": ["PER"], "policy": "cucb:scale=0.2"}).policy
        Cucb(scale=0.2)
        """
        if not isinstance(given, Mapping):
            raise PlanError(f"this is not a plan: {given!r}")
        known = {f.name for f in fields(cls)}
        for name in given:
            if name not in known:
                has = ", ".join(sorted(known))
                raise PlanError(f"a plan has no {name!r}; it has {has}")
        try:
            there = {name: value for name, value in given.items() if value is not None}
            return cls(**{name: _value(name, value) for name, value in there.items()})
        except (TypeError, KeyError) as error:
            raise PlanError(f"this is not a plan: {error}") from None


def recorded_plan(given: Mapping[str, Any]) -> Plan:
    """Return the plan of a journal; say what is missing where it cannot be followed here."""
    for part, known in _OFFERED.items():
        _refuse_missing(part, given.get(part), known())
    try:
        return Plan.from_json(given)
    except SpancrewError as error:
        raise JournalError(
            f"this version of spancrew cannot follow the plan in the journal: {error}"
        ) from None


def recorded_rule(spec: str) -> FeedbackRule:
    """Return a feedback rule of a journal; say so if nobody offers it here."""
    _refuse_missing("feedback", spec, feedback_rules())
    return feedback_rule(spec)


def _refuse_missing(part: str, spec: Any, known: Mapping[str, Any]) -> None:
    """Refuse a part of a plan that no installed package offers."""
    name = re.split("[:+]", spec)[0] if isinstance(spec, str) else None
    if name is not None and name not in known:
        raise JournalError(
            f"this campaign needs the {_CALLED[part]} {name!r}, which is not installed here; "
            "install the package that offers it, and start the server again"
        )


_OFFERED: dict[str, Callable[[], Mapping[str, Any]]] = {
    "policy": policies,
    "feedback": feedback_rules,
    "consensus": consensus_methods,
}
_CALLED = {"policy": "policy", "feedback": "feedback rule", "consensus": "consensus method"}


def _value(name: str, given: Any) -> Any:
    """Return the value of one entry of a plan in JSON."""
    if name in _BY_NAME:
        if not isinstance(given, str | Mapping):
            raise PlanError(f"{name} {given!r}: write a name, with options if need be")
        return _BY_NAME[name](given)
    return _OTHERS[name](given) if name in _OTHERS else given


_BY_NAME: dict[str, Callable[[Any], Any]] = {
    "policy": policy,
    "feedback": feedback_rule,
    "consensus": consensus_method,
}


def _labels(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
        raise PlanError(f"labels {given!r}: write a list of names, such as ['PER', 'LOC']")
    return tuple(given)


def _prices(given: Any) -> Prices:
    if not isinstance(given, Mapping) or not set(given) <= {"answer", "expert"}:
        raise SpancrewError(
            f"prices {given!r} cannot be read; write them as {{'answer': 0.1, 'expert': 1}}"
        )
    return Prices(**given)


_OTHERS: dict[str, Callable[[Any], Any]] = {
    "labels": _labels,
    "prices": _prices,
    "forecast": PlanForecast.from_json,
    "legend": legend_of,
}


def _refuse_numbers(plan: Plan) -> None:
    """Refuse numbers that no campaign can be run with."""
    for name, (least, most) in _WHOLE.items():
        _refuse_part(name, getattr(plan, name), least, most)
    if not isinstance(plan.stays_open, bool):
        raise PlanError(f"stays_open {plan.stays_open!r}: it is true or false")
    for name in _SECONDS:
        given = getattr(plan, name)
        if not (_is_number(given) and 1 <= given < math.inf):
            raise PlanError(f"{name} {given!r}: at least 1 second is needed")
    if not (_is_number(plan.gold_share) and 0 <= plan.gold_share < 1):
        raise PlanError(f"gold_share {plan.gold_share!r}: it is a share from 0 to below 1")
    _refuse_suggestions(plan)
    money = {"budget": plan.budget, "price": plan.prices.answer, "expert": plan.prices.expert}
    for name, given in money.items():
        if given is not None and not (_is_number(given) and 0 <= given < math.inf):
            raise PlanError(f"{name} {given!r}: it is an amount of money from 0 up")


def _refuse_suggestions(plan: Plan) -> None:
    given = plan.suggestions
    if not (_is_number(given) and 0 <= given <= _MOST_SUGGESTED):
        raise PlanError(
            f"suggestions {given!r}: it is a share from 0 to {_MOST_SUGGESTED}, so that some "
            "answer without having seen one"
        )
    if given and plan.kind != "spans":
        raise PlanError("suggestions are for spans; leave them out where choices are made")


def _refuse_part(name: str, given: Any, least: int, most: int) -> None:
    optional = name in {"cap", "crew", "members"}
    if (given is None and optional) or (given == "auto" and name == "crew"):
        return
    if not isinstance(given, int) or isinstance(given, bool):
        also = ", or auto" if name == "crew" else ""
        raise PlanError(f"{name} {given!r}: a whole number is needed{also}")
    if not least <= given <= most:
        raise PlanError(f"{name} {given}: it must be from {least} to {most}")


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
