"""What events make of the sentences that they are about."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

Body = dict[str, Any]


@dataclass(slots=True)
class SentenceState:
    """Where a sentence stands.

    ``state`` is waiting, open, at_expert or settled; ``by`` is who decided: crowd, expert, audit
    or gold. ``doubt`` are the errors that were expected when the rule last looked; ``audit`` is
    drawn or done. ``spans`` are rows of start, end, label, confidence and voters. ``said`` has a
    sum of every worker's answer, to see whether they differ.
    """

    number: int
    state: str = "waiting"
    by: str = ""
    confidence: float | None = None
    doubt: float | None = None
    audit: str = ""
    corrections: int = 0
    spans: list[list[Any]] = field(default_factory=list)
    said: dict[str, int] = field(default_factory=dict)
    workers: dict[int, None] = field(default_factory=dict)

    @property
    def is_disputed(self) -> bool:
        """Tell whether two answers differ."""
        return len(set(self.said.values())) > 1

    @property
    def labels(self) -> list[str]:
        """Return the labels of its spans."""
        return sorted({span[2] for span in self.spans})

    def settle(self, by: str, labels: Iterable[list[Any]], confidence: float) -> None:
        """Take final labels."""
        self.state, self.by, self.confidence = "settled", by, confidence
        self.spans = list(labels)


def sentence_in(kind: str, body: Body, open_: dict[int, int]) -> int | None:
    """Return the sentence that an event is about; None if there is none.

    ``open_`` has the sentences of assignments that nobody has answered, and is kept up to date.
    """
    number = body.get("assignment")
    if "sentence" in body:
        if kind == "Assigned":
            open_[body["assignment"]] = body["sentence"]
        elif kind == "Answered":
            open_.pop(body["assignment"], None)
        return int(body["sentence"])
    if number is None:
        return None
    if kind in {"Skipped", "Returned"}:
        return open_.pop(number, None)
    return open_.get(number)


def fold_into(state: SentenceState, kind: str, body: Body) -> None:
    """Let an event have happened to a sentence."""
    taker = _TAKERS.get(kind)
    if taker is not None:
        taker(state, body)


def _assigned(state: SentenceState, body: Body) -> None:
    if body["purpose"] == "crew" and state.state == "waiting":
        state.state = "open"


def _begun(state: SentenceState, _body: Body) -> None:
    state.state = "open"


def _recalled(state: SentenceState, body: Body) -> None:
    state.workers[body["worker"]] = None
    if state.state == "waiting":
        state.state = "open"


def _answered(state: SentenceState, body: Body) -> None:
    state.workers[body["worker"]] = None
    if not body.get("surplus"):
        # Workers may hand in the same spans in any order; events have them sorted.
        state.said[str(body["worker"])] = crc32(json.dumps(body["spans"]).encode())


def _judged(state: SentenceState, body: Body) -> None:
    state.doubt = body["errors"]
    if body["outcome"] == "expert":
        state.state = "at_expert"
    elif body["outcome"] == "more":
        state.state = "open"


def _settled(state: SentenceState, body: Body) -> None:
    state.settle(body["by"], body["labels"], body["confidence"])


def _audit_drawn(state: SentenceState, _body: Body) -> None:
    state.audit = "drawn"


def _audited(state: SentenceState, body: Body) -> None:
    state.audit = "done"
    state.settle("audit", [[*span, 1.0, []] for span in body["spans"]], 1.0)


def _reopened(state: SentenceState, _body: Body) -> None:
    state.state = "at_expert"


def _expert_answered(state: SentenceState, _body: Body) -> None:
    # Of a sentence that was reopened, and has labels; a correction follows if they differ.
    if state.by and state.state == "at_expert":
        state.state = "settled"


def _corrected(state: SentenceState, body: Body) -> None:
    state.corrections += 1
    if state.by in {"expert", "audit"} or body["overruled"]:
        by = "audit" if state.by == "audit" else "expert"
        state.settle(by, body["labels"], 1.0)


_TAKERS: dict[str, Callable[[SentenceState, Body], None]] = {
    "Assigned": _assigned,
    "Recalled": _recalled,
    "Begun": _begun,
    "Answered": _answered,
    "Reanswered": _answered,
    "Judged": _judged,
    "Settled": _settled,
    "AuditDrawn": _audit_drawn,
    "Audited": _audited,
    "Reopened": _reopened,
    "ExpertAnswered": _expert_answered,
    "Corrected": _corrected,
}
