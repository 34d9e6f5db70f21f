"""Make the missing answers of a data set, on demand or all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from spancrew.augment._answers import (
    GoldSentences,
    MissingAnswers,
    Order,
    Progress,
    RandomAnswers,
    choose_scores,
    silent,
)
from spancrew.augment._picker import Ses, Ties
from spancrew.augment._targets import targets_of
from spancrew.augment._words import Words, word_starts
from spancrew.core import (
    Answers,
    Dataset,
    FloatArray,
    IndexArray,
    IntArray,
    Ragged,
    frozen,
    offsets_of,
    refuse_choices,
)
from spancrew.errors import SpancrewError
from spancrew.metrics import Metric

Method = Literal["ses", "ses-only", "random"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How missing answers are made.

    ``method``: ``ses`` is SES with Algorithm 2, ``ses-only`` takes the closest score every time,
    ``random`` is gold or noise. ``ties`` and ``flips`` are those of :class:`Ses`. ``words`` says
    what a step is: a name that :func:`word_starts` knows, or its result. ``order`` is that in
    which sentences get their scores.
    """

    metric: Metric = field(default_factory=Metric)
    method: Method = "ses"
    ties: Ties = "uniform"
    flips: bool = False
    words: Words | Ragged = "auto"
    order: Order = "few-spans-first"
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is not known."""
        for what, value, kind in (
            ("method", self.method, Method),
            ("ties", self.ties, Ties),
            ("order", self.order, Order),
        ):
            if value not in get_args(kind):
                known = ", ".join(get_args(kind))
                raise SpancrewError(f"{what} {value!r} is not known (one of {known})")
        if self.seed < 0:
            raise SpancrewError(f"seed {self.seed}: it must be 0 or more")


def missing_answers(
    dataset: Dataset,
    recipe: Recipe | None = None,
    targets: Mapping[str, float] | None = None,
    progress: Progress = silent,
) -> MissingAnswers:
    """Settle which score every missing answer gets; the answers come on demand.

    ``targets`` are mean F1 by worker; without one, a worker's target is the mean F1 of the answers
    they gave. Workers that only ``targets`` knows are new ones.
    """
    refuse_choices(dataset, "the making of answers")
    chosen = recipe or Recipe()
    aims = targets_of(dataset, chosen.metric, targets)
    crew = replace(dataset, workers=tuple(aims))
    if chosen.method == "random":
        return RandomAnswers(GoldSentences(crew, word_starts(dataset, "tokens")), chosen.seed)
    words = chosen.words
    starts = words if isinstance(words, Ragged) else word_starts(dataset, words)
    return choose_scores(
        GoldSentences(crew, starts),
        Ses(dataset.labels, chosen.metric, chosen.ties, chosen.flips),
        np.array(list(aims.values())),
        balance=chosen.method == "ses",
        order=chosen.order,
        seed=chosen.seed,
        progress=progress,
    )


def augment(
    dataset: Dataset,
    recipe: Recipe | None = None,
    targets: Mapping[str, float] | None = None,
    progress: Progress = silent,
) -> Dataset:
    """Return the data set with an answer of every worker on every sentence that has gold.

    Answers that are there stay; those made are marked by their ``source``: ``ses`` or ``random``.
    """
    made = missing_answers(dataset, recipe, targets, lambda done, total: progress(done, 2 * total))
    return _fill(made, lambda done, total: progress(total + done, 2 * total))


def _fill(missing: MissingAnswers, progress: Progress) -> Dataset:
    """Return the data set with all answers; on each sentence the real ones first."""
    dataset = missing.sentences.dataset
    answers = dataset.answers
    sizes = np.where(dataset.has_gold, len(dataset.workers), answers.per_sentence)
    first = offsets_of(sizes)
    place = first[answers.sentence] + np.arange(len(answers)) - answers.first[answers.sentence]
    worker, codes = _rows(missing, first, progress)
    is_real = np.zeros(first[-1], bool)
    is_real[place] = True
    source, sources = _source(answers, place, is_real, missing.source)
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


def _rows(
    missing: MissingAnswers, first: IntArray, progress: Progress
) -> tuple[IndexArray, Ragged]:
    """Return the worker and the codes of every answer, real and made."""
    dataset = missing.sentences.dataset
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
            absent = np.flatnonzero(~missing.sentences.answered(sentence))
            made = missing.codes(sentence, absent)
            worker[middle : first[sentence + 1]] = absent
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
