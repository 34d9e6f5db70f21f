"""`spancrew campaign` as a user runs it, against a real server."""

import csv
import io
import json
import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from spancrew.campaign import Ledger
from spancrew.cli._campaign_views import ledger_table
from spancrew.client import Client
from spancrew.core import Dataset, LabelSet, Sentence, Span
from spancrew.formats import read, write
from spancrew.wire import SheetView, WorkerAssignment
from tests.cli.conftest import Run
from tests.serving import Serving, serving

pytestmark = pytest.mark.usefixtures("login")

RIGHT = (Span(0, 1, "PER"), Span(2, 3, "LOC"))
GUESS = "The model's guess of exact F1 is "


def label_all(link: str, spans: tuple[Span, ...] = RIGHT) -> int:
    """Answer everything that a worker gets, and return the last assignment."""
    with Client.from_link(link) as guest:
        worker, last = guest.worker(), -1
        while isinstance(sheet := worker.next(), WorkerAssignment):
            worker.submit(sheet, spans, seconds=2.0)
            last = sheet.assignment
    return last


def test_a_campaign_from_creation_to_export(run: Run, made: str, tmp_path: Path) -> None:
    """With nothing but commands, but for the workers."""
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2", "--name", "ada")
    run("campaign", "start", made)
    last = [label_all(link) for link in invited.split()][-1]
    _, shown, _ = run("campaign", "show", made)
    _, told, _ = run("campaign", "show", made, "--json")
    code, printed, _ = run("campaign", "export", made, "out.conll")
    parts = ("{part}.soft.conll", "--parts", "all=1", "--soft")
    assert f"campaign {made} are in all.soft.conll." in run("campaign", "export", made, *parts)[1]
    _, listed, _ = run("campaign", "workers", made)
    _, reason, _ = run("campaign", "why", made, str(last))
    _, paid, _ = run("campaign", "payments", made)

    assert len(invited.split()) == 2
    assert re.search(r"phase\s+finished", shown)
    assert "3 of 3 sentences (100%)" in shown
    assert re.search(r"spent\s+0.60", shown)
    assert json.loads(told)["ledger"]["spent"] == pytest.approx(0.6)
    assert code == 0
    assert printed.startswith(f"The labels of campaign {made} are in out.conll.\n{GUESS}")
    assert read(tmp_path / "out.conll").dataset.gold_spans(0) == RIGHT
    assert 'Ana\t1\t{"B-PER": 1.0}\tB-PER' in (tmp_path / "all.soft.conll").read_text("utf-8")
    assert "ada 1" in listed
    assert "ada 2" in listed
    assert "answered" in reason
    assert [row["earned"] for row in csv.DictReader(io.StringIO(paid))] == ["0.3000"] * 2


def test_labels_are_looked_at_and_overruled(run: Run, made: str, tmp_path: Path) -> None:
    """What the crowd decided is listed, and then corrected, in the export as well."""
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2")
    run("campaign", "start", made)
    for link in invited.split():
        label_all(link)
    _, listed, _ = run("campaign", "sentences", made, "--label", "PER")
    code, said, _ = run("campaign", "overrule", made, "0", "0-1:LOC", "--note", "a town")
    run("campaign", "overrule", made, "1", "--nothing")
    _, corrected, _ = run("campaign", "sentences", made, "--corrected", "--json")
    run("campaign", "export", made, "out.conll")
    labels = [read(tmp_path / "out.conll").dataset.gold_spans(k) for k in range(3)]

    assert "3 sentences" in listed
    assert "0-1:PER 2-3:LOC" in listed
    assert (code, said) == (0, f"Sentence 0 of campaign {made} has these labels from now on.\n")
    assert [each["by"] for each in json.loads(corrected)["sentences"]] == ["expert"] * 2
    assert labels == [(Span(0, 1, "LOC"),), (), RIGHT]


def test_sentences_are_added_to_a_campaign(run: Run, made: str, tmp_path: Path) -> None:
    """Of a file of lines; a second time nothing is added."""
    (tmp_path / "more.txt").write_text("Ben came home\nEve left Paris\n", "utf-8")
    code, said, _ = run("campaign", "add", made, "more.txt")
    _, again, _ = run("campaign", "add", made, "more.txt", "--json")
    _, shown, _ = run("campaign", "show", made, "--json")

    assert (code, said) == (0, f"2 sentences added to campaign {made}. It has 5 now.\n")
    assert json.loads(again)["added"] == 0
    assert json.loads(again)["numbers"] == [3, 4]
    assert json.loads(shown)["status"]["sentences"] == 5


