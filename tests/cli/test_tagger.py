"""`spancrew train` and `spancrew label` as a user runs them."""

import json
from pathlib import Path

from spancrew.formats import read
from tests.cli.conftest import Run


def test_a_tagger_is_trained_and_labels_a_text(run: Run, tmp_path: Path) -> None:
    """From answers to labels on sentences that nobody has seen."""
    folder, text, target = tmp_path / "tagger", tmp_path / "new.txt", tmp_path / "new.jsonl"
    text.write_text("They met in Cassary .\nNobody did .\n", encoding="utf-8")
    code, out, _ = run("train", "demo", "--method", "mv", "--out", str(folder))

    assert code == 0
    assert "sentences with gold, each tagged by a model that was" in " ".join(out.split())
    code, out, _ = run("label", str(text), "--model", str(folder), "--out", str(target))
    assert code == 0
    assert "spans in 2 sentences." in out
    labelled = read(target).dataset
    assert labelled.final(0) is not None
    assert labelled.labels == read("demo").dataset.labels


def test_training_prints_json(run: Run, tmp_path: Path) -> None:
    """How many sentences, and how good on those it has not seen."""
    code, out, _ = run("train", "demo", "--method", "mv", "-o", str(tmp_path / "t"), "--json")
    record = json.loads(out)

    assert code == 0
    assert record["sentences"] == 600
    assert record["held_out"]["sentences"] == 600
    assert 0 < record["held_out"]["f1"] < 1


def test_labels_to_learn_are_made_with_the_tagger_in_the_crew(run: Run, tmp_path: Path) -> None:
    """Its verdict is told; another method is by people alone."""
    folder = str(tmp_path / "t")
    _, out, _ = run("train", "demo", "--out", folder)
    usual = json.loads(run("train", "demo", "--out", folder, "--force", "--json")[1])
    alone = json.loads(
        run("train", "demo", "--method", "auto", "-o", folder, "--force", "--json")[1]
    )

    assert "labels by auto+tagger. The tagger is heard: its F1" in " ".join(out.split())
    assert (usual["hired"], alone["hired"]) == ({"tagger": True}, {})
    assert usual["held_out"]["f1"] > alone["held_out"]["f1"]


def test_labelling_needs_a_target_and_a_tagger(run: Run, tmp_path: Path) -> None:
    """Both are named in the refusal."""
    code, _, err = run("label", "demo", "--model", str(tmp_path))
    assert (code, "--out" in err) == (2, True)
    code, _, err = run(
        "label", "demo", "--model", str(tmp_path), "--out", str(tmp_path / "x.jsonl")
    )
    assert (code, "this is no tagger" in err) == (2, True)
    code, _, err = run("label", "demo", "--model", "nowhere", "--out", "x.jsonl")
    assert (code, "there is no such folder" in err, "Errno" in err) == (2, True, False)


def test_members_are_heard_by_name(run: Run) -> None:
    """The verdict is printed, and stands in the JSON."""
    code, out, _ = run("aggregate", "demo", "--method", "mv", "--member", "tagger")
    assert code == 0
    assert "The tagger is heard: its F1" in out
    code, out, _ = run("aggregate", "demo", "--method", "mv", "--member", "tagger", "--json")
    record = json.loads(out)
    assert record["members"] == ["tagger"]
    assert record["hired"] == {"tagger": True}


def test_rows_of_a_frontier_name_their_members(run: Run) -> None:
    """And say in how many orders they were hired."""
    code, out, _ = run(
        "frontier", "demo", "--consensus", "mv", "--member", "tagger:rounds=1", "--share", "0",
        "--orders", "1", "--json",
    )  # fmt: skip
    (row,) = json.loads(out)

    assert code == 0
    assert row["consensus"] == "mv+tagger:rounds=1"
    assert row["members"] == ["tagger:rounds=1"]
    assert row["hired"] == {"tagger:rounds=1": 1.0}
