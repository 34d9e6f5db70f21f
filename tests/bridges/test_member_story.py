"""Thirty people, the tagger and a model behind HTTP, on PostgreSQL with two processes."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.bridges import MemberRun
from spancrew.campaign import Plan, Waiting, warm
from spancrew.client import CampaignClient, Client, WorkerClient
from spancrew.core import Ragged, Span, decode, encode
from spancrew.feedback import ExpectedErrorGate
from spancrew.formats import read, write
from spancrew.members import AnswerJournal, MemberSettings, member_for
from spancrew.metrics import Metric
from spancrew.simulate import Scene, Setting, rehearse
from spancrew.wire import SheetView, WorkerAssignment
from tests.bridges.loopback import Answer, Loopback, Request, running
from tests.campaign.test_differential import METHODS, plan_of
from tests.postgres import running_postgres
from tests.serving import Serving, serving
from tests.simulate.small import small_scene
from tests.simulate.watched import Watched
from tests.waiting import PATIENCE, wait_until

PEOPLE, SENTENCES, PRICE = 30, 60, 0.01
HEARD = 1.1
"""Seconds after which a process of the server has heard who is there."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Return a scene in which the best worker is a model."""
    drawn = small_scene(sentences=SENTENCES, workers=PEOPLE + 1, seed=3)
    return replace(drawn, workers=(*drawn.workers[:PEOPLE], "model:far"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """Return a server of two processes on PostgreSQL."""
    with (
        running_postgres(durable=False) as postgres,
        serving(tmp_path, store=postgres.database(), workers=2) as found,
    ):
        yield found


class Crew:
    """Everybody who works on a campaign over HTTP, as the crowd of a rehearsal says."""

    def __init__(self, scene: Scene, campaign: CampaignClient, stack: ExitStack) -> None:
        self.scene, self.campaign = scene, campaign
        self.place = {each.id: k for k, each in enumerate(scene.dataset.sentences)}
        self.turns = 0

        def entered(link: str) -> Client:
            return stack.enter_context(Client.from_link(link, patience=PATIENCE))

        people = [entered(campaign.invite_worker().url) for _ in range(PEOPLE)]
        self.people = [each.worker() for each in people]
        self.expert = entered(campaign.invite_expert().url).expert()
        link = campaign.people.add_model("far", price=PRICE).url
        self.model = entered(link).worker()

    def spans(self, id_: str, worker: int) -> tuple[Span, ...]:
        """Return what a worker says of a sentence."""
        place = np.array([self.place[id_]])
        codes = self.scene.source.answers(place, np.array([worker]))[0]
        return decode(codes, self.scene.dataset.labels)

    def come(self) -> None:
        """Let everybody be heard of by both processes before there is any work."""
        for _ in range(3):
            for each in self.people:
                assert isinstance(each.next(), Waiting)
            time.sleep(HEARD)

    def turn(self, _seconds: float = 0.0) -> None:
        """Let everybody answer what they have in hand, then the expert all questions."""
        self.turns += 1
        for number, worker in enumerate(self.people):
            self._answer(worker, number)
        while isinstance(sheet := self.expert.next(), SheetView):
            gold = self.scene.dataset.gold_spans(self.place[sheet.sentence.id])
            self.expert.submit(sheet, gold or ())

    def _answer(self, worker: WorkerClient, number: int) -> None:
        sheet = worker.next()
        if isinstance(sheet, WorkerAssignment):
            worker.submit(sheet, self.spans(sheet.sentence.id, number))

    def far(self, request: Request) -> Answer:
        """Answer as the model does, behind HTTP."""
        asked = [each["id"] for each in request.body["sentences"]]
        said = [
            {"spans": [[s.start, s.end, s.label] for s in self.spans(each, PEOPLE)]}
            for each in asked
        ]
        return Answer(200, {"name": "far", "version": "1", "answers": said})


def test_members_and_people_decide_as_in_the_rehearsal_though_a_process_is_killed(
    scene: Scene, server: Serving, tmp_path: Path
) -> None:
    """Crews, answers, money and labels are the same; the process is killed in the fourth turn."""
    method, rule = METHODS["auto+tagger"], ExpectedErrorGate(0.8)
    setting = Setting(feedback=rule, consensus=method, crew=15, answers=3, warm_up="none")
    policy = Watched(setting.policy)
    prices = replace(setting, runs=1, model_prices=(PRICE,), policy=policy)
    outcome = rehearse(scene, prices)
    plan = replace(plan_of(scene, setting), presence=600.0, lease=600.0)
    with ExitStack() as stack:
        crew, campaign = played(scene, plan, server, tmp_path, stack)
        crews = [tuple(e.body["crew"]) for e in campaign.all_events() if e.kind == "CrewChosen"]
        ledger, status = campaign.ledger(), campaign.status()
        campaign.export(tmp_path / "out.jsonl")
    dataset = read(tmp_path / "out.jsonl").dataset

    assert crew.turns > 4
    assert status.phase == "finished"
    assert crews == [tuple(worker for worker in each[0].tolist()) for each in policy.crews]
    assert ledger.answers == outcome.asked[0] == 3 * SENTENCES
    assert ledger.model_answers == outcome.model_answers[0] == SENTENCES
    assert ledger.experts == outcome.expert_labels[0]
    assert ledger.spent == pytest.approx(outcome.money[0])
    finals = [dataset.final(k) for k in range(SENTENCES)]
    labels = [
        encode(each.labels, len(scene.dataset.sentences[k]), scene.dataset.labels).tolist()
        for k, each in enumerate(finals)
        if each is not None
    ]
    f1 = Metric().pool(Ragged.of(labels), scene.dataset.gold)
    assert tuple(f1) == pytest.approx(tuple(outcome.final[Metric()][0, -1]))


def played(
    scene: Scene, plan: Plan, server: Serving, folder: Path, stack: ExitStack
) -> tuple[Crew, CampaignClient]:
    """Let everybody work until the campaign is over; kill a process of the server on the way."""
    warm(plan)
    bare = scene.dataset.without_answers()
    write(bare, folder / "data.jsonl")
    admin = stack.enter_context(server.admin(patience=PATIENCE))
    campaign = admin.create("members", folder / "data.jsonl", plan, gold="ignore")
    crew = Crew(scene, campaign, stack)
    crew.come()
    campaign.start()

    def turn(seconds: float) -> None:
        crew.turn(seconds)
        if crew.turns == 4:
            before = server.servers()
            os.kill(before[0], signal.SIGKILL)
            wait_until(lambda: set(server.servers()) - set(before), "no process was replaced")

    loopback = Loopback(crew.far)
    with running(loopback):
        far = member_for(f"http:{loopback.url}/answer", MemberSettings(patience=5.0))
        made = MemberRun(crew.model, far, AnswerJournal(), pause=turn).run()
    assert made.answered == SENTENCES
    return crew, campaign
