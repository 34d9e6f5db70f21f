"""The paper's last table: F1 of the 70 OEI workers before and after augmentation."""

import csv
from importlib.resources import files
from typing import NamedTuple

import numpy as np

PRINTED = {"random": 14.08, "ses-only": 10.90, "ses": 0.0014}
"""The averages under the paper's Table 2, which are those of the seven workers it shows."""


class PaperWorker(NamedTuple):
    """F1 in percent, span-exact: of the real answers, and after each kind of augmentation."""

    worker: str
    original: float
    random: float
    ses_only: float
    ses: float

    def after(self, method: str) -> float:
        """Return the F1 after augmentation by ``random``, ``ses-only`` or ``ses``."""
        return {"random": self.random, "ses-only": self.ses_only, "ses": self.ses}[method]


def paper_workers() -> list[PaperWorker]:
    """Return the rows of the table, by worker.

    >>> workers = paper_workers()
    >>> len(workers), workers[25].original, workers[25].ses
    (70, 62.9, 62.89)
    """
    text = (files("spancrew.experiments") / "oei-workers.csv").read_text(encoding="utf-8")
    rows = (list(row) for row in csv.reader(text.splitlines()[1:]))
    return [PaperWorker(worker, *map(float, values)) for worker, *values in rows]


def paper_error(method: str) -> float:
    """Return the mean error in points over all 70 workers, from the figures as printed."""
    return float(np.mean([abs(row.after(method) - row.original) for row in paper_workers()]))
