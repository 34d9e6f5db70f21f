"""How things look on a terminal: tables, bars, sentences with coloured spans, JSON."""

import json as json_
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from spancrew.core import Span
    from spancrew.formats import Repair

_SHORT = 24
"""Names up to this length stay on one line, whatever the width of their table."""

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
) -> RenderableType:
    """Return a table; the first ``words`` columns are not numbers."""
    return _titled(title, _grid(head, list(rows), words))


def fact_table(title: str, facts: Iterable[tuple[str, str]], *, words: int = 2) -> RenderableType:
    """Return names and values, without a head; with one word, values are numbers."""
    made = _grid(("", ""), list(facts), words)
    made.show_header = False
    return _titled(title, made)


def bars(title: str, counts: Iterable[tuple[str, int]], width: int = 40) -> RenderableType:
    """Return a horizontal bar chart."""
    pairs = list(counts)
    most = max((count for _, count in pairs), default=0)
    rows = [
        (name, f"{count:,}", "█" * round(width * count / max(most, 1))) for name, count in pairs
    ]
    made = _grid(("", "", ""), rows, 1)
    made.show_header = False
    made.columns[2].justify = "left"
    made.columns[2].style = "blue"
    return _titled(title, made)


def _titled(title: str, made: Table) -> RenderableType:
    # A title of the table itself would be broken into lines as narrow as the table.
    return Group(Text(title, style="bold"), made)


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]], words: int) -> Table:
    """Return a table that cuts nothing off: where it is too wide, words go to the next line."""
    made = Table(box=None, pad_edge=False)
    is_whole = words > 1 or all(len(row[0]) <= _SHORT for row in rows)
    for k, name in enumerate(head):
        longest = max(map(len, name.split()), default=0)
        if k >= words:
            longest = max([longest, *(len(row[k]) for row in rows)])
        made.add_column(
            name,
            justify="left" if k < words else "right",
            no_wrap=(k == 0 and is_whole) or (k >= words and longest >= len(name)),
            overflow="fold",
            min_width=longest,
        )
    for row in rows:
        made.add_row(*map(Text, row))
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


def repair_views(title: str, repairs: "Sequence[Repair]") -> Iterator[RenderableType]:
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
