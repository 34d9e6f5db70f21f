"""Offsets in UTF-16 units, as Java and JavaScript count, and back."""

from bisect import bisect_left


class Utf16:
    """Converts between code points of a text and the UTF-16 units of the same text.

    >>> text = Utf16("a👍b")
    >>> text.unit(2), text.point(3), text.point(2), text.length
    (3, 2, -1, 4)
    """

    __slots__ = ("_points", "_size", "_units", "length")

    def __init__(self, text: str) -> None:
        self._size = len(text)
        wide = () if text.isascii() else (k for k, char in enumerate(text) if char > "\uffff")
        self._points = list(wide)
        self._units = [point + before for before, point in enumerate(self._points)]
        self.length = self._size + len(self._points)

    def point(self, unit: int) -> int:
        """Return the code point that begins at a unit, or -1 if there is none."""
        before = bisect_left(self._units, unit)
        if before and self._units[before - 1] == unit - 1:
            return -1
        return unit - before if 0 <= unit <= self.length else -1

    def unit(self, point: int) -> int:
        """Return the unit at which a code point begins."""
        return point + bisect_left(self._points, point)
