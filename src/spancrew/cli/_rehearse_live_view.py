"""What came of a live rehearsal beside what the offline one says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from spancrew.cli._printing import table
from spancrew.consensus import consensus_name
from spancrew.core import FloatArray
from spancrew.feedback import feedback_name
from spancrew.policies import policy_name
from spancrew.simulate import EXACT, MeanSd, Outcome, Setting, mean_sd


@dataclass(frozen=True, slots=True)
class Figures:
    """What is compared: a live campaign has one of each, an offline rehearsal one for each run."""

    final_f1: float
    expert_share: float
    asked_share: float
    answers: float
    money: float


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, live and offline."""

    name: str
    words: str
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


_HEAD = ("", "live", "offline", "sd", "lowest", "highest", "live - offline")
_WORDS = {
    "final_f1": "F1 of final labels",
    "expert_share": "expert share",
    "asked_share": "without warm-up",
    "answers": "answers",
    "money": "money",
}


@dataclass(frozen=True, slots=True)
class Compared:
    """A campaign on a server, and its offline twin."""

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
        yield table(self._title, _HEAD, [_row(each) for each in self.measures])
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
            "runs in rounds with the same crowd, policy, rule and consensus method, and a warm-up "
            "sentence of their own for every worker. F1 is span-exact. Expert share: of the "
            "sentences, with and without those of the warm-up."
        )

    def page(self) -> str:
        """Return the comparison as an HTML page."""
        from spancrew.report import document, note, section, tag, text
        from spancrew.report import table as html_table

        rows = [_row(each) for each in self.measures]
        setting = self.setting
        facts = [
            ("policy", policy_name(setting.policy)),
            ("feedback rule", feedback_name(setting.feedback)),
            ("consensus method", consensus_name(setting.consensus)),
            ("crew, answers on a sentence", f"{setting.crew}, {setting.answers}"),
        ]
        return document(
            "Live rehearsal",
            tag("h1", text("Live rehearsal")),
            section(self._title, html_table(_HEAD, rows), note(self._note)),
            section("Settings", html_table(("", ""), facts, words=2)),
        )


def compared_measures(live: Figures, outcome: Outcome) -> tuple[Measure, ...]:
    """Return every figure of a live campaign beside those of the runs of its offline twin."""
    runs: dict[str, FloatArray] = {
        "final_f1": outcome.final[EXACT][:, -1, 2],
        "expert_share": outcome.expert_share,
        "asked_share": outcome.gate_share,
        "answers": outcome.asked.astype(float),
        "money": outcome.money,
    }
    return tuple(
        Measure(
            name,
            _WORDS[name],
            float(getattr(live, name)),
            mean_sd(values),
            float(values.min()),
            float(values.max()),
        )
        for name, values in runs.items()
    )


def _row(measure: Measure) -> tuple[str, ...]:
    found = measure.offline
    values = (measure.live, found.mean, found.sd, measure.lowest, measure.highest)
    show = _SHOW[measure.name]
    sign = "+" if measure.difference >= 0 else "-"
    return (measure.words, *map(show, values), sign + show(abs(measure.difference)))


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


_SHOW = {
    "final_f1": "{:.3f}".format,
    "expert_share": _percent,
    "asked_share": _percent,
    "answers": "{:,.0f}".format,
    "money": "{:,.2f}".format,
}
