"""`spancrew augment` as a user runs it."""

import json
from pathlib import Path

import pytest

from spancrew.formats import read
from tests.cli.conftest import Run


def test_augment_fills_the_data_set(run: Run, tmp_path: Path) -> None:
    """Every worker on every sentence, and two lines that say so."""
    code, out, err = run("augment", "demo", "--out", "full.jsonl")
    dataset = read(tmp_path / "full.jsonl").dataset

    assert (code, err) == (0, "")
    assert "answers made" in out
    assert len(dataset.answers) == len(dataset) * len(dataset.workers)
    assert {answer.source for answer in dataset.answers_on(0)} == {None, "ses"}


@pytest.mark.parametrize("metric", ["exact", "proportional", "token"])
def test_augment_prints_json(run: Run, metric: str) -> None:
    """How many, how long, how far off."""
    code, out, _ = run("augment", "demo", "--metric", metric, "--out", "x.jsonl", "--json")
    record = json.loads(out)

    assert code == 0
    assert record["answers"] == 600 * 30
    assert record["seconds"] > 0
    assert record["mean_abs_delta_f1"] <= record["max_abs_delta_f1"] < 0.01
    assert len(record["workers"]) == 30


@pytest.mark.parametrize("method", ["ses-only", "random"])
def test_the_baselines_are_far_off(run: Run, method: str) -> None:
    """Points, not hundredths of a point."""
    _, out, _ = run("augment", "demo", "--method", method, "--out", "x.jsonl", "--json")

    assert json.loads(out)["mean_abs_delta_f1"] > 1


def test_every_option_is_taken(run: Run) -> None:
    """Ties, flips, words, seed, format."""
    code, out, _ = run(
        "augment", "demo-zh", "-o", "x.out", "--to", "spancrew", "--ties", "best-exact",
        "--flips", "--words", "tokens", "--seed", "7", "--metric", "proportional", "--json",
    )  # fmt: skip
    record = json.loads(out)

    assert code == 0
    assert (record["ties"], record["seed"]) == ("best-exact", 7)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.json", '{"w1": 0.62, "w2": 0.4}'),
        ("t.csv", "worker,f1,note\nw1,0.62,a\nw2,0.4,b\n"),
    ],
)
def test_targets_come_from_a_file(run: Run, tmp_path: Path, name: str, text: str) -> None:
    """For workers that the data does not have."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    code, out, _ = run("augment", "demo", "--targets", name, "--out", "x.jsonl", "--json")
    workers = {row["worker"]: row for row in json.loads(out)["workers"]}

    assert code == 0
    assert len(workers) == 32
    assert workers["w1"]["target"] == 0.62
    assert workers["w1"]["f1"] == pytest.approx(0.62, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.json", "{", "t.json, line 1: found text that is not JSON"),
        ("t.json", "[1]", "found a list; expected a JSON object"),
        ("t.json", "[" * 50_000, "found JSON that cannot be read"),
        ("t.json", "{}", "found no workers"),
        ("t.json", '{"w1": "good"}', "F1 'good' of worker 'w1'"),
        ("t.json", '{"w1": 62.9}', "is not between 0 and 1 (write 0.62, not 62)"),
        ("t.csv", "name,score\nw1,0.2\n", "line 1: found the columns name, score"),
        ("t.csv", "worker,f1\nw1,0.2\nw1,0.3\n", "line 3: worker 'w1' is there twice"),
        ("t.csv", "worker,f1\nw1\n", "line 2: found F1 None"),
        ("t.csv", "", "found the columns none"),
    ],
)
def test_bad_targets_are_explained(
    run: Run, tmp_path: Path, name: str, text: str, message: str
) -> None:
    """With place and remedy, and nothing is written."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    code, _, err = run("augment", "demo", "--targets", name, "--out", "x.jsonl")

    assert code == 2
    assert message in err
    assert not (tmp_path / "x.jsonl").exists()


def test_targets_that_are_not_text_are_explained(run: Run, tmp_path: Path) -> None:
    """And so is a file that is not there."""
    (tmp_path / "t.json").write_bytes(b"\xff\xfe\x00")

    assert "not UTF-8" in run("augment", "demo", "--targets", "t.json", "--out", "x.jsonl")[2]
    assert "No such file" in run("augment", "demo", "--targets", "u.json", "--out", "x.jsonl")[2]


def test_a_data_set_without_gold_is_refused(run: Run, tmp_path: Path) -> None:
    """With the remedy."""
    lines = '{"spancrew": 1, "labels": ["PER"]}\n{"id": "s1", "tokens": ["Ana"]}\n'
    (tmp_path / "bare.jsonl").write_text(lines, encoding="utf-8")
    code, _, err = run("augment", "bare.jsonl", "--out", "x.jsonl")

    assert code == 2
    assert "no sentence has gold" in err


def test_what_a_format_cannot_hold_is_listed(run: Run) -> None:
    """CoNLL files have no answers."""
    code, out, _ = run("augment", "demo", "--out", "x.conll")

    assert code == 0
    assert "Not written" in out


def test_sentences_without_gold_are_counted(run: Run, tmp_path: Path) -> None:
    """They are left alone."""
    lines = (
        '{"spancrew": 1, "labels": ["PER"]}\n'
        '{"id": "s1", "tokens": ["Ana"], "gold": [[0, 1, "PER"]]}\n'
        '{"id": "s2", "tokens": ["Bo"]}\n'
    )
    (tmp_path / "half.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "t.json").write_text('{"w1": 0.5}', encoding="utf-8")
    _, out, _ = run("augment", "half.jsonl", "--targets", "t.json", "--out", "x.jsonl")

    assert "without gold, left alone: 1." in out


def test_an_existing_file_is_not_replaced_unless_told(run: Run, tmp_path: Path) -> None:
    """As with convert."""
    (tmp_path / "x.jsonl").write_text("precious", encoding="utf-8")

    assert run("augment", "demo", "--out", "x.jsonl")[0] == 2
    assert run("augment", "demo", "--out", "x.jsonl", "--force")[0] == 0


def test_help_has_an_example(run: Run) -> None:
    """And warns."""
    code, out, _ = run("augment", "--help")

    assert code == 0
    assert "Example: spancrew" in out
