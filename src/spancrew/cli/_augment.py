"""`spancrew augment`: give every worker an answer on every sentence."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from spancrew.cli._options import (
    Data,
    FormatName,
    Json,
    LabelsOption,
    OverlapsOption,
    TokensOption,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spancrew.augment import Recipe
    from spancrew.core import Dataset


def augment(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file or folder to write.")],
    metric: Annotated[
        Literal["exact", "proportional", "token"],
        typer.Option(help="The F1 by which answers are matched to a worker."),
    ] = "exact",
    method: Annotated[
        Literal["ses", "ses-only", "random"],
        typer.Option(
            help="Shifted, expanded, shrunk gold spans with a running mean (the paper's "
            "Algorithm 2); without it; or gold mixed with noise."
        ),
    ] = "ses",
    ties: Annotated[
        Literal["uniform", "first", "best-exact"],
        typer.Option(
            help="Among answers with the wanted score: draw one, take the first, or draw among "
            "those with the highest exact F1. This decides how much workers agree."
        ),
    ] = "uniform",
    flips: Annotated[
        bool, typer.Option("--flips", help="Add gold spans under other labels, as the authors do.")
    ] = False,
    words: Annotated[
        Literal["auto", "tokens", "jieba", "meta"],
        typer.Option(help="What one step is; auto takes jieba where tokens are characters."),
    ] = "auto",
    targets: Annotated[
        Path | None,
        typer.Option(help="Mean F1 by worker, .json or .csv; else that of their real answers."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same answers.")] = 0,
    to: Annotated[
        str | None,
        typer.Option("--to", "-t", help="The format to write; else by the file's name."),
    ] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Give every worker an answer on every sentence that has gold.

    Real answers stay. Those made keep each worker's mean F1, and nothing else of how workers err:
    do not read a forecast out of them.

    Example: [bold]spancrew augment demo --out full.jsonl[/bold]
    """
    from spancrew.augment import Recipe
    from spancrew.augment import augment as fill
    from spancrew.cli._reading import read_as_told, refuse_existing
    from spancrew.cli._targets import read_targets
    from spancrew.cli._waiting import waiting
    from spancrew.formats import write
    from spancrew.metrics import Metric

    refuse_existing(out, force=force)
    given = None if targets is None else read_targets(targets)
    recipe = Recipe(Metric(metric), method, ties, flips, words, seed=seed)
    with waiting(f"Reading {data}") as wait:
        reading = read_as_told(data, format_, overlaps, tokens, labels, wait)
        wait.phase("Making answers")
        start = time.perf_counter()
        made = fill(reading.dataset, recipe, given, wait)
        seconds = time.perf_counter() - start
        wait.phase(f"Writing {out}")
        losses = write(made, out, to)
    record = _record(reading.dataset, made, recipe, given) | {"seconds": seconds}
    record["not_written"] = [loss.as_json() for loss in losses]
    _print(record, out, as_json=json)


def _record(
    dataset: "Dataset", made: "Dataset", recipe: "Recipe", given: "Mapping[str, float] | None"
) -> dict[str, Any]:
    """Return what was made and how far every worker's mean F1 is from its target."""
    import numpy as np

    from spancrew.augment import mean_scores, targets_of

    targets = targets_of(dataset, recipe.metric, given)
    means = mean_scores(made, recipe.metric)
    deltas = np.abs(means - list(targets.values())) * 100
    return {
        "answers": len(made.answers),
        "made": len(made.answers) - len(dataset.answers),
        "sentences_without_gold": int((~dataset.has_gold).sum()),
        "mean_abs_delta_f1": float(deltas.mean()),
        "max_abs_delta_f1": float(deltas.max()),
        "metric": recipe.metric.name,
        "method": recipe.method,
        "ties": recipe.ties,
        "seed": recipe.seed,
        "workers": [
            {"worker": worker, "target": target, "f1": float(mean)}
            for (worker, target), mean in zip(targets.items(), means, strict=True)
        ],
    }


def _print(record: dict[str, Any], out: Path, *, as_json: bool) -> None:
    from spancrew.cli._printing import print_json

    if as_json:
        print_json(record)
        return
    from rich.console import Console

    console = Console(highlight=False)
    console.print(
        f"{record['made']:,} answers made in {record['seconds']:.1f} s; with the real ones "
        f"{record['answers']:,}."
    )
    console.print(
        f"Each worker's mean F1 ({record['metric']}) against the target: off by "
        f"{record['mean_abs_delta_f1']:.4f} points on average, "
        f"{record['max_abs_delta_f1']:.4f} at most."
    )
    if record["sentences_without_gold"]:
        console.print(f"Sentences without gold, left alone: {record['sentences_without_gold']:,}.")
    for loss in record["not_written"]:
        console.print(f"Not written: {loss['what']}", markup=False)
    console.print(f"Written to {out}.", markup=False)
