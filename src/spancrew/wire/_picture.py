"""What a dashboard draws, on the wire."""

from typing import Literal

from pydantic import Field

from spancrew.wire._base import Wire
from spancrew.wire._campaigns import Bin, LedgerView, StatusView


class PointView(Wire):
    """What was settled and spent by a time."""

    at: float
    by_crowd: int
    by_expert: int
    spent: float


class WorkerLately(Wire):
    """How a worker has been doing lately; ``rewards`` are the last ones, the oldest first.

    ``agreement`` is the mean exact F1 of their answers against the final labels of so many
    ``settled`` sentences, ``seconds`` the median time of their last answers.
    """

    worker: str
    rewards: list[float]
    trend: Literal["rising", "steady", "falling"] | None
    agreement: float | None
    settled: int
    seconds: float | None


class LabelCount(Wire):
    """How often a label is among the final labels."""

    label: str
    spans: int


class PictureView(Wire):
    """A campaign over time, its final labels, and its workers lately."""

    progress: list[PointView]
    labels: list[LabelCount]
    workers: list[WorkerLately]
    version: int


class PreviewView(Wire):
    """What a threshold would have done: so many ``more`` sentences to experts than now.

    ``feedback`` is the rule with that threshold; PATCH the campaign with it to apply it.
    """

    at: float
    experts: int
    more: int
    money: float
    feedback: str


class ThresholdView(Wire):
    """What the rule in force decides by, and where it draws the line.

    Of the ``judged`` sentences, ``experts`` go to experts at ``value``; ``without`` have no such
    figure and go there anyway. ``value`` is null where the line is out of reach.
    """

    by: Literal["agreement", "errors", "nothing"]
    feedback: str
    asks: Literal["below", "above"] | None = None
    value: float | None = None
    moves: bool = False
    lowest: float = 0.0
    highest: float = 1.0
    judged: int = 0
    experts: int = 0
    without: int = 0
    histogram: list[Bin] = Field(default_factory=list)
    preview: PreviewView | None = None
    version: int


class LiveFigures(Wire):
    """The event ``figures`` of a live stream."""

    status: StatusView
    ledger: LedgerView
