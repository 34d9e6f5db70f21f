"""Sentences as they are shown: those that were shown lately are at hand."""

from collections import OrderedDict

from spancrew.server.threads import in_thread
from spancrew.stores import EventStore, SentenceRow

MOST = 5_000
"""Sentences at hand; each is shown to several workers, one soon after the other."""


class Shown:
    """The sentences of all campaigns, read once; they never change."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._rows: OrderedDict[tuple[str, int], SentenceRow] = OrderedDict()

    async def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return a sentence; only one that is not at hand costs a look into the store."""
        at = campaign, number
        row = self._rows.get(at)
        if row is None:
            row = await in_thread(self._store.sentence, campaign, number)
            self._rows[at] = row
            if len(self._rows) > MOST:
                self._rows.popitem(last=False)
        return row
