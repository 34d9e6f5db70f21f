"""Run the command line inside the test process, and a server that it may talk to."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spancrew.cli import main
from spancrew.core import Dataset, Sentence
from spancrew.formats import write
from tests.serving import Serving, serving

Run = Callable[..., tuple[int, str, str]]

PLAN = ("--labels", "LOC,PER", "--answers", "2", "--crew", "2", "--policy", "random")
RULE = ("--feedback", "gate:threshold=0.65", "--warm-up", "none", "--audit", "0")


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """Return a function that runs the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["spancrew", *map(str, words)])
        with pytest.raises(SystemExit) as stopped:
            main()
        output = capsys.readouterr()
        return int(stopped.value.code or 0), output.out, output.err

    return call


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server that runs."""
    with serving(tmp_path_factory.mktemp("server"), options=["--quiet"]) as found:
        yield found


@pytest.fixture
def login(server: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let commands know who one is."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SPANCREW_SERVER", server.url)
    monkeypatch.setenv("SPANCREW_TOKEN", server.admin_token())
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def made(run: Run, login: None, tmp_path: Path) -> str:
    """Return a campaign on three sentences."""
    tokens = ["Ana", "left", "Rome", "today"]
    write(
        Dataset.of([Sentence.from_tokens(f"s{k}", tokens) for k in range(3)]),
        tmp_path / "three.jsonl",
    )
    code, out, err = run("campaign", "create", "three.jsonl", *PLAN, *RULE, "--json")
    assert (code, err) == (0, "")
    return str(json.loads(out)["id"])
