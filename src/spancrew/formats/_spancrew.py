"""spancrew's own format: JSON lines, one sentence with all its answers per line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from spancrew.core import Answer, Dataset, Kind, LabelSet, Sentence, Span, spaced
from spancrew.errors import FormatError, Place
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._final_place import FIELD, final_from, final_record
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import checked, need, parse_json, shown, want, write_json_lines
from spancrew.formats._text import lines

VERSION = 1
_SENTENCE_FIELDS = {"id", "text", "tokens", "gold", FIELD, "answers", "meta"}
_ANSWER_FIELDS = {"worker", "spans", "seconds", "at", "source"}
_FINAL_FIELDS = {"by", "confidence", "answers", "spans"}
_FINAL_SPAN_FIELDS = {"start", "end", "label", "confidence", "votes"}


class SpancrewLines:
    """The only format that holds everything; the round trip is exact.

    The first line declares labels and workers, every other line is a sentence. An answer may
    also have a line of its own after its sentence, so that a running file can be appended to::

        {"spancrew": 1, "labels": ["LOC", "PER"], "workers": ["w1"]}
        {"id": "s1", "tokens": ["Ana", "left"], "gold": [[0, 1, "PER"]], "answers": [...]}
        {"sentence": "s1", "worker": "w1", "spans": [[0, 1, "PER"]], "seconds": 3.5}

    For choices the first line has ``"kind": "choices"``.
    """

    name = "spancrew"
    suffixes = (".jsonl",)
    finals = "own"
    kinds = get_args(Kind)

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether the first line is our header."""
        return not path.is_dir() and head.lstrip().startswith('{"spancrew"')

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read line by line."""
        intake = Intake(options)
        for place, line in lines(path, options.progress):
            if place.line == 1:
                _take_header(parse_json(line, place), intake, place)
            elif line.strip():
                _take_line(parse_json(line, place), intake, place)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write line by line; nothing is left out."""
        write_json_lines(path, records(dataset), compact=True)
        return ()


