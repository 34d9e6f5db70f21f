"""The map of the tree is complete, its two walks go the way of the program, and names are unique.

A step of a walk names a file of the package and a function in it. The walk is true if a small run
calls these functions in the order of the page, whatever else it calls in between.
"""

import ast
import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from spancrew.cli._main import app
from spancrew.server import ServerSettings
from tests.conftest import ROOT
from tests.server.conftest import HandClock, create, invite, running

PACKAGE = ROOT / "src" / "spancrew"
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text("utf-8")


class Step(NamedTuple):
    """A function by its file inside of the package and its qualified name."""

    file: str
    name: str


def walk(title: str) -> list[Step]:
    """Return the numbered steps under a heading of the page."""
    passage = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return [Step(*found) for found in re.findall(r"(?m)^\d+\. `([\w/]+\.py)` `([\w.]+)`", passage)]


REHEARSAL = walk("A rehearsal, from the command to the table")
ANSWER = walk("An answer, from the request to the dashboard")


@contextmanager
def called(steps: list[Step]) -> Iterator[list[Step]]:
    """Yield a list that grows by every call of a step's function, in any thread."""
    wanted = {(str(PACKAGE / step.file), step.name): step for step in steps}
    names = {step.name for step in steps}
    calls: list[Step] = []

    def look(frame: FrameType, event: str, _argument: object) -> None:
        code: CodeType = frame.f_code
        if event == "call" and code.co_qualname in names:
            step = wanted.get((code.co_filename, code.co_qualname))
            if step is not None:
                calls.append(step)

    before = sys.getprofile()
    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def first_missed(steps: list[Step], calls: list[Step]) -> Step | None:
    """Return the first step that is not called after those before it; None if there is none."""
    remaining = iter(calls)
    return next((step for step in steps if step not in remaining), None)


def functions(path: Path) -> set[str]:
    """Return the qualified names of the functions and methods of a file."""
    found: set[str] = set()

    def visit(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(prefix + child.name)
            elif isinstance(child, ast.ClassDef):
                visit(child, f"{prefix}{child.name}.")

    visit(ast.parse(path.read_text("utf-8")), "")
    return found


def shared_names(package: Path) -> list[str]:
    """Say where each class name that is defined more than once is defined."""
    places: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                place = f"{path.relative_to(package).as_posix()}:{node.lineno}"
                places.setdefault(node.name, []).append(place)
    return [f"{name}: {' and '.join(found)}" for name, found in places.items() if found[1:]]


@pytest.mark.parametrize("step", [*REHEARSAL, *ANSWER], ids=":".join)
def test_every_step_is_a_function_that_exists(step: Step) -> None:
    """In the file that the page names."""
    assert step.name in functions(PACKAGE / step.file)


def test_the_walks_have_steps() -> None:
    """Else the tests below would say nothing."""
    assert len(REHEARSAL) > 5
    assert len(ANSWER) > 5


def test_a_rehearsal_goes_the_way_of_the_page() -> None:
    """From the command line to a policy and back to the table."""
    words = ["simulate", "demo-zh", "--crowd", "replay", "--policy", "random", "--runs", "1"]
    rules = ["--feedback", "gate", "--consensus", "mv", "--processes", "1"]
    with called(REHEARSAL) as calls:
        result = CliRunner().invoke(app, [*words, *rules])

    assert result.exit_code == 0, result.output
    assert first_missed(REHEARSAL, calls) is None


def test_an_answer_goes_the_way_of_the_page(tmp_path: Path) -> None:
    """From the request to the row in the database, and from there to who watches."""
    clock = HandClock()
    # Streams end as soon as they have said what there is.
    settings = ServerSettings(clock=clock, stream_seconds=0.0)
    with called(ANSWER) as calls, running(tmp_path, clock, settings) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path, sentences=4)
        worker = invite(admin, campaign)
        admin.ok("POST", f"/campaigns/{campaign}/start")
        given = worker.ok("POST", f"/campaigns/{campaign}/next")
        begun = len(calls)
        answer = {"assignment": given["assignment"]["assignment"], "spans": []}
        worker.ok("POST", f"/campaigns/{campaign}/answers", json=answer)
        seen = admin.call("GET", f"/campaigns/{campaign}/live").text

    assert json.dumps("Answered") in seen
    assert first_missed(ANSWER, calls[begun:]) is None


def test_a_step_out_of_order_is_noticed() -> None:
    """The comparison above is no formality."""
    first, second = Step("a.py", "f"), Step("b.py", "g")

    assert first_missed([first, second], [first, first, second]) is None
    assert first_missed([second, first], [first, second]) == first


def test_the_map_lists_every_room_and_every_part_of_the_server() -> None:
    """And nothing that is not there."""
    rows = re.findall(r"(?m)^\| `([\w/]+)` \|", PAGE)
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    parts = {f"server/{path.parent.name}" for path in PACKAGE.glob("server/*/__init__.py")}

    assert sorted(rows) == sorted({"calling", "errors"} | rooms | parts)


def test_every_class_has_a_name_of_its_own() -> None:
    """So that a search for a name finds one thing."""
    shared = shared_names(PACKAGE)

    assert not shared, "defined more than once, rename the less public one:\n" + "\n".join(shared)


def test_a_name_of_two_classes_is_noticed_with_both_places(tmp_path: Path) -> None:
    """Also that of a class inside of another."""
    (tmp_path / "a.py").write_text("class Row: ...\n", "utf-8")
    (tmp_path / "b.py").write_text("class Part:\n    class Row: ...\n", "utf-8")

    assert shared_names(tmp_path) == ["Row: a.py:1 and b.py:2"]
