"""The paper's tables and figures, golden results, effect on models.

May import simulate, formats, stores, report and what lies below.
"""

from spancrew.experiments._authors_matrix import authors_answers
from spancrew.experiments._authors_protocol import (
    AuthorsOutcome,
    AuthorsSetting,
    authors_rehearsal,
)
from spancrew.experiments._bound import (
    BoundPoint,
    Majority,
    bound_point,
    bound_points,
    bound_rows,
    majority_bound,
    majority_right,
    workers_needed,
)
from spancrew.experiments._bound_chart import bound_chart, chance_chart
from spancrew.experiments._folder import data_folder
from spancrew.experiments._jobs import Curve, Findings
from spancrew.experiments._measured import Measured
from spancrew.experiments._methods import Method, Numbers, authors_methods, paper_methods
from spancrew.experiments._page import reproduction_page
from spancrew.experiments._paper_results import HEADLINES, Headline, paper_results
from spancrew.experiments._paper_workers import PRINTED, PaperWorker, paper_error, paper_workers
from spancrew.experiments._reproduce import Order, reproduce
from spancrew.experiments._reproduction import Reproduction, Section
from spancrew.experiments._shown import Shown, shown_tables
from spancrew.experiments._simulator import (
    Tossed,
    Tosses,
    TwoScores,
    simulator,
    toss,
    two_scores,
)
from spancrew.experiments._stages import Stage, conll_stage, demo_stage, oei_stage
from spancrew.experiments._table_2 import SEEDS, Column, Comparison, compare, table_2_numbers

__all__ = [
    "HEADLINES",
    "PRINTED",
    "SEEDS",
    "AuthorsOutcome",
    "AuthorsSetting",
    "BoundPoint",
    "Column",
    "Comparison",
    "Curve",
    "Findings",
    "Headline",
    "Majority",
    "Measured",
    "Method",
    "Numbers",
    "Order",
    "PaperWorker",
    "Reproduction",
    "Section",
    "Shown",
    "Stage",
    "Tossed",
    "Tosses",
    "TwoScores",
    "authors_answers",
    "authors_methods",
    "authors_rehearsal",
    "bound_chart",
    "bound_point",
    "bound_points",
    "bound_rows",
    "chance_chart",
    "compare",
    "conll_stage",
    "data_folder",
    "demo_stage",
    "majority_bound",
    "majority_right",
    "oei_stage",
    "paper_error",
    "paper_methods",
    "paper_results",
    "paper_workers",
    "reproduce",
    "reproduction_page",
    "shown_tables",
    "simulator",
    "table_2_numbers",
    "toss",
    "two_scores",
    "workers_needed",
]
