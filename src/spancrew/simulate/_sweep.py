"""Many settings, in many scenes, on all cores or on a cluster."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from spancrew.errors import SpancrewError
from spancrew.simulate._cell import Block, Cell, cut
from spancrew.simulate._kept import Kept
from spancrew.simulate._machine import machine_of
from spancrew.simulate._outcome import Outcome, joined
from spancrew.simulate._scene import Scene
from spancrew.simulate._setting import refuse_unfit

Progress = Callable[[int, int], None]
"""Called with the blocks done and the blocks in all."""

Parts = dict[int, Outcome]
"""What is known of a cell, by the first run of each part."""


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
    """Rehearse all cells and return what came of each, in their order.

    ``engine``: ``local`` uses so many ``processes`` of this machine, all its cores unless told;
    ``dask://HOST:PORT`` uses a running Dask cluster. Where and in how many parts runs are
    rehearsed changes nothing in what comes of them. With ``keep``, what is done is kept in that
    folder, and what is there already is not rehearsed again.
    """
    all_cells = tuple(cells)
    _refuse_unfit(scenes, all_cells)
    machine = machine_of(engine, processes)
    kept = None if keep is None else Kept.at(keep, _used(scenes, all_cells))
    parts: list[Parts] = [{} if kept is None else kept.found(cell) for cell in all_cells]
    missing = list(_missing(all_cells, parts))
    if missing:
        with machine as opened:
            blocks = cut(missing, opened.slots)
            with closing(opened.outcomes(scenes, blocks)) as outcomes:
                _collect(outcomes, len(blocks), parts, kept, progress)
    return [_whole(part) for part in parts]


def _refuse_unfit(scenes: Mapping[str, Scene], cells: Sequence[Cell]) -> None:
    """Refuse a cell that cannot be rehearsed before any other is."""
    for cell in cells:
        if cell.scene not in scenes:
            known = ", ".join(map(repr, scenes)) or "none"
            raise SpancrewError(f"scene {cell.scene!r} is not there (there are: {known})")
        scene = scenes[cell.scene]
        refuse_unfit(cell.setting, len(scene.workers), len(scene.dataset))


def _used(scenes: Mapping[str, Scene], cells: Sequence[Cell]) -> dict[str, Scene]:
    return {cell.scene: scenes[cell.scene] for cell in cells}


def _missing(cells: Sequence[Cell], parts: Sequence[Parts]) -> Iterable[Block]:
    """Yield the runs of each cell that are not known, in as few blocks as they make."""
    for place, (cell, known) in enumerate(zip(cells, parts, strict=True)):
        reached = 0
        for first in [*sorted(known), cell.setting.runs]:
            if first > reached:
                yield Block(place, cell, range(reached, first))
            reached = first + known[first].runs if first in known else first


def _collect(
    outcomes: Iterable[tuple[Block, Outcome]],
    missing: int,
    parts: Sequence[Parts],
    kept: Kept | None,
    progress: Progress,
) -> None:
    """Take outcomes as they come, and say how far it is."""
    done = sum(len(known) for known in parts)
    total = done + missing
    progress(done, total)
    for block, outcome in outcomes:
        if kept is not None:
            kept.save(block, outcome)
        parts[block.place][block.runs.start] = outcome
        done += 1
        progress(done, total)


def _whole(parts: Parts) -> Outcome:
    """Join the parts of a cell, each array in the order of its rows.

    The order of an array in memory decides in which order its numbers are added up later.
    """
    outcome = joined([parts[first] for first in sorted(parts)])
    columns: dict[str, Any] = {f.name: getattr(outcome, f.name) for f in fields(Outcome)}
    for name, value in columns.items():
        if isinstance(value, np.ndarray):
            columns[name] = np.ascontiguousarray(value)
        elif isinstance(value, dict):
            columns[name] = {key: np.ascontiguousarray(each) for key, each in value.items()}
    return replace(outcome, **columns)
