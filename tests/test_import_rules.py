"""The rules of imports are checked, and a violation is named."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RULES = """
[importlinter]
root_package = house
contract_types =
    private_files: tools.import_contracts.PrivateFiles

[importlinter:contract:doors]
name = Rooms are entered by their doors
type = private_files
package = house
doors =
    house.server
    house.server.start
"""


def checked(folder: Path, line: str) -> tuple[int, str]:
    """Return what import-linter says of a house in which the kitchen has one line of code."""
    for name in ("", "kitchen", "server", "server/start", "server/desk", "stores"):
        room = folder / "house" / name
        room.mkdir(parents=True, exist_ok=True)
        (room / "__init__.py").touch()
    (folder / "house" / "stores" / "_sql.py").touch()
    (folder / "house" / "stores" / "_open.py").write_text("from house.stores import _sql\n")
    (folder / "house" / "kitchen" / "_stove.py").write_text(line)
    (folder / "rules.ini").write_text(RULES)
    done = subprocess.run(  # noqa: S603  a program of ours
        [
            *(sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"),
            *("--config", "rules.ini", "--no-cache"),
        ],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{ROOT}", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "imported"),
    [
        ("from house.stores._sql import x\n", "house.stores._sql"),
        ("from house.stores import _sql\n", "house.stores._sql"),
        ("from house.server import desk\n", "house.server.desk"),
    ],
)
def test_whoever_enters_a_room_by_a_private_file_is_named(
    tmp_path: Path, line: str, imported: str
) -> None:
    """With what they import; the server has two doors, and the rest of it is private."""
    code, said = checked(tmp_path, line)

    assert code == 1
    assert f"house.kitchen._stove imports {imported}, which is private to its room" in said


@pytest.mark.parametrize("line", ["import house.stores\n", "from house.server import start\n"])
def test_doors_are_open(tmp_path: Path, line: str) -> None:
    """And a room may use its own private files."""
    code, said = checked(tmp_path, line)

    assert code == 0, said


def test_the_rules_stand_in_the_project_and_are_checked_by_make() -> None:
    """Nobody takes them out by accident."""
    rules = (ROOT / "pyproject.toml").read_text()

    assert 'type = "private_files"' in rules
    assert "lint-imports" in (ROOT / "Makefile").read_text()
