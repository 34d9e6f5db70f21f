"""The fidelity of a rehearsal, as rows and as a page."""

from collections.abc import Mapping

from spancrew.crowds import Comparison, Fidelity, VoteBand
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import Axis, Series, Style, line_figure

_INTRODUCTION = (
    "Stand-ins for exactly the workers who answered, compared with what they really said. Known: "
    "a stand-in may use the other answers on the sentence. New: it uses none, as before a start."
)

VOTE_HEAD = ("", "sentences", "real")


def fidelity_rows(modes: Mapping[str, Fidelity]) -> list[list[str]]:
    """Return the comparison as rows: a figure, its real value, and the value in each mode."""
    columns = [fidelity_figures(result) for result in modes.values()]
    return [
        [name, _shown(figure.real), *(_shown(column[name].generated) for column in columns)]
        for name, figure in columns[0].items()
    ]


def vote_rows(modes: Mapping[str, Fidelity]) -> list[list[str]]:
    """Return the vote's F1 by agreement as rows: where, how many sentences, real, each mode."""
    columns = [result.vote_by_agreement for result in modes.values()]
    return [
        [
            band.place.removeprefix("where "),
            f"{band.sentences:,}",
            _with_margin(band),
            *(_shown(column[k].vote.generated) for column in columns),
        ]
        for k, band in enumerate(columns[0])
    ]


def verdict_sentences(modes: Mapping[str, Fidelity]) -> list[str]:
    """Say of each mode whether it is usable, and why not."""
    return [_verdict(mode, result) for mode, result in modes.items()]


def fidelity_page(name: str, crowd: str, modes: Mapping[str, Fidelity]) -> str:
    """Return the comparison as one HTML page with no request to the outside."""
    first = next(iter(modes.values()))
    size = f"{first.sentences:,} sentences, {first.answers:,} answers, {first.repeats} draws."
    head, vote_head = ("figure", "real", *modes), (*VOTE_HEAD, *modes)
    return document(
        f"{name}: fidelity of the crowd {crowd}",
        tag("h1", text(f"{name}: does the crowd '{crowd}' behave like the real one?")),
        section("May it be used?", *(note(said) for said in verdict_sentences(modes))),
        section("The majority vote's exact F1 by agreement", table(vote_head, vote_rows(modes))),
        section(
            "The comparison", note(f"{_INTRODUCTION} {size}"), table(head, fidelity_rows(modes))
        ),
        section("Agreement", *(fidelity_figure(mode, result) for mode, result in modes.items())),
        live=True,
    )


def _verdict(mode: str, result: Fidelity) -> str:
    reasons = "; ".join(result.reasons)
    more = f" {reasons[0].upper()}{reasons[1:]}." if reasons else ""
    return f"{mode}: {result.verdict}.{more}"


def _with_margin(band: VoteBand) -> str:
    return "-" if band.vote.real is None else f"{band.vote.real:.3f} ± {band.margin:.3f}"


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def fidelity_figures(result: Fidelity) -> dict[str, Comparison]:
    """Return every figure that is compared, by what it is called."""
    figures = {"kappa: distance of the distributions (KS)": Comparison(0.0, result.ks)}
    figures["kappa: mean"] = result.kappa
    figures |= {f"kappa: share above {t}": c for t, c in result.share_above.items()}
    figures["majority vote: exact F1"] = result.mv_exact_f1
    figures["mean F1 between two workers"] = result.pairwise_f1
    figures["answers exactly right"] = result.exactly_right
    figures["answers exactly wrong (F1 = 0)"] = result.exactly_wrong
    figures |= {f"errors with {kind}": c for kind, c in result.error_kinds.items()}
    error = Comparison(0.0, result.worker_f1_mean_abs_error)
    return figures | {"worker F1: mean absolute error": error}


def fidelity_figure(mode: str, result: Fidelity) -> str:
    """Draw the distribution of agreement, real and generated."""
    kappa, real, generated = zip(*result.kappa_histogram, strict=True)
    return line_figure(
        f"Kappa, {mode}",
        f"The largest distance between the two curves is {result.ks:.3f}.",
        [
            Series.curve("real", kappa, real),
            Series.curve("generated", kappa, generated, style=Style(1, 1)),
        ],
        x=Axis("Fleiss' kappa"),
        y=Axis("sentences at or below", low=0.0, high=1.0, percent=True),
    )
