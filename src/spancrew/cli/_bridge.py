"""`spancrew bridge`: let people work in another tool, while spancrew decides who labels what."""

import os
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._command_table import group
from spancrew.cli._connection import Connection
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from threading import Event

    from spancrew.bridges import LabellingTool
    from spancrew.client import CampaignClient


@dataclass(frozen=True, slots=True)
class BridgedWork:
    """Which campaign people work for in another tool, and who they are."""

    campaign: Annotated[str, typer.Option(help="The campaign, by its id or its name.")]
    worker: Annotated[
        list[str] | None,
        typer.Option(
            "--worker", help="Somebody who labels there; may be repeated.", metavar="NAME"
        ),
    ] = None
    expert: Annotated[
        list[str] | None,
        typer.Option(
            "--expert", help="An expert who works there; may be repeated.", metavar="NAME"
        ),
    ] = None
    every: Annotated[float, typer.Option(min=0.05, help="Seconds between two looks.")] = 5.0
    people: Annotated[
        Path | None,
        typer.Option(
            help="The file with the people and their tokens; else one per campaign in your data "
            "folder.",
            show_default=False,
        ),
    ] = None

    def run(
        self, tool: "LabellingTool", campaign: "CampaignClient", wake: "Event | None" = None
    ) -> None:
        """Keep campaign and tool together until the campaign is over."""
        from spancrew.bridges import Bridge, Roster

        file = self.people or _data_folder() / f"{campaign.id}.json"
        with closing(Roster(file, campaign)) as roster:
            seats = roster.seats(self.worker or [], self.expert or [])
            say(f"{len(seats)} people work in {tool.name} for campaign {campaign.id}")
            Bridge(tool, seats, say).run(self.every, wake)
        say("the campaign is over")


def label_studio(
    work: BridgedWork,
    url: Annotated[str, typer.Option(help="The address of Label Studio.")],
    webhook: Annotated[
        str | None,
        typer.Option(
            help="Listen at this address of this machine, and let Label Studio call it.",
            metavar="URL",
        ),
    ] = None,
    *,
    connection: Connection,
) -> None:
    """Let people work in Label Studio: everybody gets a project there.

    The API token of Label Studio comes from the environment variable LABEL_STUDIO_API_KEY. It runs
    until the campaign is over; stop it at any time, and start it again with the same command.

    Example: [bold]spancrew bridge label-studio --campaign news --url http://127.0.0.1:8080
    --worker ana --worker bo --expert eve[/bold]
    """
    from spancrew.bridges import LabelStudioApi, LabelStudioProjects, listening

    with connection.campaign(work.campaign) as found, closing(LabelStudioApi(url)) as api:
        plan = _plan_of_spans(found)
        name = found.details().name
        tool = LabelStudioProjects(api, plan["labels"], name, webhook=webhook, tell=say)
        with listening(webhook) if webhook else nullcontext() as wake:
            work.run(tool, found, wake)


def potato(
    work: BridgedWork,
    folder: Annotated[
        Path, typer.Option(help="The folder of the project in Potato; made if there is none.")
    ],
    *,
    connection: Connection,
) -> None:
    """Let people work in Potato: sentences and answers are files of a project on this machine.

    Writes the project's config.yaml if there is none; start Potato with it. It runs until the
    campaign is over; stop it at any time, and start it again with the same command.

    Example: [bold]spancrew bridge potato --campaign news --folder news --worker ana --worker bo
    --expert eve[/bold]
    """
    from spancrew.bridges import Potato

    with connection.campaign(work.campaign) as found:
        labels = _plan_of_spans(found)["labels"]
        work.run(Potato(folder, labels, found.details().name, tell=say), found)


def _plan_of_spans(campaign: "CampaignClient") -> dict[str, list[str]]:
    plan = campaign.details().plan
    if plan.get("kind", "spans") != "spans":
        raise SpancrewError(
            f"campaign {campaign.id} asks for {plan['kind']}; only spans can be labelled elsewhere"
        )
    return plan


def say(text: str) -> None:
    """Print a line with the time, beside the output."""
    now = datetime.now(UTC).astimezone()  # noqa: TID251  a log is read by people
    typer.echo(f"{now:%H:%M:%S} {text}", err=True)


def _data_folder() -> Path:
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "spancrew" / "bridges"


bridge = group(
    "bridge",
    "Let people work in another tool, while spancrew decides who labels what.",
    {"label-studio": label_studio, "potato": potato},
)
