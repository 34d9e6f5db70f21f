"""How a series looks: a hue, and a dash or shape for those who cannot tell the hues apart."""

from typing import NamedTuple

HUES, DASHES = 7, 4
"""How many there are of each; the hues themselves are in ``live.css``, for both themes."""


class Style(NamedTuple):
    """A hue (0 to 6) with a dash of lines and shape of points (0 to 3).

    Give series that belong together one hue and different dashes, for example a policy under
    several feedback rules. Larger numbers start again from 0.
    """

    hue: int
    dash: int = 0

    @property
    def classes(self) -> str:
        """Return the classes that ``live.css`` knows."""
        return f"h{self.hue % HUES} d{self.dash % DASHES}"


def style_of(k: int, given: Style | None) -> Style:
    """Return the style that was given, or else the k-th of a long row."""
    return Style(k % HUES, k // HUES) if given is None else given
