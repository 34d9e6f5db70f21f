"""Potato as the tool in which people work: a project on this machine, by its files alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from spancrew.bridges._potato_answers import PotatoAnswers, filled_of, read_answers
from spancrew.bridges._potato_project import open_project
from spancrew.bridges._potato_sheets import Placed, newest_sheets, next_edition, start_page
from spancrew.bridges._tool import Filled, Person, Sheet
from spancrew.errors import SpancrewError

_IDLE = {"untouched", "begun"}
_Stamp = tuple[int, int, int] | None


class Potato:
    """A project of Potato, where a file of the watched data folder is a sheet for one person.

    The file says whether the sheet was taken or withdrawn. Potato cannot take a sentence back
    that it has shown: the text of one that is withdrawn changes, and an answer to it is told and
    never handed in.
    """

    name = "Potato"

    def __init__(
        self,
        folder: Path,
        labels: Sequence[str],
        title: str = "",
        *,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._project, is_new = open_project(folder, labels, title)
        self._tell = tell
        self._open: dict[Person, dict[str, Placed]] = {}
        self._start_pages: dict[Person, int] = {}
        self._retired: set[Person] = set()
        self._seen: dict[Path, tuple[_Stamp, PotatoAnswers]] = {}
        if is_new:
            tell(f"start Potato in {folder} with: potato start config.yaml")

    def admit(self, person: Person) -> None:
        """Put the start page of somebody into the folder."""
        problem = _name_problem(person.name)
        if problem is not None:
            raise SpancrewError(f"nobody can log in to Potato as {person.name!r}: {problem}")
        self._look(person)

    def sheets(self, person: Person, *, thorough: bool) -> list[Filled]:
        """Return what is open; when ``thorough``, also answers that were changed later."""
        if thorough:
            self._seen.pop(self._state_file(person), None)
            self._open[person] = newest_sheets(self._project.data, person)
        answers, found = self._look(person), []
        for key, placed in list(self._open[person].items()):
            filled = filled_of(placed, answers.on(placed.id))
            is_over = placed.withdrawn or placed.taken is not None
            if is_over and (filled.state in _IDLE or placed.taken == filled.mark):
                del self._open[person][key]
            elif placed.withdrawn:
                self._put_aside(person, filled)
            else:
                found.append(filled)
        return found

    def push(self, person: Person, sheet: Sheet) -> None:
        """Write a file that Potato finds at its next look."""
        placed = next_edition(self._project.data, Placed(person, sheet))
        placed.write(self._project.data)
        self._open[person][sheet.key] = placed

    def withdraw(self, person: Person, key: str) -> None:
        """Say on the page that it is no longer needed, unless it was answered just now."""
        placed = self._open[person][key]
        done = self._look(person).on(placed.id)
        if filled_of(placed, done).state in _IDLE:
            del self._open[person][key]
            replace(placed, withdrawn=True).write(self._project.data)

    def take(self, person: Person, filled: Filled) -> None:
        """Write down what was taken; the page is not given out again after that."""
        placed = self._open[person].pop(filled.key)
        replace(placed, taken=filled.mark).write(self._project.data)

    def _put_aside(self, person: Person, filled: Filled) -> None:
        """Report once that somebody has answered what was withdrawn."""
        self.take(person, filled)
        if filled.state == "answered":
            self._tell(
                f"{person.name}, sheet {filled.key}: answered after it was withdrawn; the answer "
                "stays in Potato and does not count"
            )

    def _look(self, person: Person) -> PotatoAnswers:
        """Return what somebody did, and see to it that they can go on."""
        answers = self._answers(person)
        number = self._start_pages.setdefault(person, 1)
        while start_page(self._project.data, person, number) in answers.pages:
            number += 1
        self._start_pages[person] = number
        self._warn(person, retired=answers.retired)
        return answers

    def _warn(self, person: Person, *, retired: bool) -> None:
        """Report once that Potato has dismissed somebody, and how they come back."""
        if not retired:
            self._retired.discard(person)
        elif person not in self._retired:
            self._retired.add(person)
            self._tell(
                f"{person.name} is done with everything, says Potato, and gets nothing more. To "
                'bring them back, stop Potato, write "annotation" instead of "done" under '
                f"current_phase_and_page in {self._state_file(person)}, and start it again"
            )

    def _answers(self, person: Person) -> PotatoAnswers:
        """Read somebody's file, if it has changed."""
        file = self._state_file(person)
        try:
            found = file.stat()
            stamp: _Stamp = (found.st_mtime_ns, found.st_ino, found.st_size)
        except FileNotFoundError:
            stamp = None
        if file not in self._seen or self._seen[file][0] != stamp:
            self._seen[file] = (stamp, read_answers(file))
        return self._seen[file][1]

    def _state_file(self, person: Person) -> Path:
        return self._project.output / person.name / "user_state.json"


def _name_problem(name: str) -> str | None:
    """Say why a name is no user name in Potato.

    >>> _name_problem("ana"), _name_problem("a/b")
    (None, 'it has a slash')
    """
    if "/" in name or "\\" in name:
        return "it has a slash"
    if name.startswith("."):
        return "it begins with a dot"
    return None if name.isprintable() else "it has a character that cannot be seen"
