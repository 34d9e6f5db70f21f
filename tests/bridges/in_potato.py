"""A campaign whose people work in a Potato that is not real."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from spancrew.bridges import LabellingTool, Potato
from spancrew.client import Client
from tests.bridges.potato import FakePotato, PotatoUser
from tests.bridges.scene import Scene
from tests.bridges.story import Story

PotatoScene = Scene[FakePotato, PotatoUser]


def in_potato(played: Story, admin: Client, folder: Path) -> PotatoScene:
    """Return a story that is played in a project of Potato."""
    fake = FakePotato(folder / "project")

    def open_tool(_resources: ExitStack, tell: Callable[[str], None]) -> LabellingTool:
        return Potato(fake.folder, played.plan.labels, "demo", tell=tell)

    people = {name: PotatoUser(fake, name) for name in [*played.names, "expert"]}
    return Scene(played, admin, fake, folder, people, open_tool)
