"""The commands as a user runs them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from spancrew import __version__
from spancrew.formats import read
from tests.cli.conftest import Run


def test_inspect_prints_the_tables(run: Run) -> None:
    """Table 1, workers, agreement, errors with examples, and where to find more."""
    code, out, err = run("inspect", "demo")

    assert (code, err) == (0, "")
    for part in ("Table 1", "Workers, the best first", "Agreement", "Errors", "--report"):
        assert part in out


def test_inspect_prints_json_and_nothing_else(run: Run) -> None:
    """The whole output is one document."""
    code, out, err = run("inspect", "demo-zh", "--json")
    record = json.loads(out)

    assert (code, err) == (0, "")
    assert record["labels"].keys() == {"NEG", "POS"}
    assert len(record["worker_scores"]) == record["workers"]


def test_inspect_writes_the_report_and_says_where(run: Run, tmp_path: Path) -> None:
    """The last line names the file."""
    code, out, _ = run("inspect", "demo-zh", "--report", "zh.html")

    assert code == 0
    assert "zh.html" in out.splitlines()[-1]
    assert "</html>" in (tmp_path / "zh.html").read_text(encoding="utf-8")


def test_brackets_in_a_file_name_are_printed_as_they_are(run: Run) -> None:
    """A terminal library that knows markup must not swallow them."""
    out = run("convert", "demo-zh", "zh[bold].jsonl")[1]
    report = run("inspect", "zh[bold].jsonl", "--report", "r[1].html")[1]

    assert "zh[bold].jsonl" in out
    assert "r[1].html" in report


def test_convert_writes_what_it_says(run: Run, tmp_path: Path) -> None:
    """And lists what the format cannot hold."""
    code, out, _ = run("convert", "demo", "demo.conll")

    assert code == 0
    assert "Not written" in out
    assert "answers" in out
    assert len(read(tmp_path / "demo.conll").dataset) == 600


def test_convert_prints_json(run: Run) -> None:
    """With repairs and losses as lists."""
    code, out, _ = run("convert", "demo-zh", "zh.jsonl", "--json")

    assert code == 0
    assert json.loads(out) == {
        "target": "zh.jsonl",
        "sentences": len(read("demo-zh").dataset),
        "answers": len(read("demo-zh").dataset.answers),
        "repairs": [],
        "not_written": [],
    }


def test_convert_does_not_replace_a_file_unless_told(run: Run, tmp_path: Path) -> None:
    """The old content stays."""
    target = tmp_path / "old.jsonl"
    target.write_text("precious", encoding="utf-8")
    code, _, err = run("convert", "demo-zh", target)

    assert code == 2
    assert "it exists already; replace it with --force" in err
    assert target.read_text(encoding="utf-8") == "precious"
    assert run("convert", "demo-zh", target, "--force")[0] == 0
    assert len(read(target).dataset) == len(read("demo-zh").dataset)


def test_the_labels_of_a_file_can_be_declared(run: Run) -> None:
    """A label that is not declared is an error."""
    code, _, err = run("inspect", "demo", "--labels", "PER,LOC")

    assert code == 2
    assert "'ORG'" in err


def test_an_unknown_format_gets_the_list_of_formats(run: Run) -> None:
    """For reading and for writing."""
    assert "choose from" in run("inspect", "demo", "--format", "xml")[2]
    assert "choose from" in run("convert", "demo", "x", "--to", "xml")[2]


def test_a_target_that_says_no_format_gets_a_remedy(run: Run) -> None:
    """The message names the option."""
    code, _, err = run("convert", "demo", "demo.json")

    assert code == 2
    assert "name it with --to" in err


def test_a_target_in_a_missing_folder_is_refused(run: Run) -> None:
    """Before anything is written."""
    code, _, err = run("convert", "demo", "nowhere/demo.jsonl")

    assert code == 2
    assert "its folder does not exist; create it first" in err


def test_a_report_in_a_missing_folder_is_one_line_and_no_traceback(run: Run) -> None:
    """The operating system's word, with the file name."""
    code, _, err = run("inspect", "demo-zh", "--report", "nowhere/x.html")

    assert code == 2
    assert "nowhere/x.html" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", [[], ["inspect"], ["convert"]])
def test_help_has_an_example(run: Run, command: list[str]) -> None:
    """And every command is listed."""
    code, out, _ = run(*command, "--help")

    assert code == 0
    assert "Example: spancrew" in out if command else "inspect" in out


def test_the_version_is_printed(run: Run) -> None:
    """One line."""
    assert run("--version")[:2] == (0, f"spancrew {__version__}\n")


def test_help_does_not_load_what_is_slow() -> None:
    """The reason why --help answers at once."""
    code = (
        "import sys; sys.argv = ['spancrew', '--help']\n"
        "from spancrew.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  our own interpreter

    assert done.stdout.splitlines()[-1] == "[]"


def test_a_closed_pipe_is_no_error_message() -> None:
    """As in `spancrew inspect demo --json | head -1`."""
    command = f"{sys.executable} -m spancrew.cli inspect demo --json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602  a pipe is the point

    assert done.stdout == "{\n"
    assert done.stderr == ""
