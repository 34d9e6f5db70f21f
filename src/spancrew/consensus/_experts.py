"""Tell experts' answers from the crowd's."""

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from spancrew.core import Dataset, IntArray, Ragged, offsets_of
from spancrew.errors import SpancrewError


class Heard(NamedTuple):
    """A data set with the crowd's answers alone, and what experts said.

    ``known`` has a row of codes for every sentence, empty where no expert has spoken.
    """

    crowd: Dataset
    known: Ragged


def hear(dataset: Dataset, experts: Sequence[str] = (), *, trust_gold: bool = False) -> Heard:
    """Separate the crowd's answers from what counts as true.

    ``experts`` are workers whose answers are true; if two of them answered a sentence, the one
    named first counts. With ``trust_gold`` gold is true, too, and counts before any worker.
    """
    _refuse_silence(dataset, trust_gold=trust_gold)
    ranks = _ranks(dataset.workers, experts)[dataset.answers.worker]
    crowd = np.flatnonzero(ranks == 0)
    if not len(crowd):
        raise SpancrewError("every answer is an expert's: there are none of the crowd to join")
    spoken = _first_by_rank(dataset.answers.sentence.astype(np.int64), ranks)
    known = {int(dataset.answers.sentence[k]): dataset.answers.codes[k] for k in spoken.tolist()}
    if trust_gold:
        known |= {s: dataset.gold[s] for s in np.flatnonzero(dataset.has_gold).tolist()}
    nothing = np.zeros(0, dataset.labels.dtype)
    rows = [known.get(position, nothing) for position in range(len(dataset))]
    lengths = np.array([len(row) for row in rows], np.int64)
    answers = dataset.answers.take(crowd, dataset.answers.sentence[crowd], len(dataset))
    return Heard(
        replace(dataset, answers=answers),
        Ragged(np.concatenate([nothing, *rows]), offsets_of(lengths)),
    )


def _refuse_silence(dataset: Dataset, *, trust_gold: bool) -> None:
    if not len(dataset.answers):
        raise SpancrewError(
            "no sentence has an answer, so there is nothing to join: answers of workers are needed"
        )
    if trust_gold and not dataset.has_gold.any():
        raise SpancrewError("no sentence has gold, so there is none to trust (--trust-gold)")


def _ranks(workers: Sequence[str], experts: Sequence[str]) -> IntArray:
    """Return every worker's place among the experts from 1; 0 for one of the crowd."""
    ranks = np.zeros(len(workers), np.int64)
    for rank, name in enumerate(dict.fromkeys(experts), start=1):
        if name not in workers:
            near = get_close_matches(name, workers, 1)
            hint = f"did you mean {near[0]!r}?" if near else "spancrew inspect --json lists them"
            raise SpancrewError(f"expert {name!r} is not among the workers: {hint}")
        ranks[workers.index(name)] = rank
    return ranks


def _first_by_rank(sentence: IntArray, ranks: IntArray) -> IntArray:
    """Return for each sentence that experts answered the answer of the one named first."""
    rows = np.flatnonzero(ranks)
    ordered = rows[np.lexsort((ranks[rows], sentence[rows]))]
    _, first = np.unique(sentence[ordered], return_index=True)
    return ordered[first]
