"""What the commands do with choices."""

import json
from pathlib import Path
from typing import Any

import pytest

import spancrew
from spancrew.consensus import methods_for
from spancrew.errors import KindError
from spancrew.formats import write
from tests.cli.conftest import Run
from tests.simulate.preferences import preferences

VOTES = (
    "worker\titem\tresponse\tgold\n"
    "ana\tp1\tyes\tyes\nbo\tp1\tyes\tyes\ncy\tp1\tno\tyes\n"
    "ana\tp2\tno\tno\nbo\tp2\tno\tno\ncy\tp2\tno\tno\n"
    "ana\tp3\tyes\tno\nbo\tp3\tno\tno\n"
    "ana\tp4\tno\tyes\n"
)


@pytest.fixture
def votes(tmp_path: Path) -> str:
    """Return a table of choices: three of four are settled, and one of them is wrong."""
    path = tmp_path / "votes.tsv"
    path.write_text(VOTES, encoding="utf-8")
    return str(path)


def test_no_tagger_is_trained_on_choices(run: Run, votes: str) -> None:
    """It would find nothing, and say so only by its F1."""
    code, _, err = run("train", votes, "--method", "auto", "--out", "tagger")

    assert code == 2
    assert "this data has choices, and a tagger works on spans only" in " ".join(err.split())


@pytest.mark.parametrize("method", ["mv", "ds", "two-coin", "ordinal", "auto"])
def test_aggregate_prints_accuracy_as_json(run: Run, votes: str, method: str) -> None:
    """And nothing that belongs to spans."""
    code, out, err = run("aggregate", votes, "--method", method, "--json")
    record: dict[str, Any] = json.loads(out)

    assert (code, err) == (0, "")
    assert list(record)[:4] == ["method", "accuracy", "answered", "seconds"]
    assert (record["method"], record["answered"]) == (method, 4)
    assert record["accuracy"] in {0.5, 0.75}
    assert not {"exact", "token", "proportional", "expected_f1", "kind"} & record.keys()
    assert 0 < record["expected_accuracy"] <= 1
    assert {"worker", "answers", "choices", "accuracy"} <= record["workers"][0].keys()


def test_aggregate_explains_ties_and_writes_what_was_chosen(run: Run, votes: str) -> None:
    """The tied sentence counts, and the report opens."""
    words = ("--method", "mv", "--out", "final.csv", "--report", "page.html")
    code, out, _ = run("aggregate", votes, *words)

    assert code == 0
    assert "4 choices: no" in out
    assert "1 sentence tied: several labels are equally likely, and a lot decides." in out
    assert "answers  choices  reliability" in out
    assert "Accuracy" in Path("page.html").read_text("utf-8")
    head, *rows = Path("final.csv").read_text("utf-8").splitlines()
    assert head.startswith("id,text,question,gold,final,final_confidence,final_votes")
    assert rows[0].startswith("p1,,response,yes,yes,0.666667,2,mv,3,ana,yes")


def test_gold_and_experts_are_trusted_as_for_spans(run: Run, votes: str) -> None:
    """They decide, and teach."""
    _, out, _ = run("aggregate", votes, "--expert", "ana", "--json")
    by_ana = json.loads(out)
    _, out, _ = run("aggregate", votes, "--trust-gold", "--json")

    assert (by_ana["expert_sentences"], by_ana["accuracy"]) == (4, 0.5)
    assert json.loads(out)["labels"] == {"no": 2, "yes": 2}


def test_a_method_of_spans_is_refused(run: Run, votes: str) -> None:
    """In a line that names others."""
    code, _, err = run("aggregate", votes, "--method", "bsc")

    assert code == 2
    assert "the method 'bsc' joins spans, and the data has choices; use auto, ds, mv" in (
        " ".join(err.split())
    )


