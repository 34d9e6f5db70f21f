"""When there is an alert: limits, and how an operator writes others."""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from spancrew.errors import SpancrewError

AlertKind = Literal["budget", "stalled", "idle", "experts", "disk", "backup"]

_HOUR = 3600.0
_SECONDS = {"m": 60.0, "h": _HOUR, "d": 24 * _HOUR}
_SHARES = ("budget", "disk")


@dataclass(frozen=True, slots=True)
class AlertLimits:
    """When an alert is raised; the second of two numbers is where it is cleared again.

    ``budget`` is the share of the budget that is spent or committed, ``disk`` the share of the
    disk that is free, ``idle`` the share of the workers present who have no assignment. The rest
    are seconds: without a settled sentence, with idle workers, of the oldest question to experts,
    and since the last backup. Who was heard of in the last ``present`` seconds is present. Alerts
    that are ``off`` are never raised.
    """

    budget: tuple[float, float] = (0.9, 0.85)
    disk: tuple[float, float] = (0.1, 0.12)
    idle: tuple[float, float] = (0.5, 0.25)
    stalled_seconds: float = 0.5 * _HOUR
    idle_seconds: float = 600.0
    experts_seconds: float = 24 * _HOUR
    backup_seconds: float = 48 * _HOUR
    present: float = 120.0
    off: frozenset[AlertKind] = frozenset()


def parsed_limits(text: str) -> AlertLimits:
    """Return the usual limits with those that a text changes.

    >>> limits = parsed_limits("budget=0.8,experts=2d,backup=off")
    >>> limits.budget[0], limits.experts_seconds, sorted(limits.off)
    (0.8, 172800.0, ['backup'])
    """
    limits = AlertLimits()
    for part in filter(None, (each.strip() for each in text.split(","))):
        limits = _changed(limits, part)
    return limits


def _changed(limits: AlertLimits, part: str) -> AlertLimits:
    name, _, value = (each.strip() for each in part.partition("="))
    kind = next((each for each in get_args(AlertKind) if each == name), None)
    if kind is None:
        known = ", ".join(get_args(AlertKind))
        raise SpancrewError(f"alerts: {name!r} is none of them (one of {known})")
    if value == "off":
        return replace(limits, off=limits.off | {kind})
    if kind in _SHARES:
        share = _share(part, value)
        back = share - 0.05 if kind == "budget" else 1.2 * share
        change: dict[str, Any] = {kind: (share, back)}
    else:
        change = {f"{kind}_seconds": _seconds(part, value)}
    return replace(limits, **change)


def _share(part: str, value: str) -> float:
    if re.fullmatch(r"0?\.\d+", value) and 0 < float(value) < 1:
        return float(value)
    raise SpancrewError(f"alerts: {part!r}: a share such as 0.8 is expected, or off")


def _seconds(part: str, value: str) -> float:
    found = re.fullmatch(r"(\d{1,6})([mhd])", value)
    if found is None or not int(found[1]):
        raise SpancrewError(f"alerts: {part!r}: a time such as 45m, 12h or 2d is expected, or off")
    return int(found[1]) * _SECONDS[found[2]]
