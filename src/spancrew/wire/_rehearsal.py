"""A data set that is looked at, and the figures of campaigns in a list, on the wire."""

from typing import Literal

from spancrew.wire._base import SentenceWire, SpanWire, Wire


class InspectedLabel(Wire):
    """A label, and on how many spans it stands."""

    name: str
    spans: int


class Example(Wire):
    """A sentence with its known spans; null where they are not known."""

    sentence: SentenceWire
    spans: list[SpanWire] | None


class InspectionView(Wire):
    """What is in a data set; ``gold`` counts the sentences whose labels are known."""

    format: str
    sentences: int
    tokens: int
    labels: list[InspectedLabel]
    gold: int
    workers: int
    answers: int
    examples: list[Example]
    repairs: list[dict[str, str]]
    repaired: int


class FiguresView(Wire):
    """How far a campaign is, in a few figures."""

    id: str
    phase: Literal["draft", "running", "paused", "finished"]
    sentences: int
    settled: int
    spent: float
    expected_quality: float | None
