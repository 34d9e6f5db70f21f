"""The paper's tables 3 and 4, and the points of its figures that the text names."""

import csv
from importlib.resources import files
from typing import NamedTuple

PARTS = ("p", "r", "f1")


def paper_results(name: str) -> dict[str, dict[str, float]]:
    """Return the table of ``conll`` or ``oei`` in percent, by method and column.

    >>> paper_results("conll")["CUCB (Exp.+MV)"]["proportional f1"]
    81.48
    """
    text = (files("spancrew.experiments") / f"{name}-results.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row.pop("method"): {k: float(v) for k, v in row.items()} for row in rows}


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

SIMULATOR = {"Oracle": 74.12, "Random": 65.12, "Exp.": 69.78, "MV": 66.80, "Exp.+MV": 68.29}
"""Table 5, F1 in percent."""

SIMULATOR_SAVED = 59.88
"""Expert labels that the simulator's Exp.+MV saves, in percent."""
