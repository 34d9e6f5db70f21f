"""Final labels from the answers of a crowd of CoNLL's size, against crowd-kit's Dawid-Skene."""

from collections.abc import Iterator

import numpy as np

from benchmarks._row import Row, seconds
from spancrew.consensus import Consensus, Evidence, consensus_method
from spancrew.core import Answers, Ragged, offsets_of

SENTENCES, TOKENS, WORKERS, ANSWERS, LABELS = 4_600, 14, 47, 4, 4
VOCABULARY = 12_000
METHODS = ("mv", "span-vote", "span-ds", "ds", "bsc", "auto")
ITERATIONS = 10
FIT_BUDGET, JUDGE_BUDGET = 4.0, 100.0
"""What a fit of BSC-seq may take in seconds, and the judgement of a sentence in microseconds."""
QUICK = {"SENTENCES": 200}


def rows() -> Iterator[Row]:
    """Measure every method against crowd-kit, and BSC-seq against its budgets."""
    evidence = _evidence()
    peer = seconds(lambda: _crowd_kit(evidence), repeats=1)
    for name in METHODS:
        method = consensus_method(name)
        ours = seconds(lambda method=method: _joined(method, evidence), repeats=3)  # type: ignore[misc]
        title = f"{name}, fit and judge {SENTENCES:,} sentences, {len(evidence.answers):,} answers"
        yield Row(title, ours, peer, f"crowd-kit DawidSkene({ITERATIONS})", "s")
    method = consensus_method("bsc")
    fit = seconds(lambda: method.fit(evidence), repeats=3)
    yield Row("bsc, fit", fit, FIT_BUDGET, "budget", "s")
    for name in ("bsc", "auto"):
        model = consensus_method(name).fit(evidence)
        part = evidence.take(np.arange(5))
        judge = seconds(lambda: model.judge(part.answers, part.lengths, part.words), repeats=50)  # noqa: B023
        title = f"{name}, judge 5 sentences at once"
        yield Row(title, judge / 5 * 1e6, JUDGE_BUDGET, "budget", "us per sentence")


def _joined(method: Consensus, evidence: Evidence) -> object:
    model = method.fit(evidence)
    return model.judge(evidence.answers, evidence.lengths, evidence.words)


def _evidence() -> Evidence:
    """Draw a crowd: one-token and two-token spans, workers from careless to careful."""
    rng = np.random.default_rng(1)
    truth = _spans(rng, rng.random((SENTENCES, TOKENS)) < 0.12)
    worker = np.argsort(rng.random((SENTENCES, WORKERS)), axis=1)[:, :ANSWERS]
    care = np.linspace(0.4, 0.95, WORKERS)[worker][:, :, None]
    kept = rng.random((SENTENCES, ANSWERS, TOKENS)) < care
    begins = (truth % 2 == 1)[:, None] & kept
    codes = np.where(begins, truth[:, None], 0)
    goes_on = (truth % 2 == 0)[:, None] & (truth > 0)[:, None] & kept
    codes[:, :, 1:] = np.where(
        goes_on[:, :, 1:] & begins[:, :, :-1], truth[:, None, 1:], codes[:, :, 1:]
    )
    answers = Answers(
        np.repeat(np.arange(SENTENCES), ANSWERS).astype(np.int32),
        worker.ravel().astype(np.int32),
        Ragged(codes.astype(np.uint8).ravel(), offsets_of(np.full(SENTENCES * ANSWERS, TOKENS))),
        SENTENCES,
    )
    lengths = np.full(SENTENCES, TOKENS)
    numbers = rng.integers(0, VOCABULARY, SENTENCES * TOKENS).astype(np.int32)
    words = Ragged(numbers, offsets_of(lengths))
    return Evidence(answers, lengths, LABELS, WORKERS, None, words, VOCABULARY)


def _spans(rng: np.random.Generator, begins: np.ndarray) -> np.ndarray:
    label = rng.integers(0, LABELS, begins.shape)
    codes = np.where(begins, 2 * label + 1, 0)
    longer = begins[:, :-1] & (rng.random((SENTENCES, TOKENS - 1)) < 0.4) & ~begins[:, 1:]
    codes[:, 1:] = np.where(longer, codes[:, :-1] + 1, codes[:, 1:])
    return codes


def _crowd_kit(evidence: Evidence) -> object:
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    answers = evidence.answers
    tokens = np.arange(len(answers.codes.values)) % TOKENS
    frame = pd.DataFrame(
        {
            "task": np.repeat(answers.sentence.astype(np.int64), TOKENS) * TOKENS + tokens,
            "worker": np.repeat(answers.worker, TOKENS),
            "label": answers.codes.values,  # noqa: PD011  not of pandas
        }
    )
    return DawidSkene(n_iter=ITERATIONS).fit_predict(frame)
