"""Cut text into tokens: words where the script has spaces, characters where it has none."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal

Unit = Literal["words", "characters"]

_APOSTROPHES = "'\u2019"
_JOINER = "\u200d"

# What the rules below come to where every character stands for itself.
_WORD = re.compile(rf"(?:\w|(?<=[^\W_])[{_APOSTROPHES}](?=[^\W_]))+|\S")
_CHARACTER = re.compile(r"\S")


def cut(text: str, unit: Unit | None = None) -> tuple[tuple[int, int], ...]:
    """Return the borders of words or characters; without ``unit``, of what suits the script."""
    return tuple(words(text) if (unit or suits(text)) == "words" else characters(text))


def words(text: str) -> Iterator[tuple[int, int]]:
    """Return the borders of words and of single punctuation marks.

    >>> [text[a:b] for text in ["Don't go, Ana!"] for a, b in words(text)]
    ["Don't", 'go', ',', 'Ana', '!']
    """
    return map(re.Match.span, _WORD.finditer(text)) if _is_simple(text) else _words(text)


def _words(text: str) -> Iterator[tuple[int, int]]:
    start = end = 0
    for a, b in _characters(text):
        if a == end > start and _is_wordy(text, a) and _is_wordy(text, start):
            end = b
            continue
        if end > start:
            yield start, end
        start, end = a, b
    if end > start:
        yield start, end


def _is_wordy(text: str, at: int) -> bool:
    """Tell whether the character is part of a word: a letter, a digit, or an inner apostrophe."""
    if text[at] in _APOSTROPHES:
        return 0 < at < len(text) - 1 and text[at - 1].isalnum() and text[at + 1].isalnum()
    return text[at].isalnum() or text[at] == "_"


def characters(text: str) -> Iterator[tuple[int, int]]:
    """Return the borders of the visible characters, without white space.

    A character is a grapheme: a base with its marks, an emoji with its modifiers, a flag.

    >>> [text[a:b] for text in ["好👍🏽 e\u0301"] for a, b in characters(text)] == [
    ...     "好",
    ...     "👍🏽",
    ...     "e\u0301",
    ... ]
    True
    """
    if _is_simple(text):
        return map(re.Match.span, _CHARACTER.finditer(text))
    return _characters(text)


def _characters(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and _stays(text, end):
            continue
        if not text[start:end].isspace():
            yield start, end
        start = end


def suits(text: str) -> Unit:
    """Return ``characters`` if most letters are of a script without spaces, else ``words``."""
    if text.isascii():
        return "words"
    letters = [c for c in text if c.isalpha()]
    spaceless = sum(_is_spaceless(c) for c in letters)
    return "characters" if spaceless * 2 > len(letters) else "words"


def _is_simple(text: str) -> bool:
    """Tell whether no character belongs to the one before it, which most texts can be asked."""
    return text.isascii() or not any(map(_may_stay, set(text)))


@cache
def _may_stay(char: str) -> bool:
    return char == _JOINER or _is_regional(char) or _extends(char)


def _stays(text: str, at: int) -> bool:
    """Tell whether the character at ``at`` belongs to the one before it."""
    this, before = text[at], text[at - 1]
    if _JOINER in {this, before}:
        return True
    if _is_regional(this) and _is_regional(before):
        return _flags_before(text, at) % 2 == 1
    if this == "\n" and before == "\r":
        return True
    return _extends(this) and not before.isspace()


def _extends(char: str) -> bool:
    is_mark = unicodedata.category(char) in {"Mn", "Me", "Mc"}
    is_skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    is_emoji_tag = "\U000e0020" <= char <= "\U000e007f"
    return is_mark or is_skin_tone or is_emoji_tag


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and _is_regional(text[at - 1 - count]):
        count += 1
    return count


def _is_spaceless(char: str) -> bool:
    """Tell whether the letter is of a script written without spaces."""
    code = ord(char)
    return (
        0x3040 <= code <= 0x30FF  # kana
        or 0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF  # Han
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
        or 0x0E00 <= code <= 0x0EFF  # Thai, Lao
        or 0x1000 <= code <= 0x109F  # Burmese
        or 0x1780 <= code <= 0x17FF  # Khmer
    )
