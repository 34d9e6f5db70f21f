"""`spancrew convert`, `aggregate` and `augment`: commands that write a data set."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from spancrew.cli._options import (
    Data,
    DatasetOptions,
    Force,
    Json,
    Members,
    OutFile,
    ReportFile,
    Score,
    TargetFormat,
    refuse_existing,
)
from spancrew.cli._printing import loss_lines, print_result, repair_views, write_text
from spancrew.cli._progress import progress_bar
from spancrew.cli._writing import WritingOptions, written_record
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spancrew.augment import Recipe
    from spancrew.core import Dataset


def convert(
    source: Data,
    target: Annotated[Path, typer.Argument(help="The file or folder to write.")],
    to: TargetFormat = None,
    *,
    reading: DatasetOptions,
    writing: WritingOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Convert a data set from one format to another.

    What had to be repaired on the way in and what the new format cannot hold is listed; the
    output appears whole or not at all.

    Example: [bold]spancrew convert demo demo.conll[/bold]
    """
    writing.check(target, to, force=force)
    with progress_bar(f"Reading {source}") as progress:
        dataset, repairs = reading.read(source, progress)
        progress.phase(f"Writing {target}")
        files = writing.write(dataset, target, to)
    print_result(
        lambda: {
            "sentences": len(dataset),
            "answers": len(dataset.answers),
            "repairs": [repair.as_json() for repair in repairs],
            **written_record(target, files),
        },
        repair_views("Repaired on the way in", repairs),
        [line for each in files for line in each.lines],
        json=json,
    )


def aggregate(
    data: Data,
    method: Annotated[
        str,
        typer.Option(
            help="How answers are joined: auto, mv, span-vote, ds, span-ds, bsc, two-coin, "
            "ordinal; with options as in mv:ties=first."
        ),
    ] = "auto",
    members: Members = None,
    out: OutFile = None,
    to: TargetFormat = None,
    expert: Annotated[
        list[str] | None,
        typer.Option(
            help="A worker whose answers count as true; may be repeated, the first named wins."
        ),
    ] = None,
    trust_gold: Annotated[
        bool,
        typer.Option(
            "--trust-gold",
            help="Trust gold as an expert's answers: it becomes final, and the method learns "
            "from it. Without this option, gold only scores the labels.",
        ),
    ] = False,
    report: ReportFile = None,
    *,
    reading: DatasetOptions,
    writing: WritingOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Join the answers on every sentence into final labels.

    Every span gets a probability, the number of answers that have it, and who decided; every
    sentence the probability that all its labels are right. Workers are ranked on the way.

    Example: [bold]spancrew aggregate demo --out final.jsonl[/bold]
    """
    from spancrew.cli._data_views import aggregation_views
    from spancrew.consensus import aggregate as join
    from spancrew.consensus import consensus_method, consensus_name, with_members
    from spancrew.report import aggregation_page, summarise

    chosen = with_members(consensus_method(method), members or ())
    name = consensus_name(chosen)
    _check_target(out, to, writing, force=force)
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read(data, progress).dataset
        progress.phase(f"Joining answers ({name})")
        start = time.perf_counter()
        joined = join(dataset, chosen, expert or (), trust_gold=trust_gold)
        seconds = time.perf_counter() - start
        files = [] if out is None else writing.write(joined.dataset, out, to)
        found = summarise(Path(data).name, name, joined, seconds, gold_is_trusted=trust_gold)
        write_text(report, lambda: aggregation_page(found))
    lines = [line for each in files for line in each.lines]
    print_result(
        lambda: found.as_json() | written_record(out, files),
        aggregation_views(found),
        lines or ["Nothing was written; name a file with --out."],
        json=json,
        report=report,
    )


def _check_target(
    out: Path | None, to: str | None, writing: WritingOptions, *, force: bool
) -> None:
    """Refuse what could not be written, before any work is done."""
    if out is not None:
        writing.check(out, to, force=force)
    elif to is not None:
        raise SpancrewError(f"--to {to} names a format to write: name the file, too, with --out")
    elif not writing.is_plain:
        raise SpancrewError(
            "--soft, --parts and --min-confidence are about what is written: name it with --out"
        )


def augment(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file or folder to write.")],
    metric: Annotated[
        Score, typer.Option(help="The F1 by which answers are matched to a worker.")
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
    to: TargetFormat = None,
    *,
    reading: DatasetOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Give every worker an answer on every sentence that has gold.

    Real answers stay. Those made keep each worker's mean F1, and nothing else of how workers err:
    do not base a forecast on them.

    Example: [bold]spancrew augment demo --out full.jsonl[/bold]
    """
    from spancrew.augment import Recipe
    from spancrew.augment import augment as fill
    from spancrew.cli._targets import read_targets
    from spancrew.formats import write
    from spancrew.metrics import Metric

    refuse_existing(out, force=force)
    given = None if targets is None else read_targets(targets)
    recipe = Recipe(Metric(metric), method, ties, flips, words, seed=seed)
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read(data, progress).dataset
        progress.phase("Making answers")
        start = time.perf_counter()
        made = fill(dataset, recipe, given, progress)
        seconds = time.perf_counter() - start
        progress.phase(f"Writing {out}")
        losses = write(made, out, to)
    record = _augmentation(dataset, made, recipe, given) | {"seconds": seconds}
    record["not_written"] = [loss.as_json() for loss in losses]
    lines = [*_augmentation_lines(record), *loss_lines(losses), f"Written to {out}."]
    print_result(lambda: record, (), lines, json=json)


def _augmentation(
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


def _augmentation_lines(record: dict[str, Any]) -> list[str]:
    lines = [
        (
            f"{record['made']:,} answers made in {record['seconds']:.1f} s; with the real ones "
            f"{record['answers']:,}."
        ),
        (
            f"Each worker's mean F1 ({record['metric']}) against the target: off by "
            f"{record['mean_abs_delta_f1']:.4f} points on average, "
            f"{record['max_abs_delta_f1']:.4f} at most."
        ),
    ]
    if record["sentences_without_gold"]:
        lines.append(f"Sentences without gold, left alone: {record['sentences_without_gold']:,}.")
    return lines
