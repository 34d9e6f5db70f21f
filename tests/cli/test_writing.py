"""`--parts` and `--soft`, in every command that writes labels."""

import json
from pathlib import Path

import pytest

from spancrew.core import parts_of
from spancrew.formats import read
from tests.cli.conftest import Run

PARTS = ("--parts", "train=0.8,dev=0.2")


def test_convert_writes_the_parts_that_python_makes(run: Run, tmp_path: Path) -> None:
    """With the same seed, each to its own file."""
    words = ("--parts-seed", "7", "--document", "domain")
    code, out, _ = run("convert", "demo", "{part}.jsonl", *PARTS, *words, "--json")
    made = parts_of(read("demo").dataset, {"train": 0.8, "dev": 0.2}, 7, "domain")

    assert code == 0
    assert json.loads(out)["parts"] == {
        name: {"target": f"{name}.jsonl", "sentences": len(part)} for name, part in made.items()
    }
    for name, part in made.items():
        assert read(tmp_path / f"{name}.jsonl").dataset == part


def test_aggregate_writes_parts_with_soft_labels(run: Run, tmp_path: Path) -> None:
    """And says what is where."""
    out_ = ("--method", "mv", "--out", "{part}.conll")
    code, out, _ = run("aggregate", "demo", *out_, *PARTS, "--soft")

    assert code == 0
    assert "480 sentences written to train.conll." in out
    assert "120 sentences written to dev.conll." in out
    assert '{"O": 1.0}' in (tmp_path / "dev.conll").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("out.conll", *PARTS), "say in 'out.conll' where the name of the part goes"),
        (("{part}.conll", "--parts", "train"), "'train' is no part; write name=share"),
        (("{part}.conll", "--parts", "a/b=1"), "'a/b=1' is no part; write name=share"),
        (("{part}.conll", "--parts", ""), "'' is no part; write name=share"),
        (("{part}.conll", "--parts", "a=0.5,b=0.1"), "come to 0.6; they must come to 1"),
        (("out.conll", "--document", "page"), "--document goes with --parts"),
        (("out.csv", "--soft"), "the format 'csv' has no place for soft labels"),
        (("{part}.csv", *PARTS, "--soft"), "the format 'csv' has no place for soft labels"),
    ],
)
def test_what_cannot_be_written_is_refused(
    run: Run, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """Before anything is."""
    code, _, err = run("convert", "demo", *words)

    assert code == 2
    assert message in " ".join(err.split())
    assert not list(tmp_path.iterdir())


def test_an_existing_part_is_not_replaced(run: Run, tmp_path: Path) -> None:
    """Without --force."""
    (tmp_path / "dev.conll").write_text("mine")
    code, _, err = run("convert", "demo", "{part}.conll", *PARTS)

    assert code == 2
    assert "dev.conll: it exists already" in err
    assert (tmp_path / "dev.conll").read_text() == "mine"
    assert run("convert", "demo", "{part}.conll", *PARTS, "--force")[0] == 0


def test_aggregate_without_a_file_refuses_both(run: Run) -> None:
    """They are about what is written."""
    code, _, err = run("aggregate", "demo", "--soft")

    assert code == 2
    assert "name it with --out" in err