def test_a_pilot_is_labelled_before_the_others(run: Run, tmp_path: Path) -> None:
    """Its campaign is data for the others by name, once it is done."""
    known = read("demo").dataset
    raw = Dataset.of(list(known.sentences)[:24], {}, [], known.labels)
    write(raw, tmp_path / "raw.jsonl")
    _, created, _ = run("campaign", "create", "raw.jsonl", "--pilot", "20", "--json")
    pilot = json.loads(created)["id"]
    early, _, problem = run("campaign", "create", f"pilot:{pilot}", "--name", "whole")
    run("campaign", "start", pilot)
    run("campaign", "finish", pilot)
    late, whole, why = run("campaign", "create", f"pilot:{pilot}", "--name", "whole", "--json")
    _, shown, _ = run("campaign", "show", json.loads(whole)["id"], "--json")

    assert early == 2
    assert "the pilot is not done: 20 of its 20 sentences still need labels" in problem
    assert late == 0, why
    assert json.loads(shown)["status"]["sentences"] == 24


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("overrule", "0"), "give spans such as 0-2:PER, or --nothing"),
        (("overrule", "0", "0:PER"), "'0:PER' is no span"),
        (("overrule", "0", "0-1:PER"), "not settled"),
        (("reopen", "0"), "not settled"),
    ],
)
def test_what_cannot_be_corrected_is_refused(
    run: Run, made: str, given: tuple[str, ...], problem: str
) -> None:
    """With what is wrong and what to do."""
    name, *rest = given
    code, _, err = run("campaign", name, made, *rest)

    assert code == 2
    assert problem in " ".join(err.split())


def test_an_empty_export_says_so_and_fails(run: Run, made: str, tmp_path: Path) -> None:
    """The file is written, as it may hold answers; a script learns that it has no labels."""
    code, out, err = run("campaign", "export", made, "out.jsonl")

    assert (code, out) == (2, "")
    assert "0 of 3 sentences are settled: out.jsonl was written without final labels" in err
    assert len(read(tmp_path / "out.jsonl").dataset) == 3


def test_an_export_before_the_end_says_how_far_it_is(run: Run, made: str) -> None:
    """One sentence of three is settled."""
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2")
    run("campaign", "start", made)
    for link in invited.split():
        with Client.from_link(link) as guest:
            sheet = guest.worker().next()
            assert isinstance(sheet, WorkerAssignment)
            guest.worker().submit(sheet, RIGHT, seconds=2.0)
    code, out, _ = run("campaign", "export", made, "out.jsonl")

    assert code == 0
    assert out.startswith(
        f"The labels of campaign {made} are in out.jsonl; 1 of 3 sentences are settled so far.\n"
        f"{GUESS}"
    )


def test_a_forecast_above_the_budget_is_shown_with_what_follows() -> None:
    """Forecast and budget, both."""
    ledger = Ledger(2, 0, 0.2, 0.0, 7.25, 1.8, 1.5, 1.3)

    assert re.search(
        r"forecast in all\s+7.25; the budget ends it before\s*\n", ledger_text(ledger)
    )
    assert "ends it" not in ledger_text(replace(ledger, budget=7.25))
    assert "ends it" not in ledger_text(replace(ledger, budget=None, left=None))


def ledger_text(ledger: Ledger) -> str:
    """Return the table of money as it is printed."""
    console = Console(width=80)
    with console.capture() as caught:
        console.print(ledger_table(ledger))
    return caught.get()


def test_data_whose_labels_are_all_known_are_refused_with_the_remedy(run: Run) -> None:
    """Nobody would be asked anything."""
    code, out, err = run("campaign", "create", "demo")

    assert (code, out) == (2, "")
    assert "the labels of all 600 sentences are known" in err
    assert "set gold to ignore" in err


def test_sentences_are_taken_out_for_practice(run: Run, server: Serving, tmp_path: Path) -> None:
    """So many as are asked for, also where known labels are kept out otherwise."""
    data = read("demo").dataset.without_answers()
    gold = {s.id: data.gold_spans(k) or () for k, s in enumerate(data.sentences)}
    gold.popitem()
    write(Dataset.of(list(data.sentences), gold, [], data.labels), tmp_path / "most.jsonl")
    used = run("campaign", "create", "most.jsonl", "--practice", "3", "--json")[1]
    kept = run("campaign", "create", "demo", "--gold", "ignore", "--practice", "2", "--json")[1]
    with server.admin() as admin:
        guides = [admin.campaign(json.loads(out)["id"]).guide() for out in (used, kept)]

    assert [guide.training for guide in guides] == [3, 2]


