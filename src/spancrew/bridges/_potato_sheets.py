"""Sheets in the data folder of a Potato project: a file with one line for each."""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from spancrew.bridges._potato_project import FOR, write_whole
from spancrew.bridges._tool import Person, Sheet
from spancrew.core import Sentence, Span

_OURS = "spancrew"
_NO_WIDTH = "\u200b"
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_EXTRA_SPACE = re.compile(r"^\s+|(?<=\s)\s+|\s+$")
_START = (
    "Sentences for {name} come here, one after the other. Press Next. If the page stays as it is, "
    "there is nothing new yet: press Next again later. Leave this page unmarked."
)
_WITHDRAWN = "This sentence is no longer needed. Leave it as it is, and press Next."


@dataclass(frozen=True, slots=True)
class Placed:
    """A sheet in the folder; ``taken`` is the mark of the answer that was taken.

    What was once taken or withdrawn stays as it is, and the same sheet may come again as another
    ``edition``.
    """

    person: Person
    sheet: Sheet
    edition: int = 1
    taken: str | None = None
    withdrawn: bool = False

    @property
    def id(self) -> str:
        """Return by what Potato knows it, which is the name of its file, too."""
        return f"{_prefix(self.person)}{self.sheet.key}-{self.edition}"

    def write(self, folder: Path) -> None:
        """Write the file, or write it anew."""
        sentence, suggestion = self.sheet.sentence, self.sheet.suggestion
        ours = {
            "key": self.sheet.key,
            "sentence": sentence.id,
            "text": sentence.text,
            "tokens": sentence.bounds,
            "suggestion": None if suggestion is None else [list(_row(s)) for s in suggestion],
            "taken": self.taken,
            "withdrawn": self.withdrawn,
        }
        over = self.withdrawn or self.taken is not None
        text = _WITHDRAWN if self.withdrawn else page_text(self.sheet)
        _write_line(folder, self.id, text, [] if over else [self.person.name], ours)


def start_page(folder: Path, person: Person, number: int) -> str:
    """Write the page that somebody always has, and return its id.

    Potato dismisses for good whoever has answered all that they have.
    """
    id_ = f"{_prefix(person)}0-start-{number}"
    if not (folder / f"{id_}.jsonl").exists():
        text = html.escape(_START.format(name=person.name), quote=False)
        _write_line(folder, id_, text, [person.name], {})
    return id_


def newest_sheets(folder: Path, person: Person) -> dict[str, Placed]:
    """Return somebody's sheets by key, each in its newest edition."""
    found: dict[str, Placed] = {}
    prefix = _prefix(person)
    for file in folder.iterdir():
        if not (file.name.startswith(prefix) and file.suffix == ".jsonl"):
            continue
        placed = read_placed(file, person)
        if placed is None:
            continue
        before = found.get(placed.sheet.key)
        if before is None or before.edition < placed.edition:
            found[placed.sheet.key] = placed
    return found


def next_edition(folder: Path, placed: Placed) -> Placed:
    """Return a sheet with a number that no file has yet, or only one that cannot be read."""
    while read_placed(folder / f"{placed.id}.jsonl", placed.person) is not None:
        placed = replace(placed, edition=placed.edition + 1)
    return placed


def read_placed(file: Path, person: Person) -> Placed | None:
    """Return the sheet of a file; None if there is none, or nothing but a damaged one."""
    try:
        line = json.loads(file.read_text("utf-8"))
        return _placed(line[_OURS], person, int(file.stem.rpartition("-")[2]))
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        return None


def _placed(ours: dict[str, Any], person: Person, edition: int) -> Placed:
    bounds = tuple((int(start), int(end)) for start, end in ours["tokens"])
    sentence = Sentence(ours["sentence"], ours["text"], bounds)
    given = ours["suggestion"]
    suggestion = None if given is None else tuple(Span(*row) for row in given)
    sheet = Sheet(ours["key"], sentence, suggestion)
    return Placed(person, sheet, edition, ours["taken"], ours["withdrawn"])


def page_text(sheet: Sheet) -> str:
    """Return the HTML of a page: the sentence, and below it what is suggested.

    >>> page_text(Sheet("a1", Sentence.from_text("s1", "R&D in Rome"), (Span(4, 5, "LOC"),)))
    'R&amp;D in Rome<hr><i>Suggested: Rome = LOC</i>'
    """
    shown = html.escape(_as_shown(sheet.sentence.text), quote=False)
    if sheet.suggestion is None:
        return shown
    said = html.escape(_said(sheet.sentence, sheet.suggestion), quote=False)
    return f"{shown}<hr><i>Suggested: {said}</i>"


def _as_shown(text: str) -> str:
    """Return a text that Potato shows without leaving a character out, however long.

    It removes control characters and all but the first of several spaces, and then counts without
    them. So they become characters without a width, which stay.
    """
    seen = _CONTROL.sub(lambda found: " " if found[0].isspace() else _NO_WIDTH, text)
    return _EXTRA_SPACE.sub(lambda found: _NO_WIDTH * len(found[0]), seen)


def _said(sentence: Sentence, spans: Sequence[Span]) -> str:
    if not spans:
        return "nothing to mark"
    quoted = [
        sentence.text[sentence.bounds[span.start][0] : sentence.bounds[span.end - 1][1]]
        for span in spans
    ]
    return "; ".join(f"{text} = {span.label}" for text, span in zip(quoted, spans, strict=True))


def _row(span: Span) -> tuple[int, int, str]:
    return span.start, span.end, span.label


def _write_line(folder: Path, id_: str, text: str, names: list[str], ours: dict[str, Any]) -> None:
    # In ASCII: Potato takes U+2028 and the like for the end of a line.
    line = json.dumps({"id": id_, "text": text, FOR: names, _OURS: ours})
    write_whole(folder / f"{id_}.jsonl", f"{line}\n")


def _prefix(person: Person) -> str:
    """Return how the ids of somebody's sheets begin: names may have any character, ids not."""
    whose = f"{person.campaign}/{person.role}/{person.name}"
    return f"spancrew-{sha256(whose.encode()).hexdigest()[:12]}-"
