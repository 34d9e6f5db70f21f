"""A model works in a live campaign on a real server, whatever becomes of it."""

import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from spancrew.bridges import MemberRun, model_name
from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence, Span
from spancrew.errors import MemberError, SpancrewError
from spancrew.formats import read, write
from spancrew.members import AnswerJournal, GivenSpan, Reply
from spancrew.wire import WorkerAssignment
from tests import quick_command
from tests.forked import ForkedCommand
from tests.members.models import Scripted, people
from tests.members.openai import FakeOpenAi, openai
from tests.members.test_killing import Killer
from tests.serving import Serving, serving
from tests.waiting import PATIENCE

SENTENCES = 6
PRICE = 0.002
PLAN = {
    "labels": ["LOC", "PER"],
    "answers": 2,
    "crew": 2,
    "policy": "random",
    "feedback": "crowd",
    "consensus": "bsc",
    "warm_up": "none",
    "audit": 0,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server that runs."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture
def campaign(server: Serving, tmp_path: Path) -> Iterator[CampaignClient]:
    """Return a campaign that runs."""
    write(people(SENTENCES), tmp_path / "data.jsonl")
    with server.admin(patience=PATIENCE) as admin:
        made = admin.create("with a model", tmp_path / "data.jsonl", PLAN, format="spancrew")
        made.start()
        yield made


class People:
    """Two people who label everything alike when they are let."""

    def __init__(self, campaign: CampaignClient) -> None:
        self._clients = [Client.from_link(campaign.invite_worker().url) for _ in range(2)]

    def work(self, _seconds: float = 0.0) -> None:
        """Label all that there is."""
        for worker in [each.worker() for each in self._clients] * 2:
            while isinstance(sheet := worker.next(), WorkerAssignment):
                worker.submit(sheet, [Span(0, 1, "PER")])

    def close(self) -> None:
        """Go home."""
        for each in self._clients:
            each.close()


@pytest.fixture
def crowd(campaign: CampaignClient) -> Iterator[People]:
    """Return the people of the campaign."""
    found = People(campaign)
    yield found
    found.close()


def test_a_model_works_beside_the_people(
    campaign: CampaignClient, crowd: People, tmp_path: Path
) -> None:
    """It is asked once about each sentence, and everything has it apart."""
    link = campaign.people.add_model("first", version="3", price=PRICE).url
    model = Scripted()
    with Client.from_link(link) as client:
        made = MemberRun(client.worker(), model, AnswerJournal(), pause=crowd.work).run()
    ledger, status = campaign.ledger(), campaign.status()
    (standing,) = [each.standing for each in campaign.people.workers() if each.person.name]
    campaign.export(tmp_path / "out.jsonl")
    result = read(tmp_path / "out.jsonl").dataset
    final = result.final(0)

    assert Counter(model.asked) == {f"s{k}": 1 for k in range(SENTENCES)}
    assert made.answered == ledger.model_answers == SENTENCES
    assert (status.phase, status.workers, status.models) == ("finished", 2, 1)
    assert (ledger.answers, ledger.model_money) == (2 * SENTENCES, PRICE * SENTENCES)
    assert standing is not None
    assert (standing.model, standing.version, standing.mean) == ("first", "3", 1.0)
    assert set(result.workers) == {"w0", "w1", "model:first"}
    assert final is not None
    assert (final.answers, final.spans[0].votes) == (2, 2)
    assert campaign.agreement().answers == 2 * SENTENCES
    assert "first" not in campaign.payments()


def test_a_model_that_fails_or_talks_rubbish_hurts_nobody(
    campaign: CampaignClient, crowd: People
) -> None:
    """After a pause it is asked again; an answer of no use is given back."""
    link = campaign.people.add_model("moody").url
    pauses: list[float] = []

    def answering(sentences: Sequence[Sentence]) -> list[Reply]:
        if len(pauses) < 2:
            raise RuntimeError("not now")
        rubbish = Reply((GivenSpan(0, 99, "PER"), GivenSpan("x", 1, "LOC")))
        return [
            rubbish if each.id == "s1" else Reply(None, {"unreadable": 1}) for each in sentences
        ]

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) > 2:
            crowd.work()

    with Client.from_link(link) as client:
        model = Scripted(answering)
        made = MemberRun(client.worker(), model, AnswerJournal(), pause=pause).run()

    assert pauses[:2] == [2.0, 4.0]
    assert (made.answered, made.unusable) == (1, SENTENCES - 1)
    assert made.faults == {"unreadable": SENTENCES - 1, "outside": 1, "shape": 1}
    assert campaign.status().phase == "finished"
    assert campaign.ledger().model_answers == 1


def test_a_model_that_is_gone_ends_its_run(campaign: CampaignClient) -> None:
    """It is not asked for ever; the campaign waits for nobody."""
    link = campaign.people.add_model("gone").url

    def answering(_sentences: Sequence[Sentence]) -> list[Reply]:
        raise RuntimeError("no such model")

    with Client.from_link(link) as client:
        run = MemberRun(
            client.worker(), Scripted(answering), AnswerJournal(), pause=lambda _: None
        )

        with pytest.raises(
            MemberError, match="scripted cannot go on: RuntimeError: no such model"
        ):
            run.run()


def test_a_killed_model_goes_on_and_nothing_is_paid_twice(
    campaign: CampaignClient, crowd: People, tmp_path: Path
) -> None:
    """It is killed before a request is carried out, and after; the third run does the rest."""
    link = campaign.people.add_model("gpt-x", price=PRICE).url
    with openai() as fake:
        words = ["member", "run", link, "--with", "llm:gpt-x", "--url", fake.url, "--batch", "1"]
        words += ["--keep", str(tmp_path / "kept.db")]
        killed = [
            run_until_killed(fake, words, tmp_path, moment) for moment in ("done", "answered")
        ]
        third = start(fake, words, tmp_path)
        while campaign.ledger().model_answers < SENTENCES:
            assert third.poll() is None
        crowd.work()
        last = third.wait(PATIENCE)

    assert killed == [-signal.SIGKILL] * 2
    assert last == 0
    assert set(Counter(fake.asked).values()) == {1}
    assert campaign.status().phase == "finished"
    assert campaign.ledger().model_money == pytest.approx(PRICE * SENTENCES)


def start(fake: FakeOpenAi, words: list[str], folder: Path) -> ForkedCommand:
    """Start the command in a process of its own."""
    fake.loopback.watch = lambda _name, _phase: None
    log = folder / "log"
    return ForkedCommand(quick_command.run, words, dict(os.environ), log, log)


def run_until_killed(fake: FakeOpenAi, words: list[str], folder: Path, moment: str) -> int:
    """Kill the command at its second request; return its exit code."""
    killer = Killer(moment, 1)
    process = start(fake, words, folder)
    killer.pid = process.pid
    fake.loopback.watch = killer
    return process.wait(PATIENCE)


def test_the_link_of_a_person_is_refused(campaign: CampaignClient) -> None:
    """Else a model would be taken for one of the people."""
    with Client.from_link(campaign.invite_worker("ana").url) as client:
        name = client.me().name

    with pytest.raises(SpancrewError, match="made for a person"):
        model_name(name)
