"""Which of two responses a label prefers."""

from collections.abc import Iterable

from spancrew.core._labels import LabelSet

SIDES = ("A", "B")
"""What the two responses of a pair are called."""


def winner(label: str, labels: Iterable[str]) -> int | None:
    """Return which of two responses a label prefers, counted from 0; None if neither.

    A label is the name of a response, begins with it as in ``A-is-slightly-better``, or is a
    number of a scale that is below 0 for the first response and above 0 for the second.

    >>> [winner(label, ("A", "B", "tie")) for label in ("A", "B", "tie")]
    [0, 1, None]
    >>> winner("-2", ("-2", "0", "2")), winner("2", ("1", "2"))
    (0, None)
    """
    for number, name in enumerate(SIDES):
        if label == name or label.startswith(f"{name}-"):
            return number
    scale = {name: _number(name) for name in labels}
    if None in scale.values() or not any(value < 0 for value in scale.values() if value):
        return None
    score = scale.get(label) or 0.0
    return None if score == 0 else int(score > 0)


def sides_of(labels: LabelSet) -> tuple[int | None, ...] | None:
    """Return which of two responses each label prefers; None if labels are no preferences.

    >>> sides_of(LabelSet(("A", "B", "tie"))), sides_of(LabelSet(("no", "yes")))
    ((0, 1, None), None)
    """
    found = tuple(winner(name, labels) for name in labels)
    return found if {0, 1} <= set(found) else None


def turned_labels(labels: Iterable[str]) -> dict[str, str]:
    """Return what each label is called if the two responses change places.

    Empty where that cannot be said: labels are no preferences, or one has no counterpart.

    >>> (
    ...     turned_labels(("A", "B", "tie")),
    ...     turned_labels(("-1", "0", "1")),
    ...     turned_labels(("A", "C")),
    ... )
    ({'A': 'B', 'B': 'A', 'tie': 'tie'}, {'-1': '1', '0': '0', '1': '-1'}, {})
    """
    names = tuple(labels)
    turned = {name: _turned(name, names) for name in names}
    sides = {winner(name, names) for name in names}
    return turned if {0, 1} <= sides and set(turned.values()) <= set(names) else {}


def _turned(name: str, names: tuple[str, ...]) -> str:
    side = winner(name, names)
    if side is None:
        return name
    if name.startswith(SIDES[side]):
        return SIDES[1 - side] + name[1:]
    value = float(name)
    return next((each for each in names if _number(each) == -value), "")


def _number(name: str) -> float | None:
    try:
        return float(name)
    except ValueError:
        return None
