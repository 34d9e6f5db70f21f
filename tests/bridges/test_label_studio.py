"""People who only know Label Studio, and a campaign that decides who labels what."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Literal

import httpx
import pytest

from spancrew.bridges import Filled, LabelStudioApi, LabelStudioProjects, Person, Sheet, listening
from spancrew.client import Client
from spancrew.core import Sentence, Span
from spancrew.errors import ToolError
from spancrew.formats import label_studio_regions
from tests.bridges.in_label_studio import LabelStudioScene, in_label_studio
from tests.bridges.label_studio import TOKEN, FakeLabelStudio, Labeller, label_studio
from tests.bridges.loopback import Fault
from tests.bridges.real import free_port
from tests.bridges.scene import small
from tests.bridges.story import assert_as_rehearsed, assert_nothing_twice, story
from tests.waiting import PATIENCE


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLabelStudio]:
    """Return a Label Studio that runs, whose token is in the environment."""
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
    with label_studio() as found:
        yield found


@pytest.fixture
def scenes(
    admin: Client, fake: FakeLabelStudio, tmp_path: Path
) -> Iterator[Callable[..., LabelStudioScene]]:
    """Return what makes a scene of a story."""
    with ExitStack() as made:
        yield lambda played: made.enter_context(
            closing(in_label_studio(played, admin, fake, tmp_path))
        )


def test_it_goes_as_the_rehearsal_said(scenes: Callable[..., LabelStudioScene]) -> None:
    """Crews, labels and money are the same, and every annotation is counted once."""
    scene = scenes(story(12))
    scene.play()

    assert scene.said == []
    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)


def test_a_bridge_that_starts_anew_all_the_time_goes_on(
    scenes: Callable[..., LabelStudioScene],
) -> None:
    """All that it knows is in the campaign, in Label Studio and in the file of people."""
    scene = scenes(small())
    scene.play(before_turn=scene.restart)

    assert scene.said == []
    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)


@pytest.mark.parametrize("when", ["before", "after"])
def test_lost_requests_and_lost_answers_change_nothing(
    scenes: Callable[..., LabelStudioScene], when: Literal["before", "after"]
) -> None:
    """Now and then a connection drops or a server fails, before or after the deed."""
    scene = scenes(small())
    tried = count(1)

    def drop() -> None:
        scene.fake.loopback.faults += [
            Fault(name, 503 if k % 2 else 0, when)
            for k, name in enumerate(("import", "PATCH", "GET /api/tasks/"))
            if next(tried) % 4 == 0
        ]

    scene.play(before_turn=drop)

    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)


def test_an_answer_that_is_changed_later_is_told_and_does_not_count(
    scenes: Callable[..., LabelStudioScene],
) -> None:
    """It was paid and used as it was; the change stays in Label Studio."""
    scene = scenes(small())
    scene.bridge.turn()
    (task,) = scene.people["worker-0"].open_tasks()
    scene.work("worker-0")
    scene.bridge.turn()
    (annotation,) = scene.fake.tasks[task["id"]]["annotations"]
    sentence = scene.played.sentence(task["data"]["id"])
    span = Span(0, len(sentence), scene.played.plan.labels[0])
    annotation["result"] = label_studio_regions(sentence, [span])
    scene.restart()
    scene.bridge.turn()
    said = list(scene.said)
    scene.restart()
    scene.bridge.turn()

    assert len(said) == 1
    assert "cannot be changed" in said[0]
    assert "worker-0" in said[0]
    assert scene.said == said
    assert scene.campaign.ledger().answers == 1


def test_an_answer_that_does_not_fit_waits_until_it_is_corrected(
    scenes: Callable[..., LabelStudioScene],
) -> None:
    """Label Studio lets regions overlap; the campaign does not."""
    scene = scenes(small())
    scene.bridge.turn()
    (task,) = scene.people["worker-0"].open_tasks()
    sentence = scene.played.sentence(task["data"]["id"])
    one, two = scene.played.plan.labels[:2]
    whole = len(sentence)
    scene.people["worker-0"].annotate(task, sentence, (Span(0, whole, one), Span(0, 1, two)))
    for _ in range(3):
        scene.bridge.turn()
    said, before = list(scene.said), scene.campaign.ledger().answers
    (annotation,) = scene.fake.tasks[task["id"]]["annotations"]
    annotation["result"] = label_studio_regions(sentence, [Span(0, whole, one)])
    scene.bridge.turn()

    assert len(said) == 1
    assert "stays in Label Studio" in said[0]
    assert before == 0
    assert scene.campaign.ledger().answers == 1


def test_deleted_tasks_and_projects_come_back(scenes: Callable[..., LabelStudioScene]) -> None:
    """Whoever removes them gets the same sentences again."""
    scene = scenes(small())
    scene.bridge.turn()
    before = {name: sentences_of(person) for name, person in scene.people.items()}
    scene.fake.tasks.clear()
    scene.bridge.turn()
    after_tasks = {name: sentences_of(person) for name, person in scene.people.items()}
    scene.fake.tasks.clear()
    scene.fake.projects.clear()
    with pytest.raises(ToolError, match="404"):
        scene.bridge.turn()
    scene.bridge.turn()
    for person in scene.people.values():
        person.open_tasks()  # finds that the project is gone
    after_projects = {name: sentences_of(person) for name, person in scene.people.items()}

    assert before == after_tasks == after_projects
    assert [len(seen) for seen in before.values()] == [1, 1, 1, 1, 1]


def sentences_of(person: Labeller) -> list[str]:
    """Return the sentences that somebody sees."""
    return sorted(task["data"]["id"] for task in person.open_tasks())


def test_what_was_answered_just_now_is_not_withdrawn(fake: FakeLabelStudio) -> None:
    """Whoever submits while their time runs out has their answer counted."""
    person, sentence = Person("c1", "ana", "worker"), Sentence.from_text("s1", "Ana sings")
    with closing(LabelStudioApi(fake.url)) as api, closing(Labeller(fake.url, "ana")) as ana:
        tool = LabelStudioProjects(api, ["PER"])
        tool.admit(person)
        before = tool.sheets(person, thorough=True)
        for key in ("a1", "a2"):
            tool.push(person, Sheet(key, sentence))
        ana.annotate(ana.open_tasks()[0], sentence, (Span(0, 1, "PER"),))
        for key in ("a1", "a2"):
            tool.withdraw(person, key)
        (left,) = tool.sheets(person, thorough=False)

    assert before == []
    assert left == Filled("a1", "answered", (Span(0, 1, "PER"),), 2.5)
    assert [task["meta"]["spancrew"]["key"] for task in fake.deleted] == ["a2"]


def test_more_than_a_page_of_tasks_is_found(fake: FakeLabelStudio) -> None:
    """Also where the last page is full; what somebody else has made is passed over."""
    person, sentence = Person("c1", "ana", "worker"), Sentence.from_text("s1", "Ana sings")
    with closing(LabelStudioApi(fake.url)) as api:
        tool = LabelStudioProjects(api, ["PER"])
        tool.admit(person)
        tool.sheets(person, thorough=True)
        tool.push(person, Sheet("a0", sentence))
        (first,) = fake.tasks.values()
        for k in range(1, 200):
            meta = {"spancrew": {**first["meta"]["spancrew"], "key": f"a{k}"}} if k < 199 else {}
            fake.tasks[1000 + k] = {**first, "id": 1000 + k, "meta": meta}
        found = tool.sheets(person, thorough=True)

    assert sorted(each.key for each in found) == sorted(f"a{k}" for k in range(199))


def test_a_skipped_sentence_goes_to_somebody_else(scenes: Callable[..., LabelStudioScene]) -> None:
    """The campaign notes that it was skipped."""
    scene = scenes(small())
    scene.play_warm_up()
    skipped = next(
        (name, task) for name in scene.played.names for task in scene.people[name].open_tasks()
    )
    scene.people[skipped[0]].skip(skipped[1])
    scene.play()
    kinds = [event.kind for event in scene.campaign.all_events()]

    assert kinds.count("Skipped") == 1
    assert scene.campaign.status().settled == 6
    assert_nothing_twice(scene.campaign, scene.annotations)


def test_experts_see_what_the_crowd_says_unless_they_must_be_blind(
    scenes: Callable[..., LabelStudioScene],
) -> None:
    """Audits and warm-ups come without a prediction, and look alike."""
    scene = scenes(story(8, workers=5, crew=4, answers=2, feedback="gate:threshold=0.9", audit=3))
    scene.play()
    events = list(scene.campaign.all_events())
    judged = {e.body["sentence"] for e in events if e.kind == "Judged"}
    audited = {e.body["sentence"] for e in events if e.kind == "Audited"}
    first = {e.body["sentence"] for e in events if e.body.get("purpose") == "warm-up"}
    ids = [each.id for each in scene.played.scene.dataset.sentences]
    project = next(p for p in scene.fake.projects.values() if p["title"].startswith("expert"))
    tasks = [task for task in scene.fake.tasks.values() if task["project"] == project["id"]]
    shown = {ids.index(task["data"]["id"]) for task in tasks if task["predictions"]}
    hidden = {ids.index(task["data"]["id"]) for task in tasks if not task["predictions"]}

    assert shown
    assert shown <= judged - audited
    assert hidden == first | audited
    assert all(set(task["data"]) == {"text", "id"} for task in tasks)


def test_nobody_else_is_told_who_or_why(scenes: Callable[..., LabelStudioScene]) -> None:
    """A worker's task has the sentence, its tokens and a number; no label, no other worker."""
    scene = scenes(small())
    scene.play()
    workers = [
        task for task in scene.fake.imported if task["meta"]["spancrew"]["key"].startswith("a")
    ]

    assert workers
    assert all(set(task) == {"data", "meta"} for task in workers)
    assert all(set(task["meta"]["spancrew"]) == {"key", "tokens"} for task in workers)