def test_the_frontier_of_choices_has_accuracies(run: Run, votes: str) -> None:
    """Rows as for spans, with other names for the scores."""
    words = ("--share", "0", "--share", "0.5", "--orders", "2", "--processes", "1")
    code, out, err = run("frontier", votes, *words, "--json")
    rows: list[dict[str, Any]] = json.loads(out)

    assert (code, err) == (0, "")
    assert [f"{row['consensus']} + {row['gate']}" for row in rows[::2]] == [
        "mv + kappa-hindsight",
        "mv + kappa",
        "mv + expected-error",
        "ds + expected-error",
        "two-coin + expected-error",
        "auto + expected-error",
        "auto + random",
    ]
    assert all(0.5 <= row["accuracy"]["mean"] <= 1 and "sd" in row["accuracy"] for row in rows)
    assert "settled_accuracy" in rows[0]
    assert not {"exact_f1", "settled_f1"} & rows[0].keys()
    code, out, _ = run("frontier", votes, *words, "--consensus", "mv", "--report", "page.html")
    assert code == 0
    assert "accuracy of final labels by share of expert sentences" in out
    assert "F1" not in out
    assert "F1" not in Path("page.html").read_text("utf-8").partition("<main")[2]


def test_the_frontier_refuses_methods_of_spans(run: Run, votes: str) -> None:
    """Before anything is measured."""
    code, _, err = run("frontier", votes, "--consensus", "span-vote", "--processes", "1")

    assert code == 2
    assert "the method 'span-vote' joins spans" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("simulate", "VOTES", "--crowd", "ses", "--crew", "2", "--answers", "2"),
            "the crowd 'ses' works on spans only",
        ),
        (
            ("simulate", "VOTES", "--consensus", "bsc", "--crew", "2", "--answers", "2"),
            "the method 'bsc' joins spans",
        ),
        (("fidelity", "VOTES", "--crowd", "ses"), "the crowd 'ses' works on spans only"),
        (("augment", "VOTES", "--out", "full.jsonl"), "the making of answers works on spans only"),
        (("convert", "VOTES", "votes.conll"), "'conll' has no place for choices"),
        (("convert", "VOTES", "votes.hf", "--soft"), "'huggingface' has no place for choices"),
        (("aggregate", "VOTES", "--out", "final.jsonl", "--soft"), "choices have none"),
    ],
)
def test_what_cannot_be_done_with_choices_is_said_in_a_line(
    run: Run, votes: str, words: tuple[str, ...], said: str
) -> None:
    """Never with a traceback, and nothing is written."""
    code, out, err = run(*(votes if word == "VOTES" else word for word in words))

    assert (code, out) == (2, "")
    assert err.startswith("spancrew: ")
    assert said in " ".join(err.split())
    assert [path.name for path in Path().iterdir()] == ["votes.tsv"]


@pytest.fixture
def pairs() -> str:
    """Return a file with 60 pairs of responses, two questions, gold, and five answers on each."""
    write(preferences(sheets=60, workers=8, answers=5, seed=2), Path("pairs.jsonl"))
    return "pairs.jsonl"


def test_choices_are_rehearsed_compared_and_certified(run: Run, pairs: str) -> None:
    """By the words for spans; the exact F1 of choices is their accuracy."""
    words = ("--policy", "random", "--feedback", "expected-error:expert_share=0.2", "--runs", "2")
    numbers = ("--crew", "4", "--answers", "4", "--processes", "1")
    code, out, err = run("simulate", pairs, *words, *numbers, "--audit", "10", "--json")
    assert code == 0, err
    (row,) = json.loads(out)["results"]
    exact = row["final"]["exact"]
    assert 0.5 < exact["f1"] == exact["p"] == exact["r"] <= 1
    assert row["consensus"] == "auto"
    assert 0 < row["expert_share"] < 1

    code, out, err = run("fidelity", pairs, "--json")
    assert code == 0, err
    assert json.loads(out)["new"]["mv_exact_f1"]["real"] > 0.5

    code, out, err = run("certify", pairs, "--json")
    assert code == 0, err
    record = json.loads(out)
    _, out, _ = run("aggregate", pairs, "--json")
    assert record["f1"]["estimate"] == pytest.approx(json.loads(out)["accuracy"])


def test_another_rule_is_tried_on_final_choices(run: Run, pairs: str) -> None:
    """From a file with answers and final labels."""
    run("aggregate", pairs, "--out", "final.jsonl")
    code, out, err = run("what-if", "final.jsonl", "--feedback", "crowd", "--json")

    assert code == 0, err
    assert json.loads(out)


