"""`spancrew rehearse-live`: try a server with simulated workers and experts."""

from typing import Annotated

import typer

from spancrew.cli._connection import Token
from spancrew.cli._options import Json, PlanOptions, ReportFile, Seed
from spancrew.cli._printing import print_result, write_text
from spancrew.cli._progress import progress_bar


def rehearse_live(
    url: Annotated[
        str,
        typer.Argument(help="The address of the server, or the admin link that it prints."),
    ],
    data: Annotated[
        str, typer.Option(help="A file, a folder, or a bundled data set with gold.")
    ] = "demo",
    sentences: Annotated[
        int | None, typer.Option(min=1, help="Use only the first sentences, as many as this.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="How many simulated workers.")] = 30,
    experts: Annotated[
        int, typer.Option(min=0, help="How many simulated experts; they know gold.")
    ] = 2,
    crowd: Annotated[
        str, typer.Option(help="Who answers: calibrated (default), ses, replay, bernoulli.")
    ] = "calibrated",
    *,
    plan: PlanOptions,
    seconds: Annotated[
        float, typer.Option(min=0, help="Mean seconds that an answer takes; 0: at once.")
    ] = 0.0,
    runs: Annotated[int, typer.Option(min=1, help="How many offline runs to compare with.")] = 20,
    seed: Seed = 0,
    campaign: Annotated[
        str | None,
        typer.Option(help="Continue this campaign, left behind by an earlier rehearsal."),
    ] = None,
    token: Token = None,
    report: ReportFile = None,
    json: Json = False,
) -> None:
    """Run a campaign on a server with simulated people, and compare it with the offline rehearsal.

    Use it to try a set-up: the campaign is real, from creation to export, over HTTP; only the
    people are simulated. Gold is never sent to the server.

    Example: [bold]spancrew rehearse-live http://127.0.0.1:8000 --sentences 50[/bold]
    """
    from spancrew.cli._live_rehearsal import LiveOptions, rehearse_on_server

    options = LiveOptions(
        data, sentences, workers, experts, crowd, plan.as_json(seed=seed), seconds, runs, seed
    )
    with progress_bar(f"Reading {data}") as progress:
        found = rehearse_on_server(url, token, options, progress, campaign)
    write_text(report, found.page)
    print_result(found.as_json, found.views(), json=json, report=report)
