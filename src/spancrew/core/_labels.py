"""The labels of a data set and the integer codes they give tokens."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from spancrew.errors import InvalidTagError, UnknownLabelError

OUTSIDE = 0
MOST_LABELS = 32_767
"""Two codes for each, and one for outside, fill two bytes."""


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels in a fixed order; label ``k`` has the codes 2k+1 (begin) and 2k+2 (inside).

    >>> labels = LabelSet(("LOC", "PER"))
    >>> labels.id("PER"), labels.tag(3), labels.tag(0)
    (1, 'B-PER', 'O')
    """

    names: tuple[str, ...]
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse empty and repeated names."""
        object.__setattr__(self, "names", tuple(self.names))
        for name in self.names:
            if not name or name != name.strip():
                raise UnknownLabelError(f"label {name!r}: a name without outer blanks is needed")
        if len(set(self.names)) < len(self.names):
            raise UnknownLabelError(f"labels {', '.join(self.names)}: each name may stand once")
        if len(self.names) > MOST_LABELS:
            raise UnknownLabelError(
                f"{len(self.names)} labels: at most {MOST_LABELS} are possible"
            )
        object.__setattr__(self, "_ids", {name: k for k, name in enumerate(self.names)})

    @classmethod
    def of(cls, names: Iterable[str]) -> "LabelSet":
        """Return the distinct names in alphabetical order."""
        return cls(tuple(sorted(set(names))))

    def __len__(self) -> int:
        """Return the number of labels."""
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        """Yield the names in the order of their ids."""
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        """Tell whether the name is one of the labels."""
        return name in self._ids

    def id(self, name: str) -> int:
        """Return the id of a label; refuse an unknown one with the nearest known name."""
        try:
            return self._ids[name]
        except KeyError:
            near = get_close_matches(name, self.names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            known = ", ".join(self.names) or "none"
            raise UnknownLabelError(
                f"label {name!r} is not known{hint} (labels: {known})"
            ) from None

    def tag(self, code: int) -> str:
        """Return the BIO tag of a code."""
        if code == OUTSIDE:
            return "O"
        if not 0 < code <= 2 * len(self):
            raise InvalidTagError(
                f"code {code}: {len(self)} labels have codes 0 to {2 * len(self)}"
            )
        return f"{'B' if code % 2 else 'I'}-{self.names[(code - 1) // 2]}"

    @property
    def tags(self) -> tuple[str, ...]:
        """Return all BIO tags in the order of their codes."""
        return tuple(self.tag(code) for code in range(2 * len(self) + 1))

    @property
    def is_scale(self) -> bool:
        """Tell whether the labels are at least three numbers that rise, as for ratings.

        >>> LabelSet(("1", "2", "3")).is_scale, LabelSet(("0", "1")).is_scale
        (True, False)
        """
        try:
            numbers = [float(name) for name in self.names]
        except ValueError:
            return False
        return len(numbers) > 2 and all(a < b for a, b in pairwise(numbers))

    @property
    def dtype(self) -> npt.DTypeLike:
        """Return the smallest unsigned type for the codes: one byte up to 127 labels."""
        return np.uint8 if len(self) <= 127 else np.uint16
