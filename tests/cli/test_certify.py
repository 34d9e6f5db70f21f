"""`spancrew certify` as a user runs it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.core import Ragged, offsets_of
from spancrew.formats import read, write
from tests.cli.conftest import Run

KEYS = {"f1", "precision", "recall", "level", "audited", "experts", "sentences", "kind"}
MV = ("--method", "mv")


@pytest.fixture
def audited(tmp_path: Path) -> str:
    """Return the demo with gold on a random sixth of it."""
    return _with_gold(100, tmp_path / "audited.jsonl")


def _with_gold(count: int, path: Path) -> str:
    dataset = read("demo").dataset
    is_kept = np.zeros(len(dataset), bool)
    is_kept[np.random.default_rng(7).choice(len(dataset), count, replace=False)] = True
    lengths = np.where(is_kept, dataset.gold.lengths, 0)
    values = dataset.gold.values[np.repeat(is_kept, dataset.gold.lengths)]
    write(replace(dataset, gold=Ragged(values, offsets_of(lengths))), path)
    return path.name


def test_gold_on_every_sentence_gives_the_truth(run: Run) -> None:
    """The F1 of aggregate, as a point."""
    code, out, err = run("certify", "demo", *MV, "--json")
    record = json.loads(out)
    scores = json.loads(run("aggregate", "demo", *MV, "--json")[1])["exact"]

    assert (code, err) == (0, "")
    assert record.keys() >= KEYS
    assert record["kind"] == "audited"
    for name, short in (("f1", "f1"), ("precision", "p"), ("recall", "r")):
        assert record[name] == {
            "estimate": pytest.approx(scores[short]),
            "low": pytest.approx(scores[short]),
            "high": pytest.approx(scores[short]),
        }


def test_a_sample_gives_an_interval_around_the_truth(run: Run, audited: str) -> None:
    """And says what it assumes."""
    record = json.loads(run("certify", audited, *MV, "--json")[1])
    code, out, _ = run("certify", audited, *MV)
    shown = " ".join(out.split())

    assert code == 0
    assert record["f1"]["low"] < 0.810 < record["f1"]["high"]
    assert record["audited"] == 100
    assert record["design"]["probability"] == pytest.approx(1 / 6)
    assert "with 95 % confidence from" in shown
    assert "Sentences: 600, of which the crowd decided 600; audited: 100." in shown
    assert "if the sentences with gold were drawn at random" in shown


def test_no_line_is_wider_than_the_terminal(
    run: Run, audited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    assert max(map(len, run("certify", audited, *MV)[1].splitlines())) <= 80


def test_a_higher_level_is_wider_and_strict_is_lower(run: Run, audited: str) -> None:
    """A strict certificate has no upper bound."""
    usual, surer, strict = (
        json.loads(run("certify", audited, *MV, *more, "--json")[1])["f1"]
        for more in ((), ("--level", "0.99"), ("--strict",))
    )

    assert surer["low"] < usual["low"] < usual["high"] < surer["high"]
    assert strict["low"] < usual["low"]
    assert strict["high"] == 1


def test_a_certificate_is_written_and_verified(run: Run, audited: str, tmp_path: Path) -> None:
    """By the method that it names; JSON says so, too."""
    code, out, _ = run("certify", audited, *MV, "--out", "c.json")
    checked = run("certify", audited, "--verify", "c.json")
    as_json = json.loads(run("certify", audited, "--verify", "c.json", "--json")[1])

    assert code == checked[0] == 0
    assert "The certificate is in c.json." in out
    assert "c.json is the certificate of audited.jsonl" in " ".join(checked[1].split())
    assert as_json == {"verified": True, "differences": []}
    assert json.loads((tmp_path / "c.json").read_text("utf-8"))["versions"]["consensus"] == "mv"


def test_a_wrong_certificate_is_refused(run: Run, audited: str, tmp_path: Path) -> None:
    """With the first difference, or all of them as JSON; the exit code is 2."""
    run("certify", audited, *MV, "--out", "c.json")
    record = json.loads((tmp_path / "c.json").read_text("utf-8"))
    record["f1"]["low"] = 0.95
    (tmp_path / "c.json").write_text(json.dumps(record), encoding="utf-8")
    code, _, err = run("certify", audited, "--verify", "c.json")
    coded, out, _ = run("certify", "demo", "--verify", "c.json", "--json")

    assert (code, coded) == (2, 2)
    assert "this is not the certificate of audited.jsonl: f1.low: the certificate says 0.95" in err
    assert json.loads(out)["verified"] is False
    assert len(json.loads(out)["differences"]) > 5


def test_the_page_says_it_in_one_sentence(run: Run, audited: str, tmp_path: Path) -> None:
    """And has the hash, and how to check it."""
    assert run("certify", audited, *MV, "--out", "c.html")[0] == 0
    page = (tmp_path / "c.html").read_text("utf-8")
    record = json.loads(run("certify", audited, *MV, "--json")[1])

    assert f"Exact F1 of the delivered labels is {record['f1']['estimate']:.3f}, with 95 %" in page
    assert record["hashes"]["labels"] in page
    assert "spancrew certify DATA --verify certificate.json" in page


def test_nothing_audited_is_refused_with_a_remedy(run: Run, tmp_path: Path) -> None:
    """How many sentences, and how they are drawn."""
    code, _, err = run("certify", _with_gold(0, tmp_path / "none.jsonl"), *MV)

    assert code == 2
    assert "no sentence that the crowd decided has been audited" in err
    assert "audit=" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "mw"], "consensus 'mw' is not known"),
        (["--level", "95"], "level 95 is not between 0 and 1; 0.95 is usual"),
        (["--out", "c.pdf"], "expected .json or .html"),
        (["--verify", "nothing.json"], "nothing.json"),
        (["--verify", "list.json"], "list.json: found something else; expected a certificate"),
        (["--verify", "text.json"], "text.json: this is no JSON"),
        (["--out", "list.json"], "replace it with --force"),
    ],
)
def test_bad_options_are_explained(
    run: Run, tmp_path: Path, words: list[str], message: str
) -> None:
    """In one line, with what to do instead."""
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    (tmp_path / "text.json").write_text("certificate", encoding="utf-8")
    code, _, err = run("certify", "demo-zh", *words)

    assert code == 2
    assert message in err
    assert "Traceback" not in err
