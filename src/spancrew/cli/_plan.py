"""`spancrew plan`: how to run a campaign that is to come."""

import json as json_
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import (
    WARM_UP,
    AnswerPrice,
    Audit,
    DatasetOptions,
    ExpertPrice,
    Force,
    Json,
    Members,
    ModelPrice,
    Processes,
    ReportFile,
    Seed,
    WarmUpChoice,
    refuse_existing,
    refuse_missing_folder,
)
from spancrew.cli._printing import fact_table, print_result, table, write_text
from spancrew.cli._progress import progress_bar
from spancrew.errors import PlanError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from spancrew.workbench import CampaignPlan


@dataclass(frozen=True, slots=True)
class WishOptions:
    """What is wanted of a campaign, and who works on it."""

    sentences: Annotated[
        int | None, typer.Option(help="Sentences of the campaign; the pilot's by default.")
    ] = None
    quality: Annotated[
        float | None,
        typer.Option(
            help="F1 of the final labels to reach; 0.95 by default, or the best that --budget "
            "pays for if that alone is given."
        ),
    ] = None
    budget: Annotated[float | None, typer.Option(help="What may be spent.")] = None
    deadline: Annotated[
        str | None, typer.Option(help="Until when: 14d, 2w or 36h from the first answer on.")
    ] = None
    workers: Annotated[
        int | None,
        typer.Option(help="Workers of the campaign; the pilot's by default, new ones like them."),
    ] = None
    experts: Annotated[int, typer.Option(help="Experts; 0 for a campaign without any.")] = 1
    worker_hours: Annotated[float, typer.Option(help="Hours a day that a worker works.")] = 2.0
    expert_hours: Annotated[float, typer.Option(help="Hours a day that an expert works.")] = 4.0
    answer_seconds: Annotated[
        float | None,
        typer.Option(
            help="Seconds for an answer; the pilot's by default, or by the length of sentences."
        ),
    ] = None
    expert_seconds: Annotated[
        float | None,
        typer.Option(help="Seconds for an expert's label; twice a worker's by default."),
    ] = None
    answer_price: AnswerPrice = 0.1
    expert_price: ExpertPrice = 1.0
    warm_up: Annotated[WarmUpChoice, typer.Option(help=WARM_UP)] = "shared"
    audit: Audit = None
    members: Members = None
    model_price: ModelPrice = 0.0


def plan(
    pilot: Annotated[
        str | None,
        typer.Argument(
            help="The pilot: a file, a folder, or a bundled data set (demo, demo-zh), with gold "
            "and several answers on each sentence."
        ),
    ] = None,
    *,
    assume: Annotated[
        str | None,
        typer.Option(
            help="Without a pilot, what the crowd is like: names-in-news, opinions, or "
            "worker_f1=0.7,spread=0.15 (mean F1 of the workers, and how much they differ)."
        ),
    ] = None,
    wishes: WishOptions,
    currency: Annotated[str, typer.Option(help="What prices are in, such as EUR.")] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the plan to this file, for 'campaign create'."),
    ] = None,
    report: ReportFile = None,
    seed: Seed = 0,
    processes: Processes = None,
    reading: DatasetOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Say how to run a campaign, what it costs, how good it gets and how long it takes.

    Rehearses ways to run it on the crowd of a pilot, corrects them by the pilot's real answers,
    and recommends the cheapest that reaches the quality. Figures come with 80 % intervals.

    Example: [bold]spancrew plan demo --sentences 5000 --quality 0.95 --workers 30 --experts 2
    --out plan.json[/bold]
    """
    from spancrew.planner import Computing, Pilot, Wishes
    from spancrew.workbench import pilot_source, plan_from

    refuse_missing_folder(report)
    if out is not None:
        refuse_existing(out, force=force)
    wanted = Wishes(**asdict(wishes), currency=currency)
    with progress_bar(f"Reading {pilot or 'what is assumed'}") as progress:
        if pilot is None or assume is not None:
            source = pilot_source(pilot, assume, wanted, seed)
        else:
            source = Pilot(Path(pilot).name, reading.read_known(pilot, progress))
        computing = Computing(seed, processes, ahead=True)
        found = plan_from(source, wanted, progress, computing)
        write_text(report, found.page)
        if found.plan is not None:
            write_text(out, lambda: f"{json_.dumps(found.plan, indent=2)}\n")
    last = "Write the plan to a file for 'spancrew campaign create --plan': --out plan.json"
    closing = last if out is None else f"The plan is in {out}: 'campaign create --plan {out}'."
    is_missing = out is not None and found.plan is None
    print_result(
        found.as_json, _views(found), [] if is_missing else [closing], json=json, report=report
    )
    if is_missing:
        raise PlanError(
            f"{out} was not written: experts alone are recommended, which needs no campaign"
        )


def _views(result: "CampaignPlan") -> "Iterator[RenderableType]":
    from rich.text import Text

    from spancrew.report import plan_head, plan_rows, plan_words

    found = result.found
    yield Text(f"Recommended: {found.sentence}", style="bold")
    title = f"{result.name}: a plan for {found.terms.aim.sentences:,} sentences"
    yield table(title, plan_head(result.currency), plan_rows(found))
    yield fact_table("The other plans", plan_words(found))
    yield Text("\n".join(found.notes))
