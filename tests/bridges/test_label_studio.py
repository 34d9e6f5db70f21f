"""People who only know Label Studio, and a campaign that decides who labels what."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from spancrew.bridges import Bridge, LabelStudio, LabelStudioApi, Roster
from spancrew.client import CampaignClient, Client
from tests.bridges.label_studio import TOKEN, FakeLabelStudio, Labeller, label_studio
from tests.bridges.story import Story, assert_as_rehearsed, assert_nothing_twice, story
from tests.serving import Serving, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def admin(server: Serving) -> Iterator[Client]:
    """Return its admin."""
    with server.admin() as found:
        yield found


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLabelStudio]:
    """Return a Label Studio that runs, whose token is in the environment."""
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
    with label_studio() as found:
        yield found


class Scene:
    """A campaign, its bridge, and its people in Label Studio."""

    def __init__(self, played: Story, admin: Client, fake: FakeLabelStudio, folder: Path) -> None:
        self.played, self.fake, self.folder = played, fake, folder
        self.campaign: CampaignClient = played.create(admin, folder, "in label studio")
        self.said: list[str] = []
        self.people = {name: Labeller(fake.url, name) for name in [*played.names, "expert"]}
        self.annotations = 0
        self._bridge = ExitStack()
        self.restart()
        self.campaign.start()

    def restart(self) -> None:
        """Begin anew with a bridge that knows nothing but what is written down."""
        self._bridge.close()
        roster = self._bridge.enter_context(
            closing(Roster(self.folder / "people.json", self.campaign))
        )
        api = self._bridge.enter_context(closing(LabelStudioApi(self.fake.url)))
        seats = roster.seats(self.played.names, ["expert"])
        tool = LabelStudio(api, self.played.plan.labels, "demo")
        self.bridge = Bridge(tool, seats, self.said.append)

    def close(self) -> None:
        """Close all connections."""
        self._bridge.close()
        for person in self.people.values():
            person.close()

    def work(self, name: str) -> int:
        """Let somebody annotate all that they have."""
        number = None if name == "expert" else self.played.names.index(name)
        person, done = self.people[name], 0
        for task in person.open_tasks():
            id_ = task["data"]["id"]
            spans = self.played.spans(id_, number)
            done += person.annotate(task, self.played.sentence(id_), spans) > 0
        self.annotations += done
        return done

    def play(self) -> None:
        """Take turns until it is over."""
        for _ in range(200):
            self.bridge.turn()
            if self.bridge.over:
                return
            for name in self.people:
                self.work(name)
        raise AssertionError("the campaign is not over after 200 turns")


@pytest.fixture
def scenes(admin: Client, fake: FakeLabelStudio, tmp_path: Path) -> Iterator[Callable[..., Scene]]:
    """Return what makes a scene of a story."""
    with ExitStack() as made:
        yield lambda played: made.enter_context(closing(Scene(played, admin, fake, tmp_path)))


def test_it_goes_as_the_rehearsal_said(scenes: Callable[..., Scene]) -> None:
    """Crews, labels and money are the same, and every annotation is counted once."""
    scene = scenes(story(20))
    scene.play()

    assert scene.said == []
    assert_as_rehearsed(scene.played, scene.campaign)
    assert_nothing_twice(scene.campaign, scene.annotations)
