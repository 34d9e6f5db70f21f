"""A rehearsal as a page: what each method costs and gives, and which one to take."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, FloatArray
from spancrew.report._html import document, note, section, table, tag, text
from spancrew.report.live import (
    Axis,
    Bars,
    Dot,
    Dots,
    Interval,
    Series,
    ThresholdLine,
    histogram_figure,
    interval_figure,
    line_figure,
    scatter_figure,
)
from spancrew.simulate import EXACT, MeanSd, Outcome, Summary, mean_sd, summary_of

MOST_WORKERS = 60
"""Workers that the ranking shows; with more, the best and the worst."""

_HEAD = (
    "method",
    "F1, answers",
    "F1, final",
    "experts",
    "answers",
    "cost",
    "saved",
    "regret",
)
_COSTS_HEAD = (
    "method",
    "answers",
    "crowd",
    "sent to experts",
    "warm-up",
    "audits",
    "experts",
    "together",
    "saved",
)


class Rehearsed(NamedTuple):
    """A setting by its names, and its outcome; ``threshold`` is None without a gate."""

    policy: str
    feedback: str
    consensus: str
    crowd: str
    crew: int | str
    answers: int
    outcome: Outcome
    threshold: float | None

    def named(self, others: Sequence["Rehearsed"]) -> str:
        """Return policy and feedback rule, with whatever else differs between the settings."""
        parts = [f"{self.policy} + {self.feedback}"]
        if len({other.consensus for other in others if other.feedback == self.feedback}) > 1:
            parts.append(self.consensus)
        if len({other.crowd for other in others}) > 1:
            parts.append(self.crowd)
        if len({other.crew for other in others}) > 1:
            parts.append(f"crew {self.crew}")
        if len({other.answers for other in others}) > 1:
            parts.append(f"{self.answers} answers")
        return ", ".join(parts)


def summaries_of(rehearsed: Sequence[Rehearsed]) -> list[Summary]:
    """Return the few numbers of every setting, by name."""
    return [summary_of(each.named(rehearsed), each.outcome) for each in rehearsed]


def _page_rows(summaries: Sequence[Summary], chosen: Summary | None) -> list[list[str]]:
    """Return the table of the page, under _HEAD."""
    return [
        [
            _marked(each, chosen),
            _score(each.answers_f1),
            _score(each.final_f1),
            _percent(each.expert_share),
            f"{each.answers.mean:.2f}",
            f"{each.money.mean:,.0f}",
            _percent(each.saved),
            f"{each.regret.mean:,.0f} ± {each.regret.sd:,.0f}",
        ]
        for each in summaries
    ]


def _marked(summary: Summary, chosen: Summary | None) -> str:
    return f"* {summary.name}" if summary == chosen else summary.name


def rehearsal_columns(
    summaries: Sequence[Summary], chosen: Summary | None = None
) -> dict[str, list[str]]:
    """Return the table of all settings in 80 columns, by the name of the column.

    The ``chosen`` one has a mark. Audits have a column where there are any.
    """
    shown: dict[str, Callable[[Summary], str]] = {
        "method": lambda each: _marked(each, chosen),
        "final": lambda each: f"{each.final_f1.mean:.3f}",
        "expert": lambda each: f"{each.expert_share.mean:.0%}",
        "audit": lambda each: f"{each.audited.mean:,.0f}",
        "asked": lambda each: f"{each.answers.mean:.2f}",
        "cost": lambda each: f"{each.money.mean:,.0f}",
        "saved": lambda each: f"{each.saved.mean:.0%}",
    }
    if not any(each.audited.mean for each in summaries):
        del shown["audit"]
    return {name: [show(each) for each in summaries] for name, show in shown.items()}


def rehearsal_page(
    name: str,
    rehearsed: Sequence[Rehearsed],
    chosen: Summary | None,
    lead: Sequence[str],
) -> str:
    """Return everything as one HTML page, with settings in their order.

    The ``lead`` says why the first is ``chosen``, or that none is.
    """
    rows = _page_rows(summaries_of(rehearsed), chosen)
    return document(
        f"{name}: rehearsal",
        tag("h1", text(f"{name}: a rehearsed campaign")),
        *(tag("p", text(each), class_="lead") for each in lead),
        section("Methods", note(_introduction(rehearsed)), table(_HEAD, rows)),
        section("Quality and cost", rehearsal_figure(rehearsed), _costs(rehearsed)),
        section("Learning which workers to ask", _regret(rehearsed), _workers(rehearsed)),
        section("Agreement and quality on the way", *_agreement(rehearsed), _progress(rehearsed)),
        live=True,
    )


def _introduction(rehearsed: Sequence[Rehearsed]) -> str:
    outcome = rehearsed[0].outcome
    prices = outcome.setting.prices
    return (
        f"{outcome.sentences:,} sentences, {len(outcome.workers)} workers, {outcome.runs} runs "
        f"of each method with the crowd {rehearsed[0].crowd}. F1 is span-exact, ± is one standard "
        f"deviation over runs. An answer costs {prices.answer:g}, an expert's label "
        f"{prices.expert:g}; saved is against experts alone at {outcome.expert_only_money:,.0f}. "
        "Experts are the sentences that the rule sends to them; those of the warm-up and audits "
        "are counted apart, and paid for like all others. * is the cheapest that is good enough."
    )


def _score(value: MeanSd) -> str:
    return f"{value.mean:.3f} ± {value.sd:.3f}"


def _percent(value: MeanSd) -> str:
    return f"{100 * value.mean:.1f} %"


def rehearsal_figure(rehearsed: Sequence[Rehearsed]) -> str:
    """Draw the final quality of every setting against the share of expert sentences."""
    series = []
    for each in rehearsed:
        share = mean_sd(each.outcome.expert_share)
        final = mean_sd(each.outcome.final[EXACT][:, -1, 2])
        name = each.named(rehearsed)
        dot = Dot(share.mean, final.mean, name, _around(share), _around(final))
        series.append(Dots(name, [dot]))
    return scatter_figure(
        "Final quality against expert use",
        "Up and to the left is better. Bars are one standard deviation over runs.",
        series,
        x=Axis("sentences sent to experts", low=0.0, percent=True),
        y=Axis("F1 of the final labels", percent=True),
    )


def _around(value: MeanSd) -> tuple[float, float]:
    return value.mean - value.sd, value.mean + value.sd


def _costs(rehearsed: Sequence[Rehearsed]) -> str:
    rows = []
    for each in rehearsed:
        outcome = each.outcome
        counts = (
            outcome.asked,
            outcome.crowd_money,
            outcome.experts[:, -1],
            outcome.warm_up,
            outcome.audited,
            outcome.expert_money,
            outcome.money,
        )
        means = (f"{count.mean():,.0f}" for count in counts)
        rows.append([each.named(rehearsed), *means, _percent(mean_sd(outcome.saved))])
    return table(_COSTS_HEAD, rows)


def _regret(rehearsed: Sequence[Rehearsed]) -> str:
    return line_figure(
        "Regret",
        "What was lost in F1, summed over answers, because the best crew was not known. Bands "
        "are one standard deviation over runs.",
        [
            _curve(each.named(rehearsed), each.outcome.steps, each.outcome.regret)
            for each in rehearsed
        ],
        x=Axis("step"),
        y=Axis("cumulative regret"),
    )


def _curve(name: str, x: Iterable[float], runs: FloatArray) -> Series:
    """Return mean and standard deviation of something that was followed in every run."""
    return Series.spread(name, x, runs.mean(axis=0), runs.std(axis=0))


def _workers(rehearsed: Sequence[Rehearsed]) -> str:
    shown = rehearsed[0]
    outcome = shown.outcome
    means = np.where(outcome.count > 0, outcome.mean, np.nan)
    scored: BoolArray = np.any(outcome.count > 0, axis=0)
    values = np.full((len(scored), 4), np.nan)
    values[scored, :3] = np.nanquantile(means[:, scored], (0.5, 0.1, 0.9), axis=0).T
    values[:, 3] = outcome.truth
    order = np.argsort(-outcome.truth)
    order = order[scored[order]]
    if len(order) > MOST_WORKERS:
        half = MOST_WORKERS // 2
        order = np.concatenate([order[:half], order[-half:]])
    rows = [Interval(outcome.workers[w], *values[w].tolist()) for w in order.tolist()]
    return interval_figure(
        f"What was learned of the workers ({shown.named(rehearsed)})",
        "The mean reward at the end (median and 10 to 90 % of runs) beside the true mean score. "
        "It stays uncertain for workers who are rarely chosen, and there is none for those who "
        "never are; rewards from the crowd's own vote are too high.",
        rows,
        x=Axis("mean score"),
    )


def _agreement(rehearsed: Sequence[Rehearsed]) -> list[str]:
    gated = [each for each in rehearsed if each.threshold is not None]
    if not gated:
        return []
    first = gated[0]
    bins = first.outcome.agreement.shape[1]
    edges = np.linspace(-1.0, 1.0, bins + 1)
    kept = slice(bins // 4, None)
    series = []
    for each in gated[:2]:
        counts = each.outcome.agreement.sum(axis=0).astype(float)
        shares = counts / max(counts.sum(), 1.0)
        series.append(Bars(each.named(rehearsed), shares[kept].tolist()))
    figure = histogram_figure(
        "Agreement of the answers on a sentence",
        "Above the threshold the crowd decides; elsewhere an expert is asked.",
        edges[bins // 4 :].tolist(),
        series,
        x=Axis("agreement (kappa)"),
        y=Axis("sentences", percent=True),
        threshold=ThresholdLine(first.threshold or 0.0, f"threshold {first.threshold:g}"),
    )
    return [figure]


def _progress(rehearsed: Sequence[Rehearsed]) -> str:
    series = []
    for each in rehearsed:
        f1 = each.outcome.answers[EXACT][:, :, 2]
        done = np.arange(1, f1.shape[1] + 1) / f1.shape[1]
        series.append(_curve(each.named(rehearsed), done, f1))
    return line_figure(
        "F1 of the answers so far",
        "Of all answers collected up to then; a policy that learns rises.",
        series,
        x=Axis("sentences done", percent=True),
        y=Axis("mean F1 of answers", percent=True),
    )
