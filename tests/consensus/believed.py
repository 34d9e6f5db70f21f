"""Data sets with anything that could be believed of them."""

import numpy as np
from hypothesis import strategies as st

from spancrew.consensus import Beliefs, Evidence
from spancrew.core import Ragged, encode
from tests.strategies import LABELS, datasets, span_sets


@st.composite
def believed(draw: st.DrawFn) -> tuple[Evidence, Beliefs]:
    """Draw answers, some experts' labels, and beliefs with a probability for every span.

    The number of spans expected is at least the sum of the probabilities.
    """
    dataset = draw(datasets(gold=False))
    lengths = dataset.sentences.starts.lengths
    labels = _codes(draw, lengths.tolist(), unknown=False)
    known = _codes(draw, lengths.tolist(), unknown=True)
    tokens = len(labels.values)
    chances = draw(st.lists(st.floats(0, 1), min_size=tokens, max_size=tokens))
    spans = np.where(labels.values % 2 == 1, chances, 0.0)
    sums = np.add.reduceat(spans, labels.offsets[:-1])
    missing = draw(st.lists(st.floats(0, 3), min_size=len(dataset), max_size=len(dataset)))
    evidence = Evidence.of(dataset, draw(st.sampled_from([known, None])))
    doubt = np.full(len(dataset), 0.5)
    silent = np.zeros(len(dataset), bool)
    return evidence, Beliefs(labels, silent, spans, doubt, doubt, sums + missing)


def _codes(draw: st.DrawFn, lengths: list[int], *, unknown: bool) -> Ragged:
    rows = [
        []
        if unknown and draw(st.booleans())
        else encode(draw(span_sets(length)), length, LABELS).tolist()
        for length in lengths
    ]
    return Ragged.of(rows, LABELS.dtype)
