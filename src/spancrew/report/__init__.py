"""What a reader is shown: inspections, charts and the self-contained HTML report.

May import simulate, formats and everything below; draws nothing until asked.
"""

from spancrew.report._errors import ErrorSummary, Example
from spancrew.report._fidelity import fidelity_page, fidelity_rows
from spancrew.report._html import table, tag, text
from spancrew.report._inspection import (
    METRICS,
    AgreementRow,
    Inspection,
    RepairRow,
    WorkerRow,
    inspect,
)
from spancrew.report._layout import document, figure, note, section
from spancrew.report._page import error_sentence, page, score_heads, spread_rows
from spancrew.report._rehearsal import (
    HEAD,
    Rehearsed,
    rehearsal_page,
    summaries_of,
    summary_rows,
)

__all__ = [
    "HEAD",
    "METRICS",
    "AgreementRow",
    "ErrorSummary",
    "Example",
    "Inspection",
    "Rehearsed",
    "RepairRow",
    "WorkerRow",
    "document",
    "error_sentence",
    "fidelity_page",
    "fidelity_rows",
    "figure",
    "inspect",
    "note",
    "page",
    "rehearsal_page",
    "score_heads",
    "section",
    "spread_rows",
    "summaries_of",
    "summary_rows",
    "table",
    "tag",
    "text",
]