def records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield the header and then every sentence as JSON objects."""
    yield {
        "spancrew": VERSION,
        "labels": list(dataset.labels),
        "workers": list(dataset.workers),
        **({"kind": dataset.kind} if dataset.kind != "spans" else {}),
    }
    for position, sentence in enumerate(dataset.sentences):
        record = _sentence_record(sentence)
        gold = dataset.gold_spans(position)
        if gold is not None:
            record["gold"] = _span_records(gold)
        final = dataset.final(position)
        if final is not None:
            record[FIELD] = final_record(final)
        if answers := [_answer_record(answer) for answer in dataset.answers_on(position)]:
            record["answers"] = answers
        if sentence.meta:
            record["meta"] = dict(sentence.meta)
        yield record


def _take_header(record: Any, intake: Intake, place: Place) -> None:
    version = need(record, "spancrew", int, place)
    if version != VERSION:
        raise FormatError.expected(
            place, f"version {version} of the format", f"version {VERSION}; update spancrew"
        )
    names = [checked(name, str, "a label", place) for name in need(record, "labels", list, place)]
    intake.declare(at(place, lambda: LabelSet(tuple(names))), place, _kind(record, place))
    for worker in want(record, "workers", list, place) or ():
        intake.add_worker(checked(worker, str, "a worker", place))
    _note_unknown(record, {"spancrew", "labels", "workers", "kind"}, intake, place)


def _kind(record: dict[str, Any], place: Place) -> Kind:
    """Return what the answers of the file are made of; spans, if it does not say."""
    found: Kind = want(record, "kind", str, place) or "spans"
    if found not in get_args(Kind):
        raise FormatError.expected(place, f"kind {shown(found)}", " or ".join(get_args(Kind)))
    return found


def _take_line(record: Any, intake: Intake, place: Place) -> None:
    if isinstance(record, dict) and "sentence" in record:
        sentence = need(record, "sentence", str, place)
        _take_answer(sentence, record, intake, place, _ANSWER_FIELDS | {"sentence"})
    else:
        _take_sentence(record, intake, place)


def _take_sentence(record: Any, intake: Intake, place: Place) -> None:
    id_ = need(record, "id", str, place)
    gold = want(record, "gold", list, place)
    intake.add_sentence(
        _sentence(id_, record, place), place, None if gold is None else _spans(gold, place)
    )
    for given in want(record, "answers", list, place) or ():
        _take_answer(id_, given, intake, place, _ANSWER_FIELDS)
    final = want(record, FIELD, dict, place)
    if final is not None:
        _take_final(id_, final, intake, place)
    _note_unknown(record, _SENTENCE_FIELDS, intake, place)


def _take_final(sentence: str, record: Any, intake: Intake, place: Place) -> None:
    spans = need(record, "spans", list, place)
    labels = [_final_label(each, place) for each in spans]
    intake.add_final(sentence, final_from(record, labels, place), place)
    _note_unknown(record, _FINAL_FIELDS, intake, place)
    for each in spans:
        _note_unknown(each, _FINAL_SPAN_FIELDS, intake, place)


def _final_label(record: Any, place: Place) -> Span:
    start, end = (need(record, name, int, place) for name in ("start", "end"))
    label = need(record, "label", str, place)
    return at(place, lambda: Span(start, end, label))


def _take_answer(
    sentence: str, record: Any, intake: Intake, place: Place, fields: set[str]
) -> None:
    intake.add_answer(answer_from(sentence, record, place), place)
    _note_unknown(record, fields, intake, place)


def _sentence(id_: str, record: dict[str, Any], place: Place) -> Sentence:
    tokens = need(record, "tokens", list, place)
    text = want(record, "text", str, place)
    meta = want(record, "meta", dict, place)
    if text is None:
        names = [checked(token, str, "a token", place) for token in tokens]
        return at(place, lambda: Sentence.from_tokens(id_, names, meta))
    bounds = tuple(_bound(bound, place) for bound in tokens)
    return at(place, lambda: Sentence(id_, text, bounds, meta or {}))


def _bound(bound: Any, place: Place) -> tuple[int, int]:
    match bound:
        case [int(start), int(end)] if not _has_bool(bound):
            return start, end
        case _:
            found = f"token {shown(bound)}"
            raise FormatError.expected(place, found, "[start, end] in characters")


def _has_bool(values: list[Any]) -> bool:
    """Tell whether true or false stands among the values; Python takes them for 1 and 0."""
    return any(isinstance(value, bool) for value in values)


def _spans(records: list[Any], place: Place) -> tuple[Span, ...]:
    return tuple(_span(record, place) for record in records)


def _span(record: Any, place: Place) -> Span:
    match record:
        case [int(start), int(end), str(label)] if not _has_bool(record):
            return at(place, lambda: Span(start, end, label))
        case _:
            raise FormatError.expected(
                place, f"span {shown(record)}", "[start, end, label] in tokens"
            )


def answer_from(sentence: str, record: Any, place: Place) -> Answer:
    """Return the answer that a JSON object describes."""
    return Answer(
        sentence=sentence,
        worker=need(record, "worker", str, place),
        spans=_spans(need(record, "spans", list, place), place),
        seconds=want(record, "seconds", float, place),
        at=want(record, "at", float, place),
        source=want(record, "source", str, place),
    )


def _note_unknown(record: dict[str, Any], known: set[str], intake: Intake, place: Place) -> None:
    for field in sorted(record.keys() - known):
        intake.repair(
            "field", place, f"field {field!r} is not part of the format; it was left out"
        )


def _sentence_record(sentence: Sentence) -> dict[str, Any]:
    tokens = sentence.tokens
    if sentence.bounds == spaced(tokens) and sentence.text == " ".join(tokens):
        return {"id": sentence.id, "tokens": list(tokens)}
    return {"id": sentence.id, "text": sentence.text, "tokens": [list(b) for b in sentence.bounds]}


def _span_records(spans: tuple[Span, ...]) -> list[list[Any]]:
    return [[span.start, span.end, span.label] for span in spans]


def _answer_record(answer: Answer) -> dict[str, Any]:
    record: dict[str, Any] = {"worker": answer.worker, "spans": _span_records(answer.spans)}
    extra = {"seconds": answer.seconds, "at": answer.at, "source": answer.source}
    return record | {field: value for field, value in extra.items() if value is not None}