def test_the_journal_is_printed_line_by_line(run: Run, made: str) -> None:
    """For people and for programs."""
    run("campaign", "start", made)
    run("campaign", "set-budget", made, "50")
    _, shown, _ = run("campaign", "events", made)
    _, told, _ = run("campaign", "events", made, "--after", "1", "--json")
    kinds = [json.loads(line)["kind"] for line in told.splitlines()]

    assert [line.split()[3] for line in shown.splitlines()] == ["Opened", "Started", "BudgetSet"]
    assert kinds == ["Started", "BudgetSet"]


def test_a_campaign_is_steered(run: Run, made: str) -> None:
    """Phases, budget and rule."""
    said = [
        run("campaign", *words)
        for words in (
            ("start", made),
            ("pause", made),
            ("set-budget", made, "12.5"),
            ("set-budget", made, "none"),
            ("set-rule", made, "gate:threshold=0.5"),
            ("finish", made),
        )
    ]
    wrong = run("campaign", "set-budget", made, "much")
    late = run("campaign", "start", made)

    assert [code for code, _, _ in said] == [0] * 6
    assert "is paused" in said[1][1]
    assert "any amount" in said[3][1]
    assert wrong[0] == 2
    assert "no amount of money" in wrong[2]
    assert late[0] == 2


def test_people_are_managed(run: Run, made: str) -> None:
    """Halted, readmitted, capped, banned, exported, erased."""
    run("campaign", "invite", "worker", made, "--name", "ada", "--price", "0.2", "--cap", "7")
    steps = [
        ("halt", made, "w0", "--reason", "a break"),
        ("readmit", made, "w0"),
        ("cap", made, "w0", "3"),
        ("cap", made, "w0", "none"),
        ("invite", "again", made, "w0"),
        ("ban", made, "w0"),
    ]
    codes = [run("campaign", *words)[0] for words in steps]
    _, told, _ = run("campaign", "workers", made, "--json")
    _, data, _ = run("campaign", "worker-data", "export", made, "w0")
    erased = run("campaign", "worker-data", "erase", made, "w0", "--yes")
    _, after, _ = run("campaign", "worker-data", "export", made, "w0")

    assert codes == [0] * 6
    assert json.loads(told)[0]["standing"]["state"] == "banned"
    assert json.loads(data)["person"]["name"] == "ada"
    assert erased[0] == 0
    assert json.loads(after)["person"]["name"] is None


def test_many_are_invited_by_a_file_and_managed_at_once(
    run: Run, made: str, tmp_path: Path
) -> None:
    """A file with a mistake invites nobody, and says where it is."""
    roll = tmp_path / "people.csv"
    roll.write_text("name,price\nada,0.2\nben,free\n", encoding="utf-8")
    refused = run("campaign", "invite", "worker", made, "--from", "people.csv")
    roll.write_text("name,price\nada,0.2\nben,\ncem,\n", encoding="utf-8")
    mixed = run("campaign", "invite", "worker", made, "--from", "people.csv", "--count", "2")
    _, invited, _ = run("campaign", "invite", "worker", made, "--from", "people.csv", "--csv")
    steps = [
        run("campaign", "halt", made, "w0", "w1", "--reason", "a break")[1],
        run("campaign", "cap", made, "w1", "w2", "5")[1],
        run("campaign", "readmit", made, "w0")[1],
    ]
    _, paused, _ = run("campaign", "workers", made, "--state", "paused", "--json")
    _, nobody, _ = run("campaign", "workers", made, "--text", "dora")
    rows = list(csv.DictReader(io.StringIO(invited)))

    assert (refused[0], mixed[0]) == (2, 2)
    assert "people.csv: line 3: found the price 'free'; expected a number" in refused[2]
    assert "leave out --count" in mixed[2]
    assert [(row["who"], row["name"], row["state"]) for row in rows] == [
        ("w0", "ada", "invited"),
        ("w1", "ben", "invited"),
        ("w2", "cem", "invited"),
    ]
    assert "/enter#" in rows[2]["link"]
    assert steps[0].startswith("2 workers are halted;")
    assert steps[1:] == ["2 workers may give 5 answers each.\n", "Worker w0 is readmitted.\n"]
    assert [(each["state"], each["standing"]["cap"]) for each in json.loads(paused)] == [
        ("paused", 5)
    ]
    assert nobody == "Nobody is found.\n"


