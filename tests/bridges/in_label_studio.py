"""A campaign whose people work in a Label Studio that is not real."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from spancrew.bridges import LabellingTool, LabelStudioApi, LabelStudioProjects
from spancrew.client import Client
from tests.bridges.label_studio import FakeLabelStudio, Labeller
from tests.bridges.scene import Scene
from tests.bridges.story import Story

LabelStudioScene = Scene[FakeLabelStudio, Labeller]


def in_label_studio(
    played: Story, admin: Client, fake: FakeLabelStudio, folder: Path
) -> LabelStudioScene:
    """Return a story that is played in Label Studio."""

    def open_tool(resources: ExitStack, _tell: Callable[[str], None]) -> LabellingTool:
        api = resources.enter_context(closing(LabelStudioApi(fake.url)))
        return LabelStudioProjects(api, played.plan.labels, "demo")

    people = {name: Labeller(fake.url, name) for name in [*played.names, "expert"]}
    return Scene(played, admin, fake, folder, people, open_tool)
