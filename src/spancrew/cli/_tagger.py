"""`spancrew train` and `label`: a tagger for sentences that nobody has labelled."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spancrew.cli._options import (
    Data,
    DatasetOptions,
    Force,
    Json,
    OutFile,
    TargetFormat,
    refuse_existing,
)
from spancrew.cli._printing import print_result
from spancrew.cli._progress import progress_bar
from spancrew.cli._writing import WritingOptions, written_record
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spancrew.consensus import Audition
    from spancrew.workbench import HeldOut


def train(
    data: Data,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write the tagger to.")],
    method: Annotated[
        str,
        typer.Option(
            help="How answers are joined into the labels to learn; auto: by people alone."
        ),
    ] = "auto+tagger",
    expert: Annotated[
        list[str] | None,
        typer.Option(help="A worker whose answers count as true; may be repeated."),
    ] = None,
    *,
    trust_gold: Annotated[
        bool, typer.Option("--trust-gold", help="Learn gold where there is some.")
    ] = False,
    reading: DatasetOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Train a tagger on the labels that a crowd's answers make.

    It is a conditional random field over spelling and neighbours: no match for a large language
    model, but trained in seconds. Where there is gold, its F1 is measured on sentences that it
    was not trained on.

    Example: [bold]spancrew train demo --out tagger[/bold]
    """
    from spancrew.consensus import aggregate, consensus_method
    from spancrew.core import refuse_choices
    from spancrew.formats import SavedTagger, write_tagger
    from spancrew.report import auditions_of
    from spancrew.workbench import train_tagger

    chosen = consensus_method(method)
    refuse_existing(out, force=force)
    with progress_bar(f"Reading {data}") as progress:
        dataset = reading.read(data, progress).dataset
        refuse_choices(dataset, "a tagger")
        progress.phase(f"Joining answers ({method})")
        found = aggregate(dataset, chosen, expert or (), trust_gold=trust_gold)
        auditions = auditions_of(found)
        progress.phase("Training")
        tagger, held_out = train_tagger(found)
        about = {
            "sentences": int((~found.is_silent).sum()),
            "held_out": None if held_out is None else held_out._asdict(),
        }
        write_tagger(SavedTagger(tagger, dataset.labels, about), out)
    hired = {name: each.is_passed for name, each in auditions.items()}
    print_result(
        lambda: about | {"hired": hired, "labels": dataset.labels.names, "target": str(out)},
        (),
        [
            *_lines(method, auditions, held_out),
            f"The tagger is in {out}: spancrew label TEXT --model {out}",
        ],
        json=json,
    )


def _lines(
    method: str, auditions: "Mapping[str, Audition]", held_out: "HeldOut | None"
) -> list[str]:
    """Say what was learned, and how good the tagger is."""
    from spancrew.report import verdicts

    good = "How good the tagger is, is not known: no sentence has gold."
    if held_out is not None:
        good = (
            f"Exact F1 {held_out.f1:.2f} on {held_out.sentences:,} sentences with gold, each "
            "tagged by a model that was trained without it."
        )
    return [f"Trained on labels by {method}.", *verdicts(auditions), good]


def label(
    data: Data,
    model: Annotated[Path, typer.Option("--model", "-m", help="The folder of a tagger.")],
    out: OutFile = None,
    to: TargetFormat = None,
    *,
    reading: DatasetOptions,
    writing: WritingOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Label sentences with a tagger that `spancrew train` has made.

    Every span gets the probability that the tagger gives it. Nobody has checked these labels.

    Example: [bold]spancrew label sentences.txt --model tagger --out labelled.jsonl[/bold]
    """
    from spancrew.formats import read_tagger
    from spancrew.workbench import label_dataset

    if out is None:
        raise SpancrewError("nothing would be written: name a file with --out")
    if reading.labels is not None:
        raise SpancrewError("--labels: the labels are those of the tagger; leave it out")
    writing.check(out, to, force=force)
    saved = read_tagger(model)
    with progress_bar(f"Reading {data}") as progress:
        known = replace(reading, labels=",".join(saved.labels.names))
        dataset = known.read(data, progress).dataset
        progress.phase("Labelling")
        labelled = label_dataset(dataset, saved.tagger, saved.labels)
        files = writing.write(labelled, out, to)
    finals = labelled.finals
    spans = 0 if finals is None else int((finals.codes.values % 2).sum())
    print_result(
        lambda: {"sentences": len(dataset), "spans": spans} | written_record(out, files),
        (),
        [
            f"{spans:,} spans in {len(dataset):,} sentences.",
            *(line for each in files for line in each.lines),
        ],
        json=json,
    )
