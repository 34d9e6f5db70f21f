"""`spancrew reproduce`: the paper's tables and figures, ours beside theirs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from spancrew.cli._options import Json, Processes, ReportFile, Seed
from spancrew.cli._printing import print_result, write_text
from spancrew.cli._progress import progress_bar


def reproduce(
    what: Annotated[
        Literal[
            "table-2",
            "table-3",
            "table-4",
            "figure-regret",
            "figure-tau",
            "simulator",
            "bound",
            "table-6",
            "all",
        ],
        typer.Argument(help="Which table or figure."),
    ],
    data: Annotated[
        Path | None,
        typer.Option(
            help="The folder with the paper's data sets; else $SPANCREW_DATA, else "
            "../shared/data. They cannot be shipped; without them, demo stands in."
        ),
    ] = None,
    protocol: Annotated[
        Literal["authors", "paper", "both"],
        typer.Option(help="What the authors' code does, what the paper says, or both."),
    ] = "both",
    feedback: Annotated[
        list[str] | None,
        typer.Option(
            help="A feedback rule that the paper does not have, such as expected-error or "
            "adaptive: tables 3 and 4 get a row of CUCB with it. May be repeated."
        ),
    ] = None,
    models: Annotated[
        bool, typer.Option("--models", help="Let 'all' train the models of table-6, too.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="A model of table-6: crf, bilstm-crf, crowd-cat, adapter; by default all. May be "
            "repeated."
        ),
    ] = None,
    crowd: Annotated[
        list[str] | None,
        typer.Option(
            help="A crowd of table-6: real (CoNLL), calibrated or ses:uniform (OEI); by default "
            "all. May be repeated."
        ),
    ] = None,
    arm: Annotated[
        list[str] | None,
        typer.Option(
            help="What the models of table-6 learn from; by default all. May be repeated."
        ),
    ] = None,
    full: Annotated[
        bool,
        typer.Option(
            "--full",
            help="table-6 on all sentences with 5 seeds, where the last layers of encoders learn, "
            "in place of 2,000 sentences and 3 seeds.",
        ),
    ] = False,
    tuned_layers: Annotated[
        int | None,
        typer.Option(
            min=0, help="The last layers of encoders that learn, too; 2 with --full, else 0."
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="A folder for the models of table-6, so that a second start goes on."),
    ] = None,
    sentences: Annotated[
        int | None, typer.Option(help="Train the models of table-6 on so many sentences.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="Begin no training of table-6 after so many minutes, and print what is there; 0: "
            "only print."
        ),
    ] = None,
    runs: Annotated[int, typer.Option(help="How often every method is run.")] = 10,
    seed: Seed = 0,
    processes: Processes = None,
    report: ReportFile = None,
    json: Json = False,
) -> None:
    """Compute tables and figures of the paper anew and print them beside the paper's numbers.

    table-2: how well augmentation keeps each worker's F1. table-3, table-4: eleven methods on
    CoNLL and on OEI. figure-regret, figure-tau: what is lost while learning, and what the
    threshold does. simulator: Appendix A. bound: Appendix B. table-6: models trained on answers of
    random and of selected crews; it takes hours, and is no part of 'all' without --models.

    Example: [bold]spancrew reproduce table-3 --protocol authors --data FOLDER[/bold]
    """
    from spancrew.cli._reproduction_view import reproduction_views
    from spancrew.errors import SpancrewError
    from spancrew.experiments import (
        FULL,
        QUICK,
        Order,
        Table6Order,
        checked_models,
        checked_part,
        reproduction_page,
    )
    from spancrew.experiments import reproduce as compute
    from spancrew.feedback import feedback_rule

    if runs < 1:
        raise SpancrewError(f"runs {runs}: at least 1 is needed")
    rules = tuple(feedback or ())
    for rule in rules:
        feedback_rule(rule)
    trained = None
    if models or what == "table-6":
        size = FULL if full else QUICK
        size = size._replace(sentences=sentences or size.sentences)
        if tuned_layers is not None:
            size = size._replace(tuned_layers=tuned_layers)
        part = checked_part(crowd or (), arm or ())
        trained = Table6Order(checked_models(model or ()), size, keep, minutes, *part)
    order = Order(what, data, protocol, runs, seed, processes or -1, rules, trained)
    with progress_bar(f"Reproducing {what}") as progress:
        found = compute(order, progress)
    write_text(report, lambda: reproduction_page(found))
    print_result(found.as_json, reproduction_views(found), json=json, report=report)
