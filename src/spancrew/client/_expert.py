"""What an expert can do."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from spancrew.campaign import Waiting
from spancrew.client._transport import Transport
from spancrew.client._values import QueuedSentence
from spancrew.client._wire import made, rows_of, sentence_of, span_records, spans_of
from spancrew.client._work_values import ExpertSheet, Opinion, Taken
from spancrew.core import Span


class ExpertClient:
    """One expert in one campaign; an admin may look at the queue."""

    def __init__(self, transport: Transport, campaign: str) -> None:
        self._transport = transport
        self._path = f"/api/v1/campaigns/{campaign}/expert"
        self.campaign = campaign

    def queue(self) -> list[QueuedSentence]:
        """Return the sentences that wait for an expert, the most needed first."""
        answer = self._transport.call("GET", f"{self._path}/queue")
        return [made(QueuedSentence, each) for each in rows_of(answer.json())]

    def next(self) -> ExpertSheet | Waiting:
        """Return the sentence that needs an expert most."""
        answer = self._transport.call("POST", f"{self._path}/next", again=True)
        return _sheet_of(answer.json())

    def submit(
        self,
        sheet: ExpertSheet,
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> Taken:
        """Say what is right; it is safe when this returns, and counts once however often sent."""
        body = {
            "sentence": sheet.number,
            "spans": span_records(spans),
            "seconds": seconds,
            "key": key or uuid4().hex,
        }
        answer = self._transport.call("POST", f"{self._path}/answers", json=body, again=True)
        return made(Taken, answer.json()["receipt"])


def _sheet_of(record: Mapping[str, Any]) -> ExpertSheet | Waiting:
    sheet = record["sheet"]
    if sheet is None:
        return made(Waiting, record["waiting"])
    return made(
        ExpertSheet,
        sheet,
        sentence=sentence_of(sheet["sentence"]),
        loss=float(sheet["doubt"]["loss"]),
        purpose=str(sheet["doubt"]["purpose"]),
        answers=tuple(
            Opinion(str(each["worker"]), spans_of(each["spans"])) for each in sheet["answers"]
        ),
        crowd=spans_of(sheet["crowd"]),
        labels=tuple(sheet["labels"]),
    )
