"""Put final labels where a format can hold them, and say what it cannot."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from spancrew.core import (
    Dataset,
    Final,
    Finals,
    FinalSpan,
    Ragged,
    Sentences,
    Span,
    offsets_of,
)
from spancrew.errors import Place
from spancrew.formats import _losses
from spancrew.formats._base import Format, Repair
from spancrew.formats._intake import at
from spancrew.formats._json import need

FinalPlace = Literal["own", "meta", "gold"]
"""Where a format keeps final labels: apart from gold with all that is known of them; in the place
of gold, with confidence and votes in ``meta``; or in the place of gold, alone."""

FIELD = "final"
"""The name under which confidence and votes stand, in ``meta`` and in our own format."""


def placed(dataset: Dataset, format_: Format, path: Path) -> tuple[Dataset, tuple[Repair, ...]]:
    """Return the data set as the format is to write it, and what is left out for that."""
    place: FinalPlace = getattr(format_, "finals", "gold")
    finals = dataset.finals
    if finals is None or place == "own":
        return dataset, ()
    lost = _losses.report(_lost(dataset, finals, place, format_.name), path)
    sentences = _with_details(dataset) if place == "meta" else dataset.sentences
    gold = _first_of(finals.codes, dataset.gold)
    return replace(dataset, sentences=sentences, gold=gold, finals=None), lost


def final_record(final: Final) -> dict[str, Any]:
    """Return final labels as JSON."""
    return {
        "by": final.by,
        "confidence": final.confidence,
        "answers": final.answers,
        "spans": [
            {
                "start": each.span.start,
                "end": each.span.end,
                "label": each.span.label,
                "confidence": each.confidence,
                "votes": each.votes,
            }
            for each in final.spans
        ],
    }


def final_from(record: Any, labels: Sequence[Span], place: Place) -> Final:
    """Return final labels from JSON; their spans were read by the format."""
    spans = tuple(
        FinalSpan(label, need(each, "confidence", float, place), need(each, "votes", int, place))
        for label, each in zip(labels, record["spans"], strict=True)
    )
    confidence = need(record, "confidence", float, place)
    answers = need(record, "answers", int, place)
    by = need(record, "by", str, place)
    return at(place, lambda: Final(spans, confidence, answers, by))


def _first_of(one: Ragged, other: Ragged) -> Ragged:
    """Return the rows of the first, and of the second where those are empty."""
    rows = [mine if len(mine) else theirs for mine, theirs in zip(one, other, strict=True)]
    lengths = np.array([len(row) for row in rows], np.int64)
    return Ragged(np.concatenate([one.values[:0], *rows]), offsets_of(lengths))


def _with_details(dataset: Dataset) -> Sentences:
    """Return the sentences with what is known of their final labels in ``meta``."""
    old = dataset.sentences
    metas = dict(old.metas)
    for position in range(len(dataset)):
        final = dataset.final(position)
        if final is not None:
            metas[position] = {**metas.get(position, {}), FIELD: final_record(final)}
    return Sentences(old.ids, old.texts, old.starts, old.ends, metas)


def _lost(
    dataset: Dataset, finals: Finals, place: FinalPlace, name: str
) -> Iterator[_losses.Loss]:
    both = np.flatnonzero(dataset.has_gold & finals.is_settled).tolist()
    yield _losses.Loss(
        sum(not np.array_equal(finals.codes[k], dataset.gold[k]) for k in both),
        "sentence whose gold differs from its final labels",
        f"{name} has one place for both, and the final labels are there",
        more="sentences whose gold differs from their final labels",
    )
    if place == "gold":
        yield _losses.Loss(
            int(finals.is_settled.sum()),
            "sentence with confidence and votes",
            f"{name} holds the final labels alone",
        )
        return
    clashing = [k for k, meta in dataset.sentences.metas.items() if FIELD in meta]
    yield _losses.Loss(
        sum(bool(finals.is_settled[k]) for k in clashing),
        f"sentence with {FIELD!r} in its meta",
        "the new final labels are there",
        more=f"sentences with {FIELD!r} in their meta",
    )
