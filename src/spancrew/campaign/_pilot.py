"""What makes a campaign a pilot: a few sentences, and a plan that is fair to all workers."""

from collections.abc import Mapping
from typing import Any

from spancrew.errors import PlanError

LEAST_PILOT = 20
"""Sentences of a pilot: fewer are no basis for a plan."""

MOST_PILOT = 200
"""Sentences of a pilot: more need a plan of their own."""

LEAST_PILOT_ANSWERS = 2
"""Answers on a sentence of a pilot: one says nothing of how workers agree."""

_DECIDED: dict[str, Any] = {
    "policy": "random",
    "feedback": "crowd",
    "consensus": "mv",
    "crew": "auto",
    "mode": "stream",
    "warm_up": "none",
    "gold_share": 0.0,
    "stays_open": False,
}
"""What makes a pilot fair to all workers: nobody is chosen by what they did before."""


def pilot_plan(given: Any, size: int) -> Any:
    """Return the plan of a pilot: workers chosen at random, and an expert for every sentence.

    The experts see no answers, as in an audit, so that their labels say how good the answers are.
    Plans are as in JSON; what is none is returned as it is, for whoever reads it to refuse.
    """
    if not isinstance(given, Mapping):
        return given
    told = {name: value for name, value in given.items() if value is not None}
    for name in (*_DECIDED, "audit", "forecast"):
        if name in told:
            raise PlanError(f"{name}: this is settled for a pilot; leave it out")
    answers = told.get("answers")
    if isinstance(answers, int) and answers < LEAST_PILOT_ANSWERS:
        raise PlanError(
            f"answers {answers}: a pilot needs at least {LEAST_PILOT_ANSWERS} on a sentence, or "
            "nothing is known of how workers agree"
        )
    return {**told, **_DECIDED, "audit": size}
