"""A live rehearsal compared with the offline one."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.consensus import consensus_name
from spancrew.core import FloatArray
from spancrew.feedback import feedback_name
from spancrew.policies import policy_name
from spancrew.report import document, note, section, tag, text
from spancrew.report import table as html_table
from spancrew.simulate import EXACT, MeanSd, Outcome, Setting, mean_sd

_HEAD = ("", "live", "offline", "sd", "lowest", "highest", "live - offline")


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


class _Figure(NamedTuple):
    """A figure that is compared: its words, how it is shown, and its values in offline runs."""

    words: str
    show: Callable[[float], str]
    runs: Callable[[Outcome], FloatArray]


_FIGURES = {
    "final_f1": _Figure(
        "F1 of final labels", "{:.3f}".format, lambda outcome: outcome.final[EXACT][:, -1, 2]
    ),
    "expert_share": _Figure("expert share", _percent, lambda o: o.expert_share),
    "expert_labels": _Figure(
        "expert labels", "{:,.0f}".format, lambda o: o.expert_labels.astype(float)
    ),
    "answers": _Figure("answers", "{:,.0f}".format, lambda o: o.asked.astype(float)),
    "money": _Figure("money", "{:,.2f}".format, lambda o: o.money),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, live and offline."""

    name: str
    live: float
    offline: MeanSd
    lowest: float
    highest: float

    @property
    def difference(self) -> float:
        """Return how much more it was live."""
        return self.live - self.offline.mean

    def as_json(self) -> dict[str, Any]:
        """Return the figure as a record."""
        return {
            "live": self.live,
            "offline": {
                "mean": self.offline.mean,
                "sd": self.offline.sd,
                "min": self.lowest,
                "max": self.highest,
            },
            "difference": self.difference,
        }

    def row(self) -> list[str]:
        """Return the figure as a row of a table."""
        figure, offline = _FIGURES[self.name], self.offline
        values = (self.live, offline.mean, offline.sd, self.lowest, self.highest)
        sign = "+" if self.difference >= 0 else "-"
        return [figure.words, *map(figure.show, values), sign + figure.show(abs(self.difference))]


def measures(live: Mapping[str, float], outcome: Outcome) -> tuple[Measure, ...]:
    """Return every figure of a live campaign beside those of the offline runs."""
    runs = {name: figure.runs(outcome) for name, figure in _FIGURES.items()}
    return tuple(
        Measure(name, live[name], mean_sd(values), float(values.min()), float(values.max()))
        for name, values in runs.items()
    )


@dataclass(frozen=True, slots=True)
class LiveComparison:
    """A campaign on a server beside its offline rehearsal."""

    campaign: str
    sentences: int
    settled: int
    workers: int
    experts: int
    seconds: float
    setting: Setting
    measures: tuple[Measure, ...]

    def as_json(self) -> dict[str, Any]:
        """Return everything as a record."""
        return {
            "campaign": self.campaign,
            "sentences": self.sentences,
            "settled": self.settled,
            "workers": self.workers,
            "experts": self.experts,
            "seconds": round(self.seconds, 3),
            "runs": self.setting.runs,
            **{each.name: each.as_json() for each in self.measures},
        }

    def views(self) -> Iterator[RenderableType]:
        """Yield the parts of the output from top to bottom."""
        yield table(self._title, _HEAD, [each.row() for each in self.measures])
        yield Text(self._note)

    @property
    def _title(self) -> str:
        return (
            f"{self.settled:,} of {self.sentences:,} sentences settled live by {self.workers} "
            f"workers and {self.experts} experts in {self.seconds:.1f} s"
        )

    @property
    def _note(self) -> str:
        return (
            f"Live: campaign {self.campaign} on the server. Offline: mean of {self.setting.runs} "
            "runs in rounds with the same crowd, policy, rule, consensus method and warm-up. F1 "
            "is span-exact. Expert share: of the sentences, those that the rule sends to experts. "
            "Expert labels: these, and those of the warm-up and audits."
        )

    def page(self) -> str:
        """Return the comparison as an HTML page."""
        setting = self.setting
        facts = [
            ("policy", policy_name(setting.policy)),
            ("feedback rule", feedback_name(setting.feedback)),
            ("consensus method", consensus_name(setting.consensus)),
            ("crew, answers on a sentence", f"{setting.crew}, {setting.answers}"),
        ]
        rows = [each.row() for each in self.measures]
        return document(
            "Live rehearsal",
            tag("h1", text("Live rehearsal")),
            section(self._title, html_table(_HEAD, rows), note(self._note)),
            section("Settings", html_table(("", ""), facts, words=2)),
        )
