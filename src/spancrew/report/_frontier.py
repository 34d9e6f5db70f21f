"""A frontier as text, JSON and a page: final quality by expert share, and calibration."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import Axis, Dot, Dots, Series, Style, line_figure, scatter_figure
from spancrew.simulate import GATES, Frontier, FrontierPoint, MeanSd

CALIBRATION_HEAD = ("method + gate", "stated", "right", "error", "by chance")

_FEW = 10
"""Fewer sentences of a tenth in an order make no share."""

_SHOWN, _CALIBRATED = 0.2, 0.1
"""The shares that the sentence and the calibration are about, or those that come closest."""

_PAPER = ("mv + kappa", "mv + kappa-hindsight")


def frontier_head(found: Frontier) -> list[str]:
    """Return the head of the table: the pairs, then every share of expert sentences."""
    shares = dict.fromkeys(point.expert_share for point in found.points)
    return ["method + gate", *(_percent(share) for share in shares)]


def frontier_rows(found: Frontier, *, brief: bool = False) -> list[list[str]]:
    """Return the F1 of the final labels of all pairs as text; if brief, without its spread."""
    return [
        [name, *(_score(point.exact_f1, brief=brief) for point in points)]
        for name, points in found.curves().items()
    ]


def score_word(found: Frontier) -> str:
    """Return what the score of final labels is called: for choices F1 is the accuracy."""
    return "accuracy" if found.kind == "choices" else "F1"


def frontier_sentence(found: Frontier) -> str:
    """Say which pair does best with few experts, and how many the paper's recipe would need."""
    share = _nearest(found, _SHOWN)
    here = [point for point in found.points if point.expert_share == share]
    online = [point for point in here if point.pair.gate != "kappa-hindsight"] or here
    best = max(online, key=lambda point: point.exact_f1.mean)
    whom = f"With experts on {_percent(share)} of the sentences" if share else "Without experts"
    made = f"{whom}, {best.pair.name} reaches {score_word(found)} {best.exact_f1.mean:.3f}"
    paper = next((name for name in _PAPER if name in found.curves()), None)
    if paper is None or paper == best.pair.name or not share:
        return f"{made}."
    points = found.curves()[paper]
    needed = _needed(points, best.exact_f1.mean)
    if needed is None:
        most = points[-1]
        return f"{made}; {paper} does not get there with {_percent(most.expert_share)}."
    return f"{made}; {paper} needs {100 * needed:.0f} % for that."


def calibrated(found: Frontier) -> tuple[float, list[FrontierPoint]]:
    """Return the share nearest to 10 %, and there the pairs whose confidence is learned."""
    share = _nearest(found, _CALIBRATED)
    here = [point for point in found.points if point.expert_share == share]
    return share, [point for point in here if point.pair.consensus.learns]


def calibration_rows(points: Sequence[FrontierPoint]) -> list[list[str]]:
    """Return stated and observed confidence as text, under CALIBRATION_HEAD."""
    rows = []
    for point in points:
        found = point.calibration
        count = found.sentences.sum()
        means = [np.nansum(each * found.sentences) / count for each in found[1:3]]
        rows.append([point.pair.name, *(f"{value:.3f}" for value in (*means, *found[3:]))])
    return rows


def frontier_page(name: str, found: Frontier) -> str:
    """Return everything as one HTML page with no request to the outside."""
    return document(
        f"{name}: frontier",
        tag("h1", text(f"{name}: quality by expert share")),
        tag("p", text(frontier_sentence(found)), class_="lead"),
        section(
            "Final quality against expert share",
            note(_introduction(found)),
            frontier_figure(found),
            table(frontier_head(found), frontier_rows(found)),
        ),
        *_calibration(found),
        section("As decided on arrival", *_on_arrival(found)),
        live=True,
    )


def frontier_notes(found: Frontier) -> str:
    """Say how large spreads are, how well the shares were kept, and what was left out."""
    spread = max(point.exact_f1.sd for point in found.points)
    missed = max(abs(point.asked.mean - point.expert_share) for point in found.points)
    made = (
        f"Standard deviations of {score_word(found)} over orders are at most {spread:.3f}; the "
        "shares that were really asked differ from those wanted by at most "
        f"{100 * missed:.1f} points."
    )
    audited = max(point.audited.mean for point in found.points)
    if audited:
        made += (
            f" Experts audited up to {100 * audited:.1f} % of the sentences besides, which have "
            "the expert's labels in the end."
        )
    if found.left_out:
        made += f" {found.left_out:,} sentences without gold or answers were left out."
    return made


