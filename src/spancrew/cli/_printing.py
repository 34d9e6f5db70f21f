"""How things look on a terminal: tables, bars, sentences with coloured spans, JSON."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from spancrew.core import Span
from spancrew.formats import Repair

_COLOURS = ("blue", "dark_orange3", "green4", "magenta", "red3", "gold3", "dark_cyan", "grey50")


def print_json(record: Any) -> None:
    """Print one JSON document."""
    typer.echo(json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2))


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
    text: str, bounds: Sequence[tuple[int, int]], spans: Iterable[Span], labels: Sequence[str]
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


def print_repairs(console: Console, title: str, repairs: Sequence[Repair]) -> None:
    """Print what was changed or left out: a line for each kind, with the first of them."""
    first: dict[str, list[Repair]] = {}
    for repair in repairs:
        first.setdefault(repair.kind, []).append(repair)
    rows = [
        (kind, f"{len(found):,}", f"{found[0].place}: {found[0].what}")
        for kind, found in sorted(first.items(), key=lambda pair: -len(pair[1]))
    ]
    if rows:
        console.print(table(title, ("kind", "count", "first of them"), rows, words=3))
        console.print()
