"""JSON from a server as values, and values as JSON for it."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeVar

from spancrew.core import Sentence, Span
from spancrew.errors import SpancrewError

T = TypeVar("T")


def made(kind: type[T], record: Mapping[str, Any], **instead: Any) -> T:
    """Return a value from the fields of a record; what a newer server adds is left alone.

    ``instead`` are fields that had to be made from the record first.
    """
    known = fields(kind)  # type: ignore[arg-type]  # only data classes are asked for
    given = {f.name: record[f.name] for f in known if f.name in record} | instead
    for each in known:
        needed = each.default is MISSING and each.default_factory is MISSING
        if needed and each.name not in given:
            raise SpancrewError(
                f"the server's answer lacks {each.name!r}: it is too old or too new for us"
            )
    return kind(**given)


def rows_of(record: Any) -> list[dict[str, Any]]:
    """Return the records of a list; refuse what is none."""
    if not isinstance(record, list):
        raise SpancrewError("the server's answer is no list: it is too old or too new")
    return record


def sentence_of(record: Mapping[str, Any]) -> Sentence:
    """Return a sentence."""
    bounds = tuple((int(start), int(end)) for start, end in record["tokens"])
    return Sentence(str(record["id"]), str(record["text"]), bounds)


def spans_of(records: Iterable[Mapping[str, Any]]) -> tuple[Span, ...]:
    """Return spans."""
    return tuple(Span(int(r["start"]), int(r["end"]), str(r["label"])) for r in records)


def span_records(spans: Iterable[Span]) -> list[dict[str, Any]]:
    """Return spans as JSON."""
    return [{"start": each.start, "end": each.end, "label": each.label} for each in spans]
