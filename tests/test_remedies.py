"""What would help with a file is told by each front end in its own words."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import spancrew
from spancrew.cli._remedies import WORDS
from spancrew.errors import REMEDIES, FormatError, Place, Remedy
from spancrew.server.pages.render import languages, words

SOURCE = Path(spancrew.__file__).parent
_FLAG = re.compile(r"(?<![\w-])--[a-z]")
_ONLY_WRITING = {"to"}


def test_the_command_line_has_words_for_everything() -> None:
    """And each of them names a flag."""
    assert WORDS.keys() == REMEDIES.keys()
    assert [name for name, text in WORDS.items() if not _FLAG.search(text)] == ["unused"]


@pytest.mark.parametrize("language", languages())
def test_the_set_up_page_has_words_for_everything_that_reading_can_ask(language: str) -> None:
    """Without a flag, as there is no command line in a browser."""
    known = words(language)["new"]
    texts = [known[f"mend_{name}"] for name in REMEDIES.keys() - _ONLY_WRITING]

    assert [text for text in texts if "--" in text] == []


def test_python_and_the_api_hear_of_no_flag() -> None:
    """They have the same options under the names of the library."""
    assert [text for text in REMEDIES.values() if _FLAG.search(text)] == []


def literals(path: Path) -> Iterator[str]:
    """Yield all texts of a module but its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in told:
            yield node.value  # type: ignore[attr-defined]


@pytest.mark.parametrize("room", ["core", "formats", "campaign", "wire", "server/api"])
def test_no_message_that_a_browser_can_show_names_a_flag(room: str) -> None:
    """Whoever adds one finds a remedy to carry it instead."""
    files = sorted((SOURCE / room).rglob("*.py"))
    found = [(path.name, text) for path in files for text in literals(path) if _FLAG.search(text)]

    assert files
    assert found == []


def test_an_error_is_worded_by_whoever_shows_it() -> None:
    """What stands in the file is never taken for a place to fill in."""
    error = FormatError(Place("a.csv", 3), "odd {value}", Remedy("labels", "A,{B}"))

    assert str(error) == "a.csv, line 3: odd {value}; correct it, or declare all labels: A,{B}"
    assert error.worded(WORDS).endswith("; correct it, or declare it: --labels A,{B}")
