"""Cells of a sweep, and the blocks of runs into which they are cut."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from spancrew.metrics import Metric
from spancrew.simulate._outcome import METRICS, Outcome
from spancrew.simulate._setting import Setting

MOST_RUNS = 50
"""Runs in a block: more in lock step are hardly faster each, and more is lost if interrupted."""

OVERHEAD = 20
"""What a block costs beyond its runs, in runs: its steps take their time even for one run."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One setting in the scene of that name, scored by some metrics."""

    scene: str
    setting: Setting
    metrics: tuple[Metric, ...] = METRICS


class RunBlock(NamedTuple):
    """Some runs of the cell at a place in a sweep, which are rehearsed together."""

    place: int
    cell: Cell
    runs: range


def missing_runs(
    cells: Sequence[Cell], known: Sequence[Mapping[int, Outcome]]
) -> Iterator[RunBlock]:
    """Yield the runs of each cell without a known outcome, in as few blocks as they make.

    ``known`` has the outcomes of each cell, by the first run of each.
    """
    for place, (cell, parts) in enumerate(zip(cells, known, strict=True)):
        reached = 0
        for first in [*sorted(parts), cell.setting.runs]:
            if first > reached:
                yield RunBlock(place, cell, range(reached, first))
            reached = first + parts[first].runs if first in parts else first


def cut(blocks: Sequence[RunBlock], slots: int) -> list[RunBlock]:
    """Cut blocks so that ``slots`` of them at a time are done soonest.

    >>> whole = RunBlock(0, Cell("demo", Setting(runs=100)), range(100))
    >>> [block.runs for block in cut([whole], 2)]
    [range(0, 50), range(50, 100)]
    >>> len(cut([whole] * 10, 2))
    20
    """
    mean = sum(len(block.runs) for block in blocks) / max(len(blocks), 1)
    pieces = _pieces(len(blocks), mean, slots)
    return [block._replace(runs=part) for block in blocks for part in _even(block.runs, pieces)]


def _pieces(blocks: int, runs: float, slots: int) -> int:
    """Return into how many pieces each block is best cut."""

    def time(pieces: int) -> float:
        rounds = -(-blocks * pieces // slots)
        return rounds * (OVERHEAD + runs / pieces)

    return min(range(1, slots + 1), key=time)


def _even(runs: range, pieces: int) -> list[range]:
    """Return a range in pieces of about the same length, none too long or empty."""
    count = min(len(runs), max(pieces, -(-len(runs) // MOST_RUNS)))
    borders = [runs.start + len(runs) * k // count for k in range(count + 1)]
    return [range(*borders[k : k + 2]) for k in range(count)]
