"""A frontier in words, tables and figures."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from spancrew.report import (
    CALIBRATION_HEAD,
    calibrated,
    calibration_rows,
    frontier_head,
    frontier_notes,
    frontier_page,
    frontier_rows,
    frontier_sentence,
)
from spancrew.simulate import Calibration, Frontier, FrontierPoint, MeanSd, pairs_of

SHARES = (0.0, 0.1, 0.2, 0.4)


def invented(
    curves: Mapping[tuple[str, str], Sequence[float]],
    shares: Sequence[float] = SHARES,
    left_out: int = 0,
) -> Frontier:
    """Return a frontier with these F1 values."""
    points = [
        _point(method, gate, share, f1)
        for (method, gate), values in curves.items()
        for share, f1 in zip(shares, values, strict=True)
    ]
    return Frontier(tuple(points), 1234, left_out)


def _point(method: str, gate: str, share: float, f1: float) -> FrontierPoint:
    sentences = np.array([100, 0, 0, 0, 3, 0, 0, 0, 0, 300])
    stated = np.where(sentences > 0, np.arange(0.05, 1, 0.1), np.nan)
    sure = Calibration(sentences, stated, stated * 0.9, 0.04, 0.01)
    (pair,) = pairs_of([method], [gate])
    asked = MeanSd(share + 0.004, 0.001)
    audited = MeanSd(0.0, 0.0)
    scores = MeanSd(f1, 0.002), MeanSd(f1, 0.0)
    return FrontierPoint(pair, share, *scores, asked, audited, sure, 2, 0.5)


BOTH = {
    ("mv", "kappa"): (0.70, 0.75, 0.80, 0.90),
    ("auto", "expected-error"): (0.80, 0.82, 0.85, 0.95),
}


def test_the_sentence_says_what_the_paper_would_need() -> None:
    """Read off between two shares."""
    words = frontier_sentence(invented(BOTH))

    assert words == (
        "With experts on 20 % of the sentences, auto + expected-error reaches F1 0.850; "
        "mv + kappa needs 30 % for that."
    )


@pytest.mark.parametrize(
    ("curves", "shares", "end"),
    [
        ({**BOTH, ("mv", "kappa"): (0.1, 0.2, 0.3, 0.4)}, SHARES, "does not get there with 40 %."),
        ({("mv", "kappa"): (0.7, 0.8)}, (0.0, 0.5), "With experts on 50 % of the sentences, mv "),
        ({("auto", "random"): (0.7,)}, (0.0,), "Without experts, auto + random reaches F1 0.700."),
        ({("mv", "kappa-hindsight"): (0.7,)}, (0.2,), "kappa-hindsight reaches F1 0.700."),
    ],
)
def test_the_sentence_suits_what_there_is(
    curves: Mapping[tuple[str, str], Sequence[float]], shares: Sequence[float], end: str
) -> None:
    """Without the paper's recipe, without experts, or out of reach."""
    assert end in frontier_sentence(invented(curves, shares))


def test_hindsight_is_no_advice() -> None:
    """Nobody knows all answers beforehand."""
    curves = {("mv", "kappa-hindsight"): (0.9,), ("mv", "random"): (0.8,)}

    assert "mv + random reaches" in frontier_sentence(invented(curves, (0.2,)))


def test_tables_have_a_row_for_every_pair() -> None:
    """With or without the spread."""
    found = invented(BOTH)

    assert frontier_head(found) == ["method + gate", "0 %", "10 %", "20 %", "40 %"]
    assert frontier_rows(found)[0] == [
        "mv + kappa",
        "0.700 ± 0.002",
        "0.750 ± 0.002",
        "0.800 ± 0.002",
        "0.900 ± 0.002",
    ]
    assert frontier_rows(found, brief=True)[1][1] == "0.800"


def test_calibration_is_of_methods_that_learn() -> None:
    """At 10 %, or at what comes closest."""
    share, points = calibrated(invented(BOTH))
    rows = calibration_rows(points)

    assert share == 0.1
    assert len(rows[0]) == len(CALIBRATION_HEAD)
    assert rows == [["auto + expected-error", "0.723", "0.651", "0.040", "0.010"]]
    assert calibrated(invented({("ds", "random"): (0.5, 0.6)}, (0.0, 0.5)))[0] == 0.5
    assert calibrated(invented({("ds", "random"): (0.5,)}, (0.0,)))[0] == 0.0


def test_notes_say_how_exact_everything_is() -> None:
    """Spreads, shares, and what was left out, if anything."""
    found = frontier_notes(invented(BOTH))

    assert "at most 0.002" in found
    assert "at most 0.4 points" in found
    assert "left out" not in found
    assert "1,000 sentences without gold" in frontier_notes(invented(BOTH, left_out=1000))


def test_the_page_has_everything() -> None:
    """Both figures and three tables, names escaped."""
    page = frontier_page("a<b", invented(BOTH))

    assert "a&lt;b: quality by expert share" in page
    for part in ("F1 of the final labels", "Stated and observed confidence", "As decided on"):
        assert part in page
    assert page.count("<thead>") >= 5


def test_votes_alone_have_no_section_on_confidence() -> None:
    """They learn nothing that could make it better."""
    page = frontier_page("demo", invented({("mv", "kappa"): BOTH["mv", "kappa"]}))

    assert "Stated and observed confidence" not in page
