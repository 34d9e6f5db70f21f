"""Sheets of questions: what is asked about, the questions below it, and who chose what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, NamedTuple

from spancrew.core import Answer, LabelSet, Sentence, Span
from spancrew.errors import DuplicateError, Place
from spancrew.formats._base import Reading, ReadOptions
from spancrew.formats._intake import Intake, at

RESPONSES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What the responses to a prompt are called, in order."""

TIE = "tie"
QUESTION = "preference"
"""The question on a pair where the file has no name for it."""

_GAP = "\n\n"


class SheetParts(NamedTuple):
    """What a sheet asks about, and its questions."""

    body: str
    questions: tuple[str, ...]


@dataclass(slots=True)
class _Sheet:
    place: Place
    body: str
    meta: Mapping[str, Any]
    questions: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Chosen:
    place: Place
    labels: dict[str, str] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)


def sheet(id_: str, body: str, questions: Sequence[str], meta: Mapping[str, Any]) -> Sentence:
    r"""Return a sentence whose tokens are the questions, on lines of their own below the body.

    >>> found = sheet("s1", "Is it kind?", ["tone"], {})
    >>> found.text, found.tokens
    ('Is it kind?\n\ntone', ('tone',))
    """
    before = body + _GAP if body else ""
    starts = accumulate((len(question) + 1 for question in questions), initial=len(before))
    bounds = tuple(
        (start, start + len(question)) for start, question in zip(starts, questions, strict=False)
    )
    return Sentence(id_, before + "\n".join(questions), bounds, meta)


def parts_of_sheet(sentence: Sentence) -> SheetParts:
    """Return what :func:`sheet` was made of."""
    return SheetParts(sentence.text[: sentence.bounds[0][0]].removesuffix(_GAP), sentence.tokens)


def body_of(prompt: Any, responses: Sequence[Any]) -> str:
    """Return a prompt with its responses as a text to read; each may be a conversation."""
    named = zip(RESPONSES, responses, strict=False)
    parts = [spoken(prompt), *(f"{name}:\n{spoken(each)}" for name, each in named)]
    return _GAP.join(part for part in parts if part)


def spoken(text: Any) -> str:
    r"""Return a text as it is, and a conversation as a text.

    >>> spoken([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}])
    'user: Hi\nassistant: Hello'
    """
    if isinstance(text, str):
        return text
    return "\n".join(f"{each.get('role', '')}: {each.get('content', '')}" for each in text or ())


def in_scale(names: Iterable[str]) -> tuple[str, ...]:
    """Return labels in the order of a scale: numbers by size, others by the alphabet.

    >>> in_scale(["10", "-1", "2"]), in_scale(["no", "maybe"])
    (('-1', '2', '10'), ('maybe', 'no'))
    """
    found = sorted(set(names))
    try:
        return tuple(sorted(found, key=float))
    except ValueError:
        return tuple(found)


class SheetIntake:
    """Collects sheets and what was chosen on them."""

    def __init__(self, options: ReadOptions, scale: Sequence[str] = ()) -> None:
        self._intake = Intake(options)
        self._labels = options.labels
        self._scale = scale
        self._sheets: dict[str, _Sheet] = {}
        self._chosen: dict[tuple[str, str | None], _Chosen] = {}

    def __contains__(self, id_: str) -> bool:
        """Tell whether there is a sheet of this id."""
        return id_ in self._sheets

    @property
    def size(self) -> int:
        """Return the number of sheets."""
        return len(self._sheets)

    @property
    def intake(self) -> Intake:
        """Return what notes repairs."""
        return self._intake

    def add_sheet(
        self,
        id_: str,
        body: str,
        meta: Mapping[str, Any],
        place: Place,
    ) -> None:
        """Add what is asked about; questions come with what is chosen."""
        if id_ in self._sheets:
            at(place, lambda: _refuse_twin(id_))
        self._sheets[id_] = _Sheet(place, body, meta)

    def ask(self, id_: str, question: str) -> None:
        """Put a question on a sheet, unless it is there."""
        asked = self._sheets[id_].questions
        if question not in asked:
            asked.append(question)

    def choose(
        self, id_: str, worker: str | None, question: str, label: str, place: Place, **details: Any
    ) -> None:
        """Note what a worker chose, or gold if that is nobody; the latest choice counts."""
        self.ask(id_, question)
        chosen = self._chosen.setdefault((id_, worker), _Chosen(place))
        if question in chosen.labels and (worker is not None or chosen.labels[question] != label):
            what = f"{_whose(id_, worker)}: {question!r} was chosen before; the latest counts"
            self._intake.repair("repeated", place, what)
        chosen.labels[question] = label
        chosen.details |= {name: value for name, value in details.items() if value is not None}

    def finish(self, place: Place) -> Reading:
        """Return the data set with everything that was repaired."""
        used = {label for chosen in self._chosen.values() for label in chosen.labels.values()}
        labels = tuple(self._scale) if used <= set(self._scale) else in_scale(used)
        self._intake.declare(at(place, lambda: self._labels or LabelSet(labels)), place, "choices")
        for id_, found in self._sheets.items():
            asked = found.questions or [QUESTION]
            made = at(found.place, lambda: sheet(id_, found.body, asked, found.meta))  # noqa: B023
            self._intake.add_sentence(made, found.place)
        for (id_, worker), chosen in self._chosen.items():
            self._take(id_, worker, chosen)
        return self._intake.finish(place)

    def _take(self, id_: str, worker: str | None, chosen: _Chosen) -> None:
        asked = self._sheets[id_].questions
        if missing := [question for question in asked if question not in chosen.labels]:
            what = f"{_whose(id_, worker)}: {missing[0]!r} is left open; all of it was left out"
            self._intake.repair("open", chosen.place, what)
            return
        spans = tuple(Span(k, k + 1, chosen.labels[question]) for k, question in enumerate(asked))
        if worker is None:
            self._intake.add_gold(id_, spans, chosen.place)
        else:
            answer = Answer(id_, worker, spans, **chosen.details)
            self._intake.add_answer(answer, chosen.place)


def _whose(id_: str, worker: str | None) -> str:
    return f"sentence {id_!r}, " + ("gold" if worker is None else f"worker {worker!r}")


def _refuse_twin(id_: str) -> None:
    raise DuplicateError(f"sentence {id_!r} is there twice: ids must be unique")
