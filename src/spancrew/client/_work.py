"""What workers and experts can do."""

from collections.abc import Iterable
from uuid import uuid4

from spancrew.campaign import Remark, Waiting
from spancrew.client._transport import Api, request
from spancrew.client._wire import wire
from spancrew.core import Sentence, Span

_NO_REMARK = Remark()


class WorkerClient:
    """One worker in one campaign."""

    def __init__(self, api: Api, campaign: str) -> None:
        self._api = api.below(f"/campaigns/{campaign}")
        self.campaign = campaign

    def next(self, *, ahead: int = 0) -> "wire.WorkerAssignment | Waiting":
        """Return the sentence to label now; with ``ahead`` the one so many after it."""
        body = request(wire.NextIn, ahead=int(ahead))
        return _work_of(self._api.send(wire.WorkView, "POST", "/next", body, again=True))

    def submit(
        self,
        sheet: "wire.WorkerAssignment | int",
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
        remark: Remark = _NO_REMARK,
    ) -> "wire.ReceiptView":
        """Submit an answer; it is safe when this returns, and counts once however often sent.

        ``sheet`` is what :meth:`next` returned, or the number of its assignment alone. A
        ``remark`` is shown to the expert.
        """
        return self._submit(sheet, (spans, remark), seconds, key, more=False).receipt

    def submit_and_next(
        self,
        sheet: "wire.WorkerAssignment | int",
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> tuple["wire.ReceiptView", "wire.WorkerAssignment | Waiting"]:
        """Submit an answer and take the next sentence, in one request."""
        answer = self._submit(sheet, (spans, _NO_REMARK), seconds, key, more=True)
        return answer.receipt, _work_of(answer.next or wire.WorkView())

    def _submit(
        self,
        sheet: "wire.WorkerAssignment | int",
        given: tuple[Iterable[Span], Remark],
        seconds: float | None,
        key: str | None,
        *,
        more: bool,
    ) -> "wire.AnswerView":
        body = request(
            wire.AnswerIn,
            assignment=_assignment(sheet),
            spans=_marks(given[0]),
            seconds=seconds,
            key=key or uuid4().hex,
            next=more,
            unsure=list(given[1].unsure),
            note=given[1].note,
            flag=given[1].flag,
        )
        return self._api.send(wire.AnswerView, "POST", "/answers", body, again=True)

    def last_answer(self) -> "wire.LastAnswerView":
        """Return the last answer while it can be changed; an empty one once it was judged."""
        return self._api.get(wire.LastAnswerView, "/last-answer")

    def change(
        self,
        sheet: "wire.WorkerAssignment | int",
        spans: Iterable[Span],
        *,
        key: str | None = None,
    ) -> "wire.ReceiptView":
        """Put an answer in the place of one that nobody has judged; it is paid once."""
        body = request(
            wire.ChangeIn,
            assignment=_assignment(sheet),
            spans=_marks(spans),
            key=key or uuid4().hex,
        )
        return self._api.send(wire.ReceiptView, "POST", "/last-answer", body, again=True)

    def skip(self, sheet: "wire.WorkerAssignment | int", reason: str = "") -> None:
        """Give a sentence back and say why."""
        body = request(wire.SkipIn, assignment=_assignment(sheet), reason=reason)
        self._api.call("POST", "/skip", body)

    def heartbeat(self, sheet: "wire.WorkerAssignment | int") -> float:
        """Say that one is still working on it; return until when there is time now."""
        body = request(wire.HeartbeatIn, assignment=_assignment(sheet))
        return self._api.send(wire.HeartbeatView, "POST", "/heartbeat", body, again=True).until

    def guide(self) -> "wire.GuideView":
        """Return instructions and examples, and whether there is something to practise first."""
        return self._api.get(wire.GuideView, "/guide")

    def practice(self, position: int) -> Sentence:
        """Return a sentence of the training, counted from 0."""
        return self._api.get(wire.PracticeView, f"/training/{position}").sentence

    def practise(self, position: int, spans: Iterable[Span]) -> "wire.VerdictView":
        """Answer a sentence of the training and return what was right."""
        body = request(wire.PracticeIn, spans=_marks(spans))
        path = f"/training/{position}"
        return self._api.send(wire.VerdictView, "POST", path, body, again=True)

    def progress(self) -> "wire.ProgressView":
        """Return one's own count and earnings, and what to show the platform when it is over."""
        return self._api.get(wire.ProgressView, "/progress")


class ExpertClient:
    """One expert in one campaign; an admin may look at the queue."""

    def __init__(self, api: Api, campaign: str) -> None:
        self._api = api.below(f"/campaigns/{campaign}/expert")
        self.campaign = campaign

    def queue(self) -> "list[wire.DoubtView]":
        """Return the sentences that wait for an expert, the most needed first."""
        return self._api.get(list[wire.DoubtView], "/queue")

    def next(self, sentence: int | None = None) -> "wire.SheetView | Waiting":
        """Return the sentence that needs an expert most, or a certain one of the queue.

        It is theirs for the time of a lease, and longer if they ask for it again. One that
        another expert has is refused.
        """
        body = request(wire.ExpertNextIn, sentence=sentence)
        return _sheet_of(self._api.send(wire.ExpertWorkView, "POST", "/next", body, again=True))

    def put_back(self, sheet: "wire.SheetView | int") -> "wire.SheetView | Waiting":
        """Leave a sentence to another expert; return another one, or the same if none is left."""
        body = request(wire.PutBackIn, sentence=_number(sheet))
        found = self._api.send(wire.ExpertWorkView, "POST", "/put-back", body, again=True)
        return _sheet_of(found)

    def submit(
        self,
        sheet: "wire.SheetView | int",
        spans: Iterable[Span],
        *,
        seconds: float | None = None,
        key: str | None = None,
    ) -> "wire.ExpertAnswerView":
        """Submit what is right; it is safe when this returns, and counts once however often sent.

        ``sheet`` is what :meth:`next` returned, or the number of its sentence alone. In the
        answer, ``taught`` says whose mean reward moved.
        """
        body = request(
            wire.ExpertAnswerIn,
            sentence=_number(sheet),
            spans=_marks(spans),
            seconds=seconds,
            key=key or uuid4().hex,
        )
        return self._api.send(wire.ExpertAnswerView, "POST", "/answers", body, again=True)

    def labels(self) -> "list[wire.OwnLabelsView]":
        """Return the last sentences that this expert labelled and can correct."""
        return self._api.get(list[wire.OwnLabelsView], "/labels")

    def correct(
        self,
        sheet: "wire.SheetView | wire.OwnLabelsView | int",
        spans: Iterable[Span],
        *,
        key: str | None = None,
    ) -> "wire.ExpertReceiptView":
        """Correct labels of one's own; everything that followed from them follows."""
        body = request(
            wire.CorrectionIn,
            sentence=_number(sheet),
            spans=_marks(spans),
            key=key or uuid4().hex,
        )
        return self._api.send(wire.ExpertReceiptView, "POST", "/corrections", body, again=True)


def _assignment(sheet: "wire.WorkerAssignment | int") -> int:
    return sheet if isinstance(sheet, int) else sheet.assignment


def _number(sheet: "wire.SheetView | wire.OwnLabelsView | int") -> int:
    return sheet if isinstance(sheet, int) else sheet.number


def _marks(spans: Iterable[Span]) -> "list[wire.SpanWire]":
    return [
        request(wire.SpanWire, start=each.start, end=each.end, label=each.label) for each in spans
    ]


def _work_of(found: "wire.WorkView") -> "wire.WorkerAssignment | Waiting":
    return found.assignment or found.waiting or _nothing()


def _sheet_of(found: "wire.ExpertWorkView") -> "wire.SheetView | Waiting":
    return found.sheet or found.waiting or _nothing()


def _nothing() -> Waiting:
    # A server says either; this one does not, so ask it again.
    return Waiting("the server says neither what to do nor why there is nothing")
