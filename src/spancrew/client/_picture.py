"""What a dashboard draws, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spancrew.client._values import Bin
from spancrew.client._wire import made


@dataclass(frozen=True, slots=True)
class Point:
    """What was settled and spent by a time."""

    at: float
    by_crowd: int
    by_expert: int
    spent: float


@dataclass(frozen=True, slots=True)
class Lately:
    """How a worker has been doing lately; ``rewards`` are the last ones, the oldest first.

    ``trend`` is rising, steady, falling, or None where there is too little; ``agreement`` is the
    mean exact F1 against the final labels of so many ``settled`` sentences.
    """

    worker: str
    rewards: tuple[float, ...]
    trend: str | None
    agreement: float | None
    settled: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Picture:
    """A campaign over time, how often each label is among the final ones, its workers lately."""

    progress: tuple[Point, ...]
    labels: dict[str, int]
    workers: tuple[Lately, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What a threshold would have done: so many ``more`` sentences to experts than now.

    ``feedback`` is the rule with that threshold, for :meth:`CampaignClient.set_rule`.
    """

    at: float
    experts: int
    more: int
    money: float
    feedback: str


@dataclass(frozen=True, slots=True)
class Line:
    """Where the rule in force draws the line between crowd and expert, and ``by`` what.

    Of the ``judged`` sentences, ``experts`` go to experts at ``value``.
    """

    by: str
    feedback: str
    value: float | None
    judged: int
    experts: int
    histogram: tuple[Bin, ...] = ()
    preview: Preview | None = None


def picture_of(record: Mapping[str, Any]) -> Picture:
    """Return the picture that a server sends."""
    return Picture(
        tuple(made(Point, each) for each in record["progress"]),
        {str(each["label"]): int(each["spans"]) for each in record["labels"]},
        tuple(made(Lately, each, rewards=tuple(each["rewards"])) for each in record["workers"]),
    )


def line_of(record: Mapping[str, Any]) -> Line:
    """Return the threshold that a server sends."""
    preview = record["preview"]
    return made(
        Line,
        record,
        histogram=tuple(made(Bin, each) for each in record["histogram"]),
        preview=None if preview is None else made(Preview, preview),
    )
