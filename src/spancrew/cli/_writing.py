"""How commands write a data set: in one file, or in parts for training."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from spancrew.cli._options import refuse_existing
from spancrew.cli._printing import loss_lines
from spancrew.errors import SpancrewError

if TYPE_CHECKING:
    from spancrew.core import Dataset
    from spancrew.formats import Repair

_PART = "{part}"


class WrittenFile(NamedTuple):
    """A file that was written; ``part`` is empty if it holds everything."""

    part: str
    path: Path
    sentences: int
    losses: "tuple[Repair, ...]"
    unsure: int = 0

    @property
    def lines(self) -> list[str]:
        """Return what to say about it."""
        left_out = [f"{self.unsure:,} sentences are less sure: left out."] if self.unsure else []
        written = f"{self.sentences:,} sentences written to {self.path}."
        return [*loss_lines(self.losses), *left_out, written]


@dataclass(frozen=True, slots=True)
class WritingOptions:
    """What is written besides the labels, and into how many files."""

    soft: Annotated[
        bool,
        typer.Option(
            "--soft", help="Add each token's probability of each tag: conll, spacy, huggingface."
        ),
    ] = False
    parts: Annotated[
        str | None,
        typer.Option(
            help="Write parts with no document in common, as in train=0.8,dev=0.2; the name of "
            "the file says {part} where theirs goes."
        ),
    ] = None
    document: Annotated[
        str | None,
        typer.Option(help="The field of meta that names a document; document by default."),
    ] = None
    parts_seed: Annotated[int, typer.Option(min=0, help="Draws what goes into which part.")] = 0
    min_confidence: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="Leave sentences out whose final labels are less sure."
        ),
    ] = None

    @property
    def is_plain(self) -> bool:
        """Tell whether everything goes into one file, without soft labels."""
        return not self.soft and self.parts is None and self.min_confidence is None

    def check(self, target: Path, to: str | None, *, force: bool) -> None:
        """Refuse what could not be written, before any work is done."""
        from spancrew.formats import format_for

        shares = self._shares()
        if shares and _PART not in str(target):
            raise SpancrewError(
                f"--parts writes several files: say in {str(target)!r} where the name of the part "
                f"goes, as in {_PART}-{target.name}"
            )
        if self.document is not None and not shares:
            raise SpancrewError("--document goes with --parts, such as --parts train=0.8,dev=0.2")
        for part in shares or {"": 1.0}:
            refuse_existing(_file(target, part), force=force)
            format_for(_file(target, part), to)

    def write(self, dataset: "Dataset", target: Path, to: str | None) -> list[WrittenFile]:
        """Write everything, part by part."""
        from spancrew.core import parts_of
        from spancrew.formats import write

        shares, made = self._shares(), {"": dataset}
        if shares:
            made = parts_of(dataset, shares, self.parts_seed, self.document)
        files = []
        for part, each in made.items():
            sure, file = self._sure(each), _file(target, part)
            losses = write(sure, file, to, soft=self.soft)
            files.append(WrittenFile(part, file, len(sure), losses, len(each) - len(sure)))
        return files

    def _sure(self, dataset: "Dataset") -> "Dataset":
        """Return the sentences whose final labels are sure enough."""
        if self.min_confidence is None:
            return dataset
        if dataset.finals is None:
            raise SpancrewError(
                "--min-confidence looks at final labels, and this data has none: make them with "
                "'spancrew aggregate'"
            )
        return dataset.take((dataset.finals.confidence >= self.min_confidence).nonzero()[0])

    def _shares(self) -> dict[str, float]:
        """Return the shares by the names of the parts; none without the option."""
        shares: dict[str, float] = {}
        for given in (self.parts or "").split(",") if self.parts is not None else ():
            name, _, share = (each.strip() for each in given.partition("="))
            try:
                shares[name] = float(share)
            except ValueError:
                name = ""
            if not name or set(name) & set("/\\"):
                raise SpancrewError(
                    f"--parts: {given!r} is no part; write name=share, as in train=0.8,dev=0.2"
                )
        return shares


def _file(target: Path, part: str) -> Path:
    return Path(str(target).replace(_PART, part)) if part else target


def written_record(target: Path | None, files: list[WrittenFile]) -> dict[str, Any]:
    """Return what was written as JSON."""
    record: dict[str, Any] = {
        "target": None if target is None else str(target),
        "not_written": [loss.as_json() for each in files for loss in each.losses],
    }
    parts = {
        each.part: {"target": str(each.path), "sentences": each.sentences}
        for each in files
        if each.part
    }
    unsure = sum(each.unsure for each in files)
    return record | ({"unsure": unsure} if unsure else {}) | ({"parts": parts} if parts else {})
