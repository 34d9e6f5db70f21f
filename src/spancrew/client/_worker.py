"""What a worker can do."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from spancrew.campaign import Waiting
from spancrew.client._guide import Guide, Verdict, guide_of, verdict_of
from spancrew.client._transport import Transport
from spancrew.client._wire import made, sentence_of, span_records
from spancrew.client._work_values import Completion, OwnProgress, Taken, WorkSheet
from spancrew.core import Sentence, Span


class WorkerClient:
    """One worker in one campaign."""

    def __init__(self, transport: Transport, campaign: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/campaigns/{campaign}"
        self.campaign = campaign

    def next(self, *, ahead: bool = False) -> WorkSheet | Waiting:
        """Return the sentence to label now; with ``ahead`` the one after it."""
        return _work_of(self._post("next", {"ahead": int(ahead)}))

    def submit(
        self,
        sheet: WorkSheet,
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> Taken:
        """Hand in an answer; it is safe when this returns, and counts once however often sent."""
        answer = self._post("answers", _answer(sheet, spans, seconds, key))
        return made(Taken, answer["receipt"])

    def submit_and_next(
        self,
        sheet: WorkSheet,
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> tuple[Taken, WorkSheet | Waiting]:
        """Hand in an answer and take the next sentence, in one go."""
        body = _answer(sheet, spans, seconds, key) | {"next": True}
        answer = self._post("answers", body)
        return made(Taken, answer["receipt"]), _work_of(answer["next"])

    def skip(self, sheet: WorkSheet, reason: str = "") -> None:
        """Give a sentence back and say why."""
        self._post("skip", {"assignment": sheet.assignment, "reason": reason}, again=False)

    def heartbeat(self, sheet: WorkSheet) -> float:
        """Say that one is still at it; return until when there is time now."""
        return float(self._post("heartbeat", {"assignment": sheet.assignment})["until"])

    def guide(self) -> Guide:
        """Return instructions and examples, and whether there is something to practise first."""
        return guide_of(self._transport.call("GET", f"{self._path}/guide").json())

    def practice(self, position: int) -> Sentence:
        """Return a sentence of the training, counted from 0."""
        answer = self._transport.call("GET", f"{self._path}/training/{position}")
        return sentence_of(answer.json()["sentence"])

    def practise(self, position: int, spans: Iterable[Span]) -> Verdict:
        """Answer a sentence of the training and return what was right."""
        return verdict_of(self._post(f"training/{position}", {"spans": span_records(spans)}))

    def progress(self) -> OwnProgress:
        """Return one's own count and earnings, and what to show the platform when it is over."""
        record = self._transport.call("GET", f"{self._path}/progress").json()
        proof = record["completion"]
        return made(
            OwnProgress,
            record,
            labels=tuple(record["labels"]),
            completion=None if proof is None else made(Completion, proof),
        )

    def _post(self, what: str, body: Mapping[str, Any], *, again: bool = True) -> dict[str, Any]:
        answer = self._transport.call("POST", f"{self._path}/{what}", json=body, again=again)
        found: dict[str, Any] = answer.json()
        return found


def _answer(
    sheet: WorkSheet, spans: Iterable[Span], seconds: float | None, key: str | None
) -> dict[str, Any]:
    return {
        "assignment": sheet.assignment,
        "spans": span_records(spans),
        "seconds": seconds,
        "key": key or uuid4().hex,
    }


def _work_of(record: Mapping[str, Any]) -> WorkSheet | Waiting:
    sheet = record["assignment"]
    if sheet is None:
        return made(Waiting, record["waiting"])
    return made(WorkSheet, sheet, sentence=sentence_of(sheet["sentence"]))
