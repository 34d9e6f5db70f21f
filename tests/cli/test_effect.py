"""`spancrew effect`: a table, JSON and a page; what is missing is named with its remedy."""

import json
import re
import sys
from pathlib import Path

import pytest

from spancrew.formats import write
from tests.cli.conftest import Run
from tests.effect.small import WORKERS, pilot
from tests.test_docs import quoted, sections


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return a pilot and a test in files."""
    folder = tmp_path_factory.mktemp("effect")
    write(pilot(80, 1, WORKERS, answers=4), folder / "pilot.jsonl")
    write(pilot(40, 2, {}), folder / "test.jsonl")
    return str(folder / "pilot.jsonl"), str(folder / "test.jsonl")


def test_the_command_prints_a_table_and_writes_a_page(
    run: Run, files: tuple[str, str], tmp_path: Path
) -> None:
    """No line is wider than a terminal, and the page asks nobody for anything."""
    page, (data, test) = tmp_path / "effect.html", files
    code, out, _ = run("effect", data, "--test", test, "--seeds", "1", "--report", str(page))
    html = page.read_text("utf-8")

    assert code == 0
    assert "selected crew" in out
    assert "Points behind the same model on gold" in out
    assert max(map(len, out.splitlines())) <= 80
    assert "Exact F1 of crf" in html
    assert not re.search(r"(src|href)=\"https?:", html)


def test_every_field_of_the_json_is_described(run: Run, files: tuple[str, str]) -> None:
    """Those of arms and differences, too."""
    _, out, _ = run("effect", files[0], "--test", files[1], "--seeds", "1", "--json")
    found = json.loads(out)
    named = {*found, *found["arms"][0], *found["differences"][0]}

    assert named <= quoted(sections("reference/cli.md")["JSON of `effect`"])


def test_a_missing_package_is_named_with_its_remedy(
    run: Run, files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is read."""
    monkeypatch.setitem(sys.modules, "torch", None)
    code, _, err = run("effect", files[0], "--test", files[1], "--model", "bilstm-crf")

    assert code == 2
    assert 'pip install "spancrew[models]"' in err
