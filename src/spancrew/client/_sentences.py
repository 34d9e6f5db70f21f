"""The sentences of a campaign: look at their labels, and correct them."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from spancrew.client._sending import how_to_read, send_data
from spancrew.client._transport import Api, read, request
from spancrew.client._wire import wire
from spancrew.core import Span


class CampaignSentences:
    """What an admin can do with the sentences of a campaign; an expert can look."""

    def __init__(self, api: Api) -> None:
        self._api = api.below("/sentences")

    def page(self, page: int = 0, **wanted: Any) -> "wire.SentencesView":
        """Return a page of sentences.

        ``wanted`` are any of state, by, label, worker, text, doubt, disputed, audit, corrected,
        sort and number, of which there may be 50.
        """
        return self._api.get(wire.SentencesView, "", page=page, **wanted)

    def add(
        self,
        data: str | Path,
        *,
        key: str | None = None,
        gold: Literal["use", "ignore"] = "use",
        format: str | None = None,  # noqa: A002  the word users know
        reading: Mapping[str, Any] | None = None,
    ) -> "wire.SentencesAddedView":
        """Add the sentences of a file, also while the campaign runs.

        What the campaign has already, by id and text, is not added again. Sending the same once
        more changes nothing: ``key`` is what this addition is called, else it is made of the data.
        """
        form = {"gold": gold, "key": key or _key_of(data)}
        answer = send_data(self._api, "", data, form, how_to_read(format, reading), again=True)
        return read(wire.SentencesAddedView, answer.content)

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


def _key_of(data: str | Path) -> str:
    """Return what identifies a file or folder by its bytes, or a bundled data set by its name."""
    path, digest = Path(data), sha256()
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    for file in files:
        digest.update(file.read_bytes() if file.is_file() else str(file.name).encode())
    return f"data-{digest.hexdigest()}"
