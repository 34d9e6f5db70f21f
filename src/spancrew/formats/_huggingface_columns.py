"""The columns of a Hugging Face table: those that we write, and how to read those we find."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from spancrew.core import Dataset, Finals, LabelSet
from spancrew.errors import FormatError, Place, Remedy
from spancrew.formats._final_place import FIELD
from spancrew.formats._soft import FIELD as SOFT

_TAG_COLUMNS = ("ner_tags", "tags")
_USED = ("id", "tokens", "starts", "answers", "meta")
_FINAL = {"tags", "by", "confidence", "answers", "spans"}
_SCALARS = ("string", "large_string", "bool", "int", "uint", "float")


class HuggingFaceLayout(NamedTuple):
    """Which column holds what; ``*_names`` is what numbers stand for, None if they are texts."""

    tag_column: str | None
    tag_names: Sequence[str] | None
    answer_tag_names: Sequence[str] | None
    worker_names: Sequence[str] | None
    final_tag_names: Sequence[str] | None
    meta_columns: tuple[str, ...]
    left_out: tuple[str, ...]


def layout_of(table: Any, labels: LabelSet | None, place: Place) -> HuggingFaceLayout:
    """Return the layout of a table; ``labels`` names tags that are bare numbers."""
    types = table.features
    if "tokens" not in types:
        there = ", ".join(repr(name) for name in types) or "none"
        raise FormatError.expected(place, f"no column 'tokens' (columns: {there})", "'tokens'")
    tag_column = next((name for name in _TAG_COLUMNS if name in types), None)
    answer = _inner(types.get("answers"))
    answer = answer if isinstance(answer, dict) else {}
    final = types.get(FIELD)
    final = final if isinstance(final, dict) and final.keys() >= _FINAL else {}
    used = {*_USED, tag_column, "text" if "starts" in types else None, FIELD if final else None}
    used |= {SOFT} if _is_soft(types.get(SOFT)) else set()
    other = [name for name in types if name not in used]
    return HuggingFaceLayout(
        tag_column,
        _tag_names(types.get(tag_column), labels, place),
        _tag_names(answer.get("tags"), labels, place),
        getattr(answer.get("worker"), "names", None),
        _tag_names(final.get("tags"), labels, place),
        tuple(name for name in other if _is_scalar(types[name])),
        tuple(name for name in other if not _is_scalar(types[name])),
    )


def _tag_names(type_: Any, labels: LabelSet | None, place: Place) -> Sequence[str] | None:
    inner = _inner(type_)
    names: Sequence[str] | None = getattr(inner, "names", None)
    if names is not None or "int" not in str(getattr(inner, "dtype", "")):
        return names
    if labels is None:
        raise FormatError.expected(
            place,
            "tags that are numbers without names",
            "a ClassLabel column",
            Remedy("label_names"),
        )
    return labels.tags


def _is_scalar(type_: Any) -> bool:
    return str(getattr(type_, "dtype", "")).startswith(_SCALARS)


def _is_soft(type_: Any) -> bool:
    """Tell whether a column has lists of lists of numbers, as our soft labels are."""
    inner = _inner(type_)
    return inner is not type_ and str(getattr(_inner(inner), "dtype", "")).startswith("float")


def _inner(type_: Any) -> Any:
    """Return the type of what a list holds, however the installed version spells lists."""
    if isinstance(type_, list):
        return type_[0]
    return getattr(type_, "feature", type_)


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
