"""`spancrew annotate`: let a model answer the sentences of a data set."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spancrew.cli._llm_options import LlmOptions, show_prompt
from spancrew.cli._options import (
    Data,
    DatasetOptions,
    Force,
    Json,
    OutFile,
    TargetFormat,
    refuse_existing,
)
from spancrew.cli._printing import fact_table, loss_lines, print_result, table
from spancrew.cli._progress import progress_bar
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from spancrew.formats import Repair
    from spancrew.members import Annotation, AnswerJournal, Briefing, MemberSettings


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """How a model is asked, and what it may cost."""

    with_: Annotated[
        str,
        typer.Option(
            "--with",
            metavar="MEMBER",
            help="The model: python:module:function, python-texts:module:function, http:URL, "
            "spacy:PATH-or-name, hf:FOLDER, llm:MODEL.",
        ),
    ]
    keep: Annotated[
        Path | None,
        typer.Option(
            help="Keep answers in this file as they come; a second run with it goes on where the "
            "first one stopped, and pays nothing twice."
        ),
    ] = None
    name: Annotated[
        str | None, typer.Option(help="The model becomes the worker model:NAME; else its own.")
    ] = None
    rename: Annotated[
        str | None,
        typer.Option(help="Labels of the model that are called otherwise: PERSON=PER,GPE=LOC."),
    ] = None
    least: Annotated[
        float,
        typer.Option(min=0, max=1, help="Leave out spans that the model is less sure of."),
    ] = 0.0
    price: Annotated[float, typer.Option(help="What an answer costs.")] = 0.0
    most_money: Annotated[
        float | None,
        typer.Option(help="What may be spent, with all earlier runs that kept the same file."),
    ] = None
    batch: Annotated[
        int | None, typer.Option(help="Sentences in one call; by default, what suits the model.")
    ] = None
    parallel: Annotated[int | None, typer.Option(help="Calls at the same time.")] = None
    per_minute: Annotated[float | None, typer.Option(help="The most requests in a minute.")] = None
    timeout: Annotated[float, typer.Option(help="Seconds after which a request is given up.")] = (
        60.0
    )
    patience: Annotated[
        float, typer.Option(help="Seconds to wait in all for a server that is busy or away.")
    ] = 120.0

    def settings(
        self, journal: "AnswerJournal", llm: LlmOptions, briefing: "Briefing"
    ) -> "MemberSettings":
        """Return them for any kind of model."""
        from spancrew.members import MemberSettings

        return MemberSettings(
            name=self.name,
            price=self.price,
            at_once=self.batch,
            in_parallel=self.parallel,
            timeout=self.timeout,
            patience=self.patience,
            per_minute=self.per_minute,
            journal=journal,
            briefing=briefing,
            llm=llm.settings(),
        )

    @property
    def renamed(self) -> dict[str, str]:
        """Return the names that are asked for by those of the model."""
        pairs = [each.partition("=") for each in (self.rename or "").split(",") if each.strip()]
        if odd := next((a for a, _, b in pairs if not (a.strip() and b.strip())), None):
            raise SpancrewError(f"--rename: {odd!r} gets no name; write theirs=ours")
        return {theirs.strip(): ours.strip() for theirs, _, ours in pairs}


def annotate(
    data: Data,
    asking: AskingOptions,
    out: OutFile = None,
    to: TargetFormat = None,
    *,
    llm: LlmOptions,
    reading: DatasetOptions,
    force: Force = False,
    json: Json = False,
) -> None:
    """Let a model answer the sentences of a data set, as one more worker.

    Its worker is called model:NAME. What does not fit (other labels, overlaps, spans beyond the
    sentence) is counted and left out. If the model fails, what it has answered is written, if
    anything, and the exit code is 1.

    Example: [bold]spancrew annotate demo --with spacy:en_core_web_sm --keep answers.db --out
    with-model.jsonl[/bold]
    """
    from spancrew.formats import format_for, write
    from spancrew.members import AnswerJournal, member_for
    from spancrew.members import annotate as ask

    if out is None and not llm.dry_run:
        raise SpancrewError("name the file to write with --out")
    if out is not None:
        refuse_existing(out, force=force)
        format_for(out, to)
    with AnswerJournal(asking.keep, asking.most_money) as journal, progress_bar("") as progress:
        progress.phase(f"Reading {data}")
        dataset = reading.read(data, progress).dataset
        member = member_for(asking.with_, asking.settings(journal, llm, llm.briefing(dataset)))
        if out is None or llm.dry_run:
            show_prompt(member, dataset, journal, json=json)
            return
        progress.phase(f"Asking {member.name}")
        found = ask(
            dataset,
            member,
            journal,
            renamed=asking.renamed,
            least=asking.least,
            progress=progress,
        )
        losses = write(found.dataset, out, to) if found.answered else ()
    print_result(
        lambda: _record(found, out, losses),
        _views(found),
        _closing(found, out, losses, is_kept=asking.keep is not None),
        json=json,
    )
    if found.stopped is not None or not found.answered:
        raise typer.Exit(1)


def _record(found: "Annotation", out: Path, losses: "tuple[Repair, ...]") -> dict[str, Any]:
    return {
        "worker": found.worker,
        "sentences": found.sentences,
        "answered": found.answered,
        "earlier": found.earlier,
        "unusable": found.unusable,
        "open": found.open,
        "spans": found.spans,
        "faults": dict(found.faults),
        "spent": found.spent,
        "seconds": found.seconds,
        "stopped": found.stopped,
        "target": str(out) if found.answered else None,
        "not_written": [loss.as_json() for loss in losses],
    }


def _views(found: "Annotation") -> "Iterator[RenderableType]":
    facts = [
        ("sentences", f"{found.sentences:,}"),
        ("answered", f"{found.answered:,}"),
        ("of these by earlier runs", f"{min(found.earlier, found.answered):,}"),
        ("asked in vain", f"{found.unusable:,}"),
        ("not asked yet", f"{found.open:,}"),
        ("spans", f"{found.spans:,}"),
        ("spent", f"{found.spent:.4f}"),
        ("seconds an answer", "-" if found.seconds is None else f"{found.seconds:.3f}"),
    ]
    yield fact_table(found.worker, facts, words=1)
    if found.faults:
        from spancrew.members import FAULTS

        rows = [
            (kind, FAULTS.get(kind, ""), f"{count:,}")
            for kind, count in sorted(found.faults.items(), key=lambda pair: -pair[1])
        ]
        yield table("Left out", ("kind", "what it is", "count"), rows, words=2)


def _closing(
    found: "Annotation", out: Path, losses: "tuple[Repair, ...]", *, is_kept: bool
) -> list[str]:
    written = f"Written to {out}." if found.answered else "The model answered nothing: no file."
    lines = [*loss_lines(losses), written]
    if found.stopped is None:
        return lines
    if not found.answered:
        return [*lines, f"Why: {found.stopped}."]
    again = f"annotate {out} with the same model"
    if is_kept:
        again = "run the same command again with --force"
    return [
        *lines,
        f"The model did not answer everything: {found.stopped}.",
        f"To ask about the {found.open:,} others, {again}.",
    ]
