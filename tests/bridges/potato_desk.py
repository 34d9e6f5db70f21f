"""One person's desk in a Potato that is not real, without a campaign."""

from pathlib import Path

from spancrew.bridges import Filled, Person, Potato, Sheet
from spancrew.core import Sentence, Span
from tests.bridges.potato import FakePotato

ANA = Person("c1", "ana", "worker")
SENTENCE = Sentence.from_text("s1", "Ana sings in Rome")
PER, LOC = Span(0, 1, "PER"), Span(3, 4, "LOC")
LABELS = ("PER", "LOC")


class Desk:
    """A tool with one person, and what it says."""

    def __init__(self, folder: Path, person: Person = ANA) -> None:
        self.fake, self.person = FakePotato(folder), person
        self.said: list[str] = []
        self.restart()

    def restart(self) -> None:
        """Begin anew with a tool that knows nothing but the files."""
        self.tool = Potato(self.fake.folder, LABELS, "news", tell=self.said.append)
        self.tool.admit(self.person)
        self.look(thorough=True)

    def look(self, *, thorough: bool = False) -> list[Filled]:
        """Return the sheets."""
        return self.tool.sheets(self.person, thorough=thorough)

    def push(self, key: str = "a1", suggestion: tuple[Span, ...] | None = None) -> str:
        """Push a sheet and return the id of the page that was not there before."""
        before = {page["id"] for page in self.fake.pages(self.person.name)}
        self.tool.push(self.person, Sheet(key, SENTENCE, suggestion))
        (new,) = {page["id"] for page in self.fake.pages(self.person.name)} - before
        return str(new)

    def mark(self, page: str, *spans: tuple[int, int, str]) -> None:
        """Mark characters."""
        marks = [{"start": start, "end": end, "name": name} for start, end, name in spans]
        self.fake.mark(self.person.name, page, marks)

    def choose(self, page: str, choice: str) -> None:
        """Choose below a page."""
        self.fake.choose(self.person.name, page, choice)
