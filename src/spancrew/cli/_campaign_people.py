"""`spancrew campaign`: workers and experts."""

from typing import Annotated

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import Json
from spancrew.cli._printing import print_json
from spancrew.errors import SpancrewError

WorkerName = Annotated[
    str, typer.Argument(metavar="WORKER", help="A worker, as listed by 'campaign workers': w7.")
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
    csv: Csv = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Make links for workers, one for each; a link is shown only once."""
    with connection.campaign(campaign) as chosen:
        made = [chosen.invite_worker(each, price=price, cap=cap) for each in _names(name, count)]
    views.print_invitations(made, csv=csv, json=json)


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
    campaign: CampaignName, worker: WorkerName, reason: Reason = "", *, connection: Connection
) -> None:
    """Give a worker no more assignments until readmitted; open ones go to others."""
    with connection.campaign(campaign) as chosen:
        chosen.people.halt(worker, reason)
    typer.echo(f"Worker {worker} is halted; 'spancrew campaign readmit' lets them go on.")


def readmit(campaign: CampaignName, worker: WorkerName, *, connection: Connection) -> None:
    """Let a halted worker go on."""
    with connection.campaign(campaign) as chosen:
        chosen.people.readmit(worker)
    typer.echo(f"Worker {worker} may go on.")


def ban(
    campaign: CampaignName, worker: WorkerName, reason: Reason = "", *, connection: Connection
) -> None:
    """Give a worker no more assignments for good; what they answered is paid and kept."""
    with connection.campaign(campaign) as chosen:
        chosen.people.halt(worker, reason, banned=True)
    typer.echo(f"Worker {worker} is banned.")


def cap(
    campaign: CampaignName,
    worker: WorkerName,
    answers: Annotated[str, typer.Argument(help="The most answers they may give, or none.")],
    *,
    connection: Connection,
) -> None:
    """Change how many answers a worker may give."""
    if answers != "none" and not answers.isdigit():
        raise SpancrewError(f"{answers!r} is no number of answers; write 50, or none for no cap")
    most = None if answers == "none" else int(answers)
    with connection.campaign(campaign) as chosen:
        chosen.people.set_cap(worker, most)
    typer.echo(f"Worker {worker} may give {'any number of' if most is None else most} answers.")


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
