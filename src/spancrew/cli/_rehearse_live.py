"""`spancrew rehearse-live`: try a server with simulated workers and experts."""

from pathlib import Path
from typing import Annotated

import typer

from spancrew.cli._campaign_plan import (
    AnswerPrice,
    AnswersOption,
    BudgetOption,
    CapOption,
    ConsensusOption,
    CrewOption,
    ExpertPrice,
    FeedbackOption,
    LeaseOption,
    ModeOption,
    PlanFile,
    PolicyOption,
    WarmUpOption,
    plan_of,
)
from spancrew.cli._options import Json


def rehearse_live(
    url: Annotated[
        str,
        typer.Argument(help="The address of the server, or the admin link that it prints."),
    ],
    data: Annotated[
        str, typer.Option(help="A file, a folder, or a bundled data set with gold.")
    ] = "demo",
    sentences: Annotated[
        int | None, typer.Option(min=1, help="Only the first so many sentences.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Simulated workers at work.")] = 30,
    experts: Annotated[int, typer.Option(min=0, help="Simulated experts; they know gold.")] = 2,
    crowd: Annotated[
        str, typer.Option(help="Who answers: calibrated (default), ses, replay, bernoulli.")
    ] = "calibrated",
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
    seconds: Annotated[
        float, typer.Option(min=0, help="Mean seconds that an answer takes; 0: at once.")
    ] = 0.0,
    runs: Annotated[
        int, typer.Option(min=1, help="How often it is rehearsed offline, for the spread.")
    ] = 20,
    seed: Annotated[int, typer.Option(help="The same seed gives the same results.")] = 0,
    campaign: Annotated[
        str | None,
        typer.Option(help="Go on with this campaign, which an earlier rehearsal left behind."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(envvar="SPANCREW_TOKEN", help="An API token; else the one of the login."),
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    json: Json = False,
) -> None:
    """Run a campaign on a server with simulated people, and compare it with the offline rehearsal.

    It is how one tries a set-up: the campaign is real, from its creation to its export, over HTTP;
    only the people are not. Gold is never sent to the server.

    Example: [bold]spancrew rehearse-live http://127.0.0.1:8000 --sentences 50[/bold]
    """
    from spancrew.cli._rehearse_live_run import rehearsed_live
    from spancrew.cli._rehearse_live_scene import Wanted
    from spancrew.cli._waiting import waiting

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
        "lease": lease,
        "cap": cap,
        "seed": seed,
    }
    wanted = Wanted(
        data, sentences, workers, experts, crowd, plan_of(options, plan), seconds, runs, seed
    )
    with waiting(f"Reading {data}") as wait:
        found = rehearsed_live(url, token, wanted, wait, campaign)
    if report is not None:
        from spancrew.formats import appearing

        with appearing(report) as draft:
            draft.write_text(found.page(), encoding="utf-8")
    if json:
        from spancrew.cli._printing import print_json

        print_json(found.as_json())
        return
    from rich.console import Console

    console = Console(highlight=False)
    for view in found.views():
        console.print(view)
        console.print()
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)
