"""`spancrew campaign`: everything that the HTTP API can do, from the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli import _campaign_access as access
from spancrew.cli import _campaign_people as people
from spancrew.cli import _campaign_results as results
from spancrew.cli._campaign_plan import (
    AnswerPrice,
    AnswersOption,
    BudgetOption,
    CapOption,
    ConsensusOption,
    CrewOption,
    ExpertPrice,
    FeedbackOption,
    GoldShare,
    LeaseOption,
    ModeOption,
    PlanFile,
    PolicyOption,
    SeedOption,
    WarmUpOption,
    plan_of,
)
from spancrew.cli._campaign_server import CampaignName, Server, Token, connect, opened
from spancrew.cli._options import Data, FormatName, Json, LabelsOption

campaign = typer.Typer(
    name="campaign",
    help="Run live campaigns on a server: everything that its HTTP API can do.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def create(
    data: Data,
    name: Annotated[
        str | None, typer.Option(help="What the campaign is called; else the name of the data.")
    ] = None,
    policy: PolicyOption = None,
    feedback: FeedbackOption = None,
    consensus: ConsensusOption = None,
    answers: AnswersOption = None,
    crew: CrewOption = None,
    budget: BudgetOption = None,
    answer_price: AnswerPrice = None,
    expert_price: ExpertPrice = None,
    mode: ModeOption = None,
    warm_up: WarmUpOption = None,
    lease: LeaseOption = None,
    cap: CapOption = None,
    plan: PlanFile = None,
    seed: SeedOption = None,
    labels: LabelsOption = None,
    gold: Annotated[
        Literal["use", "ignore"],
        typer.Option(help="Whether labels that are known may be used for warm-up and checks."),
    ] = "use",
    gold_share: GoldShare = None,
    practice: Annotated[
        int,
        typer.Option(
            min=0,
            max=50,
            help="Sentences with known labels to take out, for workers to practise on.",
        ),
    ] = 0,
    format_: FormatName = None,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Set up a campaign on a file or a bundled data set; it starts when told to.

    Example: [bold]spancrew campaign create demo --answers 3 --budget 200[/bold]
    """
    from spancrew.cli._campaign_views import say

    options = {
        "policy": policy,
        "feedback": feedback,
        "consensus": consensus,
        "answers": answers,
        "crew": crew,
        "budget": budget,
        "answer_price": answer_price,
        "expert_price": expert_price,
        "mode": mode,
        "warm_up": warm_up,
        "gold_share": gold_share,
        "lease": lease,
        "cap": cap,
        "seed": seed,
    }
    with connect(server, token) as client:
        made = client.create(
            name or Path(data).stem,
            data,
            plan_of(options, plan, labels),
            gold=gold,
            practice=practice,
            format=format_,
        )
        say(
            json,
            {"id": made.id, "name": name or Path(data).stem},
            f"Campaign {made.id} is set up. Invite people with 'spancrew campaign invite worker "
            f"{made.id}', then start it with 'spancrew campaign start {made.id}'.",
        )


def list_(server: Server = None, token: Token = None, json: Json = False) -> None:
    """List all campaigns of the server."""
    from spancrew.cli._campaign_views import campaign_table, show

    with connect(server, token) as client:
        cards = client.campaigns()
    show(json, cards, campaign_table(cards))


def show(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """Show how far a campaign is, and its money."""
    from spancrew.cli._campaign_views import as_record, ledger_table, show, status_table

    with opened(campaign, server, token) as found:
        details, status, ledger = found.details(), found.status(), found.ledger()
        record = as_record(details) | {"status": as_record(status), "ledger": as_record(ledger)}
        show(json, record, status_table(details, status), ledger_table(ledger))


def start(campaign: CampaignName, server: Server = None, token: Token = None) -> None:
    """Hand out assignments from now on, for the first time or again."""
    with opened(campaign, server, token) as found:
        found.start()
        typer.echo(f"Campaign {found.id} is running.")


def pause(campaign: CampaignName, server: Server = None, token: Token = None) -> None:
    """Hand out no assignments until started again; open ones can be answered."""
    with opened(campaign, server, token) as found:
        found.pause()
        typer.echo(f"Campaign {found.id} is paused; 'spancrew campaign start' goes on with it.")


def finish(campaign: CampaignName, server: Server = None, token: Token = None) -> None:
    """End a campaign for good; its labels can be exported."""
    with opened(campaign, server, token) as found:
        found.finish()
        typer.echo(f"Campaign {found.id} is finished.")


def delete(
    campaign: CampaignName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    server: Server = None,
    token: Token = None,
) -> None:
    """Remove a campaign with all its answers."""
    with opened(campaign, server, token) as found:
        if not yes:
            settled = found.status().settled
            typer.confirm(
                f"Remove campaign {found.id} with {settled:,} settled sentences for good?",
                abort=True,
            )
        found.delete()
        typer.echo(f"Campaign {found.id} is gone.")


def set_budget(
    campaign: CampaignName,
    budget: Annotated[str, typer.Argument(help="An amount of money, or none for no limit.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Change what may be spent."""
    from spancrew.errors import SpancrewError

    try:
        amount = None if budget == "none" else float(budget)
    except ValueError:
        raise SpancrewError(
            f"{budget!r} is no amount of money; write 250, or none for no limit"
        ) from None
    with opened(campaign, server, token) as found:
        found.set_budget(amount)
        typer.echo(f"Campaign {found.id} may spend {'any amount' if amount is None else budget}.")


def set_rule(
    campaign: CampaignName,
    feedback: Annotated[str, typer.Argument(help="The new rule, such as gate:threshold=0.5.")],
    server: Server = None,
    token: Token = None,
) -> None:
    """Change whose word counts, for sentences that are judged from now on."""
    with opened(campaign, server, token) as found:
        found.set_rule(feedback)
        typer.echo(f"Campaign {found.id} follows the rule {feedback}.")


_COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    ("login", access.login),
    ("password", access.password),
    ("create", create),
    ("list", list_),
    ("show", show),
    ("start", start),
    ("pause", pause),
    ("finish", finish),
    ("delete", delete),
    ("set-budget", set_budget),
    ("set-rule", set_rule),
    ("workers", people.workers),
    ("halt", people.halt),
    ("readmit", people.readmit),
    ("ban", people.ban),
    ("cap", people.cap),
    ("experts", people.experts),
    ("dismiss", people.dismiss),
    ("queue", people.queue),
    ("events", results.events),
    ("why", results.why),
    ("agreement", results.agreement),
    ("export", results.export),
    ("payments", results.payments),
    ("entry", access.entry),
)
for _name, _command in _COMMANDS:
    campaign.command(_name)(_command)
for _group in (people.invite, people.worker_data, access.webhook, access.token_):
    campaign.add_typer(_group)
