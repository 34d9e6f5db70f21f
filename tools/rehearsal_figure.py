"""Draw the agreement of real and simulated crowds for the documentation.

Run as ``python tools/rehearsal_figure.py FOLDER`` with the folder of the paper's data sets.
"""

import re
import sys
from importlib.resources import files
from pathlib import Path

from spancrew.crowds import fidelity
from spancrew.formats import read
from spancrew.report.live import Axis, Mark, Series, Style, line_figure

TARGET = Path(__file__).parents[1] / "docs" / "assets" / "rehearsal-kappa.svg"
_PAPER = (
    "--card: #fff; --ink: #1d2025; --quiet: #5c6068; --line: #e3e4e6; "
    "background: #fff; font-family: sans-serif;"
)
"""Of a page on paper; the picture has no page around it that would say them."""

_LABELS = {"real": 0.2, "calibrated, known": 0.37, "calibrated, new": 0.55, "SES": 0.5}
"""How far up each curve its name stands, so that no two meet."""


def main(folder: Path) -> None:
    """Compare the crowds on CoNLL, on the sentences that they were fitted to, and draw."""
    data = read(folder / "conll-crowd" / "collected.json").dataset
    made = fidelity(data, in_sample=True)
    ses = fidelity(data, "ses", in_sample=True)["new"]
    curves = {
        "real": [row[:2] for row in ses.kappa_histogram],
        "calibrated, known": [(row[0], row[2]) for row in made["known"].kappa_histogram],
        "calibrated, new": [(row[0], row[2]) for row in made["new"].kappa_histogram],
        "SES": [(row[0], row[2]) for row in ses.kappa_histogram],
    }
    TARGET.write_text(_picture(curves), encoding="utf-8")


def _picture(curves: dict[str, list[tuple[float, float]]]) -> str:
    series = [
        Series(name, points, style=Style(k, k)) for k, (name, points) in enumerate(curves.items())
    ]
    figure = line_figure(
        "Agreement",
        "Share of the sentences with a kappa at or below a value.",
        series,
        x=Axis("Fleiss' kappa"),
        y=Axis("sentences at or below", low=0.0, high=1.0, percent=True),
        marks=[_label(curves[name], name, at) for name, at in _LABELS.items()],
    )
    return on_paper(figure)


def on_paper(figure: str) -> str:
    """Return the drawing of a figure as a picture of its own, which needs no page around it."""
    found = re.search(r'(?s)<svg class="wide".*?</svg>', figure)
    assert found is not None  # noqa: S101  every figure has one
    style = (files("spancrew.report.live") / "live.css").read_text("utf-8")
    head = f"<style>:root {{ {_PAPER} }} {_plain(style)}</style>"
    return found[0].replace(
        ">", f' xmlns="http://www.w3.org/2000/svg" width="720" height="400">{head}', 1
    )


def _plain(style: str) -> str:
    """Return the part of a style sheet that is about drawings, for a picture without a page."""
    return style.replace(".live ", "").split(".rows {")[0]


def _label(points: list[tuple[float, float]], name: str, height: float) -> Mark:
    x, y = min(points, key=lambda point: abs(point[1] - height))
    return Mark(x, y, name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
