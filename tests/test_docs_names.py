"""A page that names something that does not exist fails here.

Names are looked up in the package, its command line, its routes and its source; nothing is listed
by hand. Words in code type that look like names of a program (``snake_case``, ``CamelCase``) must
occur in the code of the project, or in an example on the same page.
"""

import ast
import builtins
import dataclasses
import inspect
import pkgutil
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from fastapi import APIRouter

import spancrew
import spancrew.server
from spancrew.cli._main import app
from spancrew.consensus import consensus_methods
from spancrew.feedback import feedback_rules
from spancrew.policies import policies
from spancrew.server.logs import Metrics
from spancrew.wire import PREFIX
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PACKAGE = ROOT / "src" / "spancrew"
FENCE = re.compile(r"(?sm)^```(\w*)([^\n]*)\n(.*?)^```$")
WORD = re.compile(r"[A-Za-z_]\w*")
_METRIC = re.compile(r"\bspancrew_[a-z_]+")
_SPEC = re.compile(r"(?<![\w./:-])([a-z][a-z-]*)((?:[:,][a-z_]+=[\w.+-]+)+)")


def missing(page: str) -> list[str]:
    """Return everything that a page names and that is not there."""
    return sorted(
        {
            *_missing_python(page),
            *_missing_commands(page),
            *_missing_options(page),
            *_missing_paths(page),
            *_missing_variables(page),
            *_missing_routes(page),
            *_missing_metrics(page),
            *_missing_specs(page),
            *_missing_words(page),
        }
    )


def _inline(page: str) -> list[str]:
    """Return what stands in code type outside of blocks."""
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", page))


def _missing_python(page: str) -> Iterator[str]:
    files = set(re.findall(r'title="([^"]+)"', page))
    for name in re.findall(r"(?<![\w./-])spancrew(?:\.[A-Za-z_]\w*)+", page):
        if name not in files and name not in _code_words() and not _resolves(name):
            yield name
    for room, names in re.findall(r"from (spancrew[\w.]*) import \(?([\w, \n]+)", page):
        for name in WORD.findall(names.split("\n\n")[0].split("\nfrom ")[0].split("\nimport ")[0]):
            if _resolves(room) and not _resolves(f"{room}.{name}"):
                yield f"{room}.{name}"


