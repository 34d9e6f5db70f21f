"""Final labels on a terminal: scores, how sure, the least sure sentences, the workers."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from spancrew.cli._printing import marked, table
from spancrew.report import (
    RELIABILITY_HEAD,
    Aggregation,
    aggregation_sentences,
    reliability_rows,
    score_rows,
)

_SHOWN = 5
"""How many sentences, and how many of the best and of the worst workers, are shown."""

_BLOCKS = " ▁▂▃▄▅▆▇█"


def views(found: Aggregation) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
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
        yield Group(*_certainty(found), *_least_sure(found))
    yield _workers(found)


def _certainty(found: Aggregation) -> Iterator[Text]:
    sure = found.confidence
    most = max(sure.counts)
    made = Text.assemble(("Confidence in a sentence ", "bold"), "0 ")
    for count in sure.counts:
        step = -(-count * (len(_BLOCKS) - 1) // most)
        made.append(_BLOCKS[step], style="blue")
    made.append(f" 1; median {sure.median:.2f}, a tenth below {sure.lowest_tenth:.2f}")
    yield made
    if sure.calibration_error is not None:
        yield Text(f"By gold, it is off by {sure.calibration_error:.2f} on average.")


def _least_sure(found: Aggregation) -> Iterator[Text]:
    rows = found.least_sure[:_SHOWN]
    width = max(len(row.sentence) for row in rows)
    yield Text("The least sure:")
    for row in rows:
        line = Text(no_wrap=True, overflow="ellipsis")
        line.append(f"{row.confidence:.2f}  {row.sentence:{width}}  ")
        line.append_text(marked(row.text, row.bounds, row.labels, list(found.labels)))
        yield line


def _workers(found: Aggregation) -> RenderableType:
    rows = reliability_rows(found)
    if len(rows) > 2 * _SHOWN + 1:
        gap = [f"... {len(rows) - 2 * _SHOWN} more"] + [""] * (len(RELIABILITY_HEAD) - 1)
        rows = [*rows[:_SHOWN], gap, *rows[-_SHOWN:]]
    return table("Workers, the most reliable first", RELIABILITY_HEAD, rows)
