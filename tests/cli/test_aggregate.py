"""`spancrew aggregate` as a user runs it."""

import json
from pathlib import Path

import pytest

from spancrew.consensus import methods_for
from spancrew.formats import ReadOptions, formats, read
from tests.cli.conftest import Run
from tests.formats.test_contract import CASES

NO_ANSWERS = '{"spancrew": 1, "labels": ["PER"]}\n{"id": "s1", "tokens": ["Ana"]}\n'
HALF = (
    '{"spancrew": 1, "labels": ["LOC", "PER"]}\n'
    '{"id": "s1", "tokens": ["Ana", "left"], "answers": [{"worker": "ada", "spans": []}, '
    '{"worker": "judith", "spans": [[0, 1, "PER"]]}]}\n'
    '{"id": "s2", "tokens": ["Bo", "left"], "answers": [{"worker": "ada", '
    '"spans": [[0, 1, "PER"]]}]}\n'
    '{"id": "s3", "tokens": ["Rome"]}\n'
)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """Return a file with an expert's answer, a worker's, and a sentence without any."""
    path = tmp_path / "half.jsonl"
    path.write_text(HALF, encoding="utf-8")
    return path


def test_aggregate_prints_what_a_user_wants_to_know(run: Run) -> None:
    """Scores, spans, confidence, the least sure sentences, workers, how long, what to do next."""
    code, out, err = run("aggregate", "demo", "--method", "mv")

    assert (code, err) == (0, "")
    for part in (
        "demo by mv: sentences 600, answers 2,712, workers 30; joined in",
        "spans: LOC",
        "Against gold (600 sentences)",
        "Confidence in a sentence",
        "The least sure:",
        "Workers, the most reliable first",
        "... 20 more",
        "name a file with --out",
    ):
        assert part in out


