"""Write WebAnno TSV 3.3: the gold of a data set as one document."""

import re
from collections.abc import Iterable
from typing import TextIO

from spancrew.core import Sentence, Span
from spancrew.formats._layers import NAMED_ENTITY
from spancrew.formats._utf16 import Utf16
from spancrew.formats._webanno_reader import EMPTY, FORMAT, ID, NONE, TEXT

_RESERVED = re.compile(r"->|[\\\[\]|_;\t\n*]")
_CONTROL = re.compile(r"[\x00-\x07\x0e-\x1f\t\n\f\r\b\\]")
_NAMES = {"\t": "t", "\n": "n", "\f": "f", "\r": "r", "\b": "b"}


class WebAnnoWriter:
    """Writes sentence by sentence; offsets go on from one to the next."""

    def __init__(self, file: TextIO, *, has_gold: bool) -> None:
        self._file = file
        self._has_gold = has_gold
        self._sentences = self._begin = self._numbers = 0
        layer = f"#T_SP={NAMED_ENTITY}|identifier|value\n" if has_gold else ""
        file.write(f"{FORMAT}3.3\n{layer}\n")

    def sentence(self, sentence: Sentence, gold: Iterable[Span]) -> None:
        """Write a sentence; what stands before its first token has no place."""
        first = sentence.bounds[0][0]
        text = sentence.text[first:]
        units = Utf16(text)
        self._sentences += 1
        lines = "".join(f"{TEXT}{_escaped_text(line)}\n" for line in text.split("\n"))
        self._file.write(f"\n{ID}{_escaped_text(sentence.id)}\n{lines}")
        cells = self._cells(len(sentence), gold)
        for number, (start, end) in enumerate(sentence.bounds, start=1):
            a, b = (self._begin + units.unit(border - first) for border in (start, end))
            token = _escaped_text(sentence.text[start:end])
            self._file.write(
                f"{self._sentences}-{number}\t{a}-{b}\t{token}\t{cells[number - 1]}\n"
            )
        self._begin += units.length + 1

    def _cells(self, length: int, gold: Iterable[Span]) -> list[str]:
        if not self._has_gold:
            return [""] * length
        cells = [f"{NONE}\t{NONE}\t"] * length
        for span in gold:
            mark = ""
            if len(span) > 1:
                self._numbers += 1
                mark = f"[{self._numbers}]"
            value = _escaped_value(span.label)
            cells[span.start : span.end] = [f"{EMPTY}{mark}\t{value}{mark}\t"] * len(span)
        return cells


def _escaped_value(value: str) -> str:
    return _RESERVED.sub(lambda found: "\\" + _NAMES.get(found[0], found[0]), value)


def _escaped_text(text: str) -> str:
    return _CONTROL.sub(lambda found: "\\" + _NAMES.get(found[0], found[0]), text)
