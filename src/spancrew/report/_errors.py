"""The case study of the paper's Appendix C for any data set."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from spancrew.core import Dataset, IntArray, Span
from spancrew.metrics import ERROR_KINDS, ErrorTable, error_name, error_table

LONG_SPAN = 15
"""A span of more tokens than this is very long; the paper's figure for Chinese characters."""

_GOOD_LENGTH = 14
"""Examples are easiest to read in sentences of about this many tokens."""


@dataclass(frozen=True, slots=True)
class ErrorExample:
    """A real error to look at: the sentence, the gold spans and the worker's spans."""

    kind: str
    sentence: str
    text: str
    bounds: tuple[tuple[int, int], ...]
    worker: str
    gold: tuple[Span, ...]
    given: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ErrorSummary:
    """How many answers are wrong and what their errors are made of.

    ``kinds`` counts an error once for each kind it contains, ``combinations`` exactly once.
    """

    scored_answers: int
    wrong_answers: int
    share_of_wrong_answers: float
    errors: int
    kinds: dict[str, int]
    combinations: dict[str, int]
    very_long_spans: int
    share_of_very_long_spans: float
    examples: list[ErrorExample]


def summarise_errors(dataset: Dataset) -> ErrorSummary | None:
    """Take all wrong spans apart; None where no answer has gold to compare with."""
    scored = int(dataset.has_gold[dataset.answers.sentence].sum())
    if scored == 0:
        return None
    table = error_table(dataset)
    errors = len(table.kinds)
    wrong = len(np.unique(table.answer))
    long = int((table.end - table.start > LONG_SPAN).sum())
    names = Counter(error_name(int(kinds)) for kinds in table.kinds)
    return ErrorSummary(
        scored_answers=scored,
        wrong_answers=wrong,
        share_of_wrong_answers=wrong / scored,
        errors=errors,
        kinds={kind: int(table.has(kind).sum()) for kind in ERROR_KINDS},
        combinations=dict(names.most_common()),
        very_long_spans=long,
        share_of_very_long_spans=long / errors if errors else 0.0,
        examples=_examples(dataset, table),
    )


def _examples(dataset: Dataset, table: ErrorTable) -> list[ErrorExample]:
    """Return one answer for each of three kinds: shift, expand, shrink, or what else there is."""
    examples: list[ErrorExample] = []
    for k, kind in enumerate(ERROR_KINDS):
        answers = table.answer[table.kinds == 1 << k]
        if len(answers) and len(examples) < 3:
            examples.append(_example(dataset, kind, _clearest(dataset, table, answers)))
    return examples


def _clearest(dataset: Dataset, table: ErrorTable, answers: IntArray) -> int:
    """Return the answer with the fewest other errors, in a sentence that is good to read."""
    errors = np.bincount(table.answer, minlength=len(dataset.answers))[answers]
    distance = np.abs(dataset.answers.codes.lengths[answers] - _GOOD_LENGTH)
    return int(answers[np.lexsort((distance, errors))[0]])


def _example(dataset: Dataset, kind: str, k: int) -> ErrorExample:
    answer = dataset.answer(k)
    position = int(dataset.answers.sentence[k])
    sentence = dataset.sentences[position]
    gold = dataset.gold_spans(position) or ()
    return ErrorExample(
        kind, sentence.id, sentence.text, sentence.bounds, answer.worker, gold, answer.spans
    )
