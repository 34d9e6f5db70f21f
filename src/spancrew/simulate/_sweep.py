"""Many settings, in many scenes, on all cores or on a cluster."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from spancrew.errors import SpancrewError
from spancrew.simulate._cache import OutcomeCache
from spancrew.simulate._cell import Cell, cut, missing_runs
from spancrew.simulate._outcome import Outcome, in_row_order, join_outcomes
from spancrew.simulate._parallel import workers_of
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import refuse_unfit

Progress = Callable[[int, int], None]
"""Called with the blocks done and the blocks in all."""


def silent(_done: int, _total: int) -> None:
    """Report progress to nobody."""


def sweep(
    scenes: Mapping[str, Scene],
    cells: Iterable[Cell],
    engine: str = "local",
    *,
    processes: int | None = None,
    keep: Path | None = None,
    progress: Progress = silent,
) -> list[Outcome]:
    """Rehearse all cells and return their outcomes, in the same order.

    ``engine``: ``local`` uses ``processes`` of this machine, by default one for each core;
    ``dask://HOST:PORT`` uses a running Dask cluster. Where and in how many blocks runs are
    rehearsed does not change the outcomes. With ``keep``, outcomes are saved in that folder as
    they come, and those that are there already are not rehearsed again.
    """
    listed = tuple(cells)
    _refuse_unfit(scenes, listed)
    workers = workers_of(engine, processes)
    used = {cell.scene: scenes[cell.scene] for cell in listed}
    cache = None if keep is None else OutcomeCache.open(keep, used)
    known = [{} if cache is None else cache.load(cell) for cell in listed]
    missing = list(missing_runs(listed, known))
    if missing:
        with workers as opened:
            blocks = cut(missing, opened.slots)
            begun = sum(map(len, known))
            total = begun + len(blocks)
            progress(begun, total)
            calls = [(used[b.cell.scene], b.cell.setting, b.runs, b.cell.metrics) for b in blocks]
            with closing(opened.run(rehearse, calls)) as outcomes:
                for done, (k, outcome) in enumerate(outcomes, begun + 1):
                    if cache is not None:
                        cache.save(blocks[k], outcome)
                    known[blocks[k].place][blocks[k].runs.start] = outcome
                    progress(done, total)
    return [in_row_order(join_outcomes([parts[k] for k in sorted(parts)])) for parts in known]


def _refuse_unfit(scenes: Mapping[str, Scene], cells: Sequence[Cell]) -> None:
    """Refuse a cell that cannot be rehearsed before any other is."""
    for cell in cells:
        if cell.scene not in scenes:
            known = ", ".join(map(repr, scenes)) or "none"
            raise SpancrewError(f"scene {cell.scene!r} is not there (there are: {known})")
        scene = scenes[cell.scene]
        refuse_unfit(cell.setting, *scene.size)
