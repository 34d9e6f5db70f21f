"""The lines of brat's .ann files: text-bound annotations, in one piece or several."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._base import Discontinuous, silent
from spancrew.formats._documents import DocumentMark
from spancrew.formats._json import shown
from spancrew.formats._text import lines

_BOUND = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_OTHERS = {
    "R": "relations", "*": "relations", "E": "events", "A": "attributes", "M": "attributes",
    "N": "normalisations", "#": "notes",
}  # fmt: skip


def marks_of(
    file: Path, text: str, discontinuous: Discontinuous | None, passed_over: Counter[str]
) -> Iterator[DocumentMark]:
    """Yield the spans of one file; other kinds of annotation are counted."""
    if file.stat().st_size == 0:  # brat leaves it so where nothing is marked
        return
    for place, line in lines(file, silent):
        if not line.strip():
            continue
        if line[0] in _OTHERS:
            passed_over[_OTHERS[line[0]]] += 1
            continue
        found = _BOUND.fullmatch(line)
        if found is None:
            raise FormatError.expected(place, shown(line), "T1<tab>LABEL start end<tab>text")
        borders = _borders(found[2], text, place)
        _check_quote(found[3], borders, text, place)
        for start, end in _settled(borders, found[1], discontinuous, place):
            yield DocumentMark(start, end, unquote(found[1]), place)


def _borders(given: str, text: str, place: Place) -> list[tuple[int, int]]:
    """Return the pieces; those with only white space between them are one."""
    borders: list[tuple[int, int]] = []
    for piece in given.split(";"):
        start, end = map(int, piece.split(" "))
        if not 0 <= start < end <= len(text):
            raise FormatError.expected(
                place, f"characters {start}-{end}", f"characters inside the text of {len(text)}"
            )
        if borders and text[borders[-1][1] : start].isspace():
            start = borders.pop()[0]
        borders.append((start, end))
    return borders


def _check_quote(
    quote: str | None, borders: list[tuple[int, int]], text: str, place: Place
) -> None:
    found = " ".join(text[start:end] for start, end in borders)
    if quote is not None and quote.split() != found.split():
        raise FormatError.expected(
            place,
            f"{shown(found)} at these offsets",
            f"the quoted {shown(quote)}; offsets count characters of the .txt, line ends included",
        )


def _settled(
    borders: list[tuple[int, int]], label: str, discontinuous: Discontinuous | None, place: Place
) -> list[tuple[int, int]]:
    """Return what becomes of a span in several pieces."""
    if len(borders) == 1 or discontinuous == "split":
        return borders
    if discontinuous == "whole":
        return [(min(borders)[0], max(end for _, end in borders))]
    gaps = ", ".join(f"{left[1]}-{right[0]}" for left, right in pairwise(borders))
    raise FormatError(
        place,
        f"{label} is in {len(borders)} pieces (gaps at {gaps})",
        Remedy("discontinuous"),
    )