@cache
def _resolves(name: str) -> bool:
    """Tell whether a dotted name is a module, or something inside of one."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        return _has(found, parts[cut:])
    return False


def _has(found: object, parts: list[str]) -> bool:
    for part in parts:
        fields = inspect.get_annotations(found) if isinstance(found, type) else {}
        if not hasattr(found, part):
            return part in fields
        found = getattr(found, part)
    return True


def _missing_commands(page: str) -> Iterator[str]:
    # A block with a title is a file, or what a command prints.
    fences = FENCE.findall(page)
    blocks = [body for kind, title, body in fences if kind == "console" or not title.strip()]
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    for line in (*lines, *_inline(page)):
        if re.match(r"spancrew(?: [a-z-]|$)", line):
            yield from _missing_of_command(line)


def _missing_of_command(line: str) -> Iterator[str]:
    words = shlex.split(line.replace("'", " "), comments=True)[1:]
    name = ""
    while words and not words[0].startswith("-") and f"{name} {words[0]}".strip() in _options():
        name = f"{name} {words.pop(0)}".strip()
    is_group = any(each.startswith(f"{name} ".lstrip()) for each in _options() if each != name)
    if is_group and words and not words[0].startswith("-"):
        yield f"spancrew {name} {words[0]} (in {line!r})"
    for word in words:
        if word.startswith("--") and word.split("=")[0] not in _options()[name]:
            yield f"{word} (in {line!r})"


def _missing_options(page: str) -> Iterator[str]:
    known = frozenset[str]().union(*_options().values())
    for code in _inline(page):
        if (found := re.match(r"--[a-z][\w-]*", code)) and found[0] not in known:
            yield found[0]


@cache
def _options() -> dict[str, frozenset[str]]:
    """Return the options of every command by its name; the name of the program itself is empty."""

    def walk(name: str, command: Any) -> Iterator[tuple[str, frozenset[str]]]:
        options = [(*each.opts, *each.secondary_opts) for each in command.params]
        yield name, frozenset({"--help"}.union(*options))
        for word, below in getattr(command, "commands", {}).items():
            yield from walk(f"{name} {word}".strip(), below)

    return dict(walk("", typer.main.get_command(app)))


def _missing_paths(page: str) -> Iterator[str]:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()} - {"out", "site"}
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    for code in _inline(page):
        path = code.rstrip("/")
        if not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)+", path):
            continue
        first = path.split("/")[0]
        if first in folders and not (ROOT / path).exists():
            yield path
        if first in rooms - folders and path.endswith(".py") and not (PACKAGE / path).exists():
            yield path
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
    for code in _inline(page):
        if (found := re.fullmatch(r"make ([a-z-]+)", code)) and found[1] not in targets:
            yield code
    yield from _missing_extras(page)


def _missing_extras(page: str) -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name in re.findall(r"(?:spancrew|install \"?\.)\[(\w+)\]", page):
        if name not in project["optional-dependencies"]:
            yield f"spancrew[{name}]"


def _missing_variables(page: str) -> Iterator[str]:
    for name in re.findall(r"\bSPANCREW_[A-Z_]+", page):
        if name not in _code_words():
            yield name


def _missing_routes(page: str) -> Iterator[str]:
    routes = _routes()
    for code in _inline(page):
        found = re.fullmatch(r"(?:[A-Z]+ )?(\.\.\.)?(/[a-z][^\s?#]*)[^\s]*", code)
        if found is None:
            continue
        asked = re.sub(r"\{\w+\}|\b[A-Z]+\b", "{}", found[2].rstrip("/"))
        if not any(r.endswith(asked) if found[1] else r == asked for r in routes):
            yield found[2]


@cache
def _routes() -> frozenset[str]:
    """Return all routes of the server, with ``{}`` in place of every parameter."""
    modules = pkgutil.walk_packages(spancrew.server.__path__, "spancrew.server.")
    loaded = [import_module(each.name) for each in modules]
    routers = [v for module in loaded for v in vars(module).values() if isinstance(v, APIRouter)]
    paths = [str(getattr(route, "path", "")) for router in routers for route in router.routes]
    paths.append(f"{PREFIX}/openapi.json")
    return frozenset(re.sub(r"\{[^}]+\}", "{}", path) for path in paths)


def _missing_metrics(page: str) -> Iterator[str]:
    for name in _METRIC.findall(page):
        if name.removesuffix("_total") not in _metrics() and name not in _code_words():
            yield name


@cache
def _metrics() -> frozenset[str]:
    return frozenset(metric.name for metric in Metrics().registry.collect())


def _missing_specs(page: str) -> Iterator[str]:
    """Yield policies, rules and methods with options, as in ``gate:threshold=0.4``."""
    known: dict[str, Any] = {**policies(), **feedback_rules(), **consensus_methods()}
    defined_here = set(re.findall(r'(?m)^([\w-]+) = "[\w.]+:\w+"$', page))
    for name, options in _SPEC.findall(page):
        if name in known:
            fields = {field.name for field in dataclasses.fields(known[name])}
            for option in re.findall(r"[:,](\w+)=", options):
                if option not in fields:
                    yield f"{name}:{option}"
        elif name not in defined_here | _code_words():
            yield name


def _missing_words(page: str) -> Iterator[str]:
    shown = {word for _, _, body in FENCE.findall(page) for word in WORD.findall(body)}
    known = _code_words() | shown | set(dir(builtins))
    for code in _inline(page):
        for word in re.findall(r"(?<![\w/-])[A-Za-z_]\w*(?![\w/-])", code):
            is_call = f"{word}(" in code
            looks_like_code = re.search(r"[a-z][A-Z]|[A-Za-z]_[A-Za-z]|^[A-Z][a-z]{2,}$", word)
            if (is_call or looks_like_code) and not _METRIC.match(word) and word not in known:
                yield word


@cache
def _code_words() -> frozenset[str]:
    """Return the words of the project's code; docstrings and comments do not count."""
    words = {status.name.lower() for status in HTTPStatus}
    tests = ROOT / "tests"
    knobs = tests / "server" / "test_schema.py", tests / "bridges" / "real_story.py"
    for path in (*PACKAGE.rglob("*.py"), ROOT / "conftest.py", *knobs):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            words.update(_words_of(node))
    for path in (*PACKAGE.rglob("*"), ROOT / "pyproject.toml"):
        if path.suffix in {".js", ".html", ".css", ".json", ".jsonl", ".csv", ".toml"}:
            words.update(WORD.findall(path.read_text("utf-8")))
    return frozenset(words)


