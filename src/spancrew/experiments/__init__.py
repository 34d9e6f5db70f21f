"""The paper's tables and figures, recomputed beside the printed ones.

May import simulate, formats, stores, report and what lies below.
"""

from spancrew.experiments._bound import (
    BoundPoint,
    Majority,
    bound_point,
    bound_points,
    majority_bound,
    majority_right,
    workers_needed,
)
from spancrew.experiments._bound_chart import bound_chart, chance_chart
from spancrew.experiments._data import data_folder
from spancrew.experiments._findings import (
    ComparisonTable,
    Curve,
    Findings,
    Measured,
    comparison_tables,
)
from spancrew.experiments._page import reproduction_page
from spancrew.experiments._paper import PRINTED, PaperWorker, paper_error, paper_workers
from spancrew.experiments._reproduce import Order, Reproduction, Section, reproduce
from spancrew.experiments._table_2 import SEEDS, Column, Table2
from spancrew.experiments._table_6 import (
    FULL,
    QUICK,
    TABLE_6,
    Size,
    Table6Order,
    checked_models,
    checked_part,
)

__all__ = [
    "FULL",
    "PRINTED",
    "QUICK",
    "SEEDS",
    "TABLE_6",
    "BoundPoint",
    "Column",
    "ComparisonTable",
    "Curve",
    "Findings",
    "Majority",
    "Measured",
    "Order",
    "PaperWorker",
    "Reproduction",
    "Section",
    "Size",
    "Table2",
    "Table6Order",
    "bound_chart",
    "bound_point",
    "bound_points",
    "chance_chart",
    "checked_models",
    "checked_part",
    "comparison_tables",
    "data_folder",
    "majority_bound",
    "majority_right",
    "paper_error",
    "paper_workers",
    "reproduce",
    "reproduction_page",
    "workers_needed",
]
