"""Prodigy's JSON lines: a line for each decision, with who made it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import (
    checked,
    first_fields,
    identifier,
    json_lines,
    need,
    shown,
    want,
    write_json_lines,
)
from spancrew.formats._running_text import span_at

PRODIGY_FIELDS = frozenset(
    {"_input_hash", "_task_hash", "_annotator_id", "_session_id", "_view_id", "_timestamp"}
)
"""Fields that only Prodigy writes."""

_OF_THE_LINE = PRODIGY_FIELDS - {"_input_hash", "_view_id"} | {
    "id", "text", "tokens", "spans", "answer", "meta", "versions", "sessions", "seconds", "source",
}  # fmt: skip
_VIEW = "ner_manual"
_TOP = ("_input_hash", "_view_id")
"""What every line of a sentence shares, and Prodigy keeps beside ``meta``."""


class Prodigy:
    """The lines that ``prodigy db-out`` gives, and ``db-in`` takes.

    A line with ``_annotator_id`` or ``_session_id`` is a worker's answer, one without is gold.
    Only accepted lines count. Lines of the review recipe are gold, and their versions answers.
    """

    name = "prodigy"
    suffixes = ("prodigy.jsonl",)
    finals = "meta"
    follows = frozenset({"skip_unequal"})

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether these are lines with a text and the marks of Prodigy."""
        return not path.is_dir() and head.lstrip().startswith("{") and is_prodigy(head)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read line by line; lines of one sentence share their id, input hash or text."""
        reader = _ProdigyReader(options, Intake(options))
        for place, value in json_lines(path, options.progress):
            reader.take(checked(value, dict, "a line", place), place)
        return reader.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a line for the gold of a sentence and for each answer."""
        if "" in dataset.workers:
            raise FormatError(Place(str(path)), "a worker without a name would be gold; name them")
        write_json_lines(path, _records(dataset))
        return _losses.report(_losses.unused(dataset, self.name), path)


def is_prodigy(head: str) -> bool:
    """Tell whether the first record is one of Prodigy's."""
    fields = first_fields(head)
    if "text" not in fields or not fields.isdisjoint({"worker", "gold", "labels", "entities"}):
        return False
    marked = not fields.isdisjoint(PRODIGY_FIELDS)
    return marked or ("spans" in fields and not fields.isdisjoint({"tokens", "answer"}))


