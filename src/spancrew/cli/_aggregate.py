"""`spancrew aggregate`: final labels with their confidence."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import (
    Data,
    FormatName,
    Json,
    LabelsOption,
    OverlapsOption,
    TokensOption,
)
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spancrew.formats import Repair
    from spancrew.report import Aggregation


def aggregate(
    data: Data,
    method: Annotated[
        str,
        typer.Option(
            help="How answers are joined: auto, mv, span-vote, ds, span-ds, bsc; with options as "
            "in mv:ties=first."
        ),
    ] = "auto",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file or folder to write.")
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", "-t", help="The format to write; else by the file's name."),
    ] = None,
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
            help="Gold is an expert's word: it becomes final and teaches the method. Without it, "
            "gold only scores the labels.",
        ),
    ] = False,
    report: Annotated[Path | None, typer.Option(help="Write a report to this HTML file.")] = None,
    format_: FormatName = None,
    overlaps: OverlapsOption = None,
    tokens: TokensOption = None,
    labels: LabelsOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    json: Json = False,
) -> None:
    """Join the answers on every sentence into final labels.

    Every span gets a probability, the number of answers that have it, and who decided; every
    sentence the probability that all its labels are right. Workers are ranked on the way.

    Example: [bold]spancrew aggregate demo --out final.jsonl[/bold]
    """
    from spancrew.cli._reading import read_as_told
    from spancrew.cli._waiting import waiting
    from spancrew.consensus import aggregate as join
    from spancrew.consensus import consensus_method, consensus_name
    from spancrew.formats import write
    from spancrew.report import summarise

    chosen = consensus_method(method)
    _check_target(out, to, force=force)
    with waiting(f"Reading {data}") as wait:
        dataset = read_as_told(data, format_, overlaps, tokens, labels, wait).dataset
        wait.phase(f"Joining answers ({method})")
        start = time.perf_counter()
        joined = join(dataset, chosen, expert or (), trust_gold=trust_gold)
        seconds = time.perf_counter() - start
        losses = () if out is None else write(joined.dataset, out, to)
        name = consensus_name(chosen)
        found = summarise(Path(data).name, name, joined, seconds, gold_is_trusted=trust_gold)
        if report is not None:
            _write_report(found, report)
    if json:
        _print_json(found, out, losses)
    else:
        _print(found, out, report, losses)


def _check_target(out: Path | None, to: str | None, *, force: bool) -> None:
    """Refuse what could not be written, before any work is done."""
    from spancrew.cli._reading import refuse_existing
    from spancrew.formats import format_for

    if out is not None:
        refuse_existing(out, force=force)
        format_for(out, to)
    elif to is not None:
        raise SpancrewError(f"--to {to} names a format to write: name the file, too, with --out")


def _write_report(found: "Aggregation", report: Path) -> None:
    from spancrew.formats import appearing
    from spancrew.report import aggregation_page

    with appearing(report) as draft:
        draft.write_text(aggregation_page(found), encoding="utf-8")


def _print_json(found: "Aggregation", out: Path | None, losses: "Sequence[Repair]") -> None:
    from spancrew.cli._printing import print_json

    written = {
        "target": None if out is None else str(out),
        "not_written": [loss.as_json() for loss in losses],
    }
    print_json(found.as_json() | written)


def _print(
    found: "Aggregation", out: Path | None, report: Path | None, losses: "Sequence[Repair]"
) -> None:
    from rich.console import Console

    from spancrew.cli._aggregation_view import views

    console = Console(highlight=False)
    for view in views(found):
        console.print(view)
        console.print()
    for loss in losses:
        console.print(f"Not written: {loss.what}", markup=False)
    if out is None:
        console.print("Nothing was written; name a file with --out.")
    else:
        console.print(f"{found.sentences:,} sentences written to {out}.", markup=False)
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)