def test_inspect_shows_who_is_right_and_how_much_they_agree(run: Run, votes: str) -> None:
    """On a terminal, as JSON and as a page."""
    code, out, err = run("inspect", votes, "--report", "page.html")
    _, printed, _ = run("inspect", votes, "--json")
    record: dict[str, Any] = json.loads(printed)

    assert (code, err) == (0, "")
    for part in (
        "votes.tsv: choices",
        "Chosen: no 6, yes 3.",
        "Gold: no 2, yes 2.",
        "Fleiss' kappa",
        "Workers, the best first",
    ):
        assert part in out
    assert (record["kind"], record["questions"], record["accuracy"]) == ("choices", 4, 6 / 9)
    assert record["chosen"] == {"no": 6, "yes": 3}
    assert record["agreement"]["pairs"] == pytest.approx(4 / 7)
    assert "ordinal_alpha" not in record["agreement"]
    assert record["worker_rows"][0] == {
        "worker": "bo",
        "answers": 3,
        "accuracy": 1.0,
        "position_bias": None,
    }
    assert record["ranking"] == []
    assert "accuracy of all answers" in Path("page.html").read_text("utf-8")


def test_python_looks_at_choices_with_a_call_of_its_own(votes: str) -> None:
    """The one for spans names it."""
    with pytest.raises(KindError, match=r"spancrew\.report\.inspect_choices"):
        spancrew.inspect(votes)

    found = spancrew.aggregate(votes, "mv")
    assert repr(found).startswith("FinalLabels(4 choices on 4 sentences by mv; accuracy 0.")
    frontier = spancrew.frontier(votes, "mv", shares=[0.5], orders=1)
    assert "accuracy" in frontier.frame().columns


def test_preferences_show_position_bias_and_the_strongest_response(run: Run) -> None:
    """Where responses meet in several pairs, they are ranked."""
    rows = ["pair,prompt,response_a,response_b,worker,choice"]
    for one, other in (("x", "y"), ("y", "z"), ("x", "z"), ("z", "x")):
        better = "A" if one < other else "B"
        told = [("ana", better), ("bo", better), ("cy", "A")]
        rows += [f"{one}{other},p,{one},{other},{who},{choice}" for who, choice in told]
    Path("pairs.csv").write_text("\n".join(rows), "utf-8")
    code, out, err = run("inspect", "pairs.csv", "--json")
    assert code == 0, err
    record: dict[str, Any] = json.loads(out)
    ranking = record["ranking"]

    assert [row["name"] for row in ranking] == ["x", "y", "z"]
    assert ranking[0]["wins"] > 0.5 > ranking[2]["wins"]
    leaning = {row["worker"]: row["position_bias"] for row in record["worker_rows"]}
    assert leaning["cy"]["bias"] > 0 > leaning["ana"]["bias"]
    _, out, _ = run("aggregate", "pairs.csv", "--json")
    workers = {row["worker"]: row for row in json.loads(out)["workers"]}
    assert workers["cy"]["position_bias"] == leaning["cy"]
    _, out, _ = run("inspect", "pairs.csv", "--report", "page.html")
    assert "Responses, the strongest first" in out
    assert "wins against an average one" in Path("page.html").read_text("utf-8")


def test_only_sure_preferences_are_written_for_training(run: Run, pairs: str) -> None:
    """With how sure they are, the votes and their margin; the others are counted."""
    words = ("--method", "mv", "--out", "train.trl.jsonl", "--json")
    code, out, err = run("aggregate", pairs, *words, "--min-confidence", "0.6")
    assert code == 0, err
    rows = [json.loads(line) for line in Path("train.trl.jsonl").read_text("utf-8").splitlines()]

    assert 0 < json.loads(out)["unsure"] < 60
    assert rows
    for row in rows:
        assert row["votes"] <= row["answers"] == 5
        assert -1 <= row["margin"] <= row["confidence"]
        assert {"prompt", "chosen", "rejected", "by"} <= row.keys()
    code, _, err = run("convert", pairs, "some.jsonl", "--min-confidence", "0.6")
    assert code == 2
    assert "this data has none" in " ".join(err.split())


def test_a_campaign_on_choices_is_planned(run: Run, pairs: str) -> None:
    """Among few ways, as nobody is an expert and three answer."""
    wishes = ("--sentences", "30", "--workers", "3", "--experts", "0", "--budget", "12")
    code, out, err = run("plan", pairs, *wishes, "--json")

    assert code == 0, err
    found = json.loads(out)["recommended"]
    assert found["plan"]["consensus"] in methods_for("choices")
    assert 0 <= found["f1"]["low"] <= found["f1"]["mean"] <= 1
