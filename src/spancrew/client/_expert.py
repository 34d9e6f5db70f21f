"""What an expert can do."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from spancrew.campaign import Waiting
from spancrew.client._transport import Transport
from spancrew.client._values import QueuedSentence
from spancrew.client._wire import made, rows_of, sentence_of, span_records, spans_of
from spancrew.client._work_values import ExpertSheet, Lesson, Opinion, Taken
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

    def next(self, sentence: int | None = None) -> ExpertSheet | Waiting:
        """Return the sentence that needs an expert most, or a certain one of the queue.

        It is theirs for the time of a lease, and longer if they ask for it again. One that
        another expert is at is refused.
        """
        return _sheet_of(self._post("next", {"sentence": sentence}))

    def put_back(self, sheet: ExpertSheet) -> ExpertSheet | Waiting:
        """Leave a sentence to another expert; return another one, or the same if none is left."""
        return _sheet_of(self._post("put-back", {"sentence": sheet.number}))

    def submit(
        self,
        sheet: ExpertSheet,
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> Taken:
        """Say what is right; it is safe when this returns, and counts once however often sent.

        What is returned says whose mean reward moved.
        """
        body = {
            "sentence": sheet.number,
            "spans": span_records(spans),
            "seconds": seconds,
            "key": key or uuid4().hex,
        }
        answer = self._post("answers", body)
        taught = tuple(made(Lesson, each) for each in answer.get("taught", ()))
        return made(Taken, answer["receipt"], taught=taught)

    def _post(self, what: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = self._transport.call("POST", f"{self._path}/{what}", json=body, again=True)
        found: dict[str, Any] = answer.json()
        return found


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
        agreement=sheet["doubt"].get("agreement"),
        answers=tuple(
            made(Opinion, each, spans=spans_of(each["spans"])) for each in sheet["answers"]
        ),
        crowd=spans_of(sheet["crowd"]),
        labels=tuple(sheet["labels"]),
    )
