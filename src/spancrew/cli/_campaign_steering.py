"""`spancrew campaign`: set up, look at, steer, export and remove a campaign."""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from spancrew.cli import _campaign_views as views
from spancrew.cli._connection import CampaignName, Connection
from spancrew.cli._options import (
    Data,
    DatasetOptions,
    Force,
    Json,
    PlanOptions,
    label_names,
)
from spancrew.cli._printing import write_text
from spancrew.cli._writing import WritingOptions
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.client import CampaignClient, Exported

_PILOT = "pilot:"
_EVERY = 1.0
"""Seconds between two looks at a journal that is followed."""


def create(
    data: Data,
    name: Annotated[
        str | None, typer.Option(help="The name of the campaign; else that of the data.")
    ] = None,
    *,
    plan: PlanOptions,
    seed: Annotated[
        int | None, typer.Option(help="The same seed draws the same choices; 0 by default.")
    ] = None,
    gold: Annotated[
        Literal["use", "ignore"],
        typer.Option(
            help="Use known labels for warm-up and checks, or ignore them and label all anew."
        ),
    ] = "use",
    gold_share: Annotated[
        float | None,
        typer.Option(help="Share of assignments on sentences with known labels; 0 by default."),
    ] = None,
    practice: Annotated[
        int,
        typer.Option(
            min=0,
            max=50,
            help="Sentences with known labels to take out, for workers to practise on.",
        ),
    ] = 0,
    pilot: Annotated[
        int | None,
        typer.Option(
            min=20,
            max=200,
            help="Label only so many sentences first, by workers and by an expert.",
        ),
    ] = None,
    stays_open: Annotated[
        bool,
        typer.Option("--stays-open", help="Do not end when all is settled; more may be added."),
    ] = False,
    reading: DatasetOptions,
    connection: Connection,
    json: Json = False,
) -> None:
    """Set up a campaign on a file or a bundled data set; 'campaign start' starts it.

    With pilot:CAMPAIGN as data, it goes on with what a pilot that is done has left.

    Example: [bold]spancrew campaign create demo --gold ignore --budget 200[/bold]
    """
    called = name or Path(data.removeprefix(_PILOT)).stem
    settings = plan.as_json(
        seed=seed,
        gold_share=gold_share,
        labels=label_names(reading.labels),
        stays_open=stays_open or None,
    )
    with connection.open() as client:
        made = client.create(
            called,
            client.find(data.removeprefix(_PILOT)) if data.startswith(_PILOT) else data,
            settings,
            gold=gold,
            practice=practice,
            pilot=pilot,
            format=reading.format_,
            reading=reading.as_json(),
        )
    views.say(
        json,
        {"id": made.id, "name": called},
        f"Campaign {made.id} is set up. Invite people with 'spancrew campaign invite worker "
        f"{made.id}', then start it with 'spancrew campaign start {made.id}'.",
    )


def list_(*, connection: Connection, json: Json = False) -> None:
    """List all campaigns of the server."""
    with connection.open() as client:
        found = client.campaigns()
    views.show(json, found, views.campaign_table(found))


def show(campaign: CampaignName, *, connection: Connection, json: Json = False) -> None:
    """Show the progress of a campaign, and its money."""
    with connection.campaign(campaign) as chosen:
        details, status, ledger = chosen.details(), chosen.status(), chosen.ledger()
        quality = chosen.certificate()
    record = views.as_record(details) | {
        "status": views.as_record(status),
        "ledger": views.as_record(ledger),
        "certificate": views.as_record(quality),
    }
    table = views.status_table(details, status, quality)
    views.show(json, record, table, views.ledger_table(ledger))


def phase_command(
    about: str, change: "Callable[[CampaignClient], None]", said: str
) -> Callable[..., None]:
    """Return a command that changes the phase of a campaign, and says so."""

    def command(campaign: CampaignName, *, connection: Connection) -> None:
        with connection.campaign(campaign) as chosen:
            change(chosen)
        typer.echo(f"Campaign {chosen.id} is {said}.")

    command.__doc__ = about
    return command


def list_command(
    about: str,
    fetch: "Callable[[CampaignClient], Any]",
    view: "Callable[[Any], RenderableType]",
) -> Callable[..., None]:
    """Return a command that fetches something of a campaign, and shows it."""

    def command(campaign: CampaignName, *, connection: Connection, json: Json = False) -> None:
        with connection.campaign(campaign) as chosen:
            found = fetch(chosen)
        views.show(json, found, view(found))

    command.__doc__ = about
    return command


def delete(
    campaign: CampaignName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    *,
    connection: Connection,
) -> None:
    """Remove a campaign with all its answers."""
    with connection.campaign(campaign) as chosen:
        if not yes:
            settled = chosen.status().settled
            typer.confirm(
                f"Remove campaign {chosen.id} with {settled:,} settled sentences for good?",
                abort=True,
            )
        chosen.delete()
    typer.echo(f"Campaign {chosen.id} is gone.")


