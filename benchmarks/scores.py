"""Exact span F1 of 20,000 pairs of sentences, each on its own."""

import warnings
from collections.abc import Iterator

import numpy as np

from benchmarks._row import Row, seconds
from spancrew.core import LabelSet, Ragged, Span, decode_tags, encode
from spancrew.metrics import Metric

PAIRS, TOKENS = 20_000, 14
SEQEVAL_PAIRS = 2_000
"""seqeval takes a fraction of a millisecond for each, so it gets a tenth; times are per pair."""
QUICK = {"PAIRS": 500, "SEQEVAL_PAIRS": 100}

LABELS = LabelSet(("LOC", "MISC", "ORG", "PER"))


def rows() -> Iterator[Row]:
    """Measure against seqeval."""
    rng = np.random.default_rng(2)
    answers, gold = _draw(rng), _draw(rng)
    metric = Metric("exact")
    ours = seconds(lambda: metric.pairs(answers, gold)) / PAIRS * 1e6
    tags = [
        [list(decode_tags(side[k], LABELS)) for k in range(SEQEVAL_PAIRS)]
        for side in (answers, gold)
    ]
    peer = seconds(lambda: _seqeval(*tags), repeats=2) / SEQEVAL_PAIRS * 1e6
    yield Row(f"exact span F1, {PAIRS:,} pairs", ours, peer, "seqeval", "us per pair")


def _draw(rng: np.random.Generator) -> Ragged:
    """Draw sentences with one to three short spans."""
    made = []
    for _ in range(PAIRS):
        starts = rng.choice(np.arange(0, TOKENS, 4), rng.integers(1, 4), replace=False)
        spans = [
            Span(int(s), int(s + rng.integers(1, 3)), LABELS.names[rng.integers(4)])
            for s in starts
        ]
        made.append(encode(spans, TOKENS + 2, LABELS).tolist())
    return Ragged.of(made)


def _seqeval(answers: list[list[str]], gold: list[list[str]]) -> list[float]:
    from seqeval.metrics import f1_score

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a label on one side only
        return [f1_score([g], [a]) for a, g in zip(answers, gold, strict=True)]
