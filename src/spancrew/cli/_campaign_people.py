"""`spancrew campaign`: workers and experts."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._printing import print_json
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.wire import WorkerView

WorkerName = Annotated[
    str, typer.Argument(metavar="WORKER", help="A worker, as listed by 'campaign workers': w7.")
]
WorkerNames = Annotated[
    list[str],
    typer.Argument(metavar="WORKER", help="Workers, as listed by 'campaign workers': w7 w9."),
]
Reason = Annotated[str, typer.Option(help="Why; kept in the journal.")]
Count = Annotated[int, typer.Option(min=1, help="How many links to make.")]
Name = Annotated[
    str | None, typer.Option(help="A name that only admins see; numbered if there are several.")
]
Csv = Annotated[bool, typer.Option("--csv", help="Print the links as CSV.")]


def invite_worker(
    campaign: CampaignName,
    count: Count = 1,
    name: Name = None,
    price: Annotated[
        float | None, typer.Option(help="What an answer of theirs costs, if it differs.")
    ] = None,
    cap: Annotated[
        int | None, typer.Option(help="The most answers they may give, if it differs.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--from",
            exists=True,
            dir_okay=False,
            help="A CSV with a line for every worker, all or none: name, price, cap.",
        ),
    ] = None,
    csv: Csv = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Make links for workers, one for each; a link is shown only once."""
    if file is not None and (count, name, price, cap) != (1, None, None, None):
        raise SpancrewError(
            "--from says who is invited, for what price and with which cap; leave out --count, "
            "--name, --price and --cap"
        )
    with connection.campaign(campaign) as chosen:
        made = (
            [chosen.invite_worker(each, price=price, cap=cap) for each in _names(name, count)]
            if file is None
            else chosen.people.invite_workers(file)
        )
    views.print_invitations(made, csv=csv, json=json)


def workers(
    campaign: CampaignName,
    state: Annotated[
        str | None,
        typer.Option(help="Only those who are invited, new, ready, paused, banned or erased."),
    ] = None,
    text: Annotated[
        str, typer.Option(help="Only those with this in their name, number or platform ID.")
    ] = "",
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """List the workers and what is known of them, the best first; models come last."""
    with connection.campaign(campaign) as chosen:
        found: Sequence[WorkerView] = (
            list(chosen.people.find(state=state, text=text))
            if state or text
            else chosen.people.workers()
        )
    is_nobody = (state or text) and not found
    views.show(json, found, "Nobody is found." if is_nobody else views.worker_table(found))


def add_model(
    campaign: CampaignName,
    name: Annotated[
        str, typer.Option(help="What the model is called; it becomes the worker model:NAME.")
    ],
    version: Annotated[str, typer.Option(help="Its version, for the record.")] = "",
    price: Annotated[float, typer.Option(min=0, help="What an answer of it costs.")] = 0.0,
    cap: Annotated[
        int | None, typer.Option(min=1, help="The most answers it may give; else any number.")
    ] = None,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Let a model answer beside the people; 'spancrew member run LINK' lets it work.

    The link is shown only once. Halt, ban and cap it like a worker.
    """
    with connection.campaign(campaign) as chosen:
        made = chosen.people.add_model(name, version=version, price=price, cap=cap)
    views.print_invitations([made], csv=False, json=json)


def invite_expert(
    campaign: CampaignName,
    count: Count = 1,
    name: Name = None,
    email: Annotated[
        str | None, typer.Option(help="Lets them sign in with the team's identity provider.")
    ] = None,
    csv: Csv = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Make links for experts, one for each; a link is shown only once."""
    with connection.campaign(campaign) as chosen:
        made = [chosen.invite_expert(each, email=email) for each in _names(name, count)]
    views.print_invitations(made, csv=csv, json=json)


def invite_again(
    campaign: CampaignName, worker: WorkerName, *, connection: Connection, json: Json = False
) -> None:
    """Make a new link for a worker; the old one and all their sessions end."""
    with connection.campaign(campaign) as chosen:
        made = chosen.people.renew_link(worker)
    views.print_invitations([made], csv=False, json=json)


def _names(name: str | None, count: int) -> list[str | None]:
    if name is None or count == 1:
        return [name] * count
    return [f"{name} {k + 1}" for k in range(count)]


def halt(
    campaign: CampaignName, workers: WorkerNames, reason: Reason = "", *, connection: Connection
) -> None:
    """Give workers no more assignments until readmitted; open ones go to others."""
    with connection.campaign(campaign) as chosen:
        chosen.people.halt(workers, reason)
    typer.echo(f"{_who(workers)} halted; 'spancrew campaign readmit' lets them go on.")


def readmit(campaign: CampaignName, workers: WorkerNames, *, connection: Connection) -> None:
    """Let halted workers go on."""
    with connection.campaign(campaign) as chosen:
        chosen.people.readmit(workers)
    typer.echo(f"{_who(workers)} readmitted.")


def ban(
    campaign: CampaignName, workers: WorkerNames, reason: Reason = "", *, connection: Connection
) -> None:
    """Give workers no more assignments for good; what they answered is paid and kept."""
    with connection.campaign(campaign) as chosen:
        chosen.people.halt(workers, reason, banned=True)
    typer.echo(f"{_who(workers)} banned.")


def cap(
    campaign: CampaignName,
    workers: WorkerNames,
    answers: Annotated[str, typer.Argument(help="The most answers of each, or none.")],
    *,
    connection: Connection,
) -> None:
    """Change how many answers workers may give."""
    if answers != "none" and not answers.isdigit():
        raise SpancrewError(f"{answers!r} is no number of answers; write 50, or none for no cap")
    most = None if answers == "none" else int(answers)
    with connection.campaign(campaign) as chosen:
        chosen.people.set_cap(workers, most)
    who = f"Worker {workers[0]}" if len(workers) == 1 else f"{len(workers)} workers"
    number = "any number of" if most is None else f"{most:,}"
    typer.echo(f"{who} may give {number} answers{'' if len(workers) == 1 else ' each'}.")


def _who(workers: list[str]) -> str:
    return f"Worker {workers[0]} is" if len(workers) == 1 else f"{len(workers)} workers are"


def dismiss(
    campaign: CampaignName,
    expert: Annotated[
        str, typer.Argument(metavar="EXPERT", help="An expert, as listed by 'experts': e2.")
    ],
    *,
    connection: Connection,
) -> None:
    """Remove an expert and forget who they are; their labels stay."""
    with connection.campaign(campaign) as chosen:
        chosen.people.remove_expert(expert)
    typer.echo(f"Expert {expert} is dismissed.")


def queue(campaign: CampaignName, *, connection: Connection, json: Json = False) -> None:
    """List the sentences that wait for an expert, the most urgent first."""
    with connection.open() as client:
        found = client.expert(client.find(campaign).id).queue()
    views.show(json, found, views.queue_table(found))


def export_data(campaign: CampaignName, worker: WorkerName, *, connection: Connection) -> None:
    """Print all data of one worker as JSON."""
    with connection.campaign(campaign) as chosen:
        print_json(views.as_record(chosen.people.data(worker)))


def erase_data(
    campaign: CampaignName,
    worker: WorkerName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    *,
    connection: Connection,
) -> None:
    """Erase who a worker is; their answers stay, under a pseudonym."""
    with connection.campaign(campaign) as chosen:
        if not yes:
            typer.confirm(
                f"Erase who worker {worker} of campaign {chosen.id} is, for good?", abort=True
            )
        chosen.people.erase(worker)
    typer.echo(f"The personal data of worker {worker} are erased.")
