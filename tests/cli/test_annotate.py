"""`spancrew annotate` as a user runs it."""

import json
from pathlib import Path

import pytest

from spancrew.core import is_model
from spancrew.formats import read, write
from tests.cli.conftest import Run
from tests.members.models import people

FUNCTION = "python:tests.members.models:capitals"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a file with ten sentences."""
    write(people(10), tmp_path / "ten.jsonl")
    return tmp_path / "ten.jsonl"


def test_a_model_is_one_more_worker(run: Run, data: Path, tmp_path: Path) -> None:
    """The table says what it gave."""
    code, out, err = run("annotate", data, "--with", FUNCTION, "--out", "x.jsonl")
    found = read(tmp_path / "x.jsonl").dataset

    assert (code, err) == (0, "")
    assert "model:capitals" in out
    assert "Written to x.jsonl." in out
    assert found.workers == ("model:capitals",)
    assert all(map(is_model, found.workers))
    assert len(found.answers) == 10


def test_a_second_run_with_the_same_file_asks_nothing(run: Run, data: Path) -> None:
    """Nor does it pay."""
    words = ["annotate", data, "--with", FUNCTION, "--price", "0.1", "--keep", "kept.db"]
    first = json.loads(run(*words, "--out", "x.jsonl", "--json")[1])
    second = json.loads(run(*words, "--out", "y.jsonl", "--json")[1])

    assert (first["earlier"], second["earlier"]) == (0, 10)
    assert first["spent"] == second["spent"] == pytest.approx(1.0)
    assert Path("x.jsonl").read_text("utf-8") == Path("y.jsonl").read_text("utf-8")


def test_a_model_that_stops_halfway_is_told_by_the_exit_code(run: Run, data: Path) -> None:
    """What it answered is written, and the way on is named."""
    words = ["--price", "0.1", "--most-money", "0.4", "--batch", "2", "--keep", "kept.db"]
    code, out, _ = run("annotate", data, "--with", FUNCTION, *words, "--out", "x.jsonl")

    assert code == 1
    assert "may cost 0.2, and 0.4 of 0.4 is spent" in " ".join(out.split())
    assert "To ask about the 6 others, run the same command again with --force." in " ".join(
        out.split()
    )
    assert len(read("x.jsonl").dataset.answers) == 4

    rest = [*words[:3], "0.8", *words[4:], "--out", "x.jsonl", "--force"]
    assert run("annotate", data, "--with", FUNCTION, *rest)[0] == 1
    assert len(read("x.jsonl").dataset.answers) == 8


def test_a_model_that_answers_nothing_leaves_no_file(run: Run, data: Path) -> None:
    """Nobody takes a copy of the data for its answers."""
    words = ["--price", "1", "--most-money", "0.4", "--out", "x.jsonl"]
    code, out, _ = run("annotate", data, "--with", FUNCTION, *words)

    assert code == 1
    assert "The model answered nothing: no file. Why: " in " ".join(out.split())
    assert not Path("x.jsonl").exists()
    record = json.loads(run("annotate", data, "--with", FUNCTION, *words, "--json")[1])
    assert (record["answered"], record["target"]) == (0, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", "tagger"], "'tagger' names no model"),
        (["--with", FUNCTION, "--batch", "0"], "at_once 0: name 1 or more"),
        (["--with", FUNCTION, "--rename", "PERSON"], "--rename: 'PERSON' gets no name"),
        (["--with", FUNCTION, "--to", "nope"], "there is no such format"),
    ],
)
def test_what_cannot_be_done_is_refused(
    run: Run, data: Path, words: list[str], message: str
) -> None:
    """Before anything is asked or written."""
    code, _, err = run("annotate", data, *words, "--out", "x.jsonl")

    assert code == 2
    assert message in err
    assert not Path("x.jsonl").exists()


LLM = ("--with", "llm:gpt-x", "--url", "http://127.0.0.1:9/v1")


def test_a_dry_run_shows_the_prompt_and_the_price(run: Run, tmp_path: Path) -> None:
    """And asks nothing: there is no server at that address."""
    (tmp_path / "guide.txt").write_text("Mark every name.")
    (tmp_path / "meanings.json").write_text('{"PER": "people"}')
    told = ["--guide", "guide.txt", "--meanings", "meanings.json", "--dry-run"]
    prices = ["--input-price", "1", "--output-price", "2"]
    code, out, err = run("annotate", "demo", *LLM, *told, *prices)
    record = json.loads(run("annotate", "demo", *LLM, *told, "--json", "--samples", "2")[1])

    assert (code, err) == (0, "")
    assert "Mark every name." in out
    assert "- PER: people" in out
    assert "600 requests" in out
    assert len(record["messages"]) == 2 + 2 * 5
    assert (record["requests"], record["price"]) == (1200, None)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with", FUNCTION, "--dry-run"], "name llm:MODEL"),
        (["--with", "llm:gpt-x", "--dry-run"], "where is 'gpt-x'?"),
        ([*LLM], "name the file to write with --out"),
        ([*LLM, "--dry-run", "--samples", "0"], "samples 0: name 1 or more"),
        ([*LLM, "--dry-run", "--meanings", "ten.jsonl"], "this is no JSON"),
        ([*LLM, "--dry-run", "--meanings", "list.json"], "write each label with its meaning"),
        ([*LLM, "--dry-run", "--guide", "nowhere.txt"], "nowhere.txt: No such file"),
    ],
)
def test_what_a_language_model_lacks_is_named(
    run: Run, data: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    """In one line."""
    (tmp_path / "list.json").write_text("[1]")
    code, _, err = run("annotate", data, *words)

    assert code == 2
    assert message in err


def test_labels_that_are_not_in_the_data_are_declared(run: Run, tmp_path: Path) -> None:
    """As plain text has none."""
    (tmp_path / "plain.txt").write_text("Ana left Rome.\n")
    words = ["annotate", "plain.txt", "--with", FUNCTION, "--out", "x.jsonl"]

    assert "no labels" in run(*words)[2]
    assert run(*words, "--labels", "PER")[0] == 0
    assert len(read("x.jsonl").dataset.answer(0).spans) == 2


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("capitals", "names no model"),
        ("oracle:delphi", "kind 'oracle' is not known"),
        ("python:tests.members.models:nothing", "has no function 'nothing'"),
        ("llm:gpt-x", "ends in /v1"),
    ],
)
def test_a_model_that_cannot_be_had_is_refused_before_its_campaign_is_asked(
    run: Run, model: str, message: str
) -> None:
    """The link leads to a server that is not there: who asked it would hear of that instead."""
    code, _, err = run("member", "run", "http://127.0.0.1:9/enter#secret", "--with", model)

    assert code == 2
    assert message in " ".join(err.split())
