"""Fleiss' kappa per sentence: 5,000 sentences x 4 answers x 20 tokens."""

from collections.abc import Iterator

import numpy as np

from benchmarks._row import Row, seconds
from spancrew.core import Answers, Ragged, offsets_of
from spancrew.metrics import agreement

SENTENCES, ANSWERS, TOKENS = 5_000, 4, 20
NLTK_SENTENCES = 500
"""nltk takes milliseconds for each, so it gets a tenth; times are per sentence."""
QUICK = {"SENTENCES": 200, "NLTK_SENTENCES": 20}


def rows() -> Iterator[Row]:
    """Measure against statsmodels and nltk."""
    codes = _codes()
    answers = _answers(codes)
    ours = seconds(lambda: agreement(answers, "fleiss")) / SENTENCES * 1e6
    statsmodels = seconds(lambda: _statsmodels(codes), repeats=2) / SENTENCES * 1e6
    name = f"Fleiss' kappa, {SENTENCES:,} sentences x {ANSWERS} answers x {TOKENS} tokens"
    yield Row(name, ours, statsmodels, "statsmodels", "us per sentence")
    ours = seconds(lambda: agreement(answers, "davies_fleiss")) / SENTENCES * 1e6
    nltk = seconds(lambda: _nltk(codes[:NLTK_SENTENCES]), repeats=2) / NLTK_SENTENCES * 1e6
    name = name.replace("Fleiss'", "Davies-Fleiss")
    yield Row(name, ours, nltk, "nltk", "us per sentence")


def _codes() -> np.ndarray:
    """Draw answers of one-token spans: mostly O, correlated between workers."""
    rng = np.random.default_rng(1)
    truth = rng.choice(5, (SENTENCES, 1, TOKENS), p=[0.8, 0.05, 0.05, 0.05, 0.05])
    noise = rng.integers(0, 5, (SENTENCES, ANSWERS, TOKENS))
    kept = rng.random((SENTENCES, ANSWERS, TOKENS)) < 0.85
    codes = np.where(kept, truth, noise)
    return np.asarray(np.where(codes > 0, 2 * codes - 1, 0), np.uint8)


def _answers(codes: np.ndarray) -> Answers:
    total = SENTENCES * ANSWERS
    return Answers(
        sentence=np.repeat(np.arange(SENTENCES, dtype=np.int32), ANSWERS),
        worker=np.tile(np.arange(ANSWERS, dtype=np.int32), SENTENCES),
        codes=Ragged(codes.ravel(), offsets_of(np.full(total, TOKENS))),
        sentences=SENTENCES,
    )


def _statsmodels(codes: np.ndarray) -> list[float]:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    return [fleiss_kappa(aggregate_raters(rows.T)[0]) for rows in codes]


def _nltk(codes: np.ndarray) -> list[float]:
    from nltk.metrics.agreement import AnnotationTask

    return [
        AnnotationTask(
            [(w, t, int(code)) for w, row in enumerate(rows) for t, code in enumerate(row)]
        ).multi_kappa()
        for rows in codes
    ]
