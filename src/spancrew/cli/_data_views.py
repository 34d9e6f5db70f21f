"""How inspections, final labels, the fidelity of a crowd and a frontier look on a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_letters

from rich.console import Group, RenderableType
from rich.text import Text

from spancrew.cli._printing import bars, fact_table, marked, shortened, table
from spancrew.crowds import Fidelity
from spancrew.report import (
    CALIBRATION_HEAD,
    CHOOSERS_HEAD,
    RIVALS_HEAD,
    VOTE_HEAD,
    Aggregation,
    ChoiceInspection,
    ErrorSummary,
    Inspection,
    WorkerRow,
    aggregation_sentences,
    calibrated,
    calibration_rows,
    choice_rows,
    choice_sentences,
    chooser_rows,
    error_sentence,
    fidelity_rows,
    frontier_head,
    frontier_notes,
    frontier_rows,
    frontier_sentence,
    reliability_head,
    reliability_rows,
    rival_rows,
    score_heads,
    score_name,
    score_rows,
    score_word,
    spread_rows,
    verdict_sentences,
    vote_rows,
)
from spancrew.simulate import Frontier

_LEAST_SURE = 5
"""How many of the least sure sentences are shown."""

_BLOCKS = " ▁▂▃▄▅▆▇█"

_SHARES_WITH_SPREAD = 3
"""Shares for which there is room to show the spread of each F1."""

_PLOT_STEPS = (0.005, 0.01, 0.02, 0.025, 0.05, 0.1, 0.2)
"""What a line of the plot may stand for."""

_PLOT_LINES = 18
"""Lines of the plot at most."""

_COLUMN = 10
"""Columns for every share."""


def inspection_views(found: Inspection) -> Iterator[RenderableType]:
    """Yield the parts of an inspection from top to bottom."""
    yield _data(found)
    head = ["worker", "answers", *score_heads()]
    rows = [_worker(row) for row in found.worker_rows]
    yield table("Workers, the best first", head, shortened(rows))
    if found.agreement:
        yield _agreement(found)
        yield bars("Fleiss' kappa by sentence", found.agreement["fleiss"].histogram)
    if found.errors:
        yield _errors(found.errors, list(found.labels))


def choice_views(found: ChoiceInspection) -> Iterator[RenderableType]:
    """Yield the parts of an inspection of choices from top to bottom."""
    facts = fact_table(f"{found.name}: choices", choice_rows(found), words=1)
    yield Group(facts, *map(Text, choice_sentences(found)))
    rows = shortened(chooser_rows(found))
    yield table("Workers, the best first", CHOOSERS_HEAD, rows)
    if found.ranking:
        yield table("Responses, the strongest first", RIVALS_HEAD, shortened(rival_rows(found)))


def _data(found: Inspection) -> RenderableType:
    length = found.span_length
    labels = ", ".join(f"{name} {count:,}" for name, count in found.labels.items())
    rows = [
        ("sentences", f"{found.sentences:,}"),
        ("of these with gold", f"{found.sentences_with_gold:,}"),
        ("workers", f"{found.workers:,}"),
        ("answers", f"{found.answers:,}"),
        ("mean length of a gold span", "-" if length is None else f"{length:.2f}"),
        *spread_rows(found.answers_per_worker),
    ]
    title = f"{found.name}: the paper's Table 1"
    return Group(fact_table(title, rows, words=1), Text(f"gold spans: {labels}"))


def _worker(row: WorkerRow) -> list[str]:
    cells = [row.worker, f"{row.answers:,}"]
    for scores in row.scores.values():
        cells += ["-"] * 3 if scores is None else [f"{value:.2f}" for value in scores]
    return cells


def _agreement(found: Inspection) -> RenderableType:
    rows = [
        [
            name.replace("_", " "),
            f"{row.overall:.3f}",
            f"{row.mean:.3f}",
            f"{row.median:.3f}",
            *(f"{share:.1%}" for share in row.share_above.values()),
        ]
        for name, row in (found.agreement or {}).items()
    ]
    return table("Agreement", ("", "overall", "mean", "median", "above 0.4", "above 0.65"), rows)


def _errors(errors: ErrorSummary, labels: list[str]) -> RenderableType:
    parts: list[RenderableType] = [bars("Errors", errors.combinations.items())]
    parts.append(Text(error_sentence(errors)))
    for example in errors.examples:
        gold = marked(example.text, example.bounds, example.gold, labels)
        given = marked(example.text, example.bounds, example.given, labels)
        parts += [
            Text(f"\n{example.kind}, sentence {example.sentence}", style="bold"),
            Text("gold: ") + gold,
            Text(f"{example.worker}: ") + given,
        ]
    return Group(*parts)


def aggregation_views(found: Aggregation) -> Iterator[RenderableType]:
    """Yield the parts of final labels from top to bottom."""
    title = (
        f"{found.name} by {found.method}: sentences {found.sentences:,}, answers "
        f"{found.answers:,}, workers {len(found.workers):,}; joined in {found.seconds:.1f} s"
    )
    yield Group(Text(title, style="bold"), *map(Text, aggregation_sentences(found)))
    rows = score_rows(found)
    if rows:
        head = ("", "precision", "recall", "F1")
        yield table(f"Against gold ({found.scored_sentences:,} sentences)", head, rows)
    if found.least_sure:
        yield Group(*_confidence(found), *_least_sure(found))
    workers = shortened(reliability_rows(found))
    yield table("Workers, the most reliable first", reliability_head(found), workers)


def _confidence(found: Aggregation) -> Iterator[Text]:
    sure = found.confidence
    most = max(sure.counts)
    made = Text.assemble(("Confidence in a sentence ", "bold"), "0 ")
    for count in sure.counts:
        # Rounded up, so that a few sentences are never drawn as none.
        step = -(-count * (len(_BLOCKS) - 1) // most)
        made.append(_BLOCKS[step], style="blue")
    made.append(f" 1; median {sure.median:.2f}, a tenth below {sure.lowest_tenth:.2f}")
    yield made
    if sure.calibration_error is not None:
        yield Text(f"By gold, it is off by {sure.calibration_error:.2f} on average.")


def _least_sure(found: Aggregation) -> Iterator[Text]:
    rows = found.least_sure[:_LEAST_SURE]
    width = max(len(row.sentence) for row in rows)
    yield Text("The least sure:")
    for row in rows:
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append(f"{row.confidence:.2f}  {row.sentence:{width}}  ")
        line.append_text(marked(row.text, row.bounds, row.labels, list(found.labels)))
        yield line


def fidelity_views(
    crowd: str, modes: Mapping[str, Fidelity], *, in_sample: bool
) -> Iterator[RenderableType]:
    """Yield the parts of a comparison of crowds from top to bottom."""
    first = next(iter(modes.values()))
    yield table(
        f"The crowd '{crowd}' against the real one", ("", "real", *modes), fidelity_rows(modes)
    )
    about = "The majority vote's exact F1 by agreement"
    yield table(about, (*VOTE_HEAD, *modes), vote_rows(modes))
    yield Text("\n".join(verdict_sentences(modes)), style="bold")
    fitted = (
        "The crowd was fitted to the same sentences, which flatters it."
        if in_sample
        else "The crowd was fitted to the other half of such sentences."
    )
    yield Text(
        f"{first.sentences:,} sentences with gold and at least four answers, {first.answers:,} "
        f"answers, stand-ins drawn {first.repeats} times. {fitted}"
    )


def frontier_views(name: str, found: Frontier) -> Iterator[RenderableType]:
    """Yield the parts of a frontier: a table, a plot of letters, how sure is sure."""
    title = f"{name}: {score_name(found)} of final labels by share of expert sentences"
    head = frontier_head(found)
    rows = frontier_rows(found, brief=len(head) > _SHARES_WITH_SPREAD + 1)
    lettered = [[letter, *row] for letter, row in zip(_letters(found), rows, strict=True)]
    yield table(title, ["", *head], lettered, words=2)
    yield Text(frontier_sentence(found), style="bold")
    yield Group(*_plot(found))
    share, points = calibrated(found)
    if points:
        about = f"Confidence in a sentence, with {100 * share:g} % experts"
        yield table(about, CALIBRATION_HEAD, calibration_rows(points))
    yield Text(
        f"{found.sentences:,} sentences arrive in {found.points[0].orders} random orders, and "
        "every decision knows only the past; only kappa-hindsight knows all answers "
        f"beforehand. The {score_word(found)} is of all sentences: the expert's labels where one "
        "was asked, else the crowd's, judged once more at the end. "
        f"{frontier_notes(found)}"
    )


def _letters(found: Frontier) -> str:
    pairs = len(found.curves())
    return (ascii_letters * (pairs // len(ascii_letters) + 1))[:pairs]


def _plot(found: Frontier) -> Iterator[Text]:
    """Yield a line for every level of F1, with the letters of the pairs that are there."""
    curves = [[point.exact_f1.mean for point in row] for row in found.curves().values()]
    step = _step(curves)
    levels = [[round(value / step) for value in row] for row in curves]
    flat = [level for row in levels for level in row]
    for level in range(max(flat), min(flat) - 1, -1):
        cells = (
            "".join(
                letter
                for letter, row in zip(_letters(found), levels, strict=True)
                if row[column] == level
            )
            for column in range(len(curves[0]))
        )
        drawn = "".join(f"{_fitted(cell):^{_COLUMN}}" for cell in cells)
        yield Text(f"{level * step:.3f} │{drawn}".rstrip(), no_wrap=True)
    shares = frontier_head(found)[1:]
    yield Text(f"      └{'─' * _COLUMN * len(shares)}", no_wrap=True)
    yield Text(f"       {''.join(f'{each:^{_COLUMN}}' for each in shares)}".rstrip(), no_wrap=True)


def _step(curves: Sequence[Sequence[float]]) -> float:
    values = [value for row in curves for value in row]
    reach = max(values) - min(values)
    return next((step for step in _PLOT_STEPS if reach / step <= _PLOT_LINES - 1), _PLOT_STEPS[-1])


def _fitted(cell: str) -> str:
    return cell if len(cell) < _COLUMN else f"{cell[: _COLUMN - 2]}…"
