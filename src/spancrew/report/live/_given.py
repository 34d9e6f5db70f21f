"""What a page hands to a figure. Values that are not finite are left out of the drawing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from spancrew.core import FloatArray
from spancrew.report.live._svg import Style

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Series:
    """A curve of (x, y) with an optional band of (x, low, high) around it.

    Without ``joined`` it is drawn as points.
    """

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()
    style: Style | None = None
    joined: bool = True

    @classmethod
    def curve(
        cls,
        name: str,
        x: Iterable[float],
        y: Iterable[float],
        band: tuple[Iterable[float], Iterable[float]] | None = None,
        style: Style | None = None,
    ) -> Self:
        """Build a series from columns, for example arrays; the band is (lows, highs).

        >>> Series.curve("cucb", [1, 2], [5, 9], ([4, 7], [6, 11])).band
        ((1, 4, 6), (2, 7, 11))
        """
        xs = list(x)
        around = () if band is None else tuple(zip(xs, *band, strict=True))
        return cls(name, tuple(zip(xs, y, strict=True)), around, style)

    @classmethod
    def spread(
        cls,
        name: str,
        x: Iterable[float],
        mean: FloatArray,
        sd: FloatArray,
        style: Style | None = None,
    ) -> Self:
        """Build a series from means, with a band of one standard deviation."""
        return cls.curve(name, x, mean, (mean - sd, mean + sd), style)


class Mark(NamedTuple):
    """A labelled point to compare with, for example a published figure."""

    x: float
    y: float
    label: str


class ThresholdLine(NamedTuple):
    """A labelled vertical line."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with a label and with intervals in both directions."""

    x: float
    y: float
    label: str = ""
    x_range: Range | None = None
    y_range: Range | None = None


@dataclass(frozen=True, slots=True)
class Dots:
    """Points that belong together; ``joined`` draws a line through them in their order.

    Points on a line are named by the card and the data alone.
    """

    name: str
    dots: Sequence[Dot]
    joined: bool = False
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of a histogram, one per bin."""

    name: str
    heights: Sequence[float]
    style: Style | None = None


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval, and the true value where it is known."""

    name: str
    value: float
    low: float
    high: float
    truth: float | None = None
