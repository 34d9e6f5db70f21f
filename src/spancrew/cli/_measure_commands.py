"""`spancrew inspect`, `fidelity` and `frontier`: commands that measure a data set."""

from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli._options import Data, DatasetOptions, Json, Members, Processes, ReportFile, Seed
from spancrew.cli._printing import print_result, repair_views, write_text
from spancrew.cli._progress import progress_bar


def inspect(
    data: Data,
    report: ReportFile = None,
    *,
    reading: DatasetOptions,
    json: Json = False,
) -> None:
    """Read, check, score and draw a crowd data set.

    Prints the paper's Table 1, every worker's precision, recall and F1, how much the workers
    agree, and what their errors are made of.

    Example: [bold]spancrew inspect demo --report demo.html[/bold]
    """
    from spancrew.cli._data_views import choice_views, inspection_views
    from spancrew.report import choice_inspection_page, inspect_choices, inspection_page
    from spancrew.report import inspect as look

    with progress_bar(f"Reading {data}") as progress:
        dataset, repairs = reading.read(data, progress)
        progress.phase("Scoring")
        texts = [(repair.kind, f"{repair.place}: {repair.what}") for repair in repairs]
        if dataset.kind == "choices":
            chosen = inspect_choices(Path(data).name, dataset, texts)
            write_text(report, lambda: choice_inspection_page(chosen))
            views = chain(choice_views(chosen), repair_views("Repairs", repairs))
            print_result(chosen.as_json, views, (), json=json, report=report)
            return
        found = look(Path(data).name, dataset, texts)
        progress.phase("Drawing")
        write_text(report, lambda: inspection_page(found))
    hint = f"For charts and all workers: spancrew inspect {data} --report report.html"
    print_result(
        found.as_json,
        chain(inspection_views(found), repair_views("Repairs", repairs)),
        () if report else (hint,),
        json=json,
        report=report,
    )


def fidelity(
    data: Data,
    crowd: Annotated[
        Literal["calibrated", "ses"], typer.Option(help="The crowd to compare with the real one.")
    ] = "calibrated",
    seed: Annotated[int, typer.Option(help="Draws the half that the crowd is fitted to.")] = 0,
    report: ReportFile = None,
    *,
    in_sample: Annotated[
        bool,
        typer.Option("--in-sample", help="Fit and judge on the same sentences: flatters."),
    ] = False,
    reading: DatasetOptions,
    json: Json = False,
) -> None:
    """Compare a rehearsal crowd with real answers, and say whether to plan with it.

    Of the sentences with gold and at least four answers, the crowd is fitted to a random half. On
    the other half, stand-ins for exactly the workers who answered are compared with what was
    really said: agreement, majority vote, shares of right and wrong answers, kinds of error, each
    worker's F1. Twice: [bold]known[/bold] uses the other workers' answers on the sentence,
    [bold]new[/bold] uses none, as before a campaign.

    Example: [bold]spancrew fidelity demo --crowd calibrated[/bold]
    """
    from spancrew.cli._data_views import fidelity_views
    from spancrew.crowds import fidelity as compare
    from spancrew.report import fidelity_page

    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read_known(data, progress)
        progress.phase(f"Calibrating and drawing the crowd ({crowd})")
        modes = compare(dataset, crowd, in_sample=in_sample, seed=seed)
        progress.phase("Drawing charts")
        write_text(report, lambda: fidelity_page(Path(data).name, crowd, modes))
    print_result(
        lambda: {mode: result.as_json() for mode, result in modes.items()},
        fidelity_views(crowd, modes, in_sample=in_sample),
        json=json,
        report=report,
    )


def frontier(
    data: Data,
    consensus: Annotated[
        list[str] | None,
        typer.Option(
            help="How answers are joined: auto, mv, span-vote, ds, span-ds, bsc, two-coin, "
            "ordinal."
        ),
    ] = None,
    gate: Annotated[
        list[str] | None,
        typer.Option(
            help="How the expert's sentences are chosen: expected-error, kappa, random, "
            "kappa-hindsight."
        ),
    ] = None,
    members: Members = None,
    share: Annotated[
        list[float] | None,
        typer.Option(help="Share of the sentences that experts label; by default 0, 0.1 ... 0.6."),
    ] = None,
    audit: Annotated[
        float,
        typer.Option(help="Share of the crowd's sentences that an expert labels blind besides."),
    ] = 0.05,
    orders: Annotated[int, typer.Option(help="In how many random orders sentences arrive.")] = 5,
    seed: Seed = 0,
    processes: Processes = None,
    report: ReportFile = None,
    *,
    reading: DatasetOptions,
    json: Json = False,
) -> None:
    """Show how good final labels become if experts label a share of the sentences.

    The answers are the real ones. Sentences arrive in random order, and every decision uses
    only what came before; gold is what the expert says. --consensus, --gate and --share may be
    repeated: every combination is tried. Without the first two, nine pairs are compared, for
    choices seven.

    Example: [bold]spancrew frontier demo --consensus auto --gate expected-error --gate
    random[/bold]
    """
    from spancrew.cli._data_views import frontier_views
    from spancrew.report import frontier_page
    from spancrew.simulate import SHARES, pairs_of
    from spancrew.simulate import frontier as measure

    pairs_of(consensus or (), gate or (), members or ())
    name = Path(data).name
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read_known(data, progress)
        progress.phase("Measuring")
        found = measure(
            dataset,
            pairs_of(consensus or (), gate or (), members or (), dataset.kind),
            share or SHARES,
            orders,
            seed,
            audit=audit,
            processes=processes,
            progress=progress,
        )
    write_text(report, lambda: frontier_page(name, found))
    print_result(found.as_json, frontier_views(name, found), json=json, report=report)
