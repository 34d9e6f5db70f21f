"""Put the answers of a plan into a data set."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spancrew.augment._base import Plan, Progress
from spancrew.core import (
    Answers,
    Dataset,
    FloatArray,
    IndexArray,
    IntArray,
    Ragged,
    frozen,
    offsets_of,
)


def fill(plan: Plan, progress: Progress) -> Dataset:
    """Return the plan's data set with all its answers; on each sentence the real ones first."""
    dataset = plan.material.dataset
    answers = dataset.answers
    sizes = np.where(dataset.has_gold, len(dataset.workers), answers.per_sentence)
    first = offsets_of(sizes)
    place = first[answers.sentence] + np.arange(len(answers)) - answers.first[answers.sentence]
    worker, codes = _rows(plan, first, progress)
    is_real = np.zeros(first[-1], bool)
    is_real[place] = True
    source, sources = _source(answers, place, is_real, plan.source)
    return replace(
        dataset,
        answers=Answers(
            sentence=frozen(np.repeat(np.arange(len(dataset), dtype=np.int32), sizes)),
            worker=frozen(worker),
            codes=codes,
            sentences=len(dataset),
            seconds=_spread(answers.seconds, place, first[-1]),
            at=_spread(answers.at, place, first[-1]),
            source=source,
            sources=sources,
        ),
    )


def _rows(plan: Plan, first: IntArray, progress: Progress) -> tuple[IndexArray, Ragged]:
    """Return the worker and the codes of every answer, real and made."""
    dataset = plan.material.dataset
    answers = dataset.answers
    offsets = offsets_of(np.repeat(dataset.sentences.starts.lengths, np.diff(first)))
    worker = np.empty(first[-1], np.int32)
    codes = np.empty(offsets[-1], dataset.labels.dtype)
    for sentence in range(len(dataset)):
        a, b = answers.first[sentence : sentence + 2]
        middle = first[sentence] + b - a
        worker[first[sentence] : middle] = answers.worker[a:b]
        real = answers.codes.values[answers.codes.offsets[a] : answers.codes.offsets[b]]
        codes[offsets[first[sentence]] : offsets[middle]] = real
        if middle < first[sentence + 1]:
            missing = np.flatnonzero(~plan.material.answered(sentence))
            made = plan.codes(sentence, missing)
            worker[middle : first[sentence + 1]] = missing
            codes[offsets[middle] : offsets[first[sentence + 1]]] = made.ravel()
        progress(sentence + 1, len(dataset))
    return worker, Ragged(codes, offsets)


def _source(
    answers: Answers, place: IntArray, is_real: npt.NDArray[np.bool_], name: str
) -> tuple[npt.NDArray[np.int16] | None, tuple[str, ...]]:
    """Return the column of sources; what was made is marked with ``name``."""
    if is_real.all():
        return answers.source, answers.sources
    sources = answers.sources if name in answers.sources else (*answers.sources, name)
    column = np.full(len(is_real), sources.index(name), np.int16)
    column[place] = -1 if answers.source is None else answers.source
    return frozen(column), sources


def _spread(column: FloatArray | None, place: IntArray, size: int) -> npt.NDArray[Any] | None:
    """Return a column of times with NaN for the answers that were made."""
    if column is None:
        return None
    out = np.full(size, np.nan)
    out[place] = column
    return frozen(out)
