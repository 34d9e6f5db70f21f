"""`spancrew what-if` as a user runs it, and other commands on the export of a campaign."""

import json
from pathlib import Path

import pytest

from spancrew.formats import write
from tests.cli.conftest import Run
from tests.whatif.played import export_of, long_scene, played, write_journal

KEYS = {"sentences", "changed", "expert_share", "f1", "cost"}
FIGURE = {"known", "estimate", "low", "high"}


@pytest.fixture
def export(tmp_path: Path) -> str:
    """Return the export of a campaign beside its journal."""
    live = played(long_scene, "gate:threshold=0.4")
    write(export_of(live), tmp_path / "export.jsonl")
    write_journal(live, tmp_path / "journal.jsonl")
    return "export.jsonl"


def test_figures_say_whether_they_are_known(
    run: Run, export: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words of at most 80 columns, and in JSON."""
    monkeypatch.setenv("COLUMNS", "80")
    words = ("what-if", export, "--journal", "journal.jsonl", "--threshold", "0.2")
    code, out, err = run(*words)
    record = json.loads(run(*words, "--json")[1])

    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "sentences that experts decide" in out
    assert "--diff" in out
    assert record.keys() >= KEYS
    assert record["expert_share"].keys() == record["f1"].keys() == record["cost"].keys() == FIGURE
    assert record["expert_share"]["known"]
    assert not record["f1"]["known"]
    assert record["experts"].keys() == {"gate", "warm_up", "audit"}


def test_what_differs_is_written_sentence_by_sentence(
    run: Run, export: str, tmp_path: Path
) -> None:
    """And never over a file that is there."""
    words = ("what-if", export, "--threshold", "0.2", "--diff", "differs.jsonl")
    code, out, _ = run(*words)
    rows = [json.loads(line) for line in (tmp_path / "differs.jsonl").read_text().splitlines()]
    again = run(*words)

    assert code == 0
    assert "What would differ is in differs.jsonl." in out
    assert rows
    for row in rows:
        assert row.keys() == {"sentence", "before", "after", "by_before", "by_after", "known"}
        assert row["sentence"].startswith("s")
        assert (row["before"], row["by_before"]) != (row["after"], row["by_after"])
    assert again[0] == 2
    assert "--force" in again[2]


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        ((), "nothing is different"),
        (("--answers", "2"), "--feedback gate:threshold=0.65"),
        (("--answers", "9", "--journal", "journal.jsonl"), "spancrew simulate"),
        (("--threshold", "0.2", "--draws", "0"), "at least 1"),
    ],
)
def test_what_cannot_be_tried_ends_with_a_remedy(
    run: Run, export: str, words: tuple[str, ...], remedy: str
) -> None:
    """With exit code 2."""
    code, _, err = run("what-if", export, *words)

    assert code == 2
    assert remedy in err


@pytest.mark.parametrize(
    "words",
    [
        ("frontier", "--consensus", "mv", "--gate", "random", "--orders", "1", "--share", "0.2"),
        (
            "simulate",
            "--crowd",
            "replay",
            "--policy",
            "random",
            "--feedback",
            "crowd",
            "--runs",
            "1",
        ),
    ],
)
def test_an_export_goes_into_other_commands_with_a_note(
    run: Run, export: str, words: tuple[str, ...]
) -> None:
    """Experts' labels are gold there; they are no random sample, and that is said."""
    command, *options = words
    code, out, err = run(command, export, *options, "--processes", "1", "--json")

    assert code == 0
    assert json.loads(out)
    assert "experts' labels count as gold" in err
    assert "no random sample" in err
