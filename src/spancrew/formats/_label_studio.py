"""Label Studio's JSON: a list of tasks, each with the annotations of several workers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from spancrew.core import Answer, Dataset, Final, FinalSpan, Sentence, Span, Unit
from spancrew.errors import FormatError, Place
from spancrew.formats import _losses
from spancrew.formats._base import Reading, ReadOptions, Repair
from spancrew.formats._intake import Intake, at
from spancrew.formats._json import (
    checked,
    first_fields,
    identifier,
    json_list,
    moment,
    need,
    shown,
    want,
    write_list,
)
from spancrew.formats._label_studio_exports import Region, borders, is_min, tasks_from_min
from spancrew.formats._label_studio_originals import (
    KEPT,
    is_ours,
    original_of,
    refuse_media,
    remember,
)
from spancrew.formats._label_studio_writer import decided_by, task_texts
from spancrew.formats._running_text import sentence_from, span_at

_UNKNOWN = "unknown"
_RESULTS = "results of type "
_Given: TypeAlias = tuple[Answer, dict[str, Any]]
"""An answer and the annotation that it was read from."""


class LabelStudio:
    """The export and import format of Label Studio (JSON; JSON-MIN is read, too).

    An annotation is a worker's answer, or gold if it has ``ground_truth``. Real imports want a
    number in ``completed_by``, so a worker's name is written to ``meta`` of the annotation; Label
    Studio itself forgets it. Of a worker's annotations on one sentence the latest counts. Final
    labels are predictions, with their confidence as the score.
    """

    name = "label-studio"
    suffixes = ("label-studio.json",)
    finals = "own"

    def recognises(self, path: Path, head: str) -> bool:
        """Tell whether this is a list of tasks with annotations, or of JSON-MIN rows."""
        if path.is_dir() or not head.lstrip().startswith("["):
            return False
        fields = first_fields(head)
        return not fields.isdisjoint({"annotations", "completions"}) or is_min(fields)

    def read(self, path: Path, options: ReadOptions) -> Reading:
        """Read task by task; the ids of all are looked at first."""
        intake = Intake(options)
        passed_over: Counter[str] = Counter()
        given = _tasks(list(json_list(path, options.progress)))
        is_short = bool(given) and is_min(given[0][1].keys())
        found = tasks_from_min(given) if is_short else given
        own_ids = _own_ids([task for _, task in found])
        for number, (place, task) in enumerate(found):
            id_ = own_ids[number] if own_ids else identifier(task.get("id")) or str(number + 1)
            reader = _TaskReader(place, intake, options.unit, passed_over)
            reader.take(id_, task, keep=not is_short and not is_ours(task, number))
        intake.skip(passed_over, Place(str(path)))
        reading = intake.finish(Place(str(path)))
        _refuse_other_work(reading.dataset, passed_over, Place(str(path)))
        return reading

    def write(self, dataset: Dataset, path: Path) -> tuple[Repair, ...]:
        """Write one task per line; offsets are code points, as Label Studio counts today."""
        write_list(path, task_texts(dataset))
        return _losses.report(_losses.unused(dataset, self.name), path)


@dataclass(frozen=True, slots=True)
class _TaskReader:
    """Takes one task in and counts what it passes over."""

    place: Place
    intake: Intake
    unit: Unit | None
    passed_over: Counter[str]

    def take(self, id_: str, task: dict[str, Any], *, keep: bool) -> None:
        """Take a task; what spans do not say is kept in ``meta`` if asked for."""
        annotations = self._list(task, "annotations") + self._list(task, "completions")
        results = [r for given in annotations for r in self._list(given, "result")]
        sentence, field = self._sentence(id_, task, results)
        original = original_of(task, annotations, field, sentence.meta) if keep else {}
        if keep:
            sentence = replace(sentence, meta={**sentence.meta, KEPT: original})
        self.intake.add_sentence(sentence, self.place)
        taken: dict[str | None, _Given] = {}
        for annotation in annotations:
            self._take_annotation(annotation, sentence, taken)
        for worker, (answer, annotation) in taken.items():
            if worker is not None:
                self.intake.add_answer(answer, self.place)
            if keep:
                remember(original, annotation, worker, answer.spans)
        for prediction in self._list(task, "predictions"):
            fields = checked(prediction, dict, "a prediction", self.place)
            if not self._take_prediction(fields, sentence) and keep:
                original["predictions"].append(prediction)
        self.passed_over["drafts"] += len(self._list(task, "drafts"))

    def _take_prediction(self, prediction: dict[str, Any], sentence: Sentence) -> bool:
        """Take final labels that spancrew wrote; tell whether it was that."""
        by = decided_by(prediction)
        kept = want(prediction, "meta", dict, self.place) or {}
        if by is None or "answers" not in kept:
            self.passed_over["predictions"] += 1
            return False
        where = f"final labels of sentence {sentence.id!r}"
        labels = list(self._spans(prediction, sentence, where))
        results = self._list(prediction, "result")
        if len(labels) != len(results):
            found = f"{where}: {len(results)} regions with {len(labels)} labels"
            raise FormatError.expected(self.place, found, "one label on each")
        spans = []
        for label, result in zip(labels, results, strict=True):
            confidence = need(result, "score", float, self.place)
            meta = need(result, "meta", dict, self.place)
            spans.append(FinalSpan(label, confidence, need(meta, "votes", int, self.place)))
        confidence = need(prediction, "score", float, self.place)
        answers = need(kept, "answers", int, self.place)
        final = at(self.place, lambda: Final(tuple(spans), confidence, answers, by))
        self.intake.add_final(sentence.id, final, self.place)
        return True

    def _list(self, record: Any, name: str) -> list[Any]:
        fields = checked(record, dict, "a task or annotation", self.place)
        return want(fields, name, list, self.place) or []

    def _sentence(
        self, id_: str, task: dict[str, Any], results: list[Any]
    ) -> tuple[Sentence, str]:
        """Return a sentence and the name of the field that its text is in."""
        if "data" not in task:
            there = ", ".join(repr(name) for name in task)
            raise FormatError.expected(
                self.place,
                f"no field 'data' (fields: {there})",
                "'data' as in Label Studio's exports; write answers of your own as a record for "
                "each, with the fields text, worker and spans",
            )
        data = need(task, "data", dict, self.place)
        name = _text_field(data, results, self.place, id_)
        refuse_media(data[name], name, id_, self.place)
        fields = {field: value for field, value in data.items() if field != name}
        if identifier(fields.get("id")) == id_:
            del fields["id"]
        if isinstance(task.get("meta"), dict):
            own = {"meta": fields["meta"]} if "meta" in fields else {}
            fields["meta"] = own | task["meta"]
        return sentence_from(id_, data[name], fields, self.unit, self.place), name

    def _take_annotation(
        self, annotation: dict[str, Any], sentence: Sentence, taken: dict[str | None, _Given]
    ) -> None:
        """Take gold in, and put the answer of a worker where that of nobody else is."""
        where = f"sentence {sentence.id!r}, annotation {shown(annotation.get('id'))}"
        if annotation.get("was_cancelled") or annotation.get("skipped"):
            self.intake.repair("skipped", self.place, f"{where} was cancelled; it was left out")
            return
        spans = tuple(self._spans(annotation, sentence, where))
        if annotation.get("ground_truth"):
            self.intake.add_gold(sentence.id, spans, self.place)
            taken[None] = (Answer(sentence.id, "gold", spans), annotation)
            return
        answer = self._answer(annotation, sentence.id, spans, where)
        earlier = taken.get(answer.worker)
        if earlier is not None:
            what = f"{where}: worker {answer.worker!r} answered before; the latest answer counts"
            self.intake.repair("repeated", self.place, what)
        if earlier is None or (answer.at or 0.0) >= (earlier[0].at or 0.0):
            taken[answer.worker] = (answer, annotation)

    def _spans(self, annotation: dict[str, Any], sentence: Sentence, where: str) -> Iterator[Span]:
        regions = []
        for result in self._list(annotation, "result"):
            kind = need(result, "type", str, self.place)
            if kind == "labels":
                regions.append(need(result, "value", dict, self.place))
            else:
                self.passed_over[f"{_RESULTS}{kind!r}"] += 1
        given = [Region.read(region, self.place) for region in regions]
        found = borders(sentence.text, given, self.place, where)
        for region, border in zip(regions, found, strict=True):
            labels = want(region, "labels", list, self.place) or []
            self.passed_over["regions without a label"] += not labels
            for label in labels:
                name = checked(label, str, "a label", self.place)
                yield span_at(sentence, border, name, self.intake, self.place)

    def _answer(
        self, annotation: dict[str, Any], sentence: str, spans: tuple[Span, ...], where: str
    ) -> Answer:
        kept = want(annotation, "meta", dict, self.place) or {}
        worker = want(kept, "worker", str, self.place) or _worker(annotation, self.place)
        if worker is None:
            what = f"{where} names no worker; read as worker {_UNKNOWN!r}"
            self.intake.repair("worker", self.place, what)
        return Answer(
            sentence=sentence,
            worker=worker or _UNKNOWN,
            spans=spans,
            seconds=want(annotation, "lead_time", float, self.place),
            at=want(kept, "at", float, self.place) or self._at(annotation, where),
            source=want(kept, "source", str, self.place),
        )

    def _at(self, annotation: dict[str, Any], where: str) -> float | None:
        given = annotation.get("created_at", annotation.get("updated_at"))
        if given is None:
            return None
        if isinstance(given, int | float):
            return float(checked(given, float, "a time", self.place))
        text = checked(given, str, "a time", self.place)
        found = moment(text)
        if found is None:
            what = f"{where}: {text!r} is not a time in ISO 8601; it was left out"
            self.intake.repair("time", self.place, what)
        return found


def _refuse_other_work(dataset: Dataset, passed_over: Counter[str], place: Place) -> None:
    """Refuse a project of choices or the like, whose answers would all be empty."""
    kinds = [what for what, times in passed_over.items() if times and what.startswith(_RESULTS)]
    if kinds and not any(
        len(row) and row.any() for row in (*dataset.gold, *dataset.answers.codes)
    ):
        named = ", ".join(each.removeprefix(_RESULTS) for each in kinds)
        raise FormatError(
            place,
            f"nothing in it is a labelled span, only results of type {named}; write choices as a "
            "table with a row for each answer and the columns worker, item and response",
        )


def _tasks(found: list[tuple[Place, Any]]) -> list[tuple[Place, dict[str, Any]]]:
    return [(place, checked(value, dict, "a task", place)) for place, value in found]


def _own_ids(tasks: list[dict[str, Any]]) -> list[str]:
    """Return the ids that the data itself brings, if every sentence has its own."""
    data = [task.get("data") for task in tasks]
    ids = [identifier(fields.get("id")) for fields in data if isinstance(fields, dict)]
    own = [id_ for id_ in ids if id_ is not None]
    return own if len(set(own)) == len(tasks) else []


def _text_field(data: dict[str, Any], results: list[Any], place: Place, id_: str) -> str:
    """Return the name of the field with the text: ``text``, the only one, or what regions name."""
    names = [name for name, value in data.items() if isinstance(value, str) and name != "id"]
    if "text" in names or len(names) == 1:
        return "text" if "text" in names else names[0]
    pointed = {r.get("to_name") for r in results if isinstance(r, dict)}.intersection(names)
    if len(pointed) == 1:
        return str(pointed.pop())
    found = f"text fields {', '.join(map(repr, names))}" if names else "no field with text"
    raise FormatError.expected(
        place, f"{found} in 'data' of sentence {id_!r}", "the text in a field 'text'; rename it"
    )


def _worker(annotation: dict[str, Any], place: Place) -> str | None:
    by = annotation.get("completed_by", annotation.get("created_username"))
    match by:
        case None:
            return None
        case {"email": str(email)} if email:
            return email
        case {"id": number}:
            name = identifier(number)
        case _:
            name = identifier(by)
    if name is None:
        raise FormatError.expected(
            place, f"'completed_by': {shown(by)}", "a number or an object with 'id' or 'email'"
        )
    return name
