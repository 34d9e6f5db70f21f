"""Print what the bundled data sets are like: ``python tools/demo/survey.py``."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from make import TARGET

from spancrew.core import Dataset, Ragged, Span
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
    per_sentence = Counter(dataset.answers.per_sentence.tolist())
    print(f"{name}: {len(dataset)} sentences, {len(dataset.answers)} answers")
    print(f"  answers per worker: {spread(answers_per_worker(dataset))}")
    print(f"  answers per sentence: {sorted(per_sentence.items())}")
    _print_quality(dataset)
    print(f"  errors: {_errors(dataset).most_common()}")
    for worker, f1 in zip(dataset.workers, worker_scores(dataset, Metric())[:, 2], strict=True):
        print(f"  {worker:8} {f1:.2f}")


def _print_quality(dataset: Dataset) -> None:
    f1 = answer_scores(dataset, Metric())[:, 2]
    vote = majority(dataset)
    wrong = np.mean(Metric().pairs(vote, dataset.gold)[:, 2] < 1)
    kappa = agreement(dataset.answers)
    fifths, _ = np.histogram(kappa[~np.isnan(kappa)], 5, (-0.5, 1.0))
    print(f"  answers exactly right: {np.mean(f1 == 1):.3f}, with F1 0: {np.mean(f1 == 0):.3f}")
    print(f"  majority: F1 {Metric().pool(vote, dataset.gold).f1:.3f}, wrong {wrong:.3f}")
    print(f"  kappa from -0.5 to 1 in fifths: {fifths.tolist()}")


def _errors(dataset: Dataset) -> Counter[str]:
    kinds = Counter(error_name(int(kind)) for kind in error_table(dataset).kinds)
    for position in range(len(dataset)):
        gold = dataset.gold_spans(position) or ()
        kinds["merged"] += sum(merges(a.spans, gold) for a in dataset.answers_on(position))
    return kinds


def main() -> None:
    """Print one survey per file."""
    for path in sorted(TARGET.glob("*.jsonl")):
        _print(path.stem, SpancrewLines().read(path, ReadOptions()).dataset)


if __name__ == "__main__":
    main()