def test_a_personal_access_token_is_changed_for_a_short_one(
    scenes: Callable[..., LabelStudioScene], fake: FakeLabelStudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And changed again when that has ended."""
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", fake.personal)
    scene = scenes(small())
    scene.bridge.turn()
    fake.access = "access-2"
    scene.bridge.turn()

    assert fake.loopback.seen.count("POST /api/token/refresh") == 2


@pytest.mark.parametrize(
    ("token", "said"),
    [("", "not set"), ("a b", "copy it again"), ("wrong", "LABEL_STUDIO_API_KEY is wrong")],
)
def test_a_bad_token_is_refused_with_a_remedy(
    fake: FakeLabelStudio, monkeypatch: pytest.MonkeyPatch, token: str, said: str
) -> None:
    """The token itself is never shown."""
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", token)
    with pytest.raises(ToolError, match=said), closing(LabelStudioApi(fake.url)) as api:
        api.call("GET", "/api/projects/")


def test_webhooks_wake_the_bridge(fake: FakeLabelStudio) -> None:
    """Each project has one, however often somebody is admitted; what is posted is not read."""
    with listening("http://127.0.0.1:0/") as wake:
        assert not wake.is_set()
    port = free_port()
    person = Person("c1", "ana", "worker")
    with closing(LabelStudioApi(fake.url)) as api, listening(f"http://127.0.0.1:{port}/") as wake:
        tool = LabelStudioProjects(api, ["PER"], webhook=f"http://127.0.0.1:{port}/")
        tool.admit(person)
        tool.admit(person)
        httpx.post(fake.webhooks[0]["url"], content=b"no JSON at all")
        woken = wake.wait(PATIENCE)

    assert woken
    assert len(fake.webhooks) == 1


def test_a_refused_webhook_is_told_and_does_no_harm(fake: FakeLabelStudio) -> None:
    """Label Studio refuses private addresses unless it is told not to."""
    said: list[str] = []
    body = {"detail": "URL resolves to a reserved network address (block: 127.0.0.0/8)"}
    fake.loopback.faults = [Fault("POST /api/webhooks/", 403, "before", body=body)]
    with closing(LabelStudioApi(fake.url)) as api:
        tool = LabelStudioProjects(api, ["PER"], webhook="http://127.0.0.1:9/", tell=said.append)
        for name in ("ana", "bo"):
            tool.admit(Person("c1", name, "worker"))

    assert len(said) == 1
    assert "reserved network address" in said[0]
    assert len(fake.projects) == 2


def test_a_label_studio_that_is_down_has_not_refused_a_webhook(fake: FakeLabelStudio) -> None:
    """It is asked again once it is there."""
    said: list[str] = []

    def go_down(name: str, _phase: str) -> None:
        if name == "POST /api/webhooks/":
            fake.loopback.faults = [Fault(name), Fault("GET /api/webhooks/", 503)]

    with closing(LabelStudioApi(fake.url)) as api:
        tool = LabelStudioProjects(api, ["PER"], webhook="http://127.0.0.1:9/", tell=said.append)
        ana = Person("c1", "ana", "worker")
        fake.loopback.watch = go_down
        with pytest.raises(ToolError):
            tool.admit(ana)
        fake.loopback.watch = lambda _name, _phase: None
        fake.mend()
        tool.admit(ana)

    assert said == []
    assert len(fake.webhooks) == 1


def test_people_whose_tokens_are_lost_are_let_in_again(
    scenes: Callable[..., LabelStudioScene],
) -> None:
    """As the same workers; an expert is invited anew, and finds the old project."""
    scene = scenes(small())
    scene.bridge.turn()
    workers = [scene.people[name] for name in scene.played.names]
    before = [sentences_of(person) for person in workers]
    (scene.folder / "people.json").unlink()
    scene.restart()
    scene.bridge.turn()

    assert [sentences_of(person) for person in workers] == before
    assert len(scene.campaign.people.workers()) == 4
    assert len(scene.fake.projects) == 5
    assert (scene.folder / "people.json").stat().st_mode & 0o777 == 0o600


def test_a_draft_of_somebody_with_their_own_account_is_seen(fake: FakeLabelStudio) -> None:
    """A whole task shows no drafts but those of the bridge's account."""
    ana = Person("c1", "ana", "worker")
    with closing(LabelStudioApi(fake.url)) as api:
        tool = LabelStudioProjects(api, ["PER"])
        tool.admit(ana)
        tool.sheets(ana, thorough=True)
        tool.push(ana, Sheet("a1", Sentence.from_text("s1", "Ana sings")))
        (task,) = fake.tasks.values()
        task["drafts"] = [{"updated_at": "2026-11-18T03:00:00Z"}]
        looks = [tool.sheets(ana, thorough=False) for _ in range(10)]

    assert ("begun", "2026-11-18T03:00:00Z") in {(each.state, each.draft) for (each,) in looks}


def test_a_look_without_news_is_one_request(scenes: Callable[..., LabelStudioScene]) -> None:
    """Label Studio counts the annotations of all projects; tasks are read where there are more."""
    scene = scenes(small())
    seen = scene.fake.loopback.seen
    scene.bridge.turn()
    seen.clear()
    scene.bridge.turn()
    idle = list(seen)
    scene.work("worker-0")
    seen.clear()
    scene.bridge.turn()

    assert idle == ["GET /api/projects/"]
    assert len([name for name in seen if name.startswith("GET /api/tasks")]) == 1
