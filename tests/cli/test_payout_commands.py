"""`spancrew recruit` and `spancrew payout` as a user runs them, on both platforms."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from spancrew.wire import CampaignSummary, CampaignView, EntryView
from tests.bridges.conftest import AWS
from tests.bridges.loopback import Answer, Fault, Loopback, running
from tests.bridges.mturk import HIT, FakeMTurk, mturk
from tests.bridges.prolific import STUDY, TOKEN, FakeProlific, prolific
from tests.cli.conftest import Run
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("login", "accounts")


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Set the secrets of an account on each platform."""
    for name, value in {**AWS, "PROLIFIC_TOKEN": TOKEN}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SPANCREW_PAYOUTS", str(tmp_path / "payouts"))


@pytest.fixture
def fake() -> Iterator[FakeProlific]:
    """Return a Prolific that runs."""
    with prolific() as found:
        yield found


@pytest.fixture
def worked(run: Run, made: str, fake: FakeProlific) -> str:
    """Return a campaign in which two people of Prolific gave three answers each."""
    opened = run("campaign", "entry", made, "prolific", "--completion-code", "C0DE", "--json")[1]
    run("campaign", "start", made)
    work(str(json.loads(opened)["url"]), ["PROLIFIC_PID=ada", "PROLIFIC_PID=bo"])
    fake.add("ada", status="AWAITING REVIEW", reward=12, code="C0DE")
    fake.add("bo", status="AWAITING REVIEW", reward=12, code="GUESSED")
    return made


def work(url: str, people: Sequence[str]) -> None:
    """Let people come from a platform and answer all that they get."""
    base, _, key = url.partition("/join/")
    for person in people:
        with httpx.Client(base_url=f"{base}/api/v1", timeout=PATIENCE) as worker:
            me = worker.get(f"/join/{key}?{person}").json()["me"]
            worker.headers["X-CSRF-Token"] = me["csrf"]
            path = f"/campaigns/{me['campaign']}"
            while found := worker.post(f"{path}/next").json()["assignment"]:
                answer = {"assignment": found["assignment"], "spans": []}
                worker.post(f"{path}/answers", json=answer).raise_for_status()


def planned(run: Run, campaign: str, fake: FakeProlific, *more: str) -> tuple[str, str]:
    """Make a plan; return its id and what was printed."""
    words = ("payout", "plan", campaign, "--study", STUDY, "--api", fake.api, *more)
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    return re.findall(r"payout send (\w+)", out)[0], out


def test_a_payout_from_approval_to_the_last_bonus(
    run: Run, worked: str, fake: FakeProlific
) -> None:
    """Dry run, sending, checking; and a second payout finds nothing to pay."""
    approval = ("payout", "approve", worked, "--study", STUDY, "--api", fake.api, "--yes")
    approved = run(*approval)[1]
    plan, shown = planned(run, worked, fake)
    unsent = list(fake.paid)
    code, sent, err = run("payout", "send", plan, "--yes")
    checked = run("payout", "check", plan)[1]
    again = run("payout", "send", plan, "--yes")[2]
    after = run("payout", "plan", worked, "--study", STUDY, "--api", fake.api)[1]

    assert "1 of 2 waiting submissions are approved" in approved
    assert re.search(r"bo +GUESSED +leave: the completion code is wrong", approved)
    assert re.search(r"w0 +ada +3 +0\.30 +0\.12 +0\.00 +0\.18\n", shown)
    assert re.search(r"2 bonuses +0\.36\n.*fees, if they are 33\.3% \(--fee\).* 0\.12\n", shown)
    assert re.search(r"in all +0\.48\n", shown)
    assert unsent == []
    assert (code, err) == (0, "")
    assert re.search(rf"{plan} .*prolific +2 +0\.36 +0\.36 +0 +0\n", sent)
    assert sorted(cents for _, cents in fake.paid) == [18, 18]
    assert "2 of 2 bonuses are paid; prolific shows all of them" in checked
    assert f"payout resume {plan}" in again
    assert "Nobody is owed anything" in after


