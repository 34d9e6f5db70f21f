"""`spancrew campaign`: workers and experts."""

from typing import Annotated

import typer

from spancrew.cli._campaign_server import CampaignName, Server, Token, connect, opened
from spancrew.cli._options import Json

WorkerName = Annotated[
    str, typer.Argument(metavar="WORKER", help="A worker, as listed by 'campaign workers': w7.")
]
Reason = Annotated[str, typer.Option(help="Why; kept in the journal.")]
Count = Annotated[int, typer.Option(min=1, help="How many links to make.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print the links as CSV.")]

invite = typer.Typer(
    name="invite", help="Make links that let workers and experts in.", no_args_is_help=True
)
worker_data = typer.Typer(
    name="worker-data", help="Export or erase all data of one worker.", no_args_is_help=True
)


@invite.command("worker")
def invite_worker(
    campaign: CampaignName,
    count: Count = 1,
    name: Annotated[
        str | None,
        typer.Option(help="A name that only admins see; numbered if there are several."),
    ] = None,
    price: Annotated[
        float | None, typer.Option(help="What an answer of theirs costs, if it differs.")
    ] = None,
    cap: Annotated[
        int | None, typer.Option(help="Most answers they may give, if it differs.")
    ] = None,
    csv: Csv = False,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Make links for workers, one for each; a link is shown only once."""
    from spancrew.cli._campaign_views import print_invitations

    with opened(campaign, server, token) as found:
        made = [found.invite_worker(each, price=price, cap=cap) for each in _names(name, count)]
        print_invitations(made, csv=csv, json=json)


@invite.command("expert")
def invite_expert(
    campaign: CampaignName,
    count: Count = 1,
    name: Annotated[
        str | None,
        typer.Option(help="A name that only admins see; numbered if there are several."),
    ] = None,
    csv: Csv = False,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Make links for experts, one for each; a link is shown only once."""
    from spancrew.cli._campaign_views import print_invitations

    with opened(campaign, server, token) as found:
        made = [found.invite_expert(each) for each in _names(name, count)]
        print_invitations(made, csv=csv, json=json)


@invite.command("again")
def invite_again(
    campaign: CampaignName,
    worker: WorkerName,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Make a new link for a worker; the old one and all their sessions end."""
    from spancrew.cli._campaign_views import print_invitations

    with opened(campaign, server, token) as chosen:
        made = chosen.people.renew_link(worker)
    print_invitations([made], csv=False, json=json)


def _names(name: str | None, count: int) -> list[str | None]:
    if name is None or count == 1:
        return [name] * count
    return [f"{name} {k + 1}" for k in range(count)]


def workers(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """List the workers with what is known of them, the best first."""
    from spancrew.cli._campaign_views import show, worker_table

    with opened(campaign, server, token) as chosen:
        found = chosen.people.workers()
    show(json, found, worker_table(found))


def halt(
    campaign: CampaignName,
    worker: WorkerName,
    reason: Reason = "",
    server: Server = None,
    token: Token = None,
) -> None:
    """Give a worker no more assignments until readmitted; open ones go to others."""
    with opened(campaign, server, token) as chosen:
        chosen.people.halt(worker, reason)
    typer.echo(f"Worker {worker} is halted; 'spancrew campaign readmit' lets them go on.")


def readmit(
    campaign: CampaignName, worker: WorkerName, server: Server = None, token: Token = None
) -> None:
    """Let a halted worker go on."""
    with opened(campaign, server, token) as chosen:
        chosen.people.readmit(worker)
    typer.echo(f"Worker {worker} may go on.")


def ban(
    campaign: CampaignName,
    worker: WorkerName,
    reason: Reason = "",
    server: Server = None,
    token: Token = None,
) -> None:
    """Give a worker no more assignments for good; what they answered is paid and kept."""
    with opened(campaign, server, token) as chosen:
        chosen.people.halt(worker, reason, banned=True)
    typer.echo(f"Worker {worker} is banned.")


def cap(
    campaign: CampaignName,
    worker: WorkerName,
    answers: Annotated[str, typer.Argument(help="Most answers they may give, or none.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Change how many answers a worker may give."""
    from spancrew.errors import SpancrewError

    if answers != "none" and not answers.isdigit():
        raise SpancrewError(f"{answers!r} is no number of answers; write 50, or none for no cap")
    most = None if answers == "none" else int(answers)
    with opened(campaign, server, token) as chosen:
        chosen.people.set_cap(worker, most)
    typer.echo(f"Worker {worker} may give {'any number of' if most is None else most} answers.")


def experts(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """List the experts."""
    from spancrew.cli._campaign_views import expert_table, show

    with opened(campaign, server, token) as chosen:
        found = chosen.people.experts()
    show(json, found, expert_table(found))


def dismiss(
    campaign: CampaignName,
    expert: Annotated[
        str, typer.Argument(metavar="EXPERT", help="An expert, as listed by 'experts': e2.")
    ],
    server: Server = None,
    token: Token = None,
) -> None:
    """Let an expert in no more and forget who they are; their labels stay."""
    with opened(campaign, server, token) as chosen:
        chosen.people.remove_expert(expert)
    typer.echo(f"Expert {expert} is dismissed.")


def queue(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """List the sentences that wait for an expert, the most needed first."""
    from spancrew.cli._campaign_views import queue_table, show

    with connect(server, token) as client:
        waiting = client.expert(client.find(campaign).id).queue()
        show(json, waiting, queue_table(waiting))


@worker_data.command("export")
def export_worker(
    campaign: CampaignName, worker: WorkerName, server: Server = None, token: Token = None
) -> None:
    """Print all data of one worker as JSON."""
    from spancrew.cli._printing import print_json

    with opened(campaign, server, token) as chosen:
        print_json(chosen.people.data(worker).model_dump(mode="json"))


@worker_data.command("erase")
def erase_worker(
    campaign: CampaignName,
    worker: WorkerName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = None,
    token: Token = None,
) -> None:
    """Erase who a worker is; their answers stay, under a pseudonym."""
    with opened(campaign, server, token) as found:
        if not yes:
            typer.confirm(
                f"Erase who worker {worker} of campaign {found.id} is, for good?", abort=True
            )
        found.people.erase(worker)
        typer.echo(f"Nobody knows any more who worker {worker} is.")
