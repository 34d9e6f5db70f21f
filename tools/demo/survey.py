"""Print what the bundled data sets are like: ``python tools/demo/survey.py``."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from make import TARGET

from spancrew.core import Dataset, FloatArray, Ragged, Span, decode
from spancrew.formats._base import ReadOptions
from spancrew.formats._spancrew import SpancrewLines
from spancrew.metrics import (
    Metric,
    agreement,
    answer_scores,
    answers_per_worker,
    error_name,
    error_table,
    spread,
    worker_scores,
)


def merges(spans: Sequence[Span], gold: Sequence[Span]) -> int:
    """Count the spans that cover two or more gold spans."""
    return sum(sum(span.overlaps(other) for other in gold) > 1 for span in spans)


def majority(dataset: Dataset) -> Ragged:
    """Return the token majority vote: O loses ties, then the lower code wins."""
    rows = []
    for first, last in zip(dataset.answers.first, dataset.answers.first[1:], strict=False):
        votes = np.array([dataset.answers.codes[k] for k in range(first, last)])
        rows.append(_repaired([_winner(column.tolist()) for column in votes.T]))
    return Ragged.of(rows, dataset.labels.dtype)


def exact(dataset: Dataset) -> FloatArray:
    """Return the exact F1 of every answer."""
    scores: FloatArray = answer_scores(dataset, Metric())[:, 2]
    return scores


def _winner(votes: list[int]) -> int:
    counts = Counter(votes)
    return min(counts, key=lambda code: (-counts[code], code == 0, code))


def _repaired(codes: list[int]) -> list[int]:
    """Let an inside code without a beginning begin a span."""
    before = 0
    for position, code in enumerate(codes):
        is_stray = code > 0 and code % 2 == 0 and before not in {code, code - 1}
        codes[position] = before = code - 1 if is_stray else code
    return codes


def _print(name: str, dataset: Dataset) -> None:
    scores, agreed = exact(dataset), agreement(dataset.answers)
    vote = majority(dataset)
    pairs = Metric().pairs(vote, dataset.gold)[:, 2]
    print(f"{name}: {len(dataset)} sentences, {len(dataset.answers)} answers")
    print(f"  answers per worker: {spread(answers_per_worker(dataset))}")
    print(f"  answers per sentence: {sorted(Counter(dataset.answers.per_sentence.tolist()).items())}")
    print(f"  answers exactly right {np.mean(scores == 1):.3f}, with F1 0 {np.mean(scores == 0):.3f}")
    print(f"  majority: F1 {Metric().pool(vote, dataset.gold).f1:.3f}, wrong {np.mean(pairs < 1):.3f}")
    print(f"  kappa in fifths: {np.histogram(agreed[~np.isnan(agreed)], 5, (-0.5, 1.0))[0].tolist()}")
    kinds = Counter(error_name(int(kind)) for kind in error_table(dataset).kinds)
    gold = [decode(row, dataset.labels) for row in dataset.gold]
    every = (dataset.answer(k).spans for k in range(len(dataset.answers)))
    kinds["merged"] = sum(
        merges(spans, gold[s]) for spans, s in zip(every, dataset.answers.sentence, strict=True)
    )
    print(f"  errors: {kinds.most_common()}")
    for worker, f1 in zip(dataset.workers, worker_scores(dataset, Metric())[:, 2], strict=True):
        print(f"  {worker:8} {f1:.2f}")


def main() -> None:
    """Print one survey per file."""
    for path in sorted(TARGET.glob("*.jsonl")):
        _print(path.stem, SpancrewLines().read(path, ReadOptions()).dataset)


if __name__ == "__main__":
    main()