def _introduction(found: Frontier) -> str:
    score = "Accuracy is" if found.kind == "choices" else "F1 is span-exact,"
    return (
        f"{found.sentences:,} sentences with the answers they really got arrive in "
        f"{found.points[0].orders} random orders. Each decision knows only the past; gold is "
        f"what the expert says. {score} over all sentences, those of the expert "
        "included, after a last look with all that was learned. The gate kappa-hindsight knows "
        f"all answers beforehand. {frontier_notes(found)}"
    )


def frontier_figure(found: Frontier) -> str:
    """Draw the F1 of the final labels against the share of expert sentences."""
    series = []
    for name, points in found.curves().items():
        shares = [point.expert_share for point in points]
        mean, sd = np.array([point.exact_f1 for point in points]).T
        series.append(Series.spread(name, shares, mean, sd, _style(points[0], found)))
    return line_figure(
        f"{_first_upper(score_word(found))} of the final labels",
        "Up and to the left is better. Bands are one standard deviation over orders.",
        series,
        x=Axis("sentences labelled by experts", percent=True),
        y=Axis(f"{score_name(found)} of the final labels", percent=True),
    )


def _style(point: FrontierPoint, found: Frontier) -> Style:
    """Return a hue for every method and a dash for every gate."""
    methods = list(dict.fromkeys(each.pair.method for each in found.points))
    return Style(methods.index(point.pair.method), GATES.index(point.pair.gate))


def _calibration(found: Frontier) -> list[str]:
    share, points = calibrated(found)
    if not points:
        return []
    said = (
        f"With experts on {_percent(share)} of the sentences: the probability that all labels of "
        "a sentence are right, as stated on arrival, before any expert spoke, against how often "
        "they are. Error is the mean distance between the two, by tenths of confidence; by chance "
        "is what a method with perfect confidence would show on as many sentences."
    )
    figure = _reliability([_dots(point, _style(point, found)) for point in points])
    rows = table(CALIBRATION_HEAD, calibration_rows(points))
    return [section("Is the confidence right?", note(said), figure, rows)]


def _dots(point: FrontierPoint, style: Style) -> Dots:
    found = point.calibration
    enough = found.sentences >= _FEW * point.orders
    stated, right = found.confidence[enough].tolist(), found.right[enough].tolist()
    return Dots(point.pair.name, list(map(Dot, stated, right)), joined=True, style=style)


def _reliability(series: Sequence[Dots]) -> str:
    perfect = Dots("as stated", [Dot(0.0, 0.0), Dot(1.0, 1.0)], joined=True, style=Style(6, 3))
    return scatter_figure(
        "Stated and observed confidence",
        "Below the diagonal a method is too sure, above it too modest. "
        f"Tenths with fewer than {_FEW} sentences are left out.",
        [*series, perfect],
        x=Axis("stated confidence", low=0.0, high=1.0, percent=True),
        y=Axis("sentences that are right", low=0.0, high=1.0, percent=True),
    )


def _on_arrival(found: Frontier) -> list[str]:
    said = (
        f"{_first_upper(score_word(found))} of the labels as they were decided when each sentence "
        "arrived, without a second look at the end. In brackets the share on which the expert "
        "really was asked."
    )
    rows = [
        [name, *(f"{p.settled_f1.mean:.3f} ({100 * p.asked.mean:.1f} %)" for p in points)]
        for name, points in found.curves().items()
    ]
    return [note(said), table(frontier_head(found), rows)]


def _nearest(found: Frontier, share: float) -> float:
    """Return the share nearest to one; none only if there is no other."""
    shares = {point.expert_share for point in found.points}
    return min(shares - {0.0} or shares, key=lambda each: (abs(each - share), each))


def _needed(points: Sequence[FrontierPoint], f1: float) -> float | None:
    """Return the smallest share at which a curve reaches an F1; None if it does not."""
    for before, after in pairwise(points):
        low, high = before.exact_f1.mean, after.exact_f1.mean
        if low < f1 <= high:
            way = (f1 - low) / (high - low)
            return before.expert_share + way * (after.expert_share - before.expert_share)
    return None


def score_name(found: Frontier) -> str:
    """Return the whole name of the score of final labels."""
    return "accuracy" if found.kind == "choices" else "exact F1"


def _first_upper(word: str) -> str:
    return word[0].upper() + word[1:]


def _score(value: MeanSd, *, brief: bool) -> str:
    return f"{value.mean:.3f}" if brief else f"{value.mean:.3f} ± {value.sd:.3f}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
