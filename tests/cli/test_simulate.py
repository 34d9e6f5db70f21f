"""`spancrew simulate` as a user runs it."""

import json
from pathlib import Path

import numpy as np
import pytest

from spancrew.formats import read, write
from tests.cli.conftest import Run

GOLDEN = Path(__file__).parent / "golden" / "simulate.txt"
QUICK = ("--crowd", "replay", "--runs", "2", "--processes", "1")


def test_all_methods_are_rehearsed_and_none_is_recommended(run: Run, tmp_path: Path) -> None:
    """A row for each of the paper's eleven and of three more; the report asks nobody outside."""
    write(read("demo").dataset.take(np.arange(100)), tmp_path / "pilot.jsonl")
    code, out, err = run("simulate", "pilot.jsonl", *QUICK, "--report", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")

    assert (code, err) == (0, "")
    for policy in ("oracle", "random", "epsilon-greedy", "thompson", "cucb:scale=0.2"):
        assert f"{policy} + " in out
    assert out.count(" + expert") == out.count(" + crowd") == 3
    assert "difficulty-thompson + gate" in out
    assert out.count(":quality=0.95") >= 2
    assert "experts alone cost 100, and the paper's cucb:scale=0.2 + gate costs" in " ".join(
        out.split()
    )
    assert out.index("random + gate") < out.index("oracle + gate"), "what cannot be used is last"
    assert "of 14 methods" in out or "No method saves money" in out
    assert out.count("ecommend") == 1
    assert "spancrew plan searches" in " ".join(out.split())
    assert "page.html" in out
    for title in ("Final quality against expert use", "Regret", "Agreement of the answers"):
        assert title in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page


def test_options_that_are_repeated_make_a_grid(run: Run) -> None:
    """Every combination, with the fields that scripts rely on."""
    words = ["--policy", "cucb:scale=0.2", "--policy", "random"]
    words += ["--feedback", "expert", "--feedback", "gate:threshold=0.4"]
    code, out, _ = run("simulate", "demo", *QUICK, *words, "--answers", "2", "--json")
    results = json.loads(out)["results"]

    assert code == 0
    assert [(each["policy"], each["feedback"]) for each in results] == [
        ("cucb:scale=0.2", "expert"),
        ("cucb:scale=0.2", "gate:threshold=0.4"),
        ("random", "expert"),
        ("random", "gate:threshold=0.4"),
    ]
    for each in results:
        assert each["crowd"] == "replay"
        assert each["answers_f1"].keys() == {"token", "exact", "proportional"}
        assert {"p", "r", "f1"} <= each["final"]["exact"].keys()
        assert {"mean", "sd"} == each["regret"].keys()
        assert {"expert_share", "cost", "runs", "seconds"} <= each.keys()
    assert results[0]["expert_share"] == pytest.approx(599 / 600)
    assert results[0]["experts"] == {"gate": 599, "warm_up": 1, "audit": 0}
    assert results[0]["final"]["exact"]["f1"] == 1.0


def test_the_same_seed_gives_the_same_numbers(run: Run) -> None:
    """On one process and on two."""
    words = ["simulate", "demo", "--crowd", "replay", "--policy", "thompson", "--runs", "3"]
    one = json.loads(run(*words, "--processes", "1", "--json")[1])["results"][0]
    two = json.loads(run(*words, "--processes", "2", "--json")[1])["results"][0]

    assert one | {"seconds": 0} == two | {"seconds": 0}


def test_what_is_done_is_kept(run: Run, tmp_path: Path) -> None:
    """A second call finds it and prints the same."""
    words = ["simulate", "demo", *QUICK, "--policy", "random", "--keep", "kept", "--json"]
    first = json.loads(run(*words)[1])["results"][0]
    kept = sorted((tmp_path / "kept").iterdir())
    again = json.loads(run(*words)[1])["results"][0]

    assert kept
    assert sorted((tmp_path / "kept").iterdir()) == kept
    assert first | {"seconds": 0} == again | {"seconds": 0}


def test_coins_stand_in_for_sentences(run: Run) -> None:
    """The Bernoulli crowd needs nothing of a sentence."""
    words = ["--crowd", "bernoulli", "--policy", "thompson", "--feedback", "expert"]
    words += ["--runs", "2", "--processes", "1", "--json"]
    code, out, _ = run("simulate", "demo", *words)

    assert code == 0
    assert 0.4 < json.loads(out)["results"][0]["answers_f1"]["exact"] < 1


TABLE = (
    *("--crowd", "bernoulli", "--runs", "2", "--processes", "1", "--audit", "0.1"),
    *("--policy", "difficulty-thompson", "--feedback", "gate:threshold=0.65"),
    *("--answers", "3", "--answers", "4", "--crew", "8", "--crew", "12", "--sentences", "1300"),
)


def test_every_figure_is_there_in_full_at_80_columns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long names go to the next line; the title names all numbers that differ."""
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("simulate", "demo", *TABLE)
    shown = "\n".join(line.rstrip() for line in out.splitlines()) + "\n"

    assert code == 0
    assert max(map(len, shown.splitlines())) <= 80
    assert shown == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("warm_up", "labels"), [("shared", (1.0, 1.0)), ("own", (25.0, 30.0)), ("none", (0.0, 0.0))]
)
def test_experts_of_rule_warm_up_and_audits_are_three_figures(
    run: Run, warm_up: str, labels: tuple[float, float]
) -> None:
    """And the share of experts is that of the rule, whatever the warm-up."""
    words = ["--crowd", "bernoulli", "--runs", "2", "--processes", "1", "--audit", "20"]
    words += ["--policy", "random", "--feedback", "gate", "--warm-up", warm_up]
    size = ("--sentences", "700", "--workers", "30", "--json")
    code, out, _ = run("simulate", "demo", *words, *size)
    (row,) = json.loads(out)["results"]
    experts = row["experts"]

    assert code == 0
    assert (row["sentences"], row["settled"], row["workers"]) == (700, 700, 30)
    assert row["warm_up"] == warm_up
    assert labels[0] <= experts["warm_up"] <= labels[1]
    assert experts["audit"] == 20
    assert row["expert_share"] == pytest.approx(experts["gate"] / 700)
    assert row["money"]["expert"] == row["expert_labels"] <= sum(experts.values())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sentences", "0"], "sentences 0: at least 1 is needed"),
        (["--workers", "0"], "workers 0: at least 1 is needed"),
        (["--workers", "1", "--answers", "4"], "need as many workers; there are 1"),
        (["--crowd", "replay", "--sentences", "601"], "601 are wanted: take at most 600"),
        (["--crowd", "replay", "--workers", "31"], "31 are wanted: take at most 30"),
        (["--crowd", "bernoulli", "--crowd", "ses", "--workers", "31"], "which draws new ones"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_a_size_that_cannot_be_rehearsed_is_refused(
    run: Run, words: list[str], message: str
) -> None:
    """In one sentence with a remedy, before any crowd is made."""
    code, out, err = run("simulate", "demo", *words)

    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--crew", "3"], "a crew of 3 cannot give 4 answers"),
        (["--answers", "31"], "31 answers on a sentence need as many workers; there are 30"),
        (["--feedback", "gate:threshold=1.5"], "threshold 1.5"),
        (["--policy", "cub"], "policy 'cub' is not known: did you mean 'cucb'?"),
        (["--policy", "cucb:skale=1"], "policy 'cucb' has no option 'skale': it has scale"),
        (["--policy", "cucb:scale=much"], "scale"),
        (["--feedback", "gates"], "feedback 'gates' is not known"),
        (["--crowd", "sess"], "crowd 'sess' is not known"),
        (["--crowd", "ses:ties=none"], "ties 'none' is not known"),
        (["--crowd", "replay:ties=first"], "crowd 'replay' has no option 'ties'"),
        (["--runs", "0"], "runs 0: at least 1 is needed"),
        (["--attendance", "0"], "attendance 0"),
        (["--attendance", "often"], "attendance 'often': give a probability above 0 and up to 1"),
        (["--cap", "2"], "cannot give"),
        (["--expert-price", "-1"], "cannot be negative"),
        (["--engine", "ray://x:1"], "ray://x:1"),
        (["--engine", "dask://127.0.0.1:9"], "127.0.0.1:9"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_bad_arguments_get_one_clear_sentence(run: Run, words: list[str], message: str) -> None:
    """Exit code 2, before any crowd is made."""
    code, out, err = run("simulate", "demo", *words)

    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_data_set_without_gold_is_refused(run: Run, tmp_path: Path) -> None:
    """With what a rehearsal needs."""
    lines = [line for line in _lines(tmp_path) if line]
    for line in lines:
        line.pop("gold", None)
    bare = tmp_path / "bare.jsonl"
    bare.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    code, _, err = run("simulate", bare, "--crowd", "replay")

    assert code == 2
    assert "gold" in err


def _lines(folder: Path) -> list[dict[str, object]]:
    write(read("demo-zh").dataset, folder / "zh.jsonl")
    text = (folder / "zh.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
