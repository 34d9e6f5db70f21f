"""A reproduction on a terminal: for every number the paper's, ours and the difference."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.cli._table_2_view import views as table_2_views
from spancrew.experiments import Reproduction, Section, comparison_tables


def views(found: Reproduction) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    if found.comparisons and not found.is_demo:
        yield from table_2_views(found.comparisons)
    for section in found.sections:
        if section.what == "table-2" and not found.is_demo:
            continue
        yield from _section(section)


def _section(section: Section) -> Iterator[RenderableType]:
    for shown in comparison_tables(section.findings.numbers):
        yield table(f"{section.title}: {shown.column}", shown.head, shown.rows)
    for note in section.notes:
        yield Text(note)
