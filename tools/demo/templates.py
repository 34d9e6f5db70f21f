"""Read the templates of a folder."""

from pathlib import Path
from typing import NamedTuple


class Template(NamedTuple):
    """A marked sentence with slots; the domain is the name of its file."""

    domain: str
    text: str
    hard: bool


def templates(folder: Path) -> list[Template]:
    """Return the templates of all text files; ``!`` in front marks a hard one."""
    return [
        Template(path.stem, line.removeprefix("! "), line.startswith("! "))
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
