"""`spancrew campaign`: what happened, why, and what came of it."""

import time
from pathlib import Path
from typing import Annotated

import typer

from spancrew.cli._campaign_server import CampaignName, Server, Token, opened
from spancrew.cli._options import Json

_EVERY = 1.0
"""Seconds between two looks at a journal that is followed."""


def events(
    campaign: CampaignName,
    after: Annotated[int, typer.Option(help="Only events after this version.")] = 0,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with new events until interrupted.")
    ] = False,
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Print the journal: a line for every event; with --json a JSON document on every line."""
    from spancrew.cli._campaign_views import event_line

    with opened(campaign, server, token) as found:
        last = after
        while True:
            for each in found.all_events(last):
                typer.echo(event_line(each, json=json))
                last = each.version
            if not follow:
                return
            time.sleep(_EVERY)


def why(
    campaign: CampaignName,
    assignment: Annotated[int, typer.Argument(help="The number of an assignment.")],
    server: Server = None,
    token: Token = None,
    json: Json = False,
) -> None:
    """Say why an assignment went to its worker."""
    from spancrew.cli._campaign_views import show, story_table

    with opened(campaign, server, token) as chosen:
        found = chosen.why(assignment)
    show(json, found, story_table(found))


def agreement(
    campaign: CampaignName, server: Server = None, token: Token = None, json: Json = False
) -> None:
    """Say how much the workers agree."""
    from spancrew.cli._campaign_views import agreement_views, show

    with opened(campaign, server, token) as chosen:
        found = chosen.agreement()
    show(json, found, *agreement_views(found))


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
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    server: Server = None,
    token: Token = None,
) -> None:
    """Write the labels of a campaign to a file, finished or not."""
    from spancrew.cli._reading import refuse_existing
    from spancrew.formats import format_for

    refuse_existing(target, force=force)
    name = format_for(target, to).name
    with opened(campaign, server, token) as found:
        found.export(target, name, revise=revise, answers=answers, names=names)
        typer.echo(f"The labels of campaign {found.id} are in {target}.")


def payments(
    campaign: CampaignName,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write; else it is printed.")
    ] = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """Print what every worker has earned, as CSV for a crowd platform's bonus page."""
    from spancrew.formats import appearing

    with opened(campaign, server, token) as chosen:
        csv = chosen.payments()
    if out is None:
        typer.echo(csv, nl=False)
        return
    with appearing(out) as draft:
        draft.write_text(csv, encoding="utf-8")
    typer.echo(f"The payments are in {out}.")
