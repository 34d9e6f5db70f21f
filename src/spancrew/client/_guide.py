"""The guide of a campaign: what workers read and practise before they work."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from spancrew.client._wire import made, sentence_of, span_records, spans_of
from spancrew.core import Sentence, Span


@dataclass(frozen=True, slots=True)
class Solved:
    """A sentence with its right spans, and what there is to say about them."""

    sentence: Sentence
    spans: tuple[Span, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """Instructions and examples; ``training`` sentences are practised before the work.

    ``trained`` says whether one has been through them; ``practice`` are they, for admins only.
    """

    instructions: str
    examples: tuple[Solved, ...]
    training: int
    trained: bool
    practice: tuple[Solved, ...] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was right, missing and too much; ``trained`` once every sentence was practised."""

    right: tuple[Span, ...]
    missing: tuple[Span, ...]
    extra: tuple[Span, ...]
    note: str
    perfect: bool
    trained: bool


def guide_of(record: Mapping[str, Any]) -> Guide:
    """Return a guide from its JSON."""
    practice = record["practice"]
    return made(
        Guide,
        record,
        examples=_solved(record["examples"]),
        practice=None if practice is None else _solved(practice),
    )


def solved_records(given: Iterable[Solved]) -> list[dict[str, Any]]:
    """Return sentences with their spans as JSON."""
    return [
        {
            "sentence": {
                "text": each.sentence.text,
                "tokens": [list(bound) for bound in each.sentence.bounds],
            },
            "spans": span_records(each.spans),
            "note": each.note,
        }
        for each in given
    ]


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """Return what became of an attempt from its JSON."""
    spans = {name: spans_of(record[name]) for name in ("right", "missing", "extra")}
    return made(Verdict, record, **spans)


def _solved(records: Iterable[Mapping[str, Any]]) -> tuple[Solved, ...]:
    return tuple(
        Solved(sentence_of(each["sentence"]), spans_of(each["spans"]), str(each["note"]))
        for each in records
    )
