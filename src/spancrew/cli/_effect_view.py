"""An effect on a model on a terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.effect import Effect
from spancrew.report import (
    DIFFERENCE_HEAD,
    EFFECT_HEAD,
    difference_rows,
    effect_notes,
    effect_rows,
    effect_sentences,
)

_WIDTH = 40
"""Characters of the longest bar."""


def effect_views(name: str, found: Effect) -> Iterator[RenderableType]:
    """Yield the scores, a plot, the differences, and what they mean."""
    model = found.model.partition(":")[0]
    yield table(f"{name}: {model} by what it is trained on", EFFECT_HEAD, effect_rows(found))
    yield _plot(found)
    head, rows = DIFFERENCE_HEAD, difference_rows(found)
    yield table("Differences in points of F1", head, rows, words=2)
    yield Text("\n".join(effect_sentences(found)), style="bold")
    yield Text("\n".join(effect_notes(found)))


def _plot(found: Effect) -> Text:
    """Draw a bar for every arm, from 0 to the best."""
    most = max((each.f1.mean for each in found.arms), default=0.0) or 1.0
    wide = max(len(each.name) for each in found.arms)
    lines = Text()
    for each in found.arms:
        lines.append(f"{each.name:{wide}} ")
        lines.append("█" * round(_WIDTH * each.f1.mean / most), style="blue")
        lines.append(f" {100 * each.f1.mean:.1f}\n")
    lines.rstrip()
    return lines