def test_the_queue_of_the_experts_is_shown(run: Run, made: str) -> None:
    """Sentences on which workers disagree wait there, with what makes them wait."""
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2")
    run("campaign", "start", made)
    one, other = invited.split()
    label_all(one)
    label_all(other, (Span(1, 2, "LOC"),))
    _, text, _ = run("campaign", "queue", made)
    _, out, _ = run("campaign", "queue", made, "--json")

    assert "s0" in text
    assert {each["id"] for each in json.loads(out)} == {"s0", "s1", "s2"}


def test_experts_are_managed(run: Run, made: str) -> None:
    """Invited as CSV, listed, dismissed."""
    _, invited, _ = run("campaign", "invite", "expert", made, "--count", "2", "--csv")
    _, listed, _ = run("campaign", "experts", made, "--json")
    gone = run("campaign", "dismiss", made, "e0")

    assert invited.splitlines()[0] == "who,name,state,link"
    assert len(invited.splitlines()) == 3
    assert [each["pseudonym"] for each in json.loads(listed)] == ["e0", "e1"]
    assert gone[0] == 0


def test_webhooks_and_platforms(run: Run, made: str) -> None:
    """Added, listed, removed; a way in for a crowd platform."""
    address = "https://hooks.example/x"
    code, told, _ = run(
        "campaign", "webhook", "add", made, address, "--event", "Settled", "--json"
    )
    id_ = str(json.loads(told)["id"])
    _, listed, _ = run("campaign", "webhook", "list", made)
    resumed = run("campaign", "webhook", "resume", made, id_)
    _, sent, _ = run("campaign", "webhook", "deliveries", made, id_)
    removed = run("campaign", "webhook", "remove", made, id_)
    _, entry, _ = run("campaign", "entry", made, "prolific", "--completion-code", "C0DE")

    assert code == 0
    assert address in listed
    assert "Settled" in listed
    assert (resumed[0], removed[0]) == (0, 0)
    assert sent == "Nothing has been sent yet.\n"
    assert "/join/" in entry
    assert "C0DE" in entry


