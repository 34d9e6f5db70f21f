"""Find out which spans of the answers are in the joint labels, border for border."""

from typing import NamedTuple

import numpy as np

from spancrew.core import Answers, BoolArray, IntArray, Ragged, span_table


class SharedSpans(NamedTuple):
    """Every span of every answer: the answer, the token of the labels it begins at, ``is_shared``.

    Shared is a span that the labels of its sentence have with both borders and the label.
    """

    answer: IntArray
    token: IntArray
    is_shared: BoolArray

    def votes(self, tokens: int) -> IntArray:
        """Count for every token of the labels the answers that have the span beginning there."""
        return np.bincount(self.token[self.is_shared], minlength=tokens)


def shared_spans(answers: Answers, labels: Ragged) -> SharedSpans:
    """Compare the spans of all answers with those of the labels, a row for every sentence."""
    ends = np.zeros(len(labels.values), np.int64)
    joint = span_table(labels)
    ends[labels.offsets[joint.row] + joint.start] = joint.end
    given = span_table(answers.codes)
    token = labels.offsets[answers.sentence[given.row]] + given.start
    is_shared = (ends[token] == given.end) & (labels.values[token] == 2 * given.label + 1)
    return SharedSpans(given.row, token, is_shared)
