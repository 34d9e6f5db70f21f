"""A store that forgets when the program ends: for tests and for trying things out."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from threading import Lock, RLock

from spancrew.campaign import Entry
from spancrew.errors import UnknownSentenceError
from spancrew.stores._base import Derived, JournalSummary, Recorded, SentenceRow
from spancrew.stores._rows import (
    appended,
    checked_name,
    entry_row,
    recorded,
    sentence_row,
    superseded,
)


class _Shelf:
    """All that belongs to one campaign; whoever writes to its journal holds ``alone``."""

    def __init__(self) -> None:
        self.alone = RLock()
        self.journal: list[Entry] = []
        self.kept: dict[str, dict[int, bytes]] = {}
        self.sentences: list[SentenceRow] = []
        self.summary: JournalSummary | None = None


class _MemoryTurn:
    """Entries that are added to the journal when the turn is over."""

    def __init__(self, journal: list[Entry]) -> None:
        self._journal = journal
        self._before = len(journal)
        self.added: list[Entry] = []
        self.sentences: list[SentenceRow] = []
        self.summary: JournalSummary | None = None

    @property
    def version(self) -> int:
        return self._before + len(self.added)

    def read(self, *, after: int = 0) -> Iterator[Recorded]:
        yield from _numbered(self._journal, after)
        for number, entry in enumerate(self.added, self._before + 1):
            if number > after:
                yield Recorded(number, entry)

    def append(self, entries: Sequence[Entry]) -> int:
        self.added += (recorded(entry_row("-", 0, entry)[1:]).entry for entry in entries)
        return self.version

    def add_sentences(self, first: int, rows: Sequence[SentenceRow]) -> None:
        for number, row in enumerate(rows, first):
            sentence_row("-", number, row)
        self.sentences += rows

    def summarise(self, due: float | None, body: str) -> None:
        self.summary = JournalSummary(self.version, due, body)


class MemoryStore:
    """Journals in memory, for one process: as the other stores, but nothing is kept for good."""

    def __init__(self) -> None:
        self._shelves: dict[str, _Shelf] = {}
        self._lock = Lock()

    def append(self, campaign: str, entries: Sequence[Entry], *, expected_version: int) -> int:
        """Add entries, all or none, if the journal is still at ``expected_version``."""
        with self.turn(campaign) as turn:
            return appended(turn, campaign, entries, expected_version)

    @contextmanager
    def turn(self, campaign: str) -> Iterator[_MemoryTurn]:
        """Wait until nobody else writes to this journal, then be the only one."""
        shelf = self._shelf(campaign)
        with shelf.alone:
            turn = _MemoryTurn(shelf.journal)
            yield turn
            # Before the entries, which a reader sees all of or nothing.
            if turn.sentences:
                shelf.sentences = [*shelf.sentences, *turn.sentences]
            shelf.journal += turn.added
            shelf.summary = turn.summary or shelf.summary

    def read(self, campaign: str, *, after: int = 0) -> Iterator[Recorded]:
        """Yield the entries after a version, in order."""
        return _numbered(self._shelf(campaign).journal, after)

    def version(self, campaign: str) -> int:
        """Return the version of the last entry; 0 for a journal without any."""
        return len(self._shelf(campaign).journal)

    def campaigns(self) -> list[str]:
        """Return the names of the campaigns that have a journal, in order."""
        with self._lock:
            return sorted(name for name, shelf in self._shelves.items() if shelf.journal)

    def summaries(self, campaigns: Collection[str] | None = None) -> dict[str, JournalSummary]:
        """Return the summaries of all campaigns or of some, if they are as new as the journal."""
        with self._lock:
            found = [
                (name, each.summary, len(each.journal)) for name, each in self._named(campaigns)
            ]
        return {name: each for name, each, last in found if each and each.version == last}

    def due(self, now: float) -> list[str]:
        """Return the campaigns whose summaries say that time has something to change by now."""
        with self._lock:
            found = [(name, shelf.summary) for name, shelf in self._shelves.items()]
        return [name for name, each in found if each and each.due is not None and each.due <= now]

    def keep(self, campaign: str, kind: str, kept: Derived) -> None:
        """Keep something of a kind; of snapshots and models only the last two."""
        of_kind = self._shelf(campaign).kept.setdefault(kind, {})
        of_kind[kept.version] = kept.data
        for version in superseded(kind, of_kind, kept.version):
            del of_kind[version]

    def kept(self, campaign: str, kind: str, *, at: int | None = None) -> Derived | None:
        """Return the latest of a kind, or the one at a version; None if there is none."""
        of_kind = self._shelf(campaign).kept.get(kind, {})
        version = max(of_kind, default=None) if at is None else at
        if version is None or version not in of_kind:
            return None
        return Derived(version, of_kind[version])

    def add_sentences(self, campaign: str, rows: Iterable[SentenceRow]) -> int:
        """Add the sentences of a new campaign, numbered from 0; return how many there are."""
        found = list(rows)
        for number, row in enumerate(found):
            sentence_row(campaign, number, row)
        self._shelf(campaign).sentences = found
        return len(found)

    def sentence(self, campaign: str, number: int) -> SentenceRow:
        """Return one sentence, as quickly as if it were the only one."""
        rows = self._shelf(campaign).sentences
        if not 0 <= number < len(rows):
            raise UnknownSentenceError(f"campaign {campaign!r} has no sentence {number}")
        return rows[number]

    def sentences_at(self, campaign: str, numbers: Collection[int]) -> dict[int, SentenceRow]:
        """Return some sentences in one look; those that are not there are left out."""
        rows = self._shelf(campaign).sentences
        return {number: rows[number] for number in numbers if 0 <= number < len(rows)}

    def sentences(self, campaign: str, *, first: int = 0) -> Iterator[SentenceRow]:
        """Yield the sentences of a campaign in order, from ``first`` on."""
        return islice(self._shelf(campaign).sentences, first, None)

    def delete(self, campaign: str) -> None:
        """Remove a campaign with all that belongs to it."""
        shelf = self._shelf(campaign)
        with shelf.alone, self._lock:
            shelf.journal.clear()
            shelf.summary = None
            self._shelves.pop(campaign, None)

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _named(self, campaigns: Collection[str] | None) -> list[tuple[str, _Shelf]]:
        return [
            pair for pair in self._shelves.items() if campaigns is None or pair[0] in campaigns
        ]

    def _shelf(self, campaign: str) -> _Shelf:
        with self._lock:
            return self._shelves.setdefault(checked_name(campaign), _Shelf())


def _numbered(journal: list[Entry], after: int) -> Iterator[Recorded]:
    version = after
    while version < len(journal):
        version += 1
        yield Recorded(version, journal[version - 1])
