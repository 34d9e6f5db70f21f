"""Options that several commands share."""

import json as json_
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from spancrew.errors import FormatError, Place, PlanError

if TYPE_CHECKING:
    from spancrew.cli._progress import ProgressBar
    from spancrew.core import Dataset
    from spancrew.formats import Reading

Data = Annotated[
    str, typer.Argument(help="A file, a folder, or a bundled data set: demo, demo-zh.")
]
FormatName = Annotated[
    str | None,
    typer.Option("--format", "-f", help="The format, where it is not recognised by itself."),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--labels", help="The labels, separated by commas; any other label is then an error."
    ),
]
OutFile = Annotated[Path | None, typer.Option("--out", "-o", help="The file or folder to write.")]
TargetFormat = Annotated[
    str | None,
    typer.Option("--to", "-t", help="The format to write; else by the file's name."),
]
Audit = Annotated[
    float | None,
    typer.Option(
        help="Of the crowd's sentences, a share (below 1) or a number that experts label blind, "
        "to measure the quality; 0.05 by default if there are experts."
    ),
]
AnswerPrice = Annotated[float, typer.Option(help="What an answer costs.")]
ExpertPrice = Annotated[float, typer.Option(help="What an expert's label costs.")]
ModelPrice = Annotated[
    float, typer.Option(min=0, help="What an answer of a model: worker of the data costs.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
ReportFile = Annotated[
    Path | None, typer.Option("--report", help="Write a report to this HTML file.")
]
Processes = Annotated[
    int | None, typer.Option("--processes", help="Processes to use; all cores by default.")
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same results.")]
Score = Literal["exact", "proportional", "token"]
WarmUpChoice = Literal["shared", "own", "none"]
WARM_UP = (
    "What new workers label first: one shared known sentence (default), each one of their own, "
    "or none."
)
Members = Annotated[
    list[str] | None,
    typer.Option(
        "--member",
        help="Who answers beside the people: tagger, which learns from what is settled, and is "
        "heard once it is as good as they are.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]


@dataclass(frozen=True, slots=True)
class DatasetOptions:
    """How a data set is read."""

    format_: FormatName = None
    overlaps: Annotated[
        Literal["error", "first", "longest"] | None,
        typer.Option(
            help="When two spans of one answer overlap: refuse the file, keep the first, or keep "
            "the longest. Without it the format decides; most refuse."
        ),
    ] = None
    tokens: Annotated[
        Literal["words", "characters"] | None,
        typer.Option(
            help="How running text is cut into tokens; by default, what suits its script."
        ),
    ] = None
    labels: Labels = None
    text_column: Annotated[
        str | None,
        typer.Option(help="The column or field with the text, where its name does not say so."),
    ] = None
    id_column: Annotated[
        str | None, typer.Option(help="The column or field with the id of the sentence.")
    ] = None
    columns: Annotated[
        str | None,
        typer.Option(
            help="Other columns of a table, as in worker=who,label=kind; workers=ana+bo for a "
            "column each."
        ),
    ] = None
    split: Annotated[
        Literal["lines", "paragraphs", "sentences"] | None,
        typer.Option(
            help="Cut texts without labels into these; text files into lines by default."
        ),
    ] = None
    discontinuous: Annotated[
        Literal["error", "split", "whole"] | None,
        typer.Option(
            help="A span in several pieces: refuse the file, make each a span, or fill the gaps."
        ),
    ] = None
    skip_unequal: Annotated[
        bool,
        typer.Option(
            "--skip-unequal", help="Leave out what has another text in a second file or row."
        ),
    ] = False

    def read(self, data: str, progress: "ProgressBar") -> "Reading":
        """Read a file, a folder or a bundled data set."""
        from spancrew.formats import read

        return read(
            data,
            self.format_,
            labels=label_names(self.labels),
            progress=progress,
            **self.as_json(),
        )

    def read_known(self, data: str, progress: "ProgressBar") -> "Dataset":
        """Read data in which experts' labels of a campaign count as gold; say so if there are."""
        from spancrew.core import with_known_labels

        known = with_known_labels(self.read(data, progress).dataset)
        if known.note is not None:
            typer.echo(f"Note: {known.note}.", err=True)
        return known.dataset

    def as_json(self) -> dict[str, Any]:
        """Return all but format and labels as keywords of ``spancrew.read``, if they are given."""
        found = {
            "overlaps": self.overlaps,
            "unit": self.tokens,
            "columns": self._column_roles(),
            "split": self.split,
            "discontinuous": self.discontinuous,
            "skip_unequal": self.skip_unequal,
        }
        return {name: value for name, value in found.items() if value}

    def _column_roles(self) -> dict[str, str]:
        """Return which column is which, from three options."""
        given = [pair.partition("=") for pair in (self.columns or "").split(",") if pair.strip()]
        if odd := next((role for role, sign, column in given if not (sign and column)), None):
            raise PlanError(f"--columns: {odd!r} names no column; write role=column")
        roles = {role.strip(): column.strip() for role, _, column in given}
        named = {"text": self.text_column, "id": self.id_column}
        return roles | {role: column for role, column in named.items() if column is not None}


def label_names(labels: str | None) -> tuple[str, ...] | None:
    """Return the names in the value of --labels."""
    return None if labels is None else tuple(name.strip() for name in labels.split(","))


def refuse_existing(target: Path, *, force: bool) -> None:
    """Refuse to replace a file or folder without --force, before anything is computed."""
    refuse_missing_folder(target)
    if target.exists() and not force:
        raise FormatError(Place(str(target)), "it exists already; replace it with --force")


def refuse_missing_folder(target: Path | None) -> None:
    """Refuse a file for which there is no folder, before anything is computed."""
    if target is not None and not target.parent.is_dir():
        raise FormatError(Place(str(target)), "its folder does not exist; create it first")


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What a campaign should do; None leaves it to the plan file, or to the default plan."""

    policy: Annotated[
        str | None,
        typer.Option(help="Who is asked: difficulty-thompson (default), cucb, random ..."),
    ] = None
    feedback: Annotated[
        str | None,
        typer.Option(
            help="When an expert is asked: expected-error (default), adaptive, "
            "gate:threshold=0.65, expert (always), crowd (never)."
        ),
    ] = None
    consensus: Annotated[
        str | None,
        typer.Option(
            help="How answers are joined: mv, span-vote, ds, span-ds, bsc, auto; by default, what "
            "suits the rule."
        ),
    ] = None
    answers: Annotated[int | None, typer.Option(help="Answers on a sentence; 4 by default.")] = (
        None
    )
    crew: Annotated[
        str | None,
        typer.Option(
            metavar="<int or auto>",
            help="Workers chosen in a step. auto (default of a stream): all who are good enough; "
            "rounds: 20.",
        ),
    ] = None
    audit: Audit = None
    budget: Annotated[float | None, typer.Option(help="What may be spent; never exceeded.")] = None
    answer_price: Annotated[
        float | None, typer.Option(help="What an answer costs; 0.1 by default.")
    ] = None
    expert_price: Annotated[
        float | None, typer.Option(help="What an expert's label costs; 1 by default.")
    ] = None
    mode: Annotated[
        Literal["stream", "rounds"] | None,
        typer.Option(
            help="stream (default): any free worker gets the next sentence; rounds: a crew at a "
            "time, as in the paper."
        ),
    ] = None
    warm_up: Annotated[
        WarmUpChoice | None,
        typer.Option(help=WARM_UP),
    ] = None
    lease: Annotated[
        float | None, typer.Option(help="Seconds a worker has for an assignment; 600 by default.")
    ] = None
    cap: Annotated[int | None, typer.Option(help="The most answers that a worker may give.")] = (
        None
    )
    suggestions: Annotated[
        float | None,
        typer.Option(
            metavar="<share>",
            help="Share of the assignments on which people see what the models suggest, up to "
            "0.9; none by default. The others tell how far people follow it.",
        ),
    ] = None
    plan: Annotated[
        Path | None, typer.Option(help="A JSON file with a plan; other options override it.")
    ] = None

    def as_json(self, **others: Any) -> dict[str, Any]:
        """Return the plan: what the file says, changed by these options and by others.

        A forecast in the file is left out where an option changes what it was made for.
        """
        given = {
            name: value for name, value in (asdict(self) | others).items() if value is not None
        }
        if "crew" in given:
            from spancrew.policies import crew_size

            given["crew"] = crew_size(given["crew"])
        plan = _read_plan(given.pop("plan")) if self.plan else {}
        prices = {
            who: given.pop(f"{who}_price")
            for who in ("answer", "expert")
            if f"{who}_price" in given
        }
        if prices:
            plan["prices"] = {**plan.get("prices", {}), **prices}
        if set(given) & _FORECAST or prices:
            plan.pop("forecast", None)  # it was made for another plan
        return plan | given


_FORECAST = {"policy", "feedback", "consensus", "answers", "crew", "audit", "mode", "warm_up"}
"""Options on which a forecast depends."""


def _read_plan(file: Path) -> dict[str, Any]:
    try:
        plan = json_.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise PlanError(f"{file}: this is no JSON ({error})") from None
    if not isinstance(plan, dict):
        raise PlanError(f"{file}: a plan is a JSON object, such as {{'answers': 3}}")
    return plan
