"""The fidelity of a rehearsal on a terminal."""

from collections.abc import Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.crowds import Fidelity
from spancrew.report import fidelity_rows


def views(crowd: str, modes: Mapping[str, Fidelity]) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    first = next(iter(modes.values()))
    yield table(
        f"The crowd '{crowd}' against the real one", ("", "real", *modes), fidelity_rows(modes)
    )
    yield Text(
        f"{first.sentences:,} sentences with gold and at least four answers, {first.answers:,} "
        f"answers, stand-ins drawn {first.repeats} times."
    )
