"""Argilla's records as JSON: responses of users and suggestions, nested or flat."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spancrew.core import Answer, Dataset, Sentence
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._intake import Intake
from spancrew.formats._json import (
    checked,
    first_fields,
    identifier,
    json_lines,
    json_list,
    need,
    want,
    write_json_list,
)
from spancrew.formats._running_text import bounds_out, sentence_from
from spancrew.formats._table_columns import text_column
from spancrew.formats._table_spans import holds_marks, marks_in, spans_from
from spancrew.formats._table_writer import marks
from spancrew.formats._text import head as head_of

_QUESTION = "spans"
_GOLD = "spancrew gold"
"""The agent of a suggestion that is gold."""

_FLAT = (".responses", ".responses.users", ".responses.status")
_FLAT_SUGGESTION = (".suggestion", ".suggestion.agent", ".suggestion.score")
_KEPT = ("status", "_server_id", "vectors")


class Argilla:
    """The records that ``records.to_json`` and ``to_list`` of Argilla 2 give.

    A submitted response to the question of spans is the answer of its user. Suggestions are
    passed over, unless spancrew wrote them: then they are gold.
    """

    name = "argilla"
    suffixes = ("argilla.json",)
    finals = "meta"
    follows = frozenset({"columns"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether these are records with responses or suggestions."""
        return not path.is_dir() and head.lstrip().startswith(("[", "{")) and is_argilla(head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read record by record, from a list or from lines."""
        intake = Intake(options)
        source = json_list if head_of(path).lstrip().startswith("[") else json_lines
        reader = _ArgillaReader(options, intake)
        for number, (place, value) in enumerate(source(path, options.progress), start=1):
            reader.take(_nested(checked(value, dict, "a record", place)), number, place)
        intake.skip(reader.passed_over, Place(str(path)))
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a list of records; gold is a suggestion."""
        write_json_list(path, _records(dataset))
        lost = (*_losses.unused(dataset, self.name), _losses.details(dataset, self.name))
        return _losses.report(lost, path)


def is_argilla(head: str) -> bool:
    """Tell whether the first record is one of Argilla's."""
    fields = first_fields(head)
    is_nested = "fields" in fields and not fields.isdisjoint({"responses", "suggestions"})
    return is_nested or any(name.endswith(_FLAT) for name in fields)


def _nested(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with fields, responses and suggestions, whatever its shape."""
    if isinstance(record.get("fields"), dict):
        return record
    found: dict[str, Any] = {"fields": {}, "responses": {}, "suggestions": {}}
    for name, value in record.items():
        if name.endswith(".responses") and isinstance(value, list):
            users = record.get(f"{name}.users") or []
            states = record.get(f"{name}.status") or []
            found["responses"][name.removesuffix(".responses")] = [
                {
                    "value": given,
                    "user_id": users[k] if k < len(users) else None,
                    "status": states[k] if k < len(states) else None,
                }
                for k, given in enumerate(value)
            ]
        elif name.endswith(".suggestion"):
            question = name.removesuffix(".suggestion")
            agent = record.get(f"{name}.agent")
            if value is not None:
                found["suggestions"][question] = {"value": value, "agent": agent}
        elif name == "id" or name in _KEPT:
            found[name] = value
        elif not name.endswith((*_FLAT, *_FLAT_SUGGESTION)):
            found["fields"][name] = value
    return found


@dataclass(frozen=True, slots=True)
class _ArgillaReader:
    """Takes records in and counts what it passes over."""

    options: ReadOptions
    intake: Intake
    passed_over: Counter[str] = field(default_factory=Counter)

    def take(self, record: dict[str, Any], number: int, place: Place) -> None:
        id_ = identifier(record.get("id")) or str(number)
        sentence = self._sentence(id_, record, place)
        self.intake.add_sentence(sentence, place)
        for question, given in (want(record, "responses", dict, place) or {}).items():
            for response in checked(given, list, f"responses to {question!r}", place):
                self._take_response(question, response, sentence, place)
        for question, given in (want(record, "suggestions", dict, place) or {}).items():
            self._take_suggestion(question, given, sentence, place)

    def _sentence(self, id_: str, record: dict[str, Any], place: Place) -> Sentence:
        fields = need(record, "fields", dict, place)
        texts = [name for name, value in fields.items() if isinstance(value, str)]
        wished = str(self.options.columns.get("text", ""))
        name = wished or text_column(texts) or next(iter(texts), "")
        if name not in texts:
            raise FormatError.expected(
                place,
                f"no text {name!r} in the fields of record {id_!r} ({', '.join(texts)})",
                "one with the text",
                Remedy("text_column"),
            )
        others = {other: value for other, value in fields.items() if other != name}
        kept = {name: record[name] for name in _KEPT if record.get(name)}
        metadata = want(record, "metadata", dict, place) or {}
        return sentence_from(id_, fields[name], others | kept | metadata, self.options.unit, place)

    def _take_response(
        self, question: str, response: Any, sentence: Sentence, place: Place
    ) -> None:
        value = need(response, "value", object, place)
        status = want(response, "status", str, place)
        if status not in {None, "submitted"}:
            self.passed_over[f"responses that are {status}"] += 1
        elif not holds_marks(value):
            self.passed_over[f"responses to {question!r}, a question without spans,"] += 1
        else:
            worker = identifier(response.get("user_id")) or "unknown"
            where = f"sentence {sentence.id!r}, worker {worker!r}"
            found = marks_in(value, place, where)
            spans = spans_from(found, sentence, self.intake, place, where)
            self.intake.add_answer(Answer(sentence.id, worker, spans), place)

    def _take_suggestion(
        self, question: str, given: Any, sentence: Sentence, place: Place
    ) -> None:
        suggestion = checked(given, dict, f"the suggestion for {question!r}", place)
        if suggestion.get("agent") != _GOLD:
            self.passed_over["suggestions"] += 1
            return
        where = f"gold of sentence {sentence.id!r}"
        found = marks_in(need(suggestion, "value", list, place), place, where)
        spans = spans_from(found, sentence, self.intake, place, where)
        self.intake.add_gold(sentence.id, spans, place)


def _records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    for position, sentence in enumerate(dataset.sentences):
        meta = {"meta": dict(sentence.meta)} if sentence.meta else {}
        gold = dataset.gold_spans(position)
        suggestion = {} if gold is None else {"value": marks(gold, sentence), "agent": _GOLD}
        responses = [
            {
                "value": marks(answer.spans, sentence),
                "user_id": answer.worker,
                "status": "submitted",
            }
            for answer in dataset.answers_on(position)
        ]
        yield {
            "id": sentence.id,
            "fields": {"text": sentence.text},
            "metadata": meta | bounds_out(sentence),
            "suggestions": {_QUESTION: suggestion} if suggestion else {},
            "responses": {_QUESTION: responses} if responses else {},
        }
