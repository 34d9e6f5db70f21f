"""How `spancrew simulate` shows the outcomes of a grid."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import fact_table, table
from spancrew.report import REHEARSAL_HEAD, rehearsal_rows
from spancrew.simulate import Outcome
from spancrew.workbench import Rehearsals


def rehearsal_views(found: Rehearsals) -> Iterator[RenderableType]:
    """Yield the parts of the output from top to bottom."""
    first = found.rehearsed[0]
    outcome = first.outcome
    title = (
        f"{found.name}: {outcome.sentences:,} sentences, {len(outcome.workers)} workers, crew "
        f"{first.crew}, {first.answers} answers each, {outcome.runs} runs"
    )
    yield table(title, REHEARSAL_HEAD, rehearsal_rows(found.summaries))
    yield Text(found.sentence, style="bold")
    yield fact_table("Columns", _legend(outcome))
    if found.left_out:
        yield Text(f"{found.left_out:,} sentences could not be rehearsed.")


def _legend(outcome: Outcome) -> list[tuple[str, str]]:
    prices = outcome.setting.prices
    alone = f"{outcome.expert_only_money:,.0f}"
    return [
        ("given", "exact F1 of the answers"),
        ("final", "exact F1 of the final labels, by the crowd or by an expert"),
        ("expert", "share of the sentences labelled by experts, with those of the warm-up"),
        ("asked", f"answers paid for, per sentence, at {prices.answer:g} each"),
        ("saved", f"against experts alone, who cost {alone} at {prices.expert:g} a sentence"),
        ("regret", "F1 lost to the best crew, summed over answers; the oracle knows that crew"),
    ]
