"""A campaign whose people work in a Label Studio that is not real."""

from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from spancrew.bridges import Bridge, LabelStudio, LabelStudioApi, Roster
from spancrew.client import CampaignClient, Client
from spancrew.errors import ToolError
from tests.bridges.label_studio import FakeLabelStudio, Labeller
from tests.bridges.story import Story, story


def small() -> Story:
    """Return a story of a few steps."""
    return story(6, workers=4, crew=4, answers=2, audit=2)


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

    def play(self, before_turn: Callable[[], None] = lambda: None) -> None:
        """Take turns until it is over; a turn that fails is taken again."""
        for _ in range(200):
            before_turn()
            with suppress(ToolError):
                self.bridge.turn()
            if self.bridge.over:
                return
            self.fake.loopback.faults.clear()
            for name in self.people:
                self.work(name)
        raise AssertionError("the campaign is not over after 200 turns")

    def play_warm_up(self) -> None:
        """Take turns until everybody has had their first sentence."""
        while not any(event.kind == "CrewChosen" for event in self.campaign.all_events()):
            for name in self.people:
                self.work(name)
            self.bridge.turn()
