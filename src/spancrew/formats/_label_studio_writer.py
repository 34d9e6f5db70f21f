"""Write Label Studio's tasks: annotations of gold and workers, predictions of final labels."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count
from json.encoder import encode_basestring
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from spancrew.core import Dataset, Final, Sentence
from spancrew.formats._label_studio_originals import KEPT, Fields
from spancrew.formats._running_text import bounds_out
from spancrew.formats._span_rows import SpanRows

_OURS = "spancrew "
"""Begins the version of the model by which our own predictions are known."""

_Mark: TypeAlias = tuple[int, int, str]
Marks: TypeAlias = Sequence[_Mark]
"""Spans as start, end and label."""

_Works: TypeAlias = dict[str | None, tuple[Marks, str]]
"""The spans of gold and of each worker, with what is said about the answer."""

_encode = json.JSONEncoder(ensure_ascii=False).encode
_NAMES = {"from_name": "label", "to_name": "text", "type": "labels"}
_NAMED = _encode(_NAMES)[1:-1]
_label_text = lru_cache(1 << 12)(encode_basestring)
"""Return a label as JSON; there are few, and each stands in many regions."""


def task_texts(dataset: Dataset) -> Iterator[str]:
    """Yield every sentence as the JSON of a task: gold and answers annotated, finals predicted.

    The text of regions is put together here: there are many, and all are alike.
    """
    writer = _TaskWriter(dataset)
    return (writer.task(position, sentence) for position, sentence in enumerate(dataset.sentences))


def decided_by(prediction: Fields) -> str | None:
    """Return who decided, if a prediction holds final labels that spancrew wrote."""
    version = prediction.get("model_version")
    if not isinstance(version, str) or not version.startswith(_OURS):
        return None
    return version.removeprefix(_OURS)


class _TaskWriter:
    """Makes tasks; what is asked for every answer is in lists, which are quick to read."""

    def __init__(self, dataset: Dataset) -> None:
        answers = dataset.answers
        self._dataset = dataset
        self._numbers = count(1)
        self._gold = SpanRows.of(dataset.gold, dataset.labels)
        self._answers = SpanRows.of(answers.codes, dataset.labels)
        self._first = answers.first.tolist()
        self._workers = answers.worker.tolist()
        self._took = _lead_times(answers.seconds)
        self._at = _listed(answers.at)
        self._named = [_encode({"worker": worker}) for worker in dataset.workers]
        self._has_gold = dataset.has_gold.tolist()
        self._has_own_ids = all(
            str(_original(sentence).get("task", {}).get("id")) == sentence.id
            for sentence in dataset.sentences
        )

    def task(self, position: int, sentence: Sentence) -> str:
        """Return one task."""
        original = _original(sentence)
        works: _Works = {}
        if self._has_gold[position]:
            works[None] = self._gold.on(position), ""
        for k in range(self._first[position], self._first[position + 1]):
            worker = self._dataset.workers[self._workers[k]]
            works[worker] = self._answers.on(k), self._circumstances(k, worker)
        annotations = list(_given_back(original, sentence, works)) if original else []
        values: dict[_Mark, str] = {}
        for worker, (marks, circumstances) in works.items():
            number = next(self._numbers)
            is_gold = "true" if worker is None else "false"
            annotations.append(
                f'{{"id": {number}, "was_cancelled": false, "ground_truth": {is_gold}, '
                f'"result": [{_regions(number, sentence, marks, values)}]{circumstances}}}'
            )
        frame = self._frame(position, sentence, original)
        predictions = [_encode(each) for each in original.get("predictions", ())]
        final = None if self._dataset.finals is None else self._dataset.final(position)
        if final is not None:
            predictions.append(_prediction(sentence, final))
        predicted = f', "predictions": [{", ".join(predictions)}]' if predictions else ""
        return f'{frame}, "annotations": [{", ".join(annotations)}]{predicted}}}'

    def _frame(self, position: int, sentence: Sentence, original: Fields) -> str:
        """Return a task without its annotations, open at its end."""
        tokens = bounds_out(sentence)
        if not original:
            id_, text = encode_basestring(sentence.id), encode_basestring(sentence.text)
            cut = f', "tokens": {_encode(tokens["tokens"])}' if tokens else ""
            meta = f', "meta": {_encode(dict(sentence.meta))}' if sentence.meta else ""
            return f'{{"id": {position + 1}, "data": {{"id": {id_}, "text": {text}{cut}}}{meta}'
        data = {original["text"]: sentence.text} | original["data"] | tokens
        if not self._has_own_ids and str(data.get("id")) != sentence.id:
            data["id"] = sentence.id
        known = {*original["names"], KEPT}
        more = {name: value for name, value in sentence.meta.items() if name not in known}
        task: Fields = {**original["task"], "data": data}
        if more:
            task["meta"] = {**(task.get("meta") or {}), **more}
        return _encode(task)[:-1]

    def _circumstances(self, k: int, worker: str) -> str:
        """Return who gave an answer and when; what Label Studio has no field for is ``meta``."""
        took, by = self._took[k] if self._took else "", self._workers[k]
        if not self._at and self._dataset.answers.source is None:
            return f', "completed_by": {by + 1}{took}, "meta": {self._named[by]}'
        at = self._at[k] if self._at else None
        created = _iso(at)
        sources = self._dataset.answers.source
        source = -1 if sources is None else int(sources[k])
        kept: Fields = {}
        if source >= 0:
            kept["source"] = self._dataset.answers.sources[source]
        if at is not None and created is None:
            kept["at"] = at
        meta = _encode({"worker": worker} | kept) if kept else self._named[by]
        when = "" if created is None else f', "created_at": "{created}"'
        return f', "completed_by": {by + 1}{took}{when}, "meta": {meta}'


def _listed(numbers: npt.NDArray[np.float64] | None) -> list[float | None]:
    if numbers is None:
        return []
    return [None if number != number else number for number in numbers.tolist()]  # noqa: PLR0124  NaN


def _lead_times(seconds: npt.NDArray[np.float64] | None) -> list[str]:
    """Return how long answers took, as JSON: all at once, which is quicker than one by one."""
    if seconds is None or not len(seconds):
        return []
    texts = _encode(seconds.tolist())[1:-1].split(", ")
    return ["" if text == "NaN" else f', "lead_time": {text}' for text in texts]


def _original(sentence: Sentence) -> Fields:
    """Return what was kept of the task that a sentence was read from."""
    kept = sentence.meta.get(KEPT)
    return kept if isinstance(kept, dict) and "annotations" in kept else {}


def _given_back(original: Fields, sentence: Sentence, works: _Works) -> Iterator[str]:
    """Yield the annotations of the original, with new regions where spans have changed."""
    for each in original["annotations"]:
        annotation: Fields = each["as"]
        if "spans" not in each:
            yield _encode(annotation)
        elif each["worker"] in works:
            marks, _ = works.pop(each["worker"])
            if [list(mark) for mark in marks] == each["spans"]:
                yield _encode(annotation)
                continue
            names = _encode(_names_of(annotation, original["text"]))[1:-1]
            regions = region_texts(str(annotation.get("id", "new")), sentence, marks, names)
            rest = {name: value for name, value in annotation.items() if name != "result"}
            yield f"{_encode({**rest, 'result': 0})[:-2]}[{regions}]}}"


def _names_of(annotation: Fields, text_field: str) -> Fields:
    """Return how the regions of an annotation name what they belong to."""
    results = annotation.get("result") or [{}]
    found = {name: results[0][name] for name in ("from_name", "to_name") if name in results[0]}
    return _NAMES | {"to_name": text_field} | found


def _prediction(sentence: Sentence, final: Final) -> str:
    """Return final labels as a prediction; people see the votes beside each region."""
    marks = [(span.start, span.end, span.label) for span in final.labels]
    more = []
    for each in final.spans:
        votes = f"{each.votes} of {final.answers} answers"
        about = {"score": each.confidence, "meta": {"text": [votes], "votes": each.votes}}
        more.append(f", {_encode(about)[1:-1]}")
    fields = {
        "model_version": f"{_OURS}{final.by}",
        "score": final.confidence,
        "meta": {"answers": final.answers},
    }
    regions = region_texts("final", sentence, marks, more=more)
    return f'{_encode(fields)[:-1]}, "result": [{regions}]}}'


def region_texts(
    prefix: str, sentence: Sentence, marks: Marks, names: str = _NAMED, more: Sequence[str] = ()
) -> str:
    """Return a region for every span; ``more`` has what stands behind the value of each."""
    return ", ".join(
        f'{{"id": "{prefix}-{k}", {names}, {_value(sentence, mark)}{more[k] if more else ""}}}'
        for k, mark in enumerate(marks)
    )


def _regions(number: int, sentence: Sentence, marks: Marks, values: dict[_Mark, str]) -> str:
    """Return the same for an answer; ``values`` are of this sentence: workers agree mostly."""
    regions = []
    for k, mark in enumerate(marks):
        value = values.get(mark)
        if value is None:
            value = values[mark] = f"{_NAMED}, {_value(sentence, mark)}}}"
        regions.append(f'{{"id": "{number}-{k}", {value}')
    return ", ".join(regions)


def _value(sentence: Sentence, mark: _Mark) -> str:
    first, last, label = mark
    start, end = sentence.bounds[first][0], sentence.bounds[last - 1][1]
    text = encode_basestring(sentence.text[start:end])
    labels = _label_text(label)
    return f'"value": {{"start": {start}, "end": {end}, "text": {text}, "labels": [{labels}]}}'


def _iso(at: float | None) -> str | None:
    """Return a time as text; None if that would not give the same time back."""
    if at is None or not 0 <= at < 1 << 37:  # to the year 6325: beyond, calendars end
        return None
    moment = datetime.fromtimestamp(at, UTC)
    return moment.isoformat() if moment.timestamp() == at else None
