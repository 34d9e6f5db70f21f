"""A campaign whose people work in a tool that is not real."""

from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from spancrew.bridges import Bridge, LabellingTool, Roster
from spancrew.client import CampaignClient, Client
from spancrew.core import Sentence, Span
from spancrew.errors import ToolError
from tests.bridges.story import Story, story


class ToolUser(Protocol):
    """Somebody who knows nothing but a tool."""

    def todo(self) -> list[tuple[Any, str]]:
        """Return what waits for an answer, each with the id of its sentence."""
        ...

    def annotate(self, page: Any, sentence: Sentence, spans: tuple[Span, ...]) -> int:
        """Hand in an answer; 0 if it comes too late."""
        ...

    def close(self) -> None:
        """Leave."""
        ...


class FakeTool(Protocol):
    """A tool that can be told to fail."""

    def mend(self) -> None:
        """Let nothing fail any more."""
        ...


Fake = TypeVar("Fake", bound=FakeTool)
User = TypeVar("User", bound=ToolUser)


def small() -> Story:
    """Return a story of a few steps."""
    return story(6, workers=4, crew=4, answers=2, audit=2)


class Scene(Generic[Fake, User]):
    """A campaign, its bridge, and its people in a tool that ``open_tool`` opens."""

    def __init__(
        self,
        played: Story,
        admin: Client,
        fake: Fake,
        folder: Path,
        people: dict[str, User],
        open_tool: Callable[[ExitStack, Callable[[str], None]], LabellingTool],
    ) -> None:
        self.played, self.fake, self.folder = played, fake, folder
        self.campaign: CampaignClient = played.create(admin, folder, "in a tool")
        self.said: list[str] = []
        self.people = people
        self.annotations = 0
        self._open_tool, self._bridge = open_tool, ExitStack()
        self.restart()
        self.campaign.start()

    def restart(self) -> None:
        """Begin anew with a bridge that knows nothing but what is written down."""
        self._bridge.close()
        roster = self._bridge.enter_context(
            closing(Roster(self.folder / "people.json", self.campaign))
        )
        tool = self._open_tool(self._bridge, self.said.append)
        seats = roster.seats(self.played.names, ["expert"])
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
        for page, id_ in person.todo():
            spans = self.played.spans(id_, number)
            done += person.annotate(page, self.played.sentence(id_), spans) > 0
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
            self.fake.mend()
            for name in self.people:
                self.work(name)
        raise AssertionError("the campaign is not over after 200 turns")

    def play_warm_up(self) -> None:
        """Take turns until everybody has had their first sentence."""
        while not any(event.kind == "CrewChosen" for event in self.campaign.all_events()):
            for name in self.people:
                self.work(name)
            self.bridge.turn()
