"""What the paper prints: its tables, the points of its figures that the text names."""

import csv
import tomllib
from importlib.resources import files
from typing import NamedTuple

import numpy as np

PARTS = ("p", "r", "f1")

PRINTED = {"random": 14.08, "ses-only": 10.90, "ses": 0.0014}
"""The averages under the paper's Table 2, which are those of the seven workers it shows."""

SIMULATOR = {"Oracle": 74.12, "Random": 65.12, "Exp.": 69.78, "MV": 66.80, "Exp.+MV": 68.29}
"""Table 5, F1 in percent."""

SIMULATOR_SAVED = 59.88
"""Expert labels that the simulator's Exp.+MV saves, in percent."""


class Headline(NamedTuple):
    """A point of a figure that the text states, in percent.

    ``of_expert`` is F1 as a share of that with experts only, ``saved`` the share of expert labels
    that was not needed.
    """

    data: str
    answers: int
    threshold: float
    of_expert: float | None
    saved: float


HEADLINES = (
    Headline("oei", 4, 0.4, 99.47, 47.19),
    Headline("oei", 4, 0.8, 100.0, 6.6),
    Headline("conll", 4, 0.45, 99.86, 88.57),
    Headline("conll", 4, 0.65, 100.04, 65.97),
    Headline("oei", 10, 0.4, None, 57.02),
    Headline("conll", 10, 0.65, None, 43.83),
)


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


def _text(file: str) -> str:
    return (files("spancrew.experiments") / file).read_text(encoding="utf-8")


def paper_results(name: str) -> dict[str, dict[str, float]]:
    """Return the table of ``conll`` or ``oei`` in percent, by method and column.

    >>> paper_results("conll")["CUCB (Exp.+MV)"]["proportional f1"]
    81.48
    """
    rows = csv.DictReader(_text(f"{name}-results.csv").splitlines())
    return {row.pop("method"): {k: float(v) for k, v in row.items()} for row in rows}


def paper_workers() -> list[PaperWorker]:
    """Return the paper's last table: the F1 of the 70 OEI workers, by worker.

    >>> workers = paper_workers()
    >>> len(workers), workers[25].original, workers[25].ses
    (70, 62.9, 62.89)
    """
    rows = csv.reader(_text("oei-workers.csv").splitlines()[1:])
    return [PaperWorker(worker, *map(float, values)) for worker, *values in rows]


def paper_error(method: str) -> float:
    """Return the mean error in points over all 70 workers, from the figures as printed."""
    return float(np.mean([abs(row.after(method) - row.original) for row in paper_workers()]))


def notes_of(what: str, *, has_paper: bool = True) -> tuple[str, ...]:
    """Return the notes to a table or figure; without the paper's data, not those about them."""
    notes = tomllib.loads(_text("notes.toml"))
    names = [name for name in notes["sections"][what] if has_paper or name not in _ABOUT_OEI]
    return tuple(notes["texts"][name] for name in (names if has_paper else [*names, "demo"]))


_ABOUT_OEI = ("oei", "simulator", "models-real", "models-oei")
