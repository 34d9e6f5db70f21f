"""The sentences of a campaign: look at their labels, and correct them."""

from collections.abc import Iterable
from typing import Any

from spancrew.client._transport import Api, request
from spancrew.client._wire import wire
from spancrew.core import Span


class Sentences:
    """What an admin can do with the sentences of a campaign; an expert can look."""

    def __init__(self, api: Api) -> None:
        self._api = api.below("/sentences")

    def page(self, page: int = 0, **wanted: Any) -> "wire.SentencesView":
        """Return a page of sentences.

        ``wanted`` are any of state, by, label, worker, text, doubt, disputed, audit, corrected and
        sort.
        """
        return self._api.get(wire.SentencesView, "", page=page, **wanted)

    def one(self, number: int) -> "wire.SentenceDetail":
        """Return all about a sentence: labels, answers, votes, assignments and events."""
        return self._api.get(wire.SentenceDetail, f"/{number}")

    def overrule(self, number: int, spans: Iterable[Span], *, note: str = "") -> None:
        """Give a settled sentence other labels; everything that followed from them follows."""
        marks = [
            request(wire.SpanWire, start=each.start, end=each.end, label=each.label)
            for each in spans
        ]
        body = request(wire.OverruleIn, spans=marks, note=note)
        self._api.call("POST", f"/{number}/overrule", body, again=True)

    def reopen(self, number: int, *, note: str = "") -> None:
        """Ask an expert for a sentence that is settled."""
        self._api.call("POST", f"/{number}/reopen", request(wire.ReopenIn, note=note))
