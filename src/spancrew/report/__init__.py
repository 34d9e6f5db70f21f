"""What a reader is shown: inspections, charts and the self-contained HTML report.

May import simulate, formats and everything below; draws nothing until asked.
"""

from spancrew.report._aggregation import (
    Aggregation,
    Certainty,
    ReliabilityRow,
    UnsureSentence,
    summarise,
)
from spancrew.report._aggregation_page import (
    RELIABILITY_HEAD,
    aggregation_page,
    aggregation_sentences,
    reliability_rows,
    score_rows,
)
from spancrew.report._certificate_page import certificate_page
from spancrew.report._certification import (
    LABEL_HEAD,
    QUALITY_HEAD,
    certifiable,
    certificate_headline,
    certificate_sentences,
    label_rows,
    quality_rows,
)
from spancrew.report._errors import ErrorExample, ErrorSummary
from spancrew.report._fidelity import (
    VOTE_HEAD,
    fidelity_page,
    fidelity_rows,
    verdict_sentences,
    vote_rows,
)
from spancrew.report._frontier import (
    CALIBRATION_HEAD,
    calibrated,
    calibration_rows,
    frontier_head,
    frontier_notes,
    frontier_page,
    frontier_rows,
    frontier_sentence,
)
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report._inspection import (
    METRICS,
    AgreementRow,
    Inspection,
    RepairRow,
    WorkerRow,
    inspect,
)
from spancrew.report._inspection_page import (
    error_sentence,
    inspection_page,
    score_heads,
    spread_rows,
)
from spancrew.report._rehearsal import (
    REHEARSAL_HEAD,
    Rehearsed,
    rehearsal_page,
    rehearsal_rows,
    summaries_of,
)

__all__ = [
    "CALIBRATION_HEAD",
    "LABEL_HEAD",
    "METRICS",
    "QUALITY_HEAD",
    "REHEARSAL_HEAD",
    "RELIABILITY_HEAD",
    "VOTE_HEAD",
    "Aggregation",
    "AgreementRow",
    "Certainty",
    "ErrorExample",
    "ErrorSummary",
    "Inspection",
    "Rehearsed",
    "ReliabilityRow",
    "RepairRow",
    "UnsureSentence",
    "WorkerRow",
    "aggregation_page",
    "aggregation_sentences",
    "calibrated",
    "calibration_rows",
    "certifiable",
    "certificate_headline",
    "certificate_page",
    "certificate_sentences",
    "document",
    "error_sentence",
    "fidelity_page",
    "fidelity_rows",
    "frontier_head",
    "frontier_notes",
    "frontier_page",
    "frontier_rows",
    "frontier_sentence",
    "inspect",
    "inspection_page",
    "label_rows",
    "note",
    "quality_rows",
    "rehearsal_page",
    "rehearsal_rows",
    "reliability_rows",
    "score_heads",
    "score_rows",
    "section",
    "spread_rows",
    "summaries_of",
    "summarise",
    "table",
    "tag",
    "text",
    "verdict_sentences",
    "vote_rows",
]
