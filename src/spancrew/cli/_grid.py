"""How `spancrew simulate` shows the outcomes of a grid."""

from collections.abc import Iterable, Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import fact_table, table
from spancrew.report import rehearsal_columns
from spancrew.simulate import Outcome
from spancrew.workbench import Rehearsals


def rehearsal_views(found: Rehearsals) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    columns = rehearsal_columns(found.summaries)
    yield table(_title(found), list(columns), zip(*columns.values(), strict=True))
    yield Text(_warm_up(found))
    yield Text(found.sentence, style="bold")
    legend = _legend(found.rehearsed[0].outcome)
    yield fact_table("Columns", [pair for pair in legend.items() if pair[0] in columns])
    if found.left_out:
        yield Text(f"{found.left_out:,} sentences could not be rehearsed.")


def _title(found: Rehearsals) -> str:
    """Say what was rehearsed, with all numbers that differ between the settings."""
    each = found.rehearsed
    sentences = _either(one.outcome.sentences for one in each)
    workers = _either(len(one.outcome.workers) for one in each)
    crews, answers = _either(one.crew for one in each), _either(one.answers for one in each)
    return (
        f"{found.name}: {sentences} sentences, {workers} workers, crew {crews}, {answers} answers "
        f"each, {each[0].outcome.runs} runs"
    )


def _either(numbers: Iterable[int]) -> str:
    return " or ".join(f"{number:,}" for number in sorted(set(numbers)))


def _legend(outcome: Outcome) -> dict[str, str]:
    prices = outcome.setting.prices
    alone = f"{outcome.expert_only_money:,.0f}"
    return {
        "given": "exact F1 of the answers",
        "final": "exact F1 of the final labels, by the crowd or by an expert",
        "expert": "share of the sentences that the rule sends to experts",
        "audit": "sentences settled by the crowd that experts label blind",
        "asked": f"answers paid for, per sentence, at {prices.answer:g} each",
        "saved": f"against experts alone, who cost {alone} at {prices.expert:g} a sentence",
        "regret": "F1 lost to the best crew, summed over answers; the oracle knows that crew",
    }


def _warm_up(found: Rehearsals) -> str:
    """Say how many sentences experts label before workers begin."""
    labels = {round(each.warm_up.mean, 1) for each in found.summaries}
    most = max(labels)
    if most == 0:
        return "Warm-up: none."
    if found.rehearsed[0].outcome.setting.warm_up == "shared":
        what = "one sentence for all workers"
    else:
        what = f"a sentence for each worker, {most:g} in all"
    rest = "; none where no expert is asked" if 0 in labels else ""
    return f"Warm-up, not counted under expert: {what}{rest}."