@dataclass(slots=True)
class _Seen:
    """A sentence and the answers on it that count so far."""

    sentence: Sentence
    place: Place
    works: dict[str | None, tuple[Place, Answer]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ProdigyReader:
    """Takes lines in and puts those of one sentence together."""

    options: ReadOptions
    intake: Intake
    seen: dict[str, _Seen] = field(default_factory=dict)
    passed_over: Counter[str] = field(default_factory=Counter)

    def take(self, record: dict[str, Any], place: Place) -> None:
        seen = self._find(record, place)
        if seen is None:
            return
        if "versions" in record:
            for version in need(record, "versions", list, place):
                self._take_version(version, seen, place)
            record = {**record, "_annotator_id": None, "_session_id": None}
        decision = want(record, "answer", str, place)
        if decision in {"reject", "ignore"}:
            self.passed_over["lines that were rejected or ignored"] += 1
        elif decision == "accept" or "spans" in record:
            self._take_work(_worker(record, place), record, seen, place)

    def finish(self, place: Place) -> Reading:
        """Return everything that counts."""
        for seen in self.seen.values():
            for worker, (where, answer) in seen.works.items():
                if worker is None:
                    self.intake.add_gold(seen.sentence.id, answer.spans, where)
                else:
                    self.intake.add_answer(answer, where)
        self.intake.skip(self.passed_over, place)
        return self.intake.finish(place)

    def _find(self, record: dict[str, Any], place: Place) -> _Seen | None:
        text = need(record, "text", str, place)
        own = identifier(record.get("id"))
        key = own or identifier(record.get("_input_hash")) or text
        seen = self.seen.get(key)
        if seen is None:
            sentence = _sentence(own or str(len(self.seen) + 1), text, record, self.options, place)
            self.intake.add_sentence(sentence, place)
            seen = self.seen[key] = _Seen(sentence, place)
        if seen.sentence.text == text:
            return seen
        what = f"{shown(text)} has the id of {shown(seen.sentence.text)} ({seen.place})"
        if not self.options.skip_unequal:
            raise FormatError(place, f"{what}; mend it", Remedy("skip_unequal"))
        self.intake.repair("unequal", place, f"{what}; it was left out")
        return None

    def _take_version(self, version: Any, seen: _Seen, place: Place) -> None:
        fields = checked(version, dict, "a version", place)
        if fields.get("answer", "accept") != "accept":
            self.passed_over["versions that were not accepted"] += 1
            return
        for session in want(fields, "sessions", list, place) or ():
            worker = checked(session, str, "a session", place)
            self._take_work(worker, fields, seen, place)

    def _take_work(
        self, worker: str | None, record: dict[str, Any], seen: _Seen, place: Place
    ) -> None:
        sentence = seen.sentence
        answer = Answer(
            sentence=sentence.id,
            worker=worker or "gold",
            spans=tuple(self._spans(record, sentence, place)),
            seconds=want(record, "seconds", float, place),
            at=want(record, "_timestamp", float, place),
            source=want(record, "source", str, place),
        )
        earlier = seen.works.get(worker)
        if earlier is not None:
            who = "gold" if worker is None else f"worker {worker!r}"
            what = f"sentence {sentence.id!r}: {who} is there again; the latest line counts"
            self.intake.repair("repeated", place, what)
        if earlier is None or (answer.at or 0.0) >= (earlier[1].at or 0.0):
            seen.works[worker] = (place, answer)

    def _spans(self, record: dict[str, Any], sentence: Sentence, place: Place) -> Iterator[Span]:
        for mark in want(record, "spans", list, place) or ():
            border = need(mark, "start", int, place), need(mark, "end", int, place)
            label = need(mark, "label", str, place)
            yield span_at(sentence, border, label, self.intake, place)


def _worker(record: dict[str, Any], place: Place) -> str | None:
    found = want(record, "_annotator_id", str, place) or want(record, "_session_id", str, place)
    return found or None


def _sentence(
    id_: str, text: str, record: dict[str, Any], options: ReadOptions, place: Place
) -> Sentence:
    given = record.get("meta")
    meta = dict(given) if isinstance(given, dict) else {} if given is None else {"meta": given}
    meta |= {name: value for name, value in record.items() if name not in _OF_THE_LINE}
    if meta.get("_view_id") == _VIEW:
        del meta["_view_id"]
    tokens = want(record, "tokens", list, place)
    if not tokens or options.unit is not None:
        return at(place, lambda: Sentence.from_text(id_, text, options.unit, meta))
    bounds = tuple(_bound(token, place) for token in tokens)
    inked = tuple((a, b) for a, b in bounds if text[a:b].strip())
    return at(place, lambda: Sentence(id_, text, inked, meta))


def _bound(token: Any, place: Place) -> tuple[int, int]:
    return need(token, "start", int, place), need(token, "end", int, place)


def _records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    for position, sentence in enumerate(dataset.sentences):
        record = _sentence_record(sentence)
        gold = dataset.gold_spans(position)
        answers = list(dataset.answers_on(position))
        if gold is not None or not answers:
            spans = {} if gold is None else _decision(gold, sentence)
            yield record | spans
        for answer in answers:
            who = {"_annotator_id": answer.worker, "_session_id": answer.worker}
            more = {"_timestamp": answer.at, "seconds": answer.seconds, "source": answer.source}
            known = {name: value for name, value in more.items() if value is not None}
            yield record | _decision(answer.spans, sentence) | who | known


def _sentence_record(sentence: Sentence) -> dict[str, Any]:
    text = sentence.text
    tokens = [
        {"text": text[a:b], "start": a, "end": b, "id": k, "ws": text[b : b + 1].isspace()}
        for k, (a, b) in enumerate(sentence.bounds)
    ]
    top = {name: sentence.meta[name] for name in _TOP if name in sentence.meta}
    meta = {name: value for name, value in sentence.meta.items() if name not in _TOP}
    record = {"id": sentence.id, "text": text, "tokens": tokens, "_view_id": _VIEW}
    return record | top | ({"meta": meta} if meta else {})


def _decision(spans: tuple[Span, ...], sentence: Sentence) -> dict[str, Any]:
    marks = []
    for span in spans:
        start, end = sentence.characters(span)
        tokens = {"token_start": span.start, "token_end": span.end - 1}
        marks.append({"start": start, "end": end, **tokens, "label": span.label})
    return {"spans": marks, "answer": "accept"}