def test_no_line_of_the_output_is_wider_than_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long sentences are cut off."""
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = run("aggregate", "demo", "--method", "mv")

    assert max(map(len, out.splitlines())) <= 60


@pytest.mark.parametrize("method", methods_for("spans"))
def test_json_has_the_scores_of_every_method(run: Run, method: str) -> None:
    """Under fixed names, for all that is registered."""
    code, out, err = run("aggregate", "demo-zh", "--method", method, "--json")
    record = json.loads(out)

    assert (code, err) == (0, "")
    assert list(record)[:5] == ["method", "exact", "proportional", "token", "seconds"]
    assert record["method"] == method
    for name in ("exact", "proportional", "token"):
        assert record[name].keys() == {"p", "r", "f1"}
        assert 0.3 < record[name]["f1"] <= 1
    assert record["seconds"] > 0
    assert len(record["workers"]) == 8
    assert record["target"] is None


def test_without_a_method_it_chooses_by_itself(run: Run) -> None:
    """The default is auto."""
    record = json.loads(run("aggregate", "demo-zh", "--json")[1])

    assert record["method"] == "auto"


def test_without_gold_the_scores_are_null(run: Run, half: Path) -> None:
    """And the sentence that nobody answered is counted."""
    record = json.loads(run("aggregate", half, "--method", "mv", "--json")[1])

    assert record["exact"] is record["proportional"] is record["token"] is None
    assert record["scored_sentences"] == 0
    assert record["sentences_without_answers"] == 1


def test_options_of_a_method_are_part_of_its_name(run: Run) -> None:
    """As on the command line."""
    record = json.loads(run("aggregate", "demo-zh", "--method", "mv:ties=first", "--json")[1])

    assert record["method"] == "mv:ties=first"


@pytest.mark.parametrize(("name", "file"), CASES)
def test_every_format_takes_final_labels(run: Run, tmp_path: Path, name: str, file: str) -> None:
    """They read back as final labels or in the place of gold, with what was lost listed."""
    code, out, _ = run("aggregate", "demo-zh", "--method", "mv", "-o", file, "-t", name, "--json")
    record = json.loads(out)
    run("aggregate", "demo-zh", "--method", "mv", "--out", "all.jsonl")
    wanted = read("all.jsonl").dataset
    back = formats()[name].read(tmp_path / file, ReadOptions(unit="characters"))
    lost = " ".join(loss["what"] for loss in record["not_written"])

    assert code == 0
    assert record["target"] == file
    for position in range(len(back.dataset)):
        labels = back.dataset.final(position)
        spans = back.dataset.gold_spans(position) if labels is None else labels.labels
        final = wanted.final(position)
        assert final is not None
        assert spans == final.labels or file.endswith("-crowd.json")
        kept = labels or "final" in back.dataset.sentences[position].meta
        assert kept or "confidence and votes" in lost


def test_final_labels_stand_beside_gold_and_answers(run: Run, tmp_path: Path) -> None:
    """Nothing of the data set is lost in our own format."""
    code, out, _ = run("aggregate", "demo", "--method", "mv", "--out", "final.jsonl")
    before, after = read("demo").dataset, read(tmp_path / "final.jsonl").dataset

    assert code == 0
    assert "600 sentences written to final.jsonl." in out
    assert "Not written" not in out
    assert after.gold == before.gold
    assert after.answers == before.answers
    assert after.finals is not None
    assert set(after.finals.by) == {"mv"}


def test_final_labels_survive_conversion(run: Run, tmp_path: Path) -> None:
    """And stand for gold where a format has one place only."""
    run("aggregate", "demo", "--method", "mv", "--out", "final.jsonl")
    _, out, _ = run("convert", "final.jsonl", "final.conll")
    finals = read(tmp_path / "final.jsonl").dataset.finals

    assert finals is not None
    assert "sentences with confidence and votes" in " ".join(out.split())
    assert read(tmp_path / "final.conll").dataset.gold == finals.codes


def test_an_expert_among_the_workers_decides(run: Run, half: Path, tmp_path: Path) -> None:
    """Their sentences are theirs, and they are not ranked."""
    code, out, _ = run("aggregate", half, "--method", "mv", "--expert", "judith", "-o", "x.jsonl")
    dataset = read(tmp_path / "x.jsonl").dataset

    assert code == 0
    assert "1 sentence decided by experts (33%)." in out
    assert "1 sentence without answers: no spans, confidence 0." in out
    assert dataset.finals is not None
    assert dataset.finals.by == ("expert", "mv", "mv")
    assert dataset.finals.confidence.tolist() == [1, 1, 0]
    assert "judith" not in out


def test_gold_teaches_only_if_it_is_trusted(run: Run) -> None:
    """Then there is nothing left to score."""
    words = ("aggregate", "demo-zh", "--method", "mv", "--json")
    apart, trusted = (json.loads(run(*words, *more)[1]) for more in ((), ("--trust-gold",)))

    assert apart["expert_share"] == 0
    assert trusted["expert_share"] == 1
    assert trusted["exact"] is None
    assert apart["exact"]["f1"] < 1


def test_the_report_is_written_and_named(run: Run, tmp_path: Path) -> None:
    """One page with everything."""
    code, out, _ = run("aggregate", "demo-zh", "--method", "mv", "--report", "r[1].html")

    assert code == 0
    assert "r[1].html" in out.splitlines()[-1]
    assert "Reliability" in (tmp_path / "r[1].html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "mw"], "consensus 'mw' is not known: there are "),
        (["--method", "mv:ties=odd"], "ties"),
        (["--method", "mv:colour=red"], "consensus 'mv' has no option 'colour'"),
        (["--method", "mv", "--expert", "anningg"], "did you mean 'anning'?"),
        (["--method", "mv", "--to", "conll"], "name the file, too, with --out"),
        (["--method", "mv", "--out", "x.out"], "name it with --to"),
        (["--method", "mv", "--out", "no/x.jsonl"], "its folder does not exist"),
    ],
)
def test_bad_options_are_explained(run: Run, words: list[str], message: str) -> None:
    """In one line, with what to do instead."""
    code, _, err = run("aggregate", "demo-zh", *words)

    assert code == 2
    assert message in err
    assert "Traceback" not in err


def test_a_file_name_is_checked_before_the_work(run: Run) -> None:
    """So that no result is lost for want of a format; here, before the data is even looked for."""
    err = run("aggregate", "nowhere.jsonl", "--method", "mv", "--out", "x.out")[2]

    assert "x.out: the name 'x.out' does not say which format is meant" in err


def test_a_data_set_without_answers_is_refused(run: Run, tmp_path: Path) -> None:
    """And so is one without gold that is to be trusted."""
    (tmp_path / "bare.jsonl").write_text(NO_ANSWERS, encoding="utf-8")
    (tmp_path / "half.jsonl").write_text(HALF, encoding="utf-8")

    assert "no sentence has an answer" in run("aggregate", "bare.jsonl", "--method", "mv")[2]
    words = ("aggregate", "half.jsonl", "--method", "mv", "--trust-gold")
    assert "no sentence has gold" in run(*words)[2]


def test_an_existing_file_is_not_replaced_unless_told(run: Run, tmp_path: Path) -> None:
    """As with convert."""
    (tmp_path / "x.jsonl").write_text("precious", encoding="utf-8")
    words = ("aggregate", "demo-zh", "--method", "mv", "--out", "x.jsonl")

    assert run(*words)[0] == 2
    assert (tmp_path / "x.jsonl").read_text(encoding="utf-8") == "precious"
    assert run(*words, "--force")[0] == 0


def test_help_has_an_example(run: Run) -> None:
    """As for every command."""
    assert "Example: spancrew aggregate" in run("aggregate", "--help")[1]
