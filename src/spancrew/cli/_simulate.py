"""`spancrew simulate`: rehearse a campaign before any money is spent."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import (
    WARM_UP,
    AnswerPrice,
    Data,
    DatasetOptions,
    ExpertPrice,
    Json,
    Members,
    ModelPrice,
    ReportFile,
    Score,
    Seed,
    WarmUpChoice,
    refuse_missing_folder,
)
from spancrew.cli._printing import print_result, write_text
from spancrew.cli._progress import progress_bar

if TYPE_CHECKING:
    from spancrew.simulate import Attendance


def simulate(
    data: Data,
    crowd: Annotated[
        list[str] | None,
        typer.Option(
            help="Who answers: calibrated (default), ses, replay, bernoulli; ses:ties=first and "
            "ses:ties=best-exact break ties of Algorithm 2 differently."
        ),
    ] = None,
    policy: Annotated[
        list[str] | None,
        typer.Option(help="Who is asked: cucb:scale=0.2, thompson, difficulty-thompson, ..."),
    ] = None,
    feedback: Annotated[
        list[str] | None,
        typer.Option(
            help="When an expert is asked: gate:threshold=0.65, expected-error:quality=0.95, "
            "adaptive, expert (always), crowd (never)."
        ),
    ] = None,
    consensus: Annotated[
        list[str] | None,
        typer.Option(
            help="How answers are joined: mv, span-vote, ds, span-ds, bsc, auto; by default "
            "auto for expected-error and adaptive, else mv."
        ),
    ] = None,
    members: Members = None,
    crew: Annotated[
        list[str] | None,
        typer.Option(
            metavar="<int or auto>",
            help="Workers chosen in a step; 20, or all if fewer. auto: all but the clearly weak.",
        ),
    ] = None,
    answers: Annotated[
        list[int] | None, typer.Option(help="Answers on a sentence; 4, or all if fewer workers.")
    ] = None,
    sentences: Annotated[
        int | None,
        typer.Option(
            help="Sentences of the campaign; the pilot's by default. Fewer are drawn from it, "
            "more are copies that get answers of their own."
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            help="Workers of the campaign; the pilot's by default. Fewer are drawn from them, "
            "more are new ones like them."
        ),
    ] = None,
    runs: Annotated[int, typer.Option(help="How often every setting is rehearsed.")] = 10,
    seed: Seed = 0,
    score: Annotated[Score, typer.Option(help="The F1 that workers are rewarded with.")] = "exact",
    answer_price: AnswerPrice = 0.1,
    expert_price: ExpertPrice = 1.0,
    model_price: ModelPrice = 0.0,
    cap: Annotated[
        int | None, typer.Option(help="The most answers that a worker may give.")
    ] = None,
    attendance: Annotated[
        str,
        typer.Option(
            metavar="<float or pilot>",
            help="The probability that a worker is available in a step. pilot: as often as in "
            "the pilot, where the most active one is always there.",
        ),
    ] = "1.0",
    delay: Annotated[int, typer.Option(help="Steps until a reward is known.")] = 0,
    audit: Annotated[
        float,
        typer.Option(
            help="Of the crowd's sentences, a share (below 1) or a number that experts label "
            "blind; none by default."
        ),
    ] = 0.0,
    warm_up: Annotated[WarmUpChoice, typer.Option(help=WARM_UP)] = "shared",
    quality: Annotated[
        float, typer.Option(help="The F1 of the final labels that a method should reach.")
    ] = 0.95,
    engine: Annotated[
        str, typer.Option(help="Where to compute: local, or dask://HOST:PORT.")
    ] = "local",
    processes: Annotated[
        int | None, typer.Option(help="Processes of the local engine; all cores by default.")
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep results in this folder, and resume from them."),
    ] = None,
    report: ReportFile = None,
    *,
    reading: DatasetOptions,
    json: Json = False,
) -> None:
    """Rehearse a campaign many times, and compare cost and quality of each way to run it.

    Without --policy, --feedback and --consensus the eleven methods of the paper are rehearsed,
    and three that beat them. Options may be repeated: every combination is rehearsed.

    Example: [bold]spancrew simulate demo --policy cucb:scale=0.2 --policy thompson --feedback
    gate:threshold=0.65[/bold]
    """
    from spancrew.cli._grid import rehearsal_views
    from spancrew.metrics import Metric
    from spancrew.simulate import CampaignSize, Grid, Prices, Setting
    from spancrew.workbench import Stage, Where, rehearse_grid

    refuse_missing_folder(report)
    grid = Grid.of(crowd, policy, feedback, consensus, crew, answers, quality)
    grid = grid.with_members(members or ())
    base = Setting(
        runs=runs,
        seed=seed,
        prices=Prices(answer_price, expert_price),
        model_prices=(model_price,),
        cap=cap,
        attendance=_attendance(attendance),
        delay=delay,
        audit=audit,
        warm_up=warm_up,
    )
    size = CampaignSize(sentences, workers)
    name = Path(data).name
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read_known(data, progress)
        stage = Stage(name, dataset, Metric(score), size)
        where = Where(engine, processes, keep, ahead=True)
        found = rehearse_grid(stage, grid, base, quality, where, progress)
        write_text(report, found.page)
    print_result(found.as_json, rehearsal_views(found), json=json, report=report)


def _attendance(given: str) -> "Attendance":
    """Return what is meant: a probability, or as in the pilot."""
    from spancrew.errors import SpancrewError

    if given == "pilot":
        return "pilot"
    try:
        return float(given)
    except ValueError:
        raise SpancrewError(
            f"attendance {given!r}: give a probability above 0 and up to 1, or pilot"
        ) from None
