"""The layout in which the paper's authors keep the CoNLL crowd: a JSON list of sentences."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._column_writer import answer_tags, gold_tags
from spancrew.formats._columns import check_tag, counted
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import (
    as_written,
    checked,
    json_list,
    need,
    need_identifier,
    shown,
    want,
    write_json_list,
)

_FIELDS = ("id", "words", "expert_annotation", "worker_ids", "worker_annotations")


class Collected:
    """Gold and answers as lists of IOB2 tags, in parallel with a list of words.

    Every other field of a record (``filename`` and ``idx_in_file``, say) is kept in ``meta``.
    A record without ``expert_annotation`` has no gold.
    """

    name = "collected"
    suffixes = ("collected.json",)
    finals = "meta"

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether it is a list of records with words and parallel tags."""
        tagged = '"worker_annotations"' in head or '"expert_annotation"' in head
        is_list = head.lstrip().startswith("[")
        return not path.is_dir() and is_list and '"words"' in head and tagged

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read record by record."""
        intake = Intake(options)
        for number, (place, record) in enumerate(json_list(path, options.progress), start=1):
            _take(record, number, intake, place)
        return intake.finish(Place(str(path)))

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write a record per line; ids that are all numbers are written as numbers."""
        write_json_list(path, _records(dataset))
        return _losses.report(_lost(dataset), path)


def _take(record: Any, number: int, intake: Intake, place: Place) -> None:
    words = need(record, "words", list, place)
    id_ = need_identifier(record.get("id"), f"record {number}: field 'id'", place)
    where = f"record {number} (sentence {id_!r})"
    tokens = [checked(word, str, f"{where}, a word", place) for word in words]
    meta = {field: value for field, value in record.items() if field not in _FIELDS}
    sentence = at(place, lambda: Sentence.from_tokens(id_, tokens, meta))
    expert = want(record, "expert_annotation", list, place)
    gold = None if expert is None else _spans(expert, tokens, f"{where}, gold", intake, place)
    intake.add_sentence(sentence, place, gold)
    for worker, tags in _answers(record, where, place):
        spans = _spans(tags, tokens, f"{where}, worker {worker!r}", intake, place)
        intake.add_answer(Answer(id_, worker, spans), place)


def _answers(record: dict[str, Any], where: str, place: Place) -> Iterator[tuple[str, Any]]:
    """Yield each worker with the tags given."""
    workers = want(record, "worker_ids", list, place) or []
    answers = want(record, "worker_annotations", list, place) or []
    if len(workers) != len(answers):
        raise FormatError.expected(
            place,
            f"{where}: {counted(len(workers), 'worker_id')} and "
            f"{counted(len(answers), 'list')} in worker_annotations",
            "one list of tags per worker",
        )
    names = [need_identifier(worker, f"{where}, a worker_id", place) for worker in workers]
    if twice := next((name for k, name in enumerate(names) if name in names[:k]), None):
        raise FormatError.expected(place, f"{where}: worker {twice!r} twice", "each worker once")
    return zip(names, answers, strict=True)


def _spans(
    tags: Any, tokens: list[str], where: str, intake: Intake, place: Place
) -> tuple[Span, ...]:
    if not isinstance(tags, list) or len(tags) != len(tokens):
        found = counted(len(tags), "tag") if isinstance(tags, list) else shown(tags)
        raise FormatError.expected(
            place, f"{where}: {found} for {counted(len(tokens), 'word')}", "one tag per word"
        )
    for tag in tags:
        check_tag(checked(tag, str, f"{where}, a tag", place), place, f"{where}, ")
    return intake.spans(tags, "iob2", [place] * len(tags), where)


def _records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    sentence_id = as_written(dataset.sentences.ids)
    worker_id = as_written(dataset.workers)
    has_gold = dataset.has_gold
    for position, sentence in enumerate(dataset.sentences):
        record: dict[str, Any] = {"id": sentence_id(sentence.id)}
        record |= {field: v for field, v in sentence.meta.items() if field not in _FIELDS}
        record["words"] = list(sentence.tokens)
        if has_gold[position]:
            record["expert_annotation"] = gold_tags(dataset, position)
        answers = answer_tags(dataset, position)
        record["worker_ids"] = [worker_id(dataset.workers[worker]) for worker in answers]
        record["worker_annotations"] = list(answers.values())
        yield record


def _lost(dataset: Dataset) -> Iterator[_losses.Loss]:
    yield _losses.clashing_metas(dataset, _FIELDS, "collected")
    yield _losses.texts(dataset, "collected")
    yield _losses.details(dataset, "collected")
    yield _losses.idle_workers(dataset, "collected")
    yield _losses.idle_labels(dataset, "collected")
