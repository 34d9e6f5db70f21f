"""What the rule last saw on every sentence that was judged, in columns: few bytes for each."""

from array import array
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.core import FloatArray

Body = Mapping[str, Any]
Column = npt.NDArray[Any]


class Judgements:
    """A row for every sentence; words go by their number, 0 where nothing was judged yet."""

    def __init__(self) -> None:
        self._words = [""]
        self._columns: dict[str, array[Any]] = {
            "outcome": array("b"),
            "by": array("b"),
            "contested": array("b"),
            "reason": array("d"),
            "errors": array("d"),
        }

    def put(self, body: Body, by: str) -> None:
        """Note a judgement; ``by`` is what the figure in its reason is."""
        sentence: int = body["sentence"]
        reason = body["reason"]
        row = {
            "outcome": self._number(body["outcome"]),
            "by": self._number(by),
            # A journal of an older version does not say.
            "contested": int(body.get("contested", False)),
            "reason": np.nan if reason is None else reason,
            "errors": body["errors"],
        }
        for name, column in self._columns.items():
            if sentence >= len(column):
                column.frombytes(bytes((sentence + 1 - len(column)) * column.itemsize))
            column[sentence] = row[name]

    def settled(self, by: str) -> "SettledFigures":
        """Return the figures of the sentences that were judged for good, as far as of a kind."""
        found = {name: np.array(column) for name, column in self._columns.items()}
        outcome = found["outcome"]
        those = (outcome != self._number("")) & (outcome != self._number("more"))
        if by != "errors":
            those &= found["by"] == self._number(by)
        values = found["errors" if by == "errors" else "reason"][those]
        asked = int((outcome[those] == self._number("expert")).sum())
        return SettledFigures(values, found["contested"][those].astype(bool), asked)

    def _number(self, word: str) -> int:
        if word not in self._words:
            self._words.append(word)
        return self._words.index(word)

    def kept(self) -> tuple[list[str], dict[str, Column]]:
        """Return words and columns, to be kept."""
        return self._words, {name: np.array(column) for name, column in self._columns.items()}

    def resume(self, words: list[str], columns: Mapping[str, Column]) -> None:
        """Go on from what was kept."""
        self._words = words
        for name, column in self._columns.items():
            column.frombytes(columns[name].tobytes())


class SettledFigures:
    """Figures of sentences, which of them were contested, and how many went to an expert."""

    def __init__(self, values: FloatArray, contested: npt.NDArray[np.bool_], asked: int) -> None:
        self.values = values
        self.contested = contested
        self.asked = asked