def _words_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            node.value = ast.Constant(value=None)  # a docstring
        case ast.Constant(value=str() as text):
            yield from (text, *WORD.findall(text))
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
            yield name
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            yield name
        case ast.arg(arg=name) | ast.keyword(arg=str() as name):
            yield name
        case _:
            pass


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_only_what_exists(page: Path) -> None:
    """In the package, on the command line, in the tree, in the environment, on the server."""
    assert missing(page.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("`spancrew.core.Spam` holds it.", "spancrew.core.Spam"),
        ("`spancrew.larder` is a room.", "spancrew.larder"),
        ("`spancrew.campaign.Plan.colour` is set.", "spancrew.campaign.Plan.colour"),
        ("```python\nfrom spancrew import read, devour\n```\n", "spancrew.devour"),
        ("```console\n$ spancrew simulate demo --foo\n```\n", "--foo"),
        ("```text\nspancrew campaign abolish first\n```\n", "abolish"),
        ("Run `spancrew ponder`.", "ponder"),
        ("Give `--no-such-option` too.", "--no-such-option"),
        ("See `src/spancrew/core/_nothing.py`.", "src/spancrew/core/_nothing.py"),
        ("See `server/desk/no_such_file.py`.", "server/desk/no_such_file.py"),
        ("Call `make coffee`.", "make coffee"),
        ('Run `pip install "spancrew[kitchen]"`.', "spancrew[kitchen]"),
        ("Set `SPANCREW_COLOUR`.", "SPANCREW_COLOUR"),
        ("Call `GET /api/v1/campaigns/{c}/colour`.", "/api/v1/campaigns/{c}/colour"),
        ("Open `/campaigns/ID/colour`.", "/campaigns/ID/colour"),
        ("Count `spancrew_settled` per hour.", "spancrew_settled"),
        ("The event `Settlled` is the last.", "Settlled"),
        ("Call `status()`, then `ponder()`.", "ponder"),
        ("The field `ledger.colour_left` is new.", "colour_left"),
        ("```console\n$ spancrew simulate demo --feedback gate:limit=1\n```\n", "gate:limit"),
        ("Take `cucbb:scale=0.2`.", "cucbb"),
        ("A `ColourfulThing` has a `colour_of_hair`.", "ColourfulThing"),
        ("A `ColourfulThing` has a `colour_of_hair`.", "colour_of_hair"),
    ],
)
def test_a_made_up_name_is_found(claim: str, name: str) -> None:
    """Each kind of name, so that none of the checks above can fall asleep."""
    assert any(name in found for found in missing(f"# A page\n\n{claim}\n"))


def test_names_that_exist_are_not_complained_about() -> None:
    """One of each kind."""
    page = (
        "`spancrew.campaign.Plan.budget`, `spancrew.read`, `spancrew simulate DATA --runs 3`, "
        "`--runs`, `src/spancrew/core`, `SPANCREW_STORE`, `GET /api/v1/campaigns/{c}/status`, "
        "`/campaigns/ID/people`, `AgreementGate`, `trust_gold`, `make test`, `spancrew[server]`, "
        "`spancrew_requests_total`, `Settled`, `status()`, `gate:threshold=0.4,ties=paper`"
    )

    assert missing(page) == []
