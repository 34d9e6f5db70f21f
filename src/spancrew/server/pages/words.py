"""The words of the pages in several languages, one file for each."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from spancrew.server.pages.assets import PAGES

USUAL_LANGUAGE = "en"
Words = dict[str, Any]
"""A text by its name; where a number decides, a text for each plural form."""


@cache
def words(language: str) -> dict[str, Words]:
    """Return all words of a language by section."""
    text = (PAGES / "languages" / f"{language}.json").read_text("utf-8")
    return cast("dict[str, Words]", json.loads(text))


@cache
def languages() -> dict[str, str]:
    """Return the languages with their own names for themselves."""
    codes = sorted(path.stem for path in (PAGES / "languages").glob("*.json"))
    return {code: cast("str", words(code)["shared"]["language"]) for code in codes}


def chosen(cookie: str | None, accepted: str) -> str:
    """Return the language of a request: the one that was chosen, else the browser's first.

    >>> chosen(None, "fr;q=0.9, zh-CN;q=0.8")
    'zh'
    >>> chosen("en", "zh")
    'en'
    """
    wanted = [cookie or "", *(part.split(";")[0] for part in accepted.split(","))]
    codes = [each.strip().lower().split("-")[0] for each in wanted]
    return next((code for code in codes if code in languages()), USUAL_LANGUAGE)


def some_words(language: str, sections: Sequence[str]) -> dict[str, str | Words]:
    """Return the words of some sections, each under ``section.name``."""
    known = words(language)
    return {
        f"{section}.{name}": text for section in sections for name, text in known[section].items()
    }
