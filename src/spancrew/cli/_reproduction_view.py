"""A reproduction on a terminal: for every number the paper's, ours and the difference."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.cli._table_2_view import views as table_2_views
from spancrew.experiments import Measured, Reproduction, Section, columns_of, shown_row


def views(found: Reproduction) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    if found.comparisons and not found.is_demo:
        yield from table_2_views(found.comparisons)
    for section in found.sections:
        if section.what == "table-2" and not found.is_demo:
            continue
        yield from _section(section)


def _section(section: Section) -> Iterator[RenderableType]:
    numbers = section.findings.numbers
    variants = list(dict.fromkeys(number.variant for number in numbers))
    for column in columns_of(numbers):
        by_row = _by_row([number for number in numbers if number.column == column])
        head = ["", "paper"]
        for variant in variants:
            head += [variant, "diff."]
        rows = [shown_row(row, by_variant, variants) for row, by_variant in by_row.items()]
        yield table(f"{section.title}: {column}", head, rows)
    for note in section.notes:
        yield Text(note)


def _by_row(numbers: list[Measured]) -> dict[str, dict[str, Measured]]:
    found: dict[str, dict[str, Measured]] = {}
    for number in numbers:
        found.setdefault(number.row, {})[number.variant] = number
    return found
