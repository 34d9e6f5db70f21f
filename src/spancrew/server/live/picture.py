"""A picture of a campaign over time: what was judged and settled, and how workers are doing."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from spancrew.campaign import Entry
from spancrew.feedback import feedback_rule
from spancrew.server.live.progress import Progress
from spancrew.server.live.workers import WorkerPicture

Body = dict[str, Any]


class Judgement:
    """What the rule last saw on a sentence; ``by`` is what the figure in ``reason`` is."""

    __slots__ = ("by", "contested", "errors", "outcome", "reason")

    def __init__(self, body: Body, by: str) -> None:
        self.by = by
        self.outcome: str = body["outcome"]
        self.reason: float | None = body["reason"]
        self.errors: float = body["errors"]
        # A journal of an older version does not say.
        self.contested: bool = body.get("contested", False)


class Picture:
    """The fold of a journal for those who watch; it grows with sentences, not with events."""

    def __init__(self) -> None:
        self.version = 0
        self.judged: dict[int, Judgement] = {}
        self.labels: Counter[str] = Counter()
        self.workers: defaultdict[int, WorkerPicture] = defaultdict(WorkerPicture)
        self.progress = Progress()
        self._given: dict[int, dict[int, int]] = {}
        self._by = ""

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        self.version = version
        taker = _TAKERS.get(entry.kind)
        if taker is not None:
            taker(self, entry.at, json.loads(entry.body))

    def _opened(self, at: float, body: Body) -> None:
        self._by = figure_of(body["plan"]["feedback"])
        self.progress.begin(at)

    def _rule_set(self, _at: float, body: Body) -> None:
        self._by = figure_of(body["feedback"])

    def _answered(self, at: float, body: Body) -> None:
        self.progress.pay(at, body["paid"])
        worker = self.workers[body["worker"]]
        if body["seconds"] is not None:
            worker.seconds.append(body["seconds"])
        if not body["surplus"]:
            self._given.setdefault(body["sentence"], {})[body["worker"]] = len(body["spans"])

    def _expert_answered(self, at: float, body: Body) -> None:
        self.progress.pay(at, body["paid"])

    def _judged(self, _at: float, body: Body) -> None:
        self.judged[body["sentence"]] = Judgement(body, self._by)

    def _settled(self, at: float, body: Body) -> None:
        self.progress.settle(at, body["by"])
        labels = body["labels"]
        self.labels.update(row[2] for row in labels)
        given = self._given.pop(body["sentence"], {})
        shared = Counter(voter for row in labels for voter in row[4])
        for number, reward in body["rewards"]:
            worker = self.workers[number]
            if reward is not None:
                worker.rewards.append(reward)
            if number in given:
                worker.compare(shared[number], given[number] + len(labels))

    def _scored(self, _at: float, body: Body) -> None:
        self.workers[body["worker"]].rewards.append(body["reward"])


def figure_of(feedback: str) -> str:
    """Return what a rule decides by; kappas of different kinds are different figures.

    >>> figure_of("gate:kappa=alpha"), figure_of("adaptive:quality=0.9"), figure_of("crowd")
    ('agreement alpha', 'errors', 'nothing')
    """
    rule = feedback_rule(feedback)
    kappa = getattr(rule, "kappa", None)
    return f"{rule.decides_by} {kappa}" if kappa else rule.decides_by


_TAKERS: dict[str, Callable[[Picture, float, Body], None]] = {
    "Opened": Picture._opened,  # noqa: SLF001  its own
    "RuleSet": Picture._rule_set,  # noqa: SLF001
    "Answered": Picture._answered,  # noqa: SLF001
    "ExpertAnswered": Picture._expert_answered,  # noqa: SLF001
    "Judged": Picture._judged,  # noqa: SLF001
    "Settled": Picture._settled,  # noqa: SLF001
    "Scored": Picture._scored,  # noqa: SLF001
}
