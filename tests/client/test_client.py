"""The client drives a real server: everything that an admin, a worker and an expert can do."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from spancrew import errors
from spancrew.campaign import Plan, Waiting, WorkerStanding
from spancrew.client import Client
from spancrew.core import Dataset, Sentence, Span
from spancrew.errors import SpancrewError
from spancrew.formats import read, write
from spancrew.wire import SheetView, SolvedView, StandingView, WorkerAssignment
from tests.serving import Serving

TOKENS = ["Ana", "left", "Rome", "today"]
RIGHT = (Span(0, 1, "PER"), Span(2, 3, "LOC"))
WRONG = (Span(1, 2, "LOC"),)
PLAN = {
    "labels": ["LOC", "PER"],
    "answers": 2,
    "crew": 2,
    "policy": "random",
    "feedback": "gate:threshold=0.65",
    "warm_up": "none",
    "audit": 0,
}


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    """Return a file with three sentences."""
    path = tmp_path / "three.jsonl"
    write(Dataset.of([Sentence.from_tokens(f"s{k}", TOKENS) for k in range(3)]), path)
    return path


def label_all(guest: Client, odd: str | None) -> float:
    """Label all sentences right but one, and return what that pays."""
    worker, paid = guest.worker(), 0.0
    while isinstance(sheet := worker.next(), WorkerAssignment):
        wrong = sheet.sentence.id == odd
        assert worker.heartbeat(sheet) >= sheet.until - 1
        paid += worker.submit(sheet, WRONG if wrong else RIGHT).paid
    return paid


def test_a_campaign_from_creation_to_export(
    admin: Client, sentences: Path, tmp_path: Path
) -> None:
    """Two workers agree on two sentences; an expert decides on the third."""
    campaign = admin.create("small", sentences, PLAN, format="spancrew")
    links = [campaign.invite_worker(name).url for name in ("ada", "ben")]
    expert_link = campaign.invite_expert("eve").url
    campaign.start()
    with Client.from_link(links[0]) as ada, Client.from_link(links[1]) as ben:
        paid = label_all(ada, None) + label_all(ben, "s1")
    with Client.from_link(expert_link) as guest:
        queue = guest.expert().queue()
        sheet = guest.expert().next()
        assert isinstance(sheet, SheetView)
        taken = guest.expert().submit(sheet, WRONG, seconds=3.5)
        (mine,) = guest.expert().labels()
        corrected = guest.expert().correct(mine, RIGHT)
    status, ledger = campaign.status(), campaign.ledger()
    campaign.export(tmp_path / "out.jsonl")
    result = read(tmp_path / "out.jsonl").dataset
    finals = [result.final(k) for k in range(3)]

    assert sheet.sentence.id == "s1"
    assert {each.spans for each in sheet.answers} == {RIGHT, WRONG}
    assert [each.id for each in queue] == ["s1"]
    assert not taken.receipt.again
    assert (mine.spans, corrected.again) == (WRONG, False)
    assert (status.phase, status.settled, status.by_expert) == ("finished", 3, 1)
    assert (ledger.answers, ledger.experts) == (6, 1)
    assert (paid, ledger.spent) == pytest.approx((0.6, 1.6))
    assert [final and final.labels for final in finals] == [RIGHT] * 3
    assert len(result.answers) == 6


def test_an_answer_counts_once_however_often_it_is_sent(admin: Client, sentences: Path) -> None:
    """The same key again is the same answer; a different one is refused."""
    campaign = admin.create("again", sentences, PLAN)
    link = campaign.invite_worker().url
    campaign.invite_worker()
    campaign.start()
    with Client.from_link(link) as guest:
        worker = guest.worker()
        sheet = worker.next()
        assert isinstance(sheet, WorkerAssignment)
        first = worker.submit(sheet, RIGHT, key="k1")
        again = worker.submit(sheet, RIGHT, key="k1")
        with pytest.raises(errors.ConflictError):
            worker.submit(sheet, (), key="k2")
        changed = worker.change(sheet, WRONG, key="k3")
        last = worker.last_answer()
        progress = worker.progress()

    assert (first.again, again.again) == (False, True)
    assert (changed.paid, last.assignment, last.spans) == (0.0, sheet.assignment, WRONG)
    assert progress.answers == 1
    assert progress.labels == ("LOC", "PER")


def test_a_sentence_can_be_skipped_and_a_campaign_paused(admin: Client, sentences: Path) -> None:
    """Who skips gets another sentence; nobody gets one while it is paused."""
    campaign = admin.create("skip", sentences, PLAN)
    links = [campaign.invite_worker().url for _ in range(2)]
    campaign.start()
    with Client.from_link(links[0]) as guest:
        worker = guest.worker()
        first = worker.next()
        assert isinstance(first, WorkerAssignment)
        worker.skip(first, "I do not know these people")
        second = worker.next()
        assert isinstance(second, WorkerAssignment)
        _, third = worker.submit_and_next(second, RIGHT)
        campaign.pause()
        told = worker.submit(third, RIGHT) if isinstance(third, WorkerAssignment) else None
        waiting = worker.next()
    story = campaign.why(first.assignment)

    assert second.sentence.id != first.sentence.id
    assert told is not None
    assert isinstance(waiting, Waiting)
    assert not waiting.over
    assert (story.state, story.sentence) == ("skipped", first.sentence.id)


def test_what_an_admin_can_change(admin: Client, sentences: Path) -> None:
    """Budget and rule; all of it is in the journal."""
    campaign = admin.create("change", sentences, Plan(("LOC", "PER"), crew=3, answers=2))
    campaign.start()
    campaign.set_budget(12.5)
    campaign.set_rule("gate:threshold=0.5")
    details = campaign.details()
    events = list(campaign.all_events())

    assert (details.phase, details.plan["feedback"]) == ("running", "gate:threshold=0.5")
    assert campaign.ledger().budget == 12.5
    assert [each.version for each in events] == list(range(1, len(events) + 1))
    assert {"Opened", "Started", "BudgetSet", "RuleSet"} <= {each.kind for each in events}
    assert campaign.events(after=events[-2].version) == (events[-1],)
    assert campaign.agreement().answers == 0


def test_workers_are_halted_capped_and_forgotten(admin: Client, sentences: Path) -> None:
    """By their pseudonym, which stays."""
    campaign = admin.create("people", sentences, PLAN)
    people = campaign.people
    invited = campaign.invite_worker("ada", price=0.2, cap=5)
    worker = invited.person.pseudonym
    people.halt(worker, "a break")
    halted = people.workers()[0].standing
    people.readmit(worker)
    people.set_cap(worker, None)
    renewed = people.renew_link(worker)
    data = people.data(worker)
    readmitted = campaign.standings()[0]
    people.erase(worker)
    erased = people.workers()[0].person

    assert halted is not None
    assert (halted.state, halted.price, halted.cap) == ("paused", 0.2, 5)
    assert (readmitted.worker, readmitted.cap) == (worker, None)
    assert renewed.url != invited.url
    assert data.person.name == "ada"
    assert (erased.erased, erased.name) == (True, None)
    assert campaign.payments().splitlines()[1].startswith(f"{worker},")


def test_experts_come_and_go(admin: Client, sentences: Path) -> None:
    """A dismissed one does not come in any more."""
    campaign = admin.create("experts", sentences, PLAN)
    invited = campaign.invite_expert("eve")
    before = campaign.people.experts()
    campaign.people.remove_expert(invited.person.pseudonym)
    with pytest.raises(SpancrewError, match="not valid"):
        Client.from_link(invited.url)

    assert [each.name for each in before] == ["eve"]


def test_a_guide_is_written_read_and_practised(admin: Client, sentences: Path) -> None:
    """What an admin writes comes back; workers get the spans of the training afterwards."""
    campaign = admin.create("guided", sentences, PLAN)
    bo, li = Sentence.from_text("x", "Bo met Kim."), Sentence.from_text("y", "李华来了")
    example = SolvedView(sentence=bo, spans=(Span(0, 1, "PER"),), note="A name.")
    practice = SolvedView(sentence=li, spans=(Span(0, 2, "PER"),), note="两个字。")
    kept = campaign.set_guide("Mark **names**.", [example], [practice])
    with Client.from_link(campaign.invite_worker().url) as guest:
        worker = guest.worker()
        before, shown = worker.guide(), worker.practice(0)
        verdict = worker.practise(0, [Span(0, 1, "PER")])
        after = worker.guide()

    assert kept == campaign.guide()
    assert (kept.instructions, kept.training) == ("Mark **names**.", 1)
    assert [(e.sentence.tokens, e.spans, e.note) for e in kept.examples] == [
        (("Bo", "met", "Kim", "."), example.spans, "A name.")
    ]
    assert [each.spans for each in kept.practice or ()] == [practice.spans]
    assert (before.trained, before.practice, after.trained) == (False, None, True)
    assert shown.tokens == ("李", "华", "来", "了")
    assert (verdict.missing, verdict.extra) == (practice.spans, (Span(0, 1, "PER"),))
    assert (verdict.right, verdict.note, verdict.perfect) == ((), "两个字。", False)
    with pytest.raises(SpancrewError, match=r"practice.0: this is sentence 's0'"):
        campaign.set_guide(practice=[SolvedView(sentence=Sentence.from_tokens("z", TOKENS))])


def test_sentences_are_taken_out_for_practice(admin: Client) -> None:
    """As many as are asked for."""
    campaign = admin.create("practised", "demo", {"warm_up": "none"}, gold="ignore", practice=5)

    assert len(campaign.guide().practice or ()) == 5
    assert campaign.details().sentences == len(read("demo").dataset) - 5


def test_webhooks_entries_and_tokens(server: Serving, admin: Client, sentences: Path) -> None:
    """Made, listed and removed."""
    campaign = admin.create("hooks", sentences, PLAN)
    hook = campaign.add_webhook("https://hooks.example/spancrew", "Settled")
    listed = campaign.webhooks()
    deliveries = campaign.deliveries(hook.id)
    campaign.resume_webhook(hook.id)
    campaign.remove_webhook(hook.id)
    entry = campaign.set_entry("prolific", "C0DE")
    with pytest.raises(SpancrewError, match="a token cannot make or change credentials: sign in"):
        admin.create_token("more")

    assert hook.secret
    assert [(each.url, each.kinds) for each in listed] == [(hook.url, ("Settled",))]
    assert not any(hasattr(each, "secret") for each in listed)
    assert deliveries == []
    assert campaign.webhooks() == []
    assert entry.url.startswith(server.url)
    assert campaign.details().entry == entry
    assert [each.name for each in admin.tokens()] == ["tests"]


def test_campaigns_are_found_by_id_and_by_name(admin: Client, sentences: Path) -> None:
    """As long as the name is the only one."""
    one = admin.create("only one", sentences, PLAN)
    twins = [admin.create("twins", sentences, PLAN) for _ in range(2)]

    assert admin.find("only one").id == admin.find(one.id).id == one.id
    with pytest.raises(SpancrewError, match="2 campaigns are called 'twins'"):
        admin.find("twins")
    with pytest.raises(SpancrewError, match="no campaign 'nothing'"):
        admin.find("nothing")
    for each in twins:
        each.delete()
    with pytest.raises(SpancrewError, match="no campaign 'twins'"):
        admin.find("twins")


def test_refusals_say_what_is_wrong(admin: Client, sentences: Path) -> None:
    """With the class that the same mistake has without a server."""
    with pytest.raises(errors.PlanError, match="crew of 1 cannot give 2 answers"):
        admin.create("bad", sentences, PLAN | {"crew": 1})
    with pytest.raises(SpancrewError, match="there is no such format"):
        admin.create("bad", sentences, PLAN, format="not_there")
    campaign = admin.create("good", sentences, PLAN)
    link = campaign.invite_worker().url
    campaign.invite_worker()
    with pytest.raises(errors.CampaignError, match="cannot pause"):
        campaign.pause()
    campaign.start()
    with Client.from_link(link) as guest:
        sheet = guest.worker().next()
        assert isinstance(sheet, WorkerAssignment)
        with pytest.raises(errors.AnswerRefusedError):
            guest.worker().submit(sheet, (Span(0, 9, "PER"),))
        with pytest.raises(SpancrewError, match="admin"):
            guest.campaigns()


def test_a_folder_is_converted_on_the_way(admin: Client, tmp_path: Path) -> None:
    """Only files can be sent."""
    write(read("demo-zh").dataset, tmp_path / "folder", "crowd-dir")
    campaign = admin.create("folder", tmp_path / "folder", {"answers": 2}, gold="ignore")
    out = tmp_path / "out"
    campaign.export(out, "crowd-dir")

    assert campaign.status().sentences == len(read("demo-zh").dataset)
    assert out.is_dir()


def test_nobody_comes_in_with_half_a_link(server: Serving) -> None:
    """Neither without a secret nor with a wrong one."""
    with pytest.raises(SpancrewError, match="copy all of it"):
        Client.from_link(server.url)
    with pytest.raises(SpancrewError, match="not valid"):
        Client.from_link(f"{server.url}/enter#wrong")
    with Client(server.url) as stranger, pytest.raises(SpancrewError, match="nobody is signed in"):
        stranger.me()


def test_a_session_ends(admin: Client, sentences: Path) -> None:
    """And says who one was before."""
    campaign = admin.create("session", sentences, PLAN)
    with Client.from_link(campaign.invite_expert("eve").url) as guest:
        me = guest.me()
        guest.log_out()
        with pytest.raises(SpancrewError, match="nobody is signed in"):
            guest.me()

    assert (me.role, me.campaign, me.name) == ("expert", campaign.id, "eve")


def test_the_values_of_the_client_have_the_fields_of_the_campaign() -> None:
    """Only who a worker is differs: a pseudonym, not a number."""
    theirs = {field.name for field in fields(WorkerStanding)}

    assert StandingView.model_fields.keys() == theirs


def test_every_route_of_the_server_has_a_method(server: Serving) -> None:
    """But those that only a browser or a crowd platform calls."""
    import httpx

    document = httpx.get(f"{server.url}/api/v1/openapi.json").json()
    source = "".join(
        path.read_text("utf-8")
        for path in (Path(__file__).parents[2] / "src" / "spancrew" / "client").glob("*.py")
    )
    others = {"/health", "/metrics", "/live"}
    last = {
        path.rstrip("}").rpartition("/")[2] for path in document["paths"] if "join" not in path
    }
    words = {word for word in last if word.isalpha() and len(word) > 2}

    assert [
        word for word in sorted(words) if word not in source and f"/{word}" not in others
    ] == []
    assert json.dumps(document)
