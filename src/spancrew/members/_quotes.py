"""Find what a language model quotes in the sentence that it was asked about."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from spancrew.core import Sentence

_FEWEST = 4
"""Letters from which on a quote may have one slip; shorter ones are like too many words."""

Tokens = tuple[int, int]


class Unplaced(NamedTuple):
    """Why a quote has no place: it is not there, or several times without saying which."""

    fault: str


def place(sentence: Sentence, quote: Any, occurrence: Any = None) -> Tokens | Unplaced:
    """Return the tokens that a quote stands for.

    First as it is written, then without regard to case and blanks, at last with one slip. Matches
    of whole tokens come before those inside of tokens, which are widened. The occurrence counts
    from 1; it must be said where there are several.
    """
    which = _whole_number(occurrence)
    if not isinstance(quote, str) or not quote.strip() or which == 0:
        return Unplaced("quote")
    for found in (_as_written(sentence, quote.strip()), _squeezed(sentence, quote)):
        for matches in (_whole(sentence, found), _distinct(sentence, found)):
            if matches and (which is not None or len(matches) == 1):
                return _chosen(matches, which or 1)
            if matches:
                return Unplaced("ambiguous")
    return _nearly(sentence, quote, which)


def _whole_number(occurrence: Any) -> int | None:
    """Return an occurrence; None if none is said, 0 if it is nonsense."""
    if occurrence is None:
        return None
    if isinstance(occurrence, str) and occurrence.strip().isdecimal():
        occurrence = int(occurrence)
    is_number = isinstance(occurrence, int) and not isinstance(occurrence, bool)
    return occurrence if is_number and occurrence >= 1 else 0


def _chosen(matches: list[Tokens], which: int) -> Tokens | Unplaced:
    return matches[which - 1] if which <= len(matches) else Unplaced("quote")


def _as_written(sentence: Sentence, quote: str) -> list[tuple[int, int]]:
    found = re.finditer(f"(?={re.escape(quote)})", sentence.text)
    return [(match.start(), match.start() + len(quote)) for match in found]


def _squeezed(sentence: Sentence, quote: str) -> list[tuple[int, int]]:
    """Return where a quote stands in the text if neither case nor blanks count."""
    letters = list(_letters(sentence.text))
    text = "".join(letter for letter, _ in letters)
    wanted = "".join(letter for letter, _ in _letters(quote))
    found = re.finditer(f"(?={re.escape(wanted)})", text)
    ends = [(match.start(), match.start() + len(wanted) - 1) for match in found]
    return [(letters[first][1], letters[last][1] + 1) for first, last in ends]


def _letters(text: str) -> Iterator[tuple[str, int]]:
    """Yield all letters without case, with their places; blanks are left out."""
    for place_, char in enumerate(text):
        if not char.isspace():
            yield from ((letter, place_) for letter in char.casefold())


def _whole(sentence: Sentence, found: list[tuple[int, int]]) -> list[Tokens]:
    """Return the matches that begin and end with a token."""
    starts = {start: k for k, (start, _) in enumerate(sentence.bounds)}
    ends = {end: k + 1 for k, (_, end) in enumerate(sentence.bounds)}
    pairs = ((starts.get(start), ends.get(end)) for start, end in found)
    return [(first, last) for first, last in pairs if first is not None and last is not None]


def _distinct(sentence: Sentence, found: list[tuple[int, int]]) -> list[Tokens]:
    """Return the tokens that matches touch, each run of tokens once."""
    inside = [pair for pair in found if _touches(sentence, *pair)]
    located = (sentence.locate(start, end) for start, end in inside)
    return list(dict.fromkeys((each.start, each.end) for each in located))


def _touches(sentence: Sentence, start: int, end: int) -> bool:
    return any(first < end and start < last for first, last in sentence.bounds)


def _nearly(sentence: Sentence, quote: str, which: int | None) -> Tokens | Unplaced:
    """Return the only run of tokens that differs from a quote by one slip."""
    wanted = "".join(letter for letter, _ in _letters(quote))
    if len(wanted) < _FEWEST or (which or 1) != 1:
        return Unplaced("quote")
    words = ["".join(letter for letter, _ in _letters(token)) for token in sentence.tokens]
    matches = [
        (start, end)
        for start in range(len(words))
        for end, run in _runs(words, start, len(wanted) + 1)
        if run[0].isalnum() and run[-1].isalnum() and _is_slip(run, wanted)
    ]
    return matches[0] if len(matches) == 1 else Unplaced("ambiguous" if matches else "quote")


def _runs(words: list[str], start: int, longest: int) -> Iterator[tuple[int, str]]:
    run = ""
    for end in range(start, len(words)):
        run += words[end]
        if len(run) > longest:
            return
        yield end + 1, run


def _is_slip(one: str, other: str) -> bool:
    """Tell whether one letter is added, lost or changed."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((k for k, letter in enumerate(short) if letter != long[k]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]
