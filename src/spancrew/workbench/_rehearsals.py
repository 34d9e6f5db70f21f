"""Rehearsed campaigns: what each way to run one costs and gives, and which is the cheapest.

Only a plan recommends: it searches, and what was rehearsed here was chosen by somebody else.
"""

from dataclasses import dataclass
from typing import Any

from spancrew.formats import pandas_frame
from spancrew.report import (
    Rehearsed,
    fragment,
    rehearsal_columns,
    rehearsal_figure,
    rehearsal_page,
    summaries_of,
    table,
    tag,
    text,
)
from spancrew.simulate import PAPERS_BEST, QUALITY, Outcome, Summary, as_json, cheapest
from spancrew.workbench._figure import Figure

_SETTING = ("policy", "feedback", "consensus", "crowd", "crew", "answers")
_FIGURES = ("answers_f1", "final_f1", "expert_share", "money", "saved", "regret")
_COUNTS = ("warm_up", "audited")


@dataclass(frozen=True, slots=True)
class Rehearsals:
    """The outcomes of rehearsed settings; ``left_out`` sentences could not be rehearsed.

    ``quality`` is the F1 of the final labels that is to be reached.
    """

    name: str
    rehearsed: tuple[Rehearsed, ...]
    seconds: float
    left_out: int
    quality: float = QUALITY

    @property
    def summaries(self) -> list[Summary]:
        """Return the few numbers of every setting, by name."""
        return summaries_of(self.rehearsed)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Return the outcome of every setting, by name."""
        return {each.named(self.rehearsed): each.outcome for each in self.rehearsed}

    @property
    def cheapest(self) -> Summary | None:
        """Return the cheapest setting that is good enough; None if none saves money."""
        honest = [
            summary
            for summary, each in zip(self.summaries, self.rehearsed, strict=True)
            if not each.outcome.setting.policy.needs_truth
        ]
        return cheapest(honest, self.quality)

    @property
    def sentence(self) -> str:
        """Say which of the settings is the cheapest that is good enough."""
        chosen = self.cheapest
        if chosen is None:
            return (
                "No method saves money against experts alone at these prices: cheaper answers, "
                "fewer answers on a sentence or a lower threshold would."
            )
        figures = (
            f"final labels with F1 {chosen.final_f1.mean:.3f}, "
            f"{100 * chosen.expert_share.mean:.0f} % of the sentences sent to experts, "
            f"{100 * chosen.saved.mean:.0f} % of the money saved"
        )
        return f"{self._leading(chosen)}: {figures}."

    def _leading(self, chosen: Summary) -> str:
        """Say what is said of one setting, and among how many."""
        is_reached, count = chosen.final_f1.mean >= self.quality, len(self.rehearsed)
        wanted = f"F1 {self.quality:g}"
        if count == 1:
            return f"{chosen.name} {'reaches' if is_reached else 'misses'} {wanted}"
        if is_reached:
            return f"The cheapest of {count} methods that reaches {wanted} is {chosen.name}"
        missed = f"None of {count} methods reaches {wanted} and saves money"
        return f"{missed}; closest is {chosen.name}"

    @property
    def comparison(self) -> str:
        """Say what the cheapest setting costs, against experts alone and the paper's method."""
        chosen = self.cheapest
        alone = f"experts alone cost {self.rehearsed[0].outcome.expert_only_money:,.0f}"
        papers = self._papers
        if papers is not None and papers != chosen:
            alone += (
                f", and the paper's {papers.name} costs {papers.money.mean:,.0f} for "
                f"F1 {papers.final_f1.mean:.3f}"
            )
        if chosen is None:
            return f"{alone[0].upper()}{alone[1:]}."
        return f"It costs {chosen.money.mean:,.0f}; {alone}."

    @property
    def scope(self) -> str:
        """Say at what prices, and that only a plan recommends."""
        prices = self.rehearsed[0].outcome.setting.prices
        return (
            f"Prices assumed: {prices.answer:g} an answer (--answer-price), {prices.expert:g} an "
            "expert (--expert-price). Nothing else was compared: spancrew plan searches rules, "
            "answers, thresholds and crews, and recommends."
        )

    @property
    def _papers(self) -> Summary | None:
        """Return what the paper recommends, if it was rehearsed once."""
        found = [
            summary
            for summary, each in zip(self.summaries, self.rehearsed, strict=True)
            if (each.policy, each.feedback) == PAPERS_BEST
        ]
        return found[0] if len(found) == 1 else None

    @property
    def ranked(self) -> list[Summary]:
        """Return all settings: first the cheapest, last what knows the truth beforehand."""
        return summaries_of(self._in_order)

    @property
    def _in_order(self) -> list[Rehearsed]:
        chosen = self.cheapest
        pairs = zip(self.summaries, self.rehearsed, strict=True)
        placed = [
            (each.outcome.setting.policy.needs_truth, summary != chosen, each)
            for summary, each in pairs
        ]
        return [each for *_, each in sorted(placed, key=lambda place: place[:2])]

    def __repr__(self) -> str:
        """Return the cheapest that is good enough."""
        count = len(self.rehearsed)
        settings = "1 setting" if count == 1 else f"{count} settings"
        return f"Rehearsals({settings}, {self.rehearsed[0].outcome.runs} runs; {self.sentence})"

    def _repr_html_(self) -> str:
        """Return the cheapest, the table and a drawing, for a notebook."""
        columns = rehearsal_columns(self.ranked, self.cheapest)
        return fragment(
            tag("p", text(f"{self.sentence} {self.comparison} {self.scope}"), class_="lead"),
            table(list(columns), list(zip(*columns.values(), strict=True))),
            rehearsal_figure(self.rehearsed),
        )

    def frame(self) -> Any:
        """Return a pandas DataFrame with a row for each setting: means and spreads over runs."""
        records = [_record(*pair) for pair in zip(self.rehearsed, self.summaries, strict=True)]
        return pandas_frame(records, list(records[0]))

    def plot(self) -> Figure:
        """Draw the final quality of every setting against the share of expert sentences."""
        return Figure.of(f"{self.name}: rehearsal", rehearsal_figure(self.rehearsed))

    def page(self) -> str:
        """Return the whole report as an HTML page."""
        lead = (self.sentence, self.comparison, self.scope)
        return rehearsal_page(self.name, self._in_order, self.cheapest, lead)

    def as_json(self) -> dict[str, Any]:
        """Return one record for every setting."""
        return {
            "results": [
                {
                    "policy": each.policy,
                    "feedback": each.feedback,
                    "consensus": each.consensus,
                    "crowd": each.crowd,
                    "crew": each.crew,
                    "answers_per_sentence": each.answers,
                    "warm_up": each.outcome.setting.warm_up,
                    **as_json(each.outcome),
                    "seconds": round(self.seconds / len(self.rehearsed), 3),
                }
                for each in self.rehearsed
            ],
            "left_out": self.left_out,
        }


def _record(each: Rehearsed, summary: Summary) -> dict[str, Any]:
    record: dict[str, Any] = {name: getattr(each, name) for name in _SETTING}
    for name in _FIGURES:
        mean, sd = getattr(summary, name)
        record |= {name: mean, f"{name}_sd": sd}
    record["answers_per_sentence"] = summary.answers.mean
    return record | {name: getattr(summary, name).mean for name in _COUNTS}
