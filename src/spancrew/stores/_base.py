"""What a store is: journals that only grow, and what is kept beside them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from spancrew.campaign import Entry


class Recorded(NamedTuple):
    """An entry of a journal with its version: the first is 1, the next is one more."""

    version: int
    entry: Entry


class Derived(NamedTuple):
    """Something that was derived from a journal up to a version, so that it need not be again."""

    version: int
    data: bytes


class JournalSummary(NamedTuple):
    """What is to be known of a campaign without reading its journal, as of a version.

    ``due`` is when the passing of time changes it next, None if never; ``body`` is JSON.
    """

    version: int
    due: float | None
    body: str


class SentenceRow(NamedTuple):
    """A sentence of a campaign as it is shown to people.

    ``bounds`` are the borders of the tokens in code points; ``gold`` are its known spans as start,
    end and label, None where none are known; ``meta`` is its provenance as JSON.
    """

    id: str
    text: str
    bounds: tuple[tuple[int, int], ...]
    gold: tuple[tuple[int, int, str], ...] | None = None
    meta: str = "{}"


class Turn(Protocol):
    """The only writer of a journal, until the turn is over."""

    @property
    def version(self) -> int:
        """Return the version of the last entry, those appended in this turn included."""
        ...

    def read(self, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version."""
        ...

    def append(self, entries: Sequence[Entry]) -> int:
        """Add entries, which are safe once the turn is over; return the new version."""
        ...

    def add_sentences(self, first: int, rows: Sequence[SentenceRow]) -> None:
        """Add sentences to those that are there, numbered from ``first``, with the entries."""
        ...

    def summarise(self, due: float | None, body: str) -> None:
        """Replace the summary of the campaign by one as of the version now."""
        ...


class EventStore(Protocol):
    """Journals by campaign: entries are added at the end and never changed.

    Whatever returns has happened for good: it survives a crash of the process and of the machine.
    A store may be used by many threads and many processes at once.
    """

    def append(self, campaign: str, entries: Sequence[Entry], *, expected_version: int) -> int:
        """Add entries, all or none, if the journal is still at ``expected_version``.

        Return the new version. Raise :class:`VersionError` if somebody else was quicker.
        """
        ...

    def turn(self, campaign: str) -> AbstractContextManager[Turn]:
        """Wait until nobody else writes to this journal, then be the only one.

        Entries are written when the block ends, all or none; an error in it writes nothing.
        """
        ...

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version, in order."""
        ...

    def version(self, campaign: str) -> int:
        """Return the version of the last entry; 0 for a journal without any."""
        ...

    def campaigns(self) -> list[str]:
        """Return the names of the campaigns that have a journal, in order."""
        ...

    def summaries(self, campaigns: Collection[str] | None = None) -> dict[str, JournalSummary]:
        """Return the summaries of all campaigns or of some, if they are as new as the journal."""
        ...

    def due(self, now: float) -> list[str]:
        """Return the campaigns whose summaries say that time has something to change by now."""
        ...

    def keep(self, campaign: str, kind: str, kept: Derived) -> None:
        """Keep something of a kind ("snapshot", "material", "model" ...), by its version.

        Of snapshots, models, pictures and agreement only the last two are kept, of others all.
        """
        ...

    def kept(self, campaign: str, kind: str, *, at: int | None = None) -> Derived | None:
        """Return the latest of a kind, or the one at a version; None if there is none."""
        ...

    def add_sentences(self, campaign: str, rows: Iterable[SentenceRow]) -> int:
        """Add the sentences of a new campaign, numbered from 0; return how many there are."""
        ...

    def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return one sentence, as quickly as if it were the only one."""
        ...

    def sentences_at(self, campaign: str, numbers: Collection[int]) -> dict[int, SentenceRow]:
        """Return some sentences in one look; those that are not there are left out."""
        ...

    def sentences(self, campaign: str, *, first: int = 0) -> Iterator[SentenceRow]:
        """Yield the sentences of a campaign in order, from ``first`` on."""
        ...

    def delete(self, campaign: str) -> None:
        """Remove a campaign with all that belongs to it."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