def test_sending_asks_first(
    run: Run, worked: str, fake: FakeProlific, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the plan that was shown, with what it comes to."""
    plan, _ = planned(run, worked, fake, "--base", "extra")
    asked: list[str] = []
    monkeypatch.setattr("typer.confirm", lambda text, **_: asked.append(text))
    run("payout", "send", plan)

    assert asked == [f"Pay 2 bonuses, 0.60 in all without fees, on {fake.api}?"]
    assert sorted(cents for _, cents in fake.paid) == [30, 30]


def test_what_nobody_can_tell_is_settled_by_somebody_who_looked(
    run: Run, worked: str, fake: FakeProlific
) -> None:
    """No new plan is made until then."""
    plan, _ = planned(run, worked, fake)
    fake.web.faults.append(Fault("/pay/", 0, "before"))
    code, _, lost = run("payout", "send", plan, "--yes", "--wait", "0")
    refused = run("payout", "plan", worked, "--study", STUDY, "--api", fake.api)[2]
    shown = run("payout", "show", plan)[1]
    listed = json.loads(run("payout", "show", "--json")[1])
    wrong = run("payout", "settle", plan, "unpaid", "eve")[2]
    said = run("payout", "settle", plan, "unpaid")[1]
    resumed = run("payout", "resume", plan)[0]

    assert code == 2
    assert "nobody can tell whether prolific made these payments: ada (0.18), bo (0.18)" in lost
    assert f"payout resume {plan}" in refused
    assert re.search(r"w1 +bo +uncertain +0\.18\n", shown)
    assert [(each["plan"], each["sent"], each["paid"]) for each in listed] == [(plan, 2, 0)]
    assert "no uncertain payment to eve" in wrong
    assert "2 payments are noted as unpaid" in said
    assert resumed == 0
    assert sorted(cents for _, cents in fake.paid) == [18, 18]


def test_bonuses_by_others_have_to_be_explained(run: Run, worked: str, fake: FakeProlific) -> None:
    """They may be from a journal on another machine."""
    fake.paid.append((next(iter(fake.submissions)), 18))
    words = ("payout", "plan", worked, "--study", STUDY, "--api", fake.api)
    code, _, err = run(*words)
    told = json.loads(run(*words, "--others", "deduct", "--json")[1])

    assert code == 2
    assert "1 workers got bonuses of 0.18 in all that no payout from here made, such as ada" in err
    assert [(each["person"], each["bonus"]) for each in told["owed"]] == [("ada", 0), ("bo", 18)]
    assert (told["bonuses"], told["cents"], told["fees"]) == (1, 18, 6)


def test_who_cannot_be_paid_is_in_the_plan(run: Run, worked: str, fake: FakeProlific) -> None:
    """Those without a submission, and those who were erased."""
    fake.submissions.popitem()
    run("campaign", "worker-data", "erase", worked, "w0", "--yes")
    code, out, _ = run("payout", "plan", worked, "--study", STUDY, "--api", fake.api)

    assert code == 0
    assert "Not paid: w1 (bo) has no submission in these studies." in out
    assert "Not paid: did not come from prolific, or were erased: w0." in out


def test_refused_bonuses_are_named_and_tried_again(
    run: Run, worked: str, fake: FakeProlific
) -> None:
    """The exit code says that somebody has to look."""
    plan, _ = planned(run, worked, fake)
    fake.web.faults.append(Fault("/pay/", 400, body={"error": {"detail": "No funds left."}}))
    code, out, err = run("payout", "send", plan, "--yes")
    resumed = run("payout", "resume", plan)[0]

    assert (code, resumed) == (2, 0)
    assert "No funds left." in " ".join(out.split())
    assert f"2 of 2 bonuses were refused; 'spancrew payout resume {plan}' tries" in err
    assert sorted(cents for _, cents in fake.paid) == [18, 18]


def test_a_bonus_that_is_not_shown_is_a_problem(run: Run, worked: str, fake: FakeProlific) -> None:
    """Prolific accepts bonuses first, and pays them later."""
    plan, _ = planned(run, worked, fake)
    fake.shows = False
    sent = run("payout", "send", plan, "--yes")[0]
    code, _, err = run("payout", "check", plan)

    assert (sent, code) == (0, 2)
    assert "2 of 2 bonuses are paid, and 2 of them are not shown by prolific (yet): ada, bo" in err


def test_plans_that_are_not_there_or_not_begun_are_named(
    run: Run, worked: str, fake: FakeProlific
) -> None:
    """With what to do instead."""
    plan, _ = planned(run, worked, fake)

    assert "there is no plan 'nope'" in run("payout", "send", "nope")[2]
    assert f"payout send {plan}" in run("payout", "resume", plan)[2]


def test_a_campaign_without_a_way_in_has_nobody_to_pay(run: Run, made: str) -> None:
    """The command that opens it is named."""
    code, _, err = run("payout", "plan", made, "--study", STUDY)

    assert code == 2
    assert "spancrew campaign entry" in err


def test_entry_demands_a_code_and_warns_of_this_machine(run: Run, made: str) -> None:
    """And prints what goes into the study."""
    missing, _, said = run("campaign", "entry", made, "prolific")
    words = ("campaign", "entry", made)
    code, out, err = run(*words, "prolific", "--completion-code", "C0DE")
    turk = run(*words, "mturk", "--completion-code", "C0DE", "--json")[1]

    assert missing == 2
    assert "--completion-code" in said
    assert code == 0
    assert "127.0.0.1 is this machine or this network" in err
    assert (
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
        in out
    )
    assert "submissions/complete?cc=C0DE" in out.replace("\n", "")
    assert "<ExternalURL>http://127.0.0.1:" in json.loads(turk)["paste"]


def test_nobody_is_recruited_for_an_address_that_they_cannot_open(
    run: Run, worked: str, fake: FakeProlific
) -> None:
    """A study would be rejected, or worse, paid."""
    about = ("--title", "T", "--description", "D", "--places", "5", "--minutes", "9")
    words = ("recruit", "prolific", worked, *about, "--reward", "1.5", "--api", fake.api)
    code, _, err = run(*words)
    other = run("recruit", "mturk", worked, *about, "--reward", "1.5")[2]

    assert code == 2
    assert "127.0.0.1 is this machine" in err
    assert f"campaign entry {worked} mturk" in other
    assert fake.studies == {}


@contextmanager
def behind_a_proxy(platform: str) -> Iterator[Loopback]:
    """Answer like a server that others reach under https, for one campaign that is open.

    A real one would send the cookies of its admin over https only.
    """
    url = "https://label.example/join/k"
    entry = EntryView(platform=platform, url=url, completion_code="C0DE", completion_url=None)
    card = CampaignSummary(id="c1", name="names", created_at=0.0, sentences=3)
    view = CampaignView(**card.model_dump(), phase="running", plan={}, entry=entry)
    answers = {
        "GET /api/v1/campaigns": [card.model_dump(mode="json")],
        "GET /api/v1/campaigns/c1": view.model_dump(mode="json"),
    }
    with running(Loopback(lambda request: Answer(200, answers[request.route]))) as found:
        yield found


ABOUT = ("--title", "Names", "--description", "Mark names", "--places", "5", "--minutes", "9")


def test_a_study_leads_to_the_campaign(run: Run, fake: FakeProlific) -> None:
    """With its address, its code and its base pay; published only if asked."""
    with behind_a_proxy("prolific") as server:
        words = ("recruit", "prolific", "c1", *ABOUT, "--reward", "1.5", "--api", fake.api)
        draft = run(*words, "--server", server.url)[1]
        more = ("--publish", "--approve-at-once", "--yes", "--json", "--server", server.url)
        live = json.loads(run(*words, *more)[1])
    first, second = fake.studies.values()

    assert "is a draft" in draft
    assert (first["status"], second["status"], live["published"]) == (
        "UNPUBLISHED",
        "ACTIVE",
        True,
    )
    assert first["external_study_url"].startswith("https://label.example/join/")
    assert first["external_study_url"].endswith("&SESSION_ID={{%SESSION_ID%}}")
    assert first["prolific_id_option"] == "url_parameters"
    assert (first["reward"], first["total_available_places"]) == (150, 5)
    assert first["completion_codes"] == [
        {"code": "C0DE", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
    ]
    assert second["completion_codes"][0]["actions"] == [{"action": "AUTOMATICALLY_APPROVE"}]


def test_a_hit_leads_to_the_campaign(run: Run) -> None:
    """The same order makes one HIT, however often it is sent."""
    with mturk() as turk, behind_a_proxy("mturk") as server:
        words = ("recruit", "mturk", "c1", *ABOUT, "--reward", "0.5", "--api", turk.api)
        hit = json.loads(run(*words, "--yes", "--json", "--server", server.url)[1])["hit"]
        twice = run(*words, "--yes", "--server", server.url)[2]
        made = turk.hits[hit]

    assert "<ExternalURL>https://label.example/join/k</ExternalURL>" in made["Question"]
    assert (made["Reward"], made["MaxAssignments"]) == ("0.50", 5)
    assert made["AssignmentDurationInSeconds"] == 540
    assert "already exists" in twice


def test_workers_of_mturk_are_approved_and_paid(run: Run, made: str) -> None:
    """By the same commands."""
    opened = run("campaign", "entry", made, "mturk", "--completion-code", "C0DE", "--json")[1]
    run("campaign", "start", made)
    url = str(json.loads(opened)["url"])
    work(url, ["workerId=A1&assignmentId=X&hitId=H", "workerId=A2&assignmentId=Y&hitId=H"])
    with mturk() as turk:
        handed_in = [turk.add(who, status="Submitted", code="C0DE") for who in ("A1", "A2")]
        turk.hits[HIT]["Reward"] = "0.10"
        where = ("--study", HIT, "--api", turk.api)
        approved = json.loads(run("payout", "approve", made, *where, "--yes", "--json")[1])
        _, shown, _ = run("payout", "plan", made, *where)
        plan = re.findall(r"payout send (\w+)", shown)[0]
        code = run("payout", "send", plan, "--yes")[0]
        paid = list(turk.paid)

    assert isinstance(turk, FakeMTurk)
    assert approved == {"approved": handed_in, "left": []}
    assert "fees, if they are 20.0%" in shown
    assert code == 0
    assert paid == [(each, 20) for each in handed_in]
