"""Turn a data set into the rows of a table: one for each answer, sentence by sentence."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from spancrew.core import Answer, Answers, Dataset, Sentence, Span
from spancrew.formats._final_place import final_record
from spancrew.formats._running_text import bounds_out
from spancrew.formats._table_columns import is_role

Holds = Callable[[Any], bool]
"""Tells whether a value of meta comes back as it is from a column of its own."""

_FINAL = ("final", "final_confidence", "final_by", "final_answers")


class Rendered(NamedTuple):
    """The columns of a table and its rows."""

    columns: tuple[str, ...]
    rows: Iterator[dict[str, Any]]


def rendered(dataset: Dataset, holds: Holds) -> Rendered:
    """Return a row for every answer, and one for a sentence without any."""
    own = own_columns(dataset, holds)
    has = {
        "tokens": any(bounds_out(sentence) for sentence in dataset.sentences),
        "meta": any(name not in own for meta in dataset.sentences.metas.values() for name in meta),
    }
    columns = ["id", "text", *(["tokens"] if has["tokens"] else []), "gold"]
    columns += _FINAL if dataset.finals is not None else ()
    columns += answer_columns(dataset.answers)
    columns += [*own, *(["meta"] if has["meta"] else [])]
    return Rendered(tuple(columns), _rows(dataset, frozenset(own)))


def answer_columns(answers: Answers) -> list[str]:
    """Return the columns of answers, without those that would be empty."""
    if not len(answers):
        return []
    details = {"seconds": answers.seconds, "at": answers.at, "source": answers.source}
    return ["worker", "spans", *(name for name, found in details.items() if found is not None)]


def own_columns(dataset: Dataset, holds: Holds) -> list[str]:
    """Return the names of meta that have a column each."""
    values: dict[str, list[Any]] = {}
    for meta in dataset.sentences.metas.values():
        for name, value in meta.items():
            values.setdefault(name, []).append(value)
    return [
        name
        for name, found in values.items()
        if name == name.strip() != "" and not is_role(name) and _is_even(found, holds)
    ]


def _is_even(values: list[Any], holds: Holds) -> bool:
    return len({type(value) for value in values}) == 1 and all(map(holds, values))


def _rows(dataset: Dataset, own: frozenset[str]) -> Iterator[dict[str, Any]]:
    for position, sentence in enumerate(dataset.sentences):
        row = _sentence_cells(dataset, position, sentence, own)
        answers = list(dataset.answers_on(position))
        for answer in answers:
            yield row | _answer_cells(answer, sentence)
        if not answers:
            yield row


def _sentence_cells(
    dataset: Dataset, position: int, sentence: Sentence, own: frozenset[str]
) -> dict[str, Any]:
    cells = {"id": sentence.id, "text": sentence.text} | bounds_out(sentence)
    gold = dataset.gold_spans(position)
    if gold is not None:
        cells["gold"] = marks(gold, sentence)
    final = dataset.final(position)
    if final is not None:
        record = final_record(final)
        sure = [{k: each[k] for k in ("confidence", "votes")} for each in record["spans"]]
        cells["final"] = [a | b for a, b in zip(marks(final.labels, sentence), sure, strict=True)]
        cells |= {f"final_{name}": record[name] for name in ("confidence", "by", "answers")}
    return cells | meta_cells(sentence, own)


def meta_cells(sentence: Sentence, own: frozenset[str]) -> dict[str, Any]:
    """Return what is known of a sentence besides: in columns of its own, and the rest as one."""
    cells = {name: value for name, value in sentence.meta.items() if name in own}
    rest = {name: value for name, value in sentence.meta.items() if name not in own}
    return cells | ({"meta": rest} if rest else {})


def marks(spans: tuple[Span, ...], sentence: Sentence) -> list[dict[str, Any]]:
    """Return spans as objects with offsets in code points and the text that they cover."""
    found = []
    for span in spans:
        start, end = sentence.characters(span)
        found.append(
            {"start": start, "end": end, "label": span.label, "text": sentence.quote(span)}
        )
    return found


def _answer_cells(answer: Answer, sentence: Sentence) -> dict[str, Any]:
    return {
        "worker": answer.worker,
        "spans": marks(answer.spans, sentence),
        "seconds": answer.seconds,
        "at": answer.at,
        "source": answer.source,
    }
