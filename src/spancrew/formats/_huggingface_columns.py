"""A data set as columns for Hugging Face; tags are the codes of the label set."""

import json
from typing import Any

from spancrew.core import Dataset, Finals
from spancrew.formats._final_place import FIELD


def features(dataset: Dataset, datasets: Any) -> Any:
    """Return the types of the columns; labels and workers are declared in them."""
    text, start, number = (datasets.Value(name) for name in ("string", "int32", "float64"))
    tags = [datasets.ClassLabel(names=list(dataset.labels.tags))]
    types = {"id": text, "text": text, "tokens": [text], "starts": [start], "tags": tags}
    if dataset.workers:
        worker = datasets.ClassLabel(names=list(dataset.workers))
        answer = {"worker": worker, "tags": tags, "seconds": number, "at": number, "source": text}
        types["answers"] = [answer]
    if dataset.finals is not None:
        span = {"confidence": number, "votes": start}
        types[FIELD] = {
            "tags": tags,
            "by": text,
            "confidence": number,
            "answers": start,
            "spans": [span],
        }
    return datasets.Features(types | {"meta": text})


def columns(dataset: Dataset) -> dict[str, list[Any]]:
    """Return the columns; what is not known is None."""
    sentences = dataset.sentences
    found: dict[str, list[Any]] = {
        "id": list(sentences.ids),
        "text": list(sentences.texts),
        "tokens": [list(sentence.tokens) for sentence in sentences],
        "starts": [row.tolist() for row in sentences.starts],
        "tags": [row.tolist() or None for row in dataset.gold],
        "meta": [_meta(dataset, position) for position in range(len(dataset))],
    }
    if dataset.workers:
        found["answers"] = [_answers(dataset, position) for position in range(len(dataset))]
    if dataset.finals is not None:
        found[FIELD] = [_final(dataset, dataset.finals, k) for k in range(len(dataset))]
    return found


def _final(dataset: Dataset, finals: Finals, position: int) -> dict[str, Any] | None:
    final = dataset.final(position)
    if final is None:
        return None
    return {
        "tags": finals.codes[position].tolist(),
        "by": final.by,
        "confidence": final.confidence,
        "answers": final.answers,
        "spans": [{"confidence": each.confidence, "votes": each.votes} for each in final.spans],
    }


def _meta(dataset: Dataset, position: int) -> str | None:
    meta = dataset.sentences.metas.get(position)
    return json.dumps(dict(meta), ensure_ascii=False) if meta else None


def _answers(dataset: Dataset, position: int) -> list[dict[str, Any]]:
    first, last = dataset.answers.first[position : position + 2].tolist()
    return [_answer(dataset, k) for k in range(first, last)]


def _answer(dataset: Dataset, k: int) -> dict[str, Any]:
    answer = dataset.answer(k)
    return {
        "worker": int(dataset.answers.worker[k]),
        "tags": dataset.answers.codes[k].tolist(),
        "seconds": answer.seconds,
        "at": answer.at,
        "source": answer.source,
    }
