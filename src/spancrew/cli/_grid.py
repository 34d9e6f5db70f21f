"""How `spancrew simulate` shows the outcomes of a grid."""

from collections.abc import Container, Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import fact_table, table
from spancrew.core import people_among
from spancrew.report import rehearsal_columns
from spancrew.workbench import Rehearsals


def rehearsal_views(found: Rehearsals) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    columns = rehearsal_columns(found.ranked, found.cheapest)
    yield Text(found.sentence, style="bold")
    yield Text(f"{found.comparison}\n{found.scope}")
    yield table(_title(found), list(columns), zip(*columns.values(), strict=True))
    yield fact_table("Columns", _legend(found, columns))
    if found.left_out:
        yield Text(f"{found.left_out:,} sentences could not be rehearsed.")


def _title(found: Rehearsals) -> str:
    """Say what was rehearsed, with all numbers that differ between the settings."""
    each = found.rehearsed
    sentences = _either(one.outcome.sentences for one in each)
    workers = _either(len(people_among(one.outcome.workers)) for one in each)
    runs = each[0].outcome.runs
    crews = " or ".join(dict.fromkeys(str(one.crew) for one in each))
    answers = _either(one.answers for one in each)
    return (
        f"{found.name}: {sentences} sentences, {workers} workers, crew {crews}, {answers} answers "
        f"each, {runs} run{'' if runs == 1 else 's'}"
    )


def _either(numbers: Iterable[int]) -> str:
    return " or ".join(f"{number:,}" for number in sorted(set(numbers)))


def _legend(found: Rehearsals, columns: Container[str]) -> list[tuple[str, str]]:
    legend = {
        "method": "policy and feedback rule; * is the cheapest that is good enough",
        "final": "exact F1 of the final labels, by the crowd or by an expert",
        "expert": "share of the sentences that the rule sends to experts",
        "audit": "sentences settled by the crowd that experts label blind",
        "asked": "answers paid for, per sentence",
        "saved": "against experts alone",
    }
    shown = [each for each in legend.items() if each[0] in columns]
    if any(each.outcome.setting.policy.needs_truth for each in found.rehearsed):
        shown.append(("oracle", "knows beforehand who is good, so it cannot be used"))
    return [*shown, ("warm-up", _warm_up(found))]


def _warm_up(found: Rehearsals) -> str:
    """Say how many sentences experts label before workers begin."""
    labels = {round(each.warm_up.mean, 1) for each in found.summaries}
    most = max(labels)
    if most == 0:
        return "none"
    if found.rehearsed[0].outcome.setting.warm_up == "shared":
        what = "one sentence for all workers"
    else:
        what = f"a sentence for each worker, {most:g} in all"
    rest = "; none where no expert is asked" if 0 in labels else ""
    return f"not counted under expert: {what}{rest}"
