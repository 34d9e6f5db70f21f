"""Problems with files in the language of a reader: a text with its values, worded anew."""

import json
import re
from functools import cache
from typing import NamedTuple, cast

from fastapi import Request

from spancrew.server.pages.assets import PAGES
from spancrew.server.pages.render import LANGUAGE_COOKIE, chosen

_HOLE = "{}"
_PLACE = re.compile(r"\{(\d*)\}")
_QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")
_COUNTED = re.compile(r"([\d,]+) (.+)")
_DEEPEST = 5
_LONGEST = 2_000
"""Characters of a text that is looked at; problems are told in a sentence."""


class _Wording(NamedTuple):
    """What a text looks like, and how another language says it."""

    pattern: re.Pattern[str]
    words: str

    def filled(self, values: list[str]) -> str:
        """Return the words with values; without numbers they go in as they come."""
        rest = iter(values)
        return _PLACE.sub(lambda hole: values[int(hole[1])] if hole[1] else next(rest), self.words)


@cache
def problem_words(language: str) -> dict[str, str]:
    """Return the texts of problems in a language by the English ones; none for English."""
    path = PAGES / "problems" / f"{language}.json"
    return cast("dict[str, str]", json.loads(path.read_text("utf-8"))) if path.exists() else {}


@cache
def _wordings(language: str) -> list[_Wording]:
    """Return all texts, those that say most of themselves first."""
    known = problem_words(language)
    ordered = sorted(known, key=lambda text: -len(text.replace(_HOLE, "")))
    return [_Wording(_pattern(text), known[text]) for text in ordered]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.+?)".join(map(re.escape, text.split(_HOLE))), re.DOTALL)


def language_of(request: Request) -> str:
    """Return the language that a caller reads: that of their pages."""
    accepted = request.headers.get("accept-language", "")
    return chosen(request.cookies.get(LANGUAGE_COOKIE), accepted)


def _noun(text: str, language: str) -> str | None:
    """Return what is counted; English has an s behind the first word where there are several."""
    known = problem_words(language)
    word, blank, rest = text.partition(" ")
    return known.get(text) or known.get(f"{word.removesuffix('s')}{blank}{rest}")


def in_words(text: str, language: str, depth: int = 0) -> str:
    """Return a problem in another language; a value in it may be a problem again.

    What stands in quotes is from the file, and stays as it is.
    """
    if depth > _DEEPEST or len(text) > _LONGEST or _QUOTED.fullmatch(text):
        return text
    counted = _COUNTED.fullmatch(text)
    if counted is not None and (noun := _noun(counted[2], language)):
        return f"{counted[1]} {noun}"
    for wording in _wordings(language):
        found = wording.pattern.fullmatch(text)
        if found is not None:
            values = [in_words(value, language, depth + 1) for value in found.groups()]
            return wording.filled(values)
    return text
