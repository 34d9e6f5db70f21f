"""A reproduction on a terminal: for every number the paper's, ours and the difference."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from spancrew.augment import Method
from spancrew.cli._printing import table
from spancrew.experiments import (
    PRINTED,
    SEEDS,
    Column,
    Reproduction,
    Table2,
    comparison_tables,
    paper_error,
    paper_workers,
)

_TITLES: dict[Method, str] = {
    "random": "random generation",
    "ses-only": "SES only",
    "ses": "SES + Algorithm 2",
}


def reproduction_views(found: Reproduction) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    if found.comparisons and not found.is_demo:
        yield from _table_2(found.comparisons)
    for section in found.sections:
        if section.what == "table-2" and not found.is_demo:
            continue
        for shown in comparison_tables(section.findings.numbers):
            yield table(f"{section.title}: {shown.column}", shown.head, shown.rows)
        for note in section.notes:
            yield Text(note)


def _table_2(comparisons: Sequence[Table2]) -> Iterator[RenderableType]:
    oei, *others = comparisons
    yield _oei_workers(oei)
    for other in others:
        yield _workers(other)
    yield _errors(comparisons)
    yield Text(
        "F1 in percent, errors in points. Targets on OEI are the 70 original F1 of the paper's "
        "last table, on CoNLL the mean F1 of each worker's real answers. Random generation: "
        f"{len(SEEDS)} seeds, ± one standard deviation; the paper does not define it. The paper "
        "prints the mean error of the seven workers it shows; over all 70 it is in brackets."
    )


def _oei_workers(comparison: Table2) -> RenderableType:
    paper = {row.worker: row for row in paper_workers()}
    head = ["worker", "original"]
    for title in _TITLES.values():
        head += [title, "paper"]
    rows = []
    for k, (worker, target) in enumerate(comparison.targets.items()):
        cells = [worker, f"{100 * target:.2f}"]
        for method, column in comparison.methods.items():
            cells += [_cell(column, k), f"{paper[worker].after(method):.2f}"]
        rows.append(cells)
    rows.sort(key=lambda cells: -float(cells[1]))
    return table(f"{comparison.name}: exact F1 after augmentation, by worker", head, rows)


def _workers(comparison: Table2) -> RenderableType:
    rows = [
        [worker, f"{100 * target:.2f}"]
        + [_cell(column, k) for column in comparison.methods.values()]
        for k, (worker, target) in enumerate(comparison.targets.items())
    ]
    rows.sort(key=lambda cells: -float(cells[1]))
    head = ["worker", "original", *_TITLES.values()]
    return table(f"{comparison.name}: exact F1 after augmentation, by worker", head, rows)


def _cell(column: Column, k: int) -> str:
    spread = f" ± {column.spread[k]:.2f}" if len(column.errors) > 1 else ""
    return f"{column.f1[k]:.2f}{spread}"


def _errors(comparisons: Sequence[Table2]) -> RenderableType:
    rows = [
        [
            title,
            "exact",
            *(_error(comparison.methods[method]) for comparison in comparisons),
            f"{PRINTED[method]:g} ({paper_error(method):.2g})",
        ]
        for method, title in _TITLES.items()
    ]
    rows += [
        [_TITLES["ses"], metric, *(_error(c.metrics[metric]) for c in comparisons), "-"]
        for metric in comparisons[0].metrics
        if metric != "exact"
    ]
    head = ["mean error", "metric", *(c.name for c in comparisons), "paper, OEI"]
    return table("Mean over workers of the distance from the target", head, rows, words=2)


def _error(column: Column) -> str:
    mean = column.errors.mean()
    if len(column.errors) > 1:
        return f"{mean:.2f} ± {column.errors.std():.2f}"
    return f"{mean:.2f}" if mean > 0.1 else f"{mean:.5f}"
