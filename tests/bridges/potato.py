"""What Potato 2.12 does with the files of a project, without its pages, and people who use it."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spancrew.core import Sentence, Span

Line = dict[str, Any]
Mark = dict[str, Any]


@dataclass
class FakePotato:
    """A project that runs: it finds new files, gives pages out, and keeps a file of everybody."""

    folder: Path
    lines: dict[str, Line] = field(default_factory=dict)
    users: dict[str, dict[str, Any]] = field(default_factory=dict)

    def restart(self) -> None:
        """Forget all that is not in a file."""
        self.lines, self.users = {}, {}
        for file in sorted((self.folder / "annotation_output").glob("*/user_state.json")):
            self.users[file.parent.name] = json.loads(file.read_text("utf-8"))

    def mend(self) -> None:
        """Do nothing: files do not fail."""

    def scan(self) -> None:
        """Read new and changed files; a text that somebody has marked stays as it was."""
        for file in sorted((self.folder / "data").glob("*.jsonl")):
            for line in map(json.loads, file.read_text("utf-8").splitlines()):
                before = self.lines.get(line["id"])
                changed = before is not None and before["text"] != line["text"]
                if not (changed and any(_answered(u, line["id"]) for u in self.users.values())):
                    self.lines[line["id"]] = line

    def pages(self, name: str) -> list[Line]:
        """Return the pages of somebody, new ones included; none once they had all of them."""
        self.scan()
        user = self.users.setdefault(name, _new_user(name))
        ordering = user["instance_id_ordering"]
        given = [id_ for id_, line in self.lines.items() if name in line["spancrew_for"]]
        if user["current_phase_and_page"][0] == "annotation":
            ordering += [id_ for id_ in given if id_ not in ordering]
            if ordering and all(_answered(user, id_) for id_ in ordering):
                user["current_phase_and_page"] = ["done", None]
                self.save(name)
        over = user["current_phase_and_page"][0] == "done"
        return [] if over else [self.lines[id_] for id_ in ordering if id_ in self.lines]

    def mark(self, name: str, page: str, marks: list[Mark]) -> None:
        """Mark spans instead of those that are there, as the page does at once."""
        rows = [[{"schema": "spancrew_spans", **mark}, 1] for mark in marks]
        self.users[name]["instance_id_to_span_to_value"][page] = rows
        self.save(name)

    def choose(self, name: str, page: str, choice: str, seconds: float = 2.5) -> None:
        """Choose below a page, as the page does at once, too."""
        user = self.users[name]
        row = [{"schema": "spancrew_answer", "name": choice}, choice]
        user["instance_id_to_label_to_value"][page] = [row]
        user["instance_id_to_behavioral_data"][page] = {"total_time_ms": int(1000 * seconds)}
        self.save(name)

    def save(self, name: str) -> None:
        """Replace somebody's file."""
        file = self.folder / "annotation_output" / name / "user_state.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_suffix(".tmp")
        draft.write_text(json.dumps(self.users[name]), "utf-8")
        draft.replace(file)


def _new_user(name: str) -> dict[str, Any]:
    return {
        "user_id": name,
        "instance_id_ordering": [],
        "current_phase_and_page": ["annotation", None],
        "instance_id_to_behavioral_data": {},
        "instance_id_to_label_to_value": {},
        "instance_id_to_span_to_value": {},
    }


def _answered(user: dict[str, Any], page: str) -> bool:
    return page in (user["instance_id_to_label_to_value"] | user["instance_id_to_span_to_value"])


def is_sentence(line: Line) -> bool:
    """Tell whether a page asks for an answer, as people see by its text."""
    return not line["text"].startswith(("Sentences for ", "This sentence is no longer"))


def marks_of(sentence: Sentence, spans: tuple[Span, ...]) -> list[Mark]:
    """Return spans as somebody marks them, in characters."""
    made = []
    for span in spans:
        start, end = sentence.bounds[span.start][0], sentence.bounds[span.end - 1][1]
        made.append({"name": span.label, "title": span.label, "start": start, "end": end})
    return made


def choice_for(line: Line, spans: tuple[Span, ...]) -> str:
    """Return what somebody chooses who would mark these spans."""
    suggested = line["spancrew"]["suggestion"]
    if suggested is not None and {tuple(row) for row in suggested} == {
        (span.start, span.end, span.label) for span in spans
    }:
        return "As suggested"
    return "All marked" if spans else "Nothing to mark"


@dataclass
class PotatoUser:
    """Somebody who knows nothing but Potato."""

    fake: FakePotato
    name: str

    def todo(self) -> list[tuple[Line, str]]:
        """Return the pages without a choice, each with the id of its sentence."""
        pages = self.fake.pages(self.name)
        done = self.fake.users[self.name]["instance_id_to_label_to_value"]
        waiting = [page for page in pages if page["id"] not in done and is_sentence(page)]
        return [(page, page["spancrew"]["sentence"]) for page in waiting]

    def annotate(self, page: Line, sentence: Sentence, spans: tuple[Span, ...]) -> int:
        """Mark all spans, then choose."""
        choice = choice_for(page, spans)
        if choice == "All marked":
            self.fake.mark(self.name, page["id"], marks_of(sentence, spans))
        self.fake.choose(self.name, page["id"], choice)
        return 1

    def close(self) -> None:
        """Do nothing."""
