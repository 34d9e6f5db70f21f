"""The paper's tables and figures, golden results, effect on models.

May import simulate, formats, stores, report and what lies below.
"""

from spancrew.experiments._folder import data_folder
from spancrew.experiments._paper_workers import PRINTED, PaperWorker, paper_error, paper_workers
from spancrew.experiments._table_2 import SEEDS, Column, Comparison, compare, table_2

__all__ = [
    "PRINTED",
    "SEEDS",
    "Column",
    "Comparison",
    "PaperWorker",
    "compare",
    "data_folder",
    "paper_error",
    "paper_workers",
    "table_2",
]
