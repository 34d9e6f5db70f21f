"""The words of the pages: the same in every language, all of them there, none for nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spancrew.server.pages.assets import PAGES
from spancrew.server.pages.render import languages, words

ELSEWHERE = {"shared.language"}
"""Names that only Python asks for."""
_CALL = r"\b(?:t|knows)\(\s*"
_PLAIN = re.compile(_CALL + r"""["'`]([a-z_]+\.\w+)["'`]\s*[,)]""")
_QUOTED = re.compile(r"""["'`]([a-z]+\.\w+)["'`]""")
_MODULE = re.compile(r"`([a-z_]+\.\w*\$\{[^`]*)`")
_TEMPLATE = re.compile(
    _CALL + r"""["']([a-z_]+\.\w*)["']\s*\+\s*(?:\w+(?:\s*\+\s*["'](\w*)["'])?)?"""
)
_HOLE = re.compile(r"\{(\w+)\}")


def sources() -> list[Path]:
    """Return the templates and the modules."""
    return sorted([*(PAGES / "templates").glob("*.html"), *(PAGES / "assets").glob("*.js")])


def flat(language: str) -> dict[str, Any]:
    """Return all texts of a language by their whole names."""
    return {
        f"{s}.{name}": text for s, known in words(language).items() for name, text in known.items()
    }


def texts(value: Any) -> Iterator[str]:
    """Yield a text, or all its plural forms."""
    yield from value.values() if isinstance(value, dict) else [value]


def holes(value: Any) -> set[str]:
    """Return what is to be filled in."""
    return {hole for text in texts(value) for hole in _HOLE.findall(text)}


def whole() -> str:
    """Return all templates and modules."""
    return "\n".join(path.read_text("utf-8") for path in sources())


def built(source: str) -> list[re.Pattern[str]]:
    """Return what names look like that are put together when a page is made or shown."""
    parts = [re.split(r"\$\{[^}]*\}", found) for found in _MODULE.findall(source)]
    parts += [list(found) for found in _TEMPLATE.findall(source)]
    ours = [each for each in parts if each[0].partition(".")[0] in words("en")]
    return [re.compile(r"(\w+)".join(map(re.escape, each))) for each in ours]


@pytest.mark.parametrize("language", [code for code in languages() if code != "en"])
def test_every_language_has_the_same_words(language: str) -> None:
    """With the same names and the same places to fill in."""
    ours, theirs = flat("en"), flat(language)

    assert sorted(ours.keys() ^ theirs.keys()) == []
    assert [name for name in ours if holes(ours[name]) != holes(theirs[name])] == []


@pytest.mark.parametrize("language", languages())
def test_no_text_is_empty_and_plurals_have_a_usual_form(language: str) -> None:
    """A number may choose between forms only where there is one for all the rest."""
    found = flat(language)

    assert [name for name, value in found.items() if not all(map(str.strip, texts(value)))] == []
    assert [
        n for n, value in found.items() if isinstance(value, dict) and "other" not in value
    ] == []


def test_no_name_is_there_twice() -> None:
    """The second section, or the second text, would silently win."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names = [name for name, _ in pairs]
        twice.extend(name for name in set(names) if names.count(name) > 1)
        return dict(pairs)

    files = sorted((PAGES / "languages").glob("*.json"))
    for path in files:
        json.loads(path.read_text("utf-8"), object_pairs_hook=once)

    assert len(files) == len(languages())
    assert twice == []


def test_every_text_that_is_asked_for_is_there() -> None:
    """Names that are put together have at least one text that fits them."""
    known, source = flat("en"), whole()
    missing = {name for name in _PLAIN.findall(source) if name not in known}
    missing |= {each.pattern for each in built(source) if not any(map(each.fullmatch, known))}

    assert sorted(missing) == []


def test_no_text_is_there_for_nothing() -> None:
    """Where only the section is certain, the rest of the name must be a word in some file."""
    source = whole()
    patterns, said = built(source), set(re.findall(r"\w+", source))
    asked = set(_QUOTED.findall(source)) | ELSEWHERE

    def is_used(name: str) -> bool:
        fitting = [(each, each.fullmatch(name)) for each in patterns]
        return name in asked or any(
            found
            and (not each.pattern.partition("(")[0].endswith(".") or {*found.groups()} <= said)
            for each, found in fitting
        )

    assert sorted(name for name in flat("en") if not is_used(name)) == []


def test_a_text_that_nobody_asks_for_would_be_found() -> None:
    """The test before this one can fail."""
    (tool, state) = built("t(`guide.tool_${name}_n`, { n }); {{ t('people.state_' + each) }}")

    assert tool.fullmatch("guide.tool_up_n")
    assert not tool.fullmatch("guide.tool_up")
    assert state.fullmatch("people.state_new")
    assert not state.fullmatch("people.title")
