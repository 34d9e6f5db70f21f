"""What people are told of the labels: what each means, its colour and its key."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spancrew.errors import PlanError

COLOURS = (
    "blue",
    "orange",
    "green",
    "purple",
    "red",
    "yellow",
    "teal",
    "pink",
    "violet",
    "lime",
)
"""The colours of labels, in the order in which labels without one get them."""

TAKEN_KEYS = "ainpru"
"""Letters that do something else on the pages of workers and experts."""

MOST_INSTRUCTION = 200
_MOST_MEANING = 500
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class LabelNote:
    """What is said of one label; where nothing is said, the pages choose colour and key."""

    meaning: str = ""
    colour: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        """Refuse what no page can show."""
        refuse_text("the meaning of a label", self.meaning, _MOST_MEANING)
        if self.colour and self.colour not in COLOURS:
            raise PlanError(
                f"colour {self.colour!r} of a label is not known (one of {', '.join(COLOURS)})"
            )
        if self.key and not _is_key(self.key):
            raise PlanError(
                f"key {self.key!r} of a label: write a digit from 1 to 9 or a small letter from a "
                f"to z, but none of {', '.join(TAKEN_KEYS)}, which do something else"
            )

    def to_json(self) -> dict[str, str]:
        """Return what is said."""
        said = {"meaning": self.meaning, "colour": self.colour, "key": self.key}
        return {name: value for name, value in said.items() if value}


Legend = tuple[tuple[str, LabelNote], ...]
"""Labels and what is said of them."""


def _is_key(key: object) -> bool:
    fits = isinstance(key, str) and re.fullmatch("[1-9a-z]", key) is not None
    return fits and str(key) not in TAKEN_KEYS


def legend_of(given: Any) -> Legend:
    """Return a legend from JSON: by label, ``meaning``, ``colour`` and ``key``.

    >>> legend_of({"PER": {"meaning": "a person", "key": "q"}})
    (('PER', LabelNote(meaning='a person', colour='', key='q')),)
    """
    if not isinstance(given, Mapping):
        raise PlanError(f"legend {given!r}: write what is said of each label by its name")
    return tuple((str(label), _note(label, said)) for label, said in given.items())


def _note(label: Any, said: Any) -> LabelNote:
    if not isinstance(said, Mapping) or not set(said) <= {"meaning", "colour", "key"}:
        raise PlanError(f"legend of {label!r}: it has a meaning, a colour and a key, not {said!r}")
    return LabelNote(**said)


def refuse_legend(legend: Legend, labels: tuple[str, ...]) -> None:
    """Refuse notes on labels that there are not, and a key that two labels have."""
    for label, _ in legend:
        if label not in labels:
            raise PlanError(
                f"the legend has {label!r}, which is none of the labels {', '.join(labels)}"
            )
    keys = [note.key for _, note in legend if note.key]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise PlanError(f"the key {twice!r} is that of two labels; give one of them another")


def refuse_text(what: str, given: object, most: int) -> None:
    """Refuse what is not one short line of text."""
    if not isinstance(given, str) or len(given) > most or _CONTROL.search(given):
        raise PlanError(f"{what} must be one line of at most {most} characters")