def set_budget(
    campaign: CampaignName,
    budget: Annotated[str, typer.Argument(help="An amount of money, or none for no limit.")],
    *,
    connection: Connection,
) -> None:
    """Change what may be spent."""
    try:
        amount = None if budget == "none" else float(budget)
    except ValueError:
        raise SpancrewError(
            f"{budget!r} is no amount of money; write 250, or none for no limit"
        ) from None
    with connection.campaign(campaign) as chosen:
        chosen.set_budget(amount)
    typer.echo(f"Campaign {chosen.id} may spend {'any amount' if amount is None else budget}.")


def set_rule(
    campaign: CampaignName,
    feedback: Annotated[str, typer.Argument(help="The new rule, such as gate:threshold=0.5.")],
    *,
    connection: Connection,
) -> None:
    """Change the feedback rule for sentences that are judged from now on."""
    with connection.campaign(campaign) as chosen:
        chosen.set_rule(feedback)
    typer.echo(f"Campaign {chosen.id} follows the rule {feedback}.")


def events(
    campaign: CampaignName,
    after: Annotated[int, typer.Option(help="Only events after this version.")] = 0,
    follow: Annotated[
        bool, typer.Option("--follow", help="Wait for new events until interrupted.")
    ] = False,
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Print the journal: a line for every event; with --json a JSON document on every line."""
    with connection.campaign(campaign) as chosen:
        while True:
            for each in chosen.all_events(after):
                typer.echo(views.event_line(each, json=json))
                after = each.version
            if not follow:
                return
            time.sleep(_EVERY)


def why(
    campaign: CampaignName,
    assignment: Annotated[int, typer.Argument(help="The number of an assignment.")],
    *,
    connection: Connection,
    json: Json = False,
) -> None:
    """Say why an assignment went to its worker."""
    with connection.campaign(campaign) as chosen:
        found = chosen.why(assignment)
    views.show(json, found, views.story_table(found))


def export(
    campaign: CampaignName,
    target: Annotated[Path, typer.Argument(help="The file to write.")],
    to: Annotated[
        str | None,
        typer.Option("--to", "-t", help="The format; else by the name of the file."),
    ] = None,
    revise: Annotated[
        bool,
        typer.Option(help="Judge the crowd's sentences once more with all that was learned."),
    ] = True,
    answers: Annotated[
        bool, typer.Option(help="Add every raw answer, where the format holds them.")
    ] = True,
    names: Annotated[
        bool, typer.Option("--names", help="Show who the workers are, instead of pseudonyms.")
    ] = False,
    force: Force = False,
    *,
    writing: WritingOptions,
    connection: Connection,
) -> None:
    """Write the labels of a campaign to a file, finished or not.

    If nothing is settled yet, the file is written all the same, and the exit code is 2.
    """
    from spancrew.certificates import certificate_from
    from spancrew.report import certificate_headline

    writing.check(target, to, force=force)
    with connection.campaign(campaign) as chosen:
        take = partial(chosen.export, revise=revise, answers=answers, names=names)
        made, files = _exported(take, target, to, writing)
        quality = chosen.certificate_record(revise=revise) if made.settled else {}
    part = f"{made.settled:,} of {made.sentences:,} sentences are settled"
    if not made.settled:
        raise SpancrewError(f"{part}: {target} was written without final labels")
    rest = f"; {part} so far" if made.settled < made.sentences else ""
    where = ", ".join(map(str, files))
    typer.echo(f"The labels of campaign {chosen.id} are in {where}{rest}.")
    typer.echo(certificate_headline(certificate_from(quality)[0]))


def _exported(
    take: "Callable[[Path, str], Exported]", target: Path, to: str | None, writing: WritingOptions
) -> "tuple[Exported, list[Path]]":
    """Let the server write the file; what it does not know is written here."""
    from spancrew.formats import format_for, read

    if writing.is_plain:
        return take(target, format_for(target, to).name), [target]
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "labels.jsonl"
        made = take(whole, "spancrew")
        files = writing.write(read(whole).dataset, target, to)
    for line in (line for each in files for line in each.lines):
        typer.echo(line)
    return made, [each.path for each in files]


def payments(
    campaign: CampaignName,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else it is printed.")
    ] = None,
    *,
    connection: Connection,
) -> None:
    """Print what every worker has earned, as CSV for a crowd platform's bonus page."""
    with connection.campaign(campaign) as chosen:
        csv = chosen.payments()
    if out is None:
        typer.echo(csv, nl=False)
        return
    write_text(out, lambda: csv)
    typer.echo(f"The payments are in {out}.")
