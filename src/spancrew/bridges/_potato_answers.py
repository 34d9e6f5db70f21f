"""What people did in Potato, by the file that it keeps of each of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spancrew.bridges._potato_project import (
    ALL_MARKED,
    ANSWER,
    AS_SUGGESTED,
    NOTHING,
    SKIP,
    SPANS,
)
from spancrew.bridges._potato_sheets import Placed
from spancrew.bridges._tool import Filled
from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError, ToolError

_Mark = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PotatoAnswer:
    """What somebody did on a page: what they chose last, and what they marked."""

    choice: str | None = None
    marks: tuple[_Mark, ...] = ()
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class PotatoAnswers:
    """What somebody did, by the ids of pages; ``retired`` once Potato shows them nothing more."""

    pages: dict[str, PotatoAnswer] = field(default_factory=dict)
    retired: bool = False

    def on(self, page: str) -> PotatoAnswer:
        """Return what they did on a page."""
        return self.pages.get(page, PotatoAnswer())


def read_answers(file: Path) -> PotatoAnswers:
    """Read the file of somebody's state, which Potato always replaces as a whole."""
    try:
        return _answers(json.loads(file.read_text("utf-8")))
    except FileNotFoundError:
        return PotatoAnswers()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError):
        raise ToolError(f"{file} is not what Potato writes; put it back as it was") from None


def _answers(state: dict[str, Any]) -> PotatoAnswers:
    chosen = state.get("instance_id_to_label_to_value", {})
    marked = state.get("instance_id_to_span_to_value", {})
    timed = state.get("instance_id_to_behavioral_data", {})
    pages = {
        page: PotatoAnswer(
            _choice(chosen.get(page, [])),
            tuple(mark for mark, _ in marked.get(page, []) if mark["schema"] == SPANS),
            _seconds(timed.get(page, {})),
        )
        for page in {*chosen, *marked}
    }
    return PotatoAnswers(pages, state.get("current_phase_and_page", [""])[0] == "done")


def _choice(rows: Sequence[Any]) -> str | None:
    names = [str(label["name"]) for label, value in rows if label["schema"] == ANSWER and value]
    return names[-1] if names else None


def _seconds(timed: dict[str, Any]) -> float | None:
    return float(timed.get("total_time_ms") or 0) / 1000 or None


def filled_of(placed: Placed, done: PotatoAnswer) -> Filled:
    """Return how far a sheet is: without a choice, nothing that was marked is an answer."""
    key, sheet = placed.sheet.key, placed.sheet
    if done.choice is None:
        draft = json.dumps(done.marks, sort_keys=True)
        return Filled(key, "begun", draft=draft) if done.marks else Filled(key, "untouched")
    if done.choice == SKIP:
        return Filled(key, "skipped")
    try:
        spans = _marked_spans(sheet.sentence, done.marks)
    except (SpancrewError, KeyError, TypeError, ValueError) as error:
        return Filled(key, "answered", problem=f"a mark is no span: {error}")
    if done.choice == AS_SUGGESTED and not spans and sheet.suggestion is not None:
        spans = sheet.suggestion
    elif problem := _contradiction(done.choice, spans):
        return Filled(key, "answered", problem=problem)
    return Filled(key, "answered", spans, done.seconds)


def _contradiction(choice: str, spans: Sequence[Span]) -> str | None:
    """Say why a choice and what is marked are no answer together."""
    if choice == ALL_MARKED and not spans:
        return f"{choice!r} is chosen, and nothing is marked; {NOTHING!r} would say so"
    if choice == NOTHING and spans:
        return f"{choice!r} is chosen, and {len(spans)} spans are marked"
    if choice == AS_SUGGESTED:
        return f"{choice!r} is chosen, and " + (
            "spans are marked, too" if spans else "nothing was suggested"
        )
    return None if choice in {ALL_MARKED, NOTHING} else f"{choice!r} means nothing here"


def _marked_spans(sentence: Sentence, marks: Sequence[_Mark]) -> tuple[Span, ...]:
    """Return the spans of marks, each over all tokens that its characters touch."""
    spans = set()
    for mark in marks:
        if mark.get("additional_parts"):
            raise ToolError("it is in several pieces")
        located = sentence.locate(int(mark["start"]), int(mark["end"]))
        spans.add(Span(located.start, located.end, str(mark["name"])))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.label)))
