"""`spancrew frontier` as a user runs it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

QUICK = ("--consensus", "mv", "--orders", "2", "--processes", "1")
NO_GOLD = (
    '{"spancrew": 1, "labels": ["PER"]}\n'
    '{"id": "s1", "tokens": ["Ana"], "answers": [{"worker": "bo", "spans": []}]}\n'
)
NO_ANSWERS = NO_GOLD.replace(
    '"answers": [{"worker": "bo", "spans": []}]', '"gold": [[0, 1, "PER"]]'
)


def test_json_is_a_list_of_points(run: Run) -> None:
    """Every combination at every share, under fixed names."""
    words = ["--gate", "kappa", "--gate", "random", "--share", "0.3", "--share", "0", "--json"]
    code, out, err = run("frontier", "demo", *QUICK, *words)
    records = json.loads(out)

    assert (code, err) == (0, "")
    assert [(each["consensus"], each["gate"], each["expert_share"]) for each in records] == [
        ("mv", "kappa", 0.0),
        ("mv", "kappa", 0.3),
        ("mv", "random", 0.0),
        ("mv", "random", 0.3),
    ]
    for each in records:
        assert list(each)[:4] == ["consensus", "gate", "expert_share", "exact_f1"]
        assert each["exact_f1"].keys() == each["asked"].keys() == {"mean", "sd"}
        assert 0.5 < each["exact_f1"]["mean"] < 1
        assert each["asked"]["mean"] == pytest.approx(each["expert_share"], abs=0.01)
        assert len(each["calibration"]["right"]) == 10
        assert each["orders"] == 2
        assert each["seconds"] > 0


def test_by_default_shares_go_up_to_60_percent(run: Run) -> None:
    """In steps of ten."""
    records = json.loads(run("frontier", "demo-zh", *QUICK, "--json")[1])

    assert [each["expert_share"] for each in records] == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert {each["gate"] for each in records} == {"expected-error"}


def test_without_options_nine_pairs_are_compared(run: Run) -> None:
    """With a row, a letter in the plot and, where confidence is learned, its calibration each."""
    words = ("--share", "0.1", "--share", "0.4", "--orders", "1", "--processes", "1")
    code, out, err = run("frontier", "demo-zh", *words)

    assert (code, err) == (0, "")
    for part in (
        "a  mv + kappa-hindsight",
        "i  auto + random",
        "span-vote + expected-error",
        "reaches F1 0.",
        "Confidence in a sentence, with 10 % experts",
        "knows only the past",
    ):
        assert part in " ".join(out.split()) or part in out


def test_no_line_is_wider_than_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven shares and all long names fit into 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    words = ("--consensus", "span-vote", "--gate", "kappa-hindsight", "--processes", "1")
    out = run("frontier", "demo", *words)[1]

    assert max(map(len, out.splitlines())) <= 80
    assert any(line.startswith("a  span-vote + kappa-hindsight  0.") for line in out.splitlines())


def test_few_shares_are_shown_with_their_spread(run: Run) -> None:
    """Where there is room for it."""
    words = ("--gate", "random", "--share", "0.2")

    assert " ± 0.0" in run("frontier", "demo", *QUICK, *words)[1]


def test_the_report_has_figures_and_tables(run: Run, tmp_path: Path) -> None:
    """One page that asks nobody."""
    words = ("--consensus", "span-ds", "--share", "0.2", "--report", "r[1].html")
    code, out, _ = run("frontier", "demo-zh", *QUICK, *words)
    page = (tmp_path / "r[1].html").read_text(encoding="utf-8")

    assert code == 0
    assert "r[1].html" in out.splitlines()[-1]
    for part in (
        "demo-zh: quality by expert share",
        "F1 of the final labels",
        "Stated and observed",
    ):
        assert part in page
    assert "https://" not in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--consensus", "mw"], "consensus 'mw' is not known"),
        (["--gate", "quality"], "there are expected-error, kappa, random, kappa-hindsight"),
        (["--gate", "kapa"], "did you mean 'kappa'?"),
        (["--share", "20"], "share 20: it is from 0 to 1, as 0.2 is for 20 %"),
        (["--orders", "0"], "orders 0: at least 1 is needed"),
        (["--seed", "-1"], "seed -1"),
        (["--processes", "0"], "0 processes"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_bad_options_get_one_clear_sentence(run: Run, words: list[str], message: str) -> None:
    """Exit code 2 and nothing on the output."""
    code, out, err = run("frontier", "demo-zh", *words)

    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize(("text", "word"), [(NO_GOLD, "gold"), (NO_ANSWERS, "answers")])
def test_what_is_missing_is_named(run: Run, tmp_path: Path, text: str, word: str) -> None:
    """Gold or answers."""
    (tmp_path / "bare.jsonl").write_text(text, encoding="utf-8")

    assert f"no sentence has {word}: a frontier needs" in run("frontier", "bare.jsonl")[2]


def test_help_has_an_example(run: Run) -> None:
    """As for every command."""
    assert "Example: spancrew frontier" in run("frontier", "--help")[1]
