"""Which numbers a plan may have."""

import math
from typing import TYPE_CHECKING, Any

from spancrew.errors import PlanError

if TYPE_CHECKING:
    from spancrew.campaign._plan import Plan

_WHOLE = {
    "crew": (1, 100_000),
    "answers": (1, 1_000),
    "seed": (0, 2**63 - 1),
    "cap": (1, 2**31 - 1),
}
_SECONDS = "lease", "presence"


def refuse_numbers(plan: "Plan") -> None:
    """Refuse numbers that no campaign can be run with."""
    for name, (least, most) in _WHOLE.items():
        _refuse_part(name, getattr(plan, name), least, most)
    for name in _SECONDS:
        given = getattr(plan, name)
        if not (_is_number(given) and 1 <= given < math.inf):
            raise PlanError(f"{name} {given!r}: at least 1 second is needed")
    if not (_is_number(plan.gold_share) and 0 <= plan.gold_share < 1):
        raise PlanError(f"gold_share {plan.gold_share!r}: it is a share from 0 to below 1")
    money = {"budget": plan.budget, "price": plan.prices.answer, "expert": plan.prices.expert}
    for name, given in money.items():
        if given is not None and not (_is_number(given) and 0 <= given < math.inf):
            raise PlanError(f"{name} {given!r}: it is an amount of money from 0 up")


def _refuse_part(name: str, given: Any, least: int, most: int) -> None:
    if given is None and name == "cap":
        return
    if not isinstance(given, int) or isinstance(given, bool):
        raise PlanError(f"{name} {given!r}: a whole number is needed")
    if not least <= given <= most:
        raise PlanError(f"{name} {given}: it must be from {least} to {most}")


def _is_number(given: Any) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)
