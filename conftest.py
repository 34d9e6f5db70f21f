"""Run what README.md and docs show: Python, commands with their output, the files they read.

A block in ``python`` is run, and a block titled "Output" after it is what it prints. In a
``console`` block every line ``$ spancrew ...`` is run; lines under it are what it prints, and the
title "Exit code 2" says how it ends. A block with a file name for a title is that file. All blocks
of a page share a namespace and an empty folder; ``...`` stands for any text.
"""

import gc
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from joblib.externals.loky import get_reusable_executor
from sybil import Document, Example, Region, Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer
from tests.kernel_folder import kernel_folder

_ROOT = Path(__file__).parent
_SOURCES = _ROOT / "src"
os.environ.setdefault("NUMBA_CACHE_DIR", str(kernel_folder()))

_COSTLY = frozenset((_ROOT / "tests" / "costly.txt").read_text("utf-8").splitlines())
"""Tests, and pages of the docs, that cost most; see ``tools/costly.py``."""

gc.disable()  # while tests are collected, hardly anything becomes garbage

_LONGEST = (
    "docs/how-to/rehearse-a-campaign.md",
    "docs/reference/cli.md",
    "tests/simulate/test_dask.py",
    "tests/test_notebook.py",
    "tests/test_plug_ins.py",
)
"""Where the tests are that take longest, each of them."""

collect_ignore_glob = [] if find_spec("torch") else ["src/spancrew/effect/_networks/*"]
"""Files that can be imported only with the extra ``models``."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one process more than there are cores: many tests wait for a server or a browser."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes() -> None:
    """Compile the kernels before processes start that would all compile them at once."""
    subprocess.run([sys.executable, "-m", "tests.kernels"], cwd=_ROOT, check=True)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out sources without examples: to look for doctests in a file is to import it."""
    is_source = collection_path.suffix == ".py" and _SOURCES in collection_path.parents
    return (is_source and b">>> " not in collection_path.read_bytes()) or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what ``make test`` leaves to ``make test-all``, where the tests do not.

    What takes longest comes first: else all would wait for the process that has it last.
    """
    for item in items:
        if _is_slow(item):
            item.add_marker("slow")
    items.sort(key=lambda item: not item.nodeid.startswith(_LONGEST))


def _is_slow(item: pytest.Item) -> bool:
    browser = item.get_closest_marker("browser")
    return (
        item.get_closest_marker("realdata") is not None
        or (browser is not None and not browser.kwargs.get("quick", False))
        or not _COSTLY.isdisjoint((item.nodeid, item.nodeid.partition("::")[0]))
    )


def pytest_collection_finish() -> None:
    """Keep all that was loaded out of later searches for garbage."""
    gc.enable()
    gc.collect()
    gc.freeze()


_FENCE = RawFencedCodeBlockLexer(
    re.compile(r"(?P<language>\S*)(?P<attributes>.*)$\n", re.MULTILINE)
)
_TITLE = re.compile(r'title="([^"]+)"')
_COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_PRINTED, _PATCH, _FOLDER = "_printed", "_patch", "_folder"

Evaluator = Callable[[Example], str | None]


def _page(document: Document) -> Iterator[Region]:
    """Yield a page as one test: processes that share the tests out cannot cut it in two."""
    blocks = list(_blocks(document))
    if blocks:
        yield Region(blocks[0].start, blocks[-1].end, blocks, _run_page)


def _run_page(example: Example) -> None:
    page = Document(example.document.text, example.path)
    page.namespace = example.namespace
    for block in example.parsed:
        page.add(block)
    for each in page.examples():
        each.evaluate()


def _blocks(document: Document) -> Iterator[Region]:
    """Yield the fenced blocks that are run, checked or written."""
    for block in _FENCE(document):
        found = _TITLE.search(block.lexemes["attributes"])
        evaluator = _evaluator(block.lexemes["language"], found[1] if found else "")
        if evaluator is not None:
            yield Region(block.start, block.end, block.lexemes["source"], evaluator)


def _evaluator(language: str, title: str) -> Evaluator | None:
    if language == "console":
        return lambda example: _run_commands(example, title)
    if title == "Output":
        return _check_printed
    if "." in title:
        return lambda example: _write_file(example, title)
    return _run_python if language == "python" else None


def _run_python(example: Example) -> None:
    with redirect_stdout(io.StringIO()) as printed:
        PythonEvaluator()(example)
    example.namespace[_PRINTED] = printed.getvalue()


def _check_printed(example: Example) -> str | None:
    return _difference(example.parsed, example.namespace[_PRINTED])


def _write_file(example: Example, name: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(example.parsed, encoding="utf-8")


def _run_commands(example: Example, title: str) -> str | None:
    expected = int(title.removeprefix("Exit code ")) if title else 0
    for command, output in _COMMAND.findall(example.parsed):
        words = shlex.split(command, comments=True)
        if words[0] != "spancrew":
            continue
        code, printed = _run(words)
        if code != expected:
            return f"$ {command}\nended with exit code {code}, not {expected}:\n{printed}"
        if output.strip() and (difference := _difference(output, printed)):
            return f"$ {command}\n{difference}"
    return None


def _run(words: list[str]) -> tuple[int, str]:
    """Run a command in this process, which has numba and numpy loaded already."""
    from spancrew.cli import main  # noqa: PLC0415  pages without commands need no command line

    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(io.StringIO()) as printed,
        redirect_stderr(printed),
    ):
        patch.setattr(sys, "argv", words)
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0), printed.getvalue()
    return 0, printed.getvalue()


def _difference(expected: str, printed: str) -> str | None:
    """Say how the output differs; how many blanks stand between words does not count."""
    if OutputChecker().check_output(expected, printed, ELLIPSIS | NORMALIZE_WHITESPACE):
        return None
    return f"expected:\n{expected}\nprinted:\n{printed}"


def _enter(namespace: dict[str, Any]) -> None:
    """Begin a page in an empty folder, on a terminal of one width."""
    folder = namespace[_FOLDER] = TemporaryDirectory()
    patch = namespace[_PATCH] = pytest.MonkeyPatch()
    patch.chdir(folder.name)
    patch.setenv("COLUMNS", "88")
    patch.delenv("FORCE_COLOR", raising=False)


def _leave(namespace: dict[str, Any]) -> None:
    # Processes that a page has started live in its folder, which is about to go.
    get_reusable_executor().shutdown(wait=True)
    namespace[_PATCH].undo()
    namespace[_FOLDER].cleanup()


collect_ignore = ["docs/docstrings.py"]
"""It needs the packages that build the documentation, which tests do without."""

pytest_collect_file = Sybil(
    parsers=[_page],
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
    setup=_enter,
    teardown=_leave,
).pytest()