def test_deleting_asks_first(run: Run, made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And can be told not to."""
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    asked = run("campaign", "delete", made)
    gone = run("campaign", "delete", made, "--yes")
    again = run("campaign", "show", made)

    assert asked[0] == 1
    assert gone[:2] == (0, f"Campaign {made} is gone.\n")
    assert again[0] == 2
    assert "there is no campaign" in again[2]


def test_agreement_is_shown(run: Run, made: str) -> None:
    """Once there are answers."""
    none = run("campaign", "agreement", made)
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2")
    run("campaign", "start", made)
    for link in invited.split():
        label_all(link)
    _, shown, _ = run("campaign", "agreement", made)
    _, told, _ = run("campaign", "agreement", made, "--json")

    assert none[1] == "No sentence has two answers yet.\n"
    assert "Sentences by kappa" in shown
    assert json.loads(told)["mean"] == 1.0


def test_a_plan_comes_from_a_file_and_options_change_it(run: Run, tmp_path: Path) -> None:
    """The rest is as usual."""
    plan = {"answers": 3, "crew": 6, "prices": {"answer": 0.05}}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    words = ["--plan", "plan.json", "--crew", "9", "--expert-price", "2", "--json"]
    words += ["--suggestions", "0.8"]
    _, out, _ = run("campaign", "create", "demo-zh", "--gold", "ignore", *words)
    _, told, _ = run("campaign", "show", json.loads(out)["id"], "--json")
    (tmp_path / "plan.json").write_text("[", encoding="utf-8")
    broken = run("campaign", "create", "demo-zh", "--plan", "plan.json")
    (tmp_path / "plan.json").write_text("[" * 50_000, encoding="utf-8")
    deep = run("campaign", "create", "demo-zh", "--plan", "plan.json")
    found = json.loads(told)["plan"]

    assert (found["answers"], found["crew"], found["suggestions"]) == (3, 9, 0.8)
    assert found["prices"] == {"answer": 0.05, "expert": 2.0}
    assert broken[0] == 2
    assert "plan.json: this is no JSON" in broken[2]
    assert deep[0] == 2
    assert "plan.json: this is no JSON" in deep[2]


def test_a_login_is_remembered_where_only_its_owner_reads_it(
    run: Run, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a link, then by a password; a token that has ended is worthless."""
    monkeypatch.delenv("SPANCREW_SERVER")
    monkeypatch.delenv("SPANCREW_TOKEN")
    stranger = run("campaign", "list")
    monkeypatch.setattr("typer.prompt", lambda *_, **__: "a long enough password")
    with serving(tmp_path_factory.mktemp("other")) as other:
        chosen = run("campaign", "password", str(other.link), "ana")
        _, listed, _ = run("campaign", "list")
        code, said, _ = run("campaign", "login", other.url, "--user", "ana")
        again = run("campaign", "password", other.url, "ana", "--user", "ana")
        _, new, _ = run("campaign", "token", "create", other.url, "ci", "--user", "ana", "--json")
        _, tokens, _ = run("campaign", "token", "list", "--json")
        revoked = run("campaign", "token", "revoke", str(json.loads(new)["id"]))
        worthless = run("campaign", "list", "--token", json.loads(new)["token"])
    file = Path(said.split("the token is in ")[1].split(",")[0])

    assert stranger[0] == 2
    assert "run 'spancrew campaign login LINK'" in stranger[2]
    assert code == 0
    assert "There is no campaign yet" in listed
    assert (chosen[0], again[0], revoked[0]) == (0, 0, 0)
    assert [each["name"] for each in json.loads(tokens)][1:] == ["ci"]
    assert worthless[0] == 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_no_server_is_one_clear_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a moment."""
    monkeypatch.setattr("spancrew.cli._connection.PATIENCE", 0.2)
    code, _, err = run("campaign", "list", "--server", "http://127.0.0.1:9")

    assert code == 2
    assert "is the server running?" in err
    assert err.count("\n") == 1


def test_a_campaign_is_certified_by_its_audits(run: Run, tmp_path: Path) -> None:
    """By its name; the certificate can be kept, and checked as long as nothing changes."""
    sentences = [Sentence.from_tokens(f"s{k}", ["Ana", "in", "Porto"]) for k in range(4)]
    write(Dataset.of(sentences, labels=LabelSet(("PER", "LOC"))), tmp_path / "four.jsonl")
    plan = ("--feedback", "gate:threshold=0.4", "--answers", "2", "--crew", "2", "--audit", "2")
    run("campaign", "create", "four.jsonl", "--name", "four", "--warm-up", "none", *plan)
    _, workers, _ = run("campaign", "invite", "worker", "four", "--count", "2")
    _, expert, _ = run("campaign", "invite", "expert", "four")
    run("campaign", "start", "four")
    for link in workers.split():
        label_all(link)
    refused, _, why = run("certify", "four")
    with Client.from_link(expert.strip()) as guest:
        desk = guest.expert()
        while isinstance(sheet := desk.next(), SheetView):
            desk.submit(sheet, RIGHT)
    code, told, _ = run("certify", "four", "--out", "four.json")
    same, _, _ = run("certify", "four", "--verify", "four.json")
    kept = json.loads((tmp_path / "four.json").read_text("utf-8"))
    kept["f1"]["low"] = 0.99
    (tmp_path / "four.json").write_text(json.dumps(kept), "utf-8")
    changed, _, wrong = run("certify", "four", "--verify", "four.json")

    assert (refused, code, same, changed) == (2, 0, 0, 2)
    assert "nothing has been audited, so there is nothing to certify" in why
    assert told.startswith("Exact F1 of the delivered labels is 1.000")
    assert "f1.low: the certificate says 0.99" in wrong


def test_another_rule_is_tried_on_a_campaign_of_the_server(run: Run, made: str) -> None:
    """By its id; its journal in a file tells the same. Experts would have cost 1 each."""
    nothing = run("what-if", made, "--feedback", "expert")
    _, invited, _ = run("campaign", "invite", "worker", made, "--count", "2")
    run("campaign", "start", made)
    for link in invited.split():
        label_all(link)
    words = ("--feedback", "expert", "--json")
    code, out, err = run("what-if", made, *words)
    run("campaign", "export", made, "out.jsonl")
    Path("journal.jsonl").write_text(run("campaign", "events", made, "--json")[1], "utf-8")
    same = run("what-if", "out.jsonl", "--journal", "journal.jsonl", *words)
    record = json.loads(out)

    assert nothing[0] == 2
    assert "no sentence is settled" in nothing[2]
    assert (code, err) == (0, "")
    assert record["sentences"] == 3
    assert record["cost"]["estimate"] == pytest.approx(3.6)
    assert record["before"]["cost"]["estimate"] == pytest.approx(0.6)
    assert record["expert_share"] == {"known": True, "estimate": 1.0, "low": 1.0, "high": 1.0}
    assert json.loads(same[1]) == record
