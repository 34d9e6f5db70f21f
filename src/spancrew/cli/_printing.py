"""How things look on a terminal: tables, bars, sentences with coloured spans, JSON."""

import json as json_
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from spancrew.core import Span
    from spancrew.formats import Repair

_COLOURS = ("blue", "dark_orange3", "green4", "magenta", "red3", "gold3", "dark_cyan", "grey50")


def print_json(record: Any) -> None:
    """Print one JSON document."""
    typer.echo(json_.dumps(record, ensure_ascii=False, allow_nan=False, indent=2))


def print_result(
    record: Callable[[], Any],
    views: Iterable[RenderableType],
    closing: Iterable[str] = (),
    *,
    json: bool,
    report: Path | None = None,
) -> None:
    """Print the record as JSON; or the views, closing lines, and where the report is."""
    if json:
        print_json(record())
        return
    console = Console(highlight=False)
    for view in views:
        console.print(view)
        console.print()
    for line in closing:
        console.print(line, markup=False)
    if report is not None:
        console.print(f"The report is in {report}; open it in a browser.", markup=False)


def write_text(target: Path | None, text: Callable[[], str]) -> None:
    """Write a file that appears whole or not at all; nothing if there is no target."""
    from spancrew.formats import appearing

    if target is not None:
        with appearing(target) as draft:
            draft.write_text(text(), encoding="utf-8")


def table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1
) -> Table:
    """Return a table; the first ``words`` columns are not numbers."""
    made = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for k, name in enumerate(head):
        made.add_column(name, justify="left" if k < words else "right", style="", no_wrap=k < 1)
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def fact_table(title: str, facts: Iterable[tuple[str, str]], *, words: int = 2) -> Table:
    """Return names and values, without a head; with one word, values are numbers."""
    made = table(title, ("", ""), facts, words=words)
    made.show_header = False
    return made


def bars(title: str, counts: Iterable[tuple[str, int]], width: int = 40) -> Table:
    """Return a horizontal bar chart."""
    pairs = list(counts)
    most = max((count for _, count in pairs), default=0)
    rows = [
        (name, f"{count:,}", "█" * round(width * count / max(most, 1))) for name, count in pairs
    ]
    made = table(title, ("", "", ""), rows)
    made.show_header = False
    made.columns[2].justify = "left"
    made.columns[2].style = "blue"
    return made


def marked(
    text: str, bounds: Sequence[tuple[int, int]], spans: "Iterable[Span]", labels: Sequence[str]
) -> Text:
    """Return a sentence whose spans are coloured and carry their label in brackets."""
    made = Text()
    done = 0
    for span in sorted(spans):
        start, end = bounds[span.start][0], bounds[span.end - 1][1]
        colour = _COLOURS[labels.index(span.label) % len(_COLOURS)]
        made.append(text[done:start])
        made.append(f"[{text[start:end]} ", style=f"bold {colour}")
        made.append(f"{span.label}]", style=colour)
        done = end
    made.append(text[done:])
    return made


def shortened(rows: Sequence[Sequence[str]], shown: int = 5) -> list[Sequence[str]]:
    """Return the first and the last rows of many, with a line that counts the others."""
    if len(rows) <= 2 * shown + 1:
        return list(rows)
    gap = [f"... {len(rows) - 2 * shown} more"] + [""] * (len(rows[0]) - 1)
    return [*rows[:shown], gap, *rows[-shown:]]


def repair_views(title: str, repairs: "Sequence[Repair]") -> Iterator[Table]:
    """Yield what was changed or left out: a line for each kind, with the first of them."""
    kinds: dict[str, list[Repair]] = {}
    for repair in repairs:
        kinds.setdefault(repair.kind, []).append(repair)
    rows = [
        (kind, f"{len(found):,}", f"{found[0].place}: {found[0].what}")
        for kind, found in sorted(kinds.items(), key=lambda pair: -len(pair[1]))
    ]
    if rows:
        yield table(title, ("kind", "count", "first of them"), rows, words=3)


def loss_lines(losses: "Iterable[Repair]") -> list[str]:
    """Return a line for everything that a format cannot hold."""
    return [f"Not written: {loss.what}" for loss in losses]
