"""Print exact F1 of every consensus method, without experts: real crowds, then the zoo.

Run from the root: ``python -m tools.consensus_table --seeds 101 102 103 -- data.json``.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tests.consensus.zoo import ZOO, draw_crowd

from spancrew.consensus import Evidence, consensus_method
from spancrew.core import Ragged
from spancrew.formats import read
from spancrew.metrics import Metric

METHODS = ("mv", "span-vote", "ds", "span-ds", "bsc", "auto")


def main() -> None:
    """Read what to measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", type=Path, help="data sets with gold and answers")
    parser.add_argument("--seeds", nargs="+", type=int, default=[101, 102, 103])
    chosen = parser.parse_args()
    print(f"| crowd | {' | '.join(f'`{name}`' for name in METHODS)} | behind | at most |")
    print(f"| --- |{' --- |' * (len(METHODS) + 2)}")
    for path in chosen.data:
        dataset = read(path).dataset
        rows = np.flatnonzero(dataset.has_gold & (dataset.answers.per_sentence > 0))
        evidence = Evidence.of(dataset).take(rows)
        _print(path.stem, [_scores(evidence, dataset.gold.take(rows))])
    for name, scores in _zoo(chosen.seeds):
        _print(name, scores)


def _zoo(seeds: Sequence[int]) -> Iterator[tuple[str, list[list[float]]]]:
    for name, recipe in ZOO.items():
        drawn = (draw_crowd(recipe, seed) for seed in seeds)
        yield name, [_scores(crowd.evidence, crowd.truth) for crowd in drawn]


def _scores(evidence: Evidence, gold: Ragged) -> list[float]:
    found = []
    for name in METHODS:
        model = consensus_method(name).fit(evidence)
        labels = model.judge(evidence.answers, evidence.lengths, evidence.words).labels
        found.append(100 * Metric().pool(labels, gold).f1)
    return found


def _print(name: str, draws: list[list[float]]) -> None:
    """Print means over draws, and how far auto is behind the best other: the mean, the most."""
    scores = np.array(draws)
    behind = scores[:, :-1].max(axis=1) - scores[:, -1]
    cells = " | ".join(f"{value:.1f}" for value in scores.mean(axis=0))
    gap = scores.mean(axis=0)[:-1].max() - scores.mean(axis=0)[-1]
    print(f"| {name} | {cells} | {gap:.1f} | {behind.max():.1f} |", flush=True)


if __name__ == "__main__":
    main()
