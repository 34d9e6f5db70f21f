"""Write Label Studio's tasks: annotations of gold and workers, predictions of final labels."""

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from typing import Any

from spancrew.core import Answer, Dataset, Final, Sentence, Span
from spancrew.formats._running_text import bounds_out

_OURS = "spancrew "
"""Begins the version of the model by which our own predictions are known."""


def task_records(dataset: Dataset) -> Iterator[dict[str, Any]]:
    """Yield every sentence as a task: gold and answers as annotations, final labels predicted."""
    numbers = count(1)
    ids = {worker: number for number, worker in enumerate(dataset.workers, 1)}
    for position, sentence in enumerate(dataset.sentences):
        annotations = []
        gold = dataset.gold_spans(position)
        if gold is not None:
            record = _annotation_record(next(numbers), sentence, gold)
            annotations.append(record | {"ground_truth": True})
        for answer in dataset.answers_on(position):
            record = _annotation_record(next(numbers), sentence, answer.spans)
            annotations.append(record | _circumstances(answer, ids[answer.worker]))
        data = {"id": sentence.id, "text": sentence.text} | bounds_out(sentence)
        meta = {"meta": dict(sentence.meta)} if sentence.meta else {}
        task = {"id": position + 1, "data": data} | meta | {"annotations": annotations}
        final = dataset.final(position)
        yield task if final is None else task | {"predictions": [_prediction(sentence, final)]}


def decided_by(prediction: dict[str, Any]) -> str | None:
    """Return who decided, if a prediction holds final labels that spancrew wrote."""
    version = prediction.get("model_version")
    if not isinstance(version, str) or not version.startswith(_OURS):
        return None
    return version.removeprefix(_OURS)


def _prediction(sentence: Sentence, final: Final) -> dict[str, Any]:
    """Return final labels as a prediction; people see the votes beside each region."""
    results = _results("final", sentence, final.labels)
    for result, each in zip(results, final.spans, strict=True):
        votes = f"{each.votes} of {final.answers} answers"
        result |= {"score": each.confidence, "meta": {"text": [votes], "votes": each.votes}}
    return {
        "model_version": f"{_OURS}{final.by}",
        "score": final.confidence,
        "meta": {"answers": final.answers},
        "result": results,
    }


def _annotation_record(number: int, sentence: Sentence, spans: tuple[Span, ...]) -> dict[str, Any]:
    results = _results(str(number), sentence, spans)
    return {"id": number, "was_cancelled": False, "ground_truth": False, "result": results}


def _results(prefix: str, sentence: Sentence, spans: tuple[Span, ...]) -> list[dict[str, Any]]:
    """Return a region for every span."""
    results = []
    for k, span in enumerate(spans):
        start, end = sentence.characters(span)
        value = {"start": start, "end": end, "text": sentence.quote(span), "labels": [span.label]}
        names = {"id": f"{prefix}-{k}", "from_name": "label", "to_name": "text", "type": "labels"}
        results.append(names | {"value": value})
    return results


def _circumstances(answer: Answer, number: int) -> dict[str, Any]:
    """Return who gave an answer and when; what Label Studio has no field for goes to ``meta``."""
    created = _iso(answer.at)
    kept = {
        "worker": answer.worker,
        "source": answer.source,
        "at": answer.at if created is None else None,
    }
    fields = {
        "completed_by": number,
        "lead_time": answer.seconds,
        "created_at": created,
        "meta": {name: value for name, value in kept.items() if value is not None},
    }
    return {name: value for name, value in fields.items() if value is not None}


def _iso(at: float | None) -> str | None:
    """Return a time as text; None if that would not give the same time back."""
    if at is None or not 0 <= at < 1 << 37:  # to the year 6325: beyond, calendars end
        return None
    moment = datetime.fromtimestamp(at, UTC)
    return moment.isoformat() if moment.timestamp() == at else None
