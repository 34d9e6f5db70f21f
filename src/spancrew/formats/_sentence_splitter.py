"""Cut documents into sentences by a few rules for English and Chinese; offsets are kept."""

import re
from collections.abc import Iterator
from itertools import pairwise

from spancrew.formats._base import Split

Piece = tuple[int, int]
"""Where a piece begins and ends in its document, in code points."""

_LINE = re.compile(r"[^\r\n]+")
_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|$))+")
_CLOSERS = "\"'\u201d\u2019)\\]}»\u300d\u300f\u3011\uff09\u300b"
_END = re.compile(rf"(?:[.!?\u2026]+|[\u3002\uff01\uff1f\uff0e]+[.!?\u2026]*)[{_CLOSERS}]*")
_WIDE = "\u3002\uff01\uff1f\uff0e"
_GOES_ON = "\uff0c\u3001\uff1b\uff1a,;:"
_NEXT = re.compile(r"\s+[\"'\u201c\u2018(\[{«]*(\S+)")
_LAST_WORD = re.compile(r"[^\s\"'\u201c\u2018(\[{«]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]\.")

_NEVER_LAST = frozenset((
    "mr.", "mrs.", "ms.", "mx.", "dr.", "prof.", "st.", "rev.", "gen.", "col.", "capt.", "lt.",
    "sgt.", "hon.", "gov.", "sen.", "rep.", "pres.", "e.g.", "i.e.", "cf.", "vs.", "fig.",
    "figs.", "eq.", "vol.", "pp.", "ch.", "sec.", "ed.", "eds.", "mt.", "approx.", "dept.",
    "ave.", "blvd.", "resp.", "viz.", "ca.",
))  # fmt: skip
"""Abbreviations that something always follows."""

_BEFORE_NUMBERS = frozenset((
    "no.", "nos.", "art.", "p.", "jan.", "feb.", "mar.", "apr.", "jun.", "jul.", "aug.",
    "sep.", "sept.", "oct.", "nov.", "dec.",
))  # fmt: skip
_MAY_BE_LAST = frozenset((
    "etc.", "inc.", "ltd.", "co.", "corp.", "jr.", "sr.", "al.", "bros.", "univ.", "est.",
))  # fmt: skip
_STARTERS = frozenset((
    "a", "an", "and", "as", "at", "but", "by", "for", "he", "her", "his", "how", "i", "if",
    "in", "it", "its", "my", "no", "now", "of", "on", "one", "our", "she", "so", "some",
    "that", "the", "their", "then", "there", "these", "they", "this", "those", "to", "we",
    "what", "when", "where", "who", "why", "yet", "you",
))  # fmt: skip
"""Words that begin a sentence when they have a capital behind an abbreviation."""


def pieces(text: str, split: Split) -> Iterator[Piece]:
    """Yield the lines, paragraphs or sentences of a document that are not blank.

    >>> text = "Dr. Wu paid 3.5 dollars. Why?"
    >>> [text[a:b] for a, b in pieces(text, "sentences")]
    ['Dr. Wu paid 3.5 dollars.', 'Why?']
    """
    pattern = _LINE if split == "lines" else _PARAGRAPH
    for found in pattern.finditer(text):
        cuts = [found.start(), found.end()]
        if split == "sentences":
            cuts[1:1] = (found.start() + end for end in _ends(found[0]))
        for start, end in pairwise(cuts):
            inside = text[start:end]
            if inside.strip():
                yield start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())


def _ends(text: str) -> Iterator[int]:
    """Yield where sentences end, but for the last one."""
    for found in _END.finditer(text):
        if found.end() < len(text) and _is_end(text, found):
            yield found.end()


def _is_end(text: str, found: re.Match[str]) -> bool:
    if found[0][0] in _WIDE:
        return text[found.end()] not in _GOES_ON
    following = _NEXT.match(text, found.end())
    if following is None or following[1][0].islower():
        return False
    if found[0][0] != "." or found[0].startswith(".."):
        return True
    last = _LAST_WORD.search(text[max(found.start() - 40, 0) : found.start() + 1])
    return last is None or _ends_sentence(last[0], following[1])


def _ends_sentence(last: str, following: str) -> bool:
    """Tell whether a full stop behind this word ends a sentence, not an abbreviation alone."""
    word = last.casefold()
    if word in _NEVER_LAST:
        return False
    if word in _BEFORE_NUMBERS and following[0].isdigit():
        return False
    if word in _MAY_BE_LAST or _INITIALS.fullmatch(last):
        return following.strip(".,;:!?").casefold() in _STARTERS
    return True
