"""A picture of a campaign over time: what was judged and settled, and how workers are doing."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from spancrew.campaign import Entry, pack, unpack
from spancrew.errors import JournalError
from spancrew.feedback import feedback_rule
from spancrew.server.live.judgements import Judgements
from spancrew.server.live.lately import WorkerPicture
from spancrew.server.live.twins import Answer, SharedMistakes

_MOST = 400
"""Points from which on every second one is dropped."""


class ProgressPoint(NamedTuple):
    """How many sentences were settled, how much was spent and answered, at a time."""

    at: float
    by_crowd: int
    by_expert: int
    spent: float
    answers: int = 0

    @property
    def settled(self) -> int:
        """Return how many sentences people have settled."""
        return self.by_crowd + self.by_expert


class ProgressLine:
    """A line through time: exact at each of its points, of which the last is now."""

    def __init__(self) -> None:
        self._points: list[ProgressPoint] = []
        self._every = 1
        self._moves = 0
        self._settled = {"crowd": 0, "expert": 0, "gold": 0}
        self._spent = 0.0
        self._answers = 0
        self._at: float | None = None
        self.started_at: float | None = None
        self.resumed_at: float | None = None

    def begin(self, at: float) -> None:
        """Begin with nothing."""
        self._move(at)

    def settle(self, at: float, by: str) -> None:
        """Count a sentence that was settled."""
        self._settled[by] += 1
        self._move(at)

    def overrule(self, at: float) -> None:
        """Count a sentence of the crowd as one of the experts'."""
        self._settled["crowd"] -= 1
        self._settled["expert"] += 1
        self._move(at)

    def start(self, at: float) -> None:
        """Note that people may work from now on, for the first time or again."""
        self.started_at = at if self.started_at is None else self.started_at
        self.resumed_at = at

    def pay(self, at: float, amount: float, answers: int = 0) -> None:
        """Count money that was spent, and answers of workers."""
        self._spent = round(self._spent + amount, 9)
        self._answers += answers
        self._move(at)

    def kept(self) -> dict[str, Any]:
        """Return everything, to be kept."""
        return dict(vars(self))

    def resume(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        vars(self).update(kept)
        self._points = [ProgressPoint(*point) for point in kept["_points"]]

    @property
    def points(self) -> list[ProgressPoint]:
        """Return the points, the last one as of the last move."""
        now = [] if self._at is None else [self._point(self._at)]
        kept = self._points[:-1] if self._points[-1:] == now else self._points
        return [*kept, *now]

    def _point(self, at: float) -> ProgressPoint:
        by = self._settled
        return ProgressPoint(at, by["crowd"], by["expert"], self._spent, self._answers)

    def _move(self, at: float) -> None:
        self._at = at
        if self._moves % self._every == 0:
            self._points.append(self._point(at))
        self._moves += 1
        if len(self._points) >= _MOST:
            # The first point stays, so that the line begins where the campaign does.
            self._points = self._points[::2]
            self._every *= 2


Body = dict[str, Any]
_FORMAT = 4
"""Goes up when what is kept changes; what was kept before is then made again."""


class PictureFold:
    """The fold of a journal for those who watch; it grows with sentences, not with events."""

    def __init__(self) -> None:
        self.version = 0
        self.judged = Judgements()
        self.names: list[str] = []
        self.labels: Counter[str] = Counter()
        self.joined = 0
        self.workers: defaultdict[int, WorkerPicture] = defaultdict(WorkerPicture)
        self.progress = ProgressLine()
        self.mistakes = SharedMistakes()
        self._given: dict[int, dict[int, Answer]] = {}
        self._by = ""
        self._models: set[int] = set()

    def take(self, version: int, entry: Entry) -> None:
        """Take an entry of the journal into account."""
        self.version = version
        taker = _TAKERS.get(entry.kind)
        if taker is not None:
            taker(self, entry.at, json.loads(entry.body))

    def to_bytes(self) -> bytes:
        """Return what was made so far, to be kept."""
        words, columns = self.judged.kept()
        given = [
            (sentence, [(worker, sorted(spans)) for worker, spans in each.items()])
            for sentence, each in self._given.items()
        ]
        plain = {
            "format": _FORMAT,
            "by": self._by,
            "names": self.names,
            "labels": self.labels,
            "joined": self.joined,
            "models": sorted(self._models),
            "workers": [(number, each.kept()) for number, each in self.workers.items()],
            "progress": self.progress.kept(),
            "given": given,
            "mistakes": self.mistakes.kept(),
            "words": words,
        }
        return pack(plain, columns)

    def resume(self, data: bytes) -> None:
        """Go on from what was kept; refuse other bytes with a JournalError."""
        plain, columns = unpack(data)
        if plain["format"] != _FORMAT:
            raise JournalError(f"a picture of format {plain['format']}, not {_FORMAT}")
        self._by, self.names, self.joined = plain["by"], plain["names"], plain["joined"]
        self._models = set(plain["models"])
        self.labels.update(plain["labels"])
        for number, kept in plain["workers"]:
            self.workers[number].resume(*kept)
        self.progress.resume(plain["progress"])
        self._given = {
            sentence: {worker: _spans(rows) for worker, rows in pairs}
            for sentence, pairs in plain["given"]
        }
        self.mistakes.resume(plain["mistakes"])
        self.judged.resume(plain["words"], columns)

    def _opened(self, at: float, body: Body) -> None:
        self._by = figure_of(body["plan"]["feedback"])
        self.names = body["plan"]["labels"]
        self.progress.begin(at)

    def _started(self, at: float, _body: Body) -> None:
        self.progress.start(at)

    def _joined(self, _at: float, body: Body) -> None:
        self.joined += 1
        if body.get("model") is not None:
            self._models.add(body["worker"])

    def _rule_set(self, _at: float, body: Body) -> None:
        self._by = figure_of(body["feedback"])

    def _answered(self, at: float, body: Body) -> None:
        is_person = body["worker"] not in self._models
        self.progress.pay(at, body["paid"], answers=int(is_person))
        worker = self.workers[body["worker"]]
        if body["seconds"] is not None:
            worker.seconds.append(body["seconds"])
        if not body["surplus"]:
            self._given.setdefault(body["sentence"], {})[body["worker"]] = _spans(body["spans"])

    def _expert_answered(self, at: float, body: Body) -> None:
        self.progress.pay(at, body["paid"])

    def _judged(self, _at: float, body: Body) -> None:
        self.judged.put(body, self._by)

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
                worker.compare(shared[number], len(given[number]) + len(labels))
        people = {number: spans for number, spans in given.items() if number not in self._models}
        self.mistakes.settle(people, _spans(labels))

    def _reanswered(self, _at: float, body: Body) -> None:
        given = self._given.get(body["sentence"], {})
        if body["worker"] in given:
            given[body["worker"]] = _spans(body["spans"])

    def _corrected(self, at: float, body: Body) -> None:
        if body["overruled"]:
            self.progress.overrule(at)

    def _scored(self, _at: float, body: Body) -> None:
        self.workers[body["worker"]].rewards.append(body["reward"])


def _spans(rows: Iterable[Sequence[Any]]) -> Answer:
    return frozenset((row[0], row[1], row[2]) for row in rows)


def figure_of(feedback: str) -> str:
    """Return what a rule decides by; kappas of different kinds are different figures.

    >>> figure_of("gate:kappa=alpha"), figure_of("adaptive:quality=0.9"), figure_of("crowd")
    ('agreement alpha', 'errors', 'nothing')
    """
    rule = feedback_rule(feedback)
    kappa = getattr(rule, "kappa", None)
    return f"{rule.decides_by} {kappa}" if kappa else rule.decides_by


_TAKERS: dict[str, Callable[[PictureFold, float, Body], None]] = {
    "Opened": PictureFold._opened,  # noqa: SLF001  its own
    "Started": PictureFold._started,  # noqa: SLF001
    "Joined": PictureFold._joined,  # noqa: SLF001
    "RuleSet": PictureFold._rule_set,  # noqa: SLF001
    "Answered": PictureFold._answered,  # noqa: SLF001
    "ExpertAnswered": PictureFold._expert_answered,  # noqa: SLF001
    "Judged": PictureFold._judged,  # noqa: SLF001
    "Settled": PictureFold._settled,  # noqa: SLF001
    "Reanswered": PictureFold._reanswered,  # noqa: SLF001
    "Corrected": PictureFold._corrected,  # noqa: SLF001
    "Scored": PictureFold._scored,  # noqa: SLF001
}
