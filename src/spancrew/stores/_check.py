"""Is a store in order? Every page is looked at, every journal replayed."""

from collections.abc import Iterator
from dataclasses import dataclass

from spancrew.campaign import Campaign, Event, SentencesAdded, event_of
from spancrew.errors import JournalError, SpancrewError, StoreError
from spancrew.stores._backup import last_backup
from spancrew.stores._databases import database_of, reading
from spancrew.stores._material_rows import stored_material
from spancrew.stores._schema import steps_of
from spancrew.stores._sql import SqlStore


@dataclass(frozen=True, slots=True)
class CampaignReport:
    """What the journal of a campaign comes to when it is replayed; ``problem`` if it cannot be."""

    id: str
    events: int
    sentences: int = 0
    settled: int = 0
    phase: str = ""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What a store holds, and all that is wrong with it; ``backup`` is when it was last copied."""

    place: str
    schema: int
    backup: float | None
    campaigns: tuple[CampaignReport, ...]
    damages: tuple[str, ...]

    @property
    def problems(self) -> list[str]:
        """Return everything that is wrong, as sentences."""
        found = [f"campaign {each.id}: {each.problem}" for each in self.campaigns if each.problem]
        return [*self.damages, *found]


def check_store(store: SqlStore) -> StoreReport:
    """Look at every page of a store, and replay every journal; nothing is changed."""
    return StoreReport(
        store.place,
        max(steps_of(store.engine), default=0),
        last_backup(store.engine),
        tuple(_checked(store, id_) for id_ in store.campaigns()),
        tuple(damages_of(store)),
    )


def damages_of(store: SqlStore) -> list[str]:
    """Return what the database itself finds wrong with its pages."""
    try:
        with reading(store.engine) as connection:
            return database_of(store.engine).damages(connection)
    except StoreError as error:
        # So much is damaged that the database cannot even say what.
        return [str(error)]


def _checked(store: SqlStore, id_: str) -> CampaignReport:
    try:
        return _replayed(store, id_)
    except SpancrewError as error:
        problem = str(error)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        # Events that do not follow from those before them can fail in many ways.
        problem = f"its journal cannot be replayed ({type(error).__name__}: {error})"
    return CampaignReport(id_, store.version(id_), problem=problem)


def _replayed(store: SqlStore, id_: str) -> CampaignReport:
    """Replay a journal as far as it goes now; a server may add to it at the same time.

    So the journal is measured first, and sentences that came afterwards are not missed.
    """
    last = store.version(id_)
    if store.kept(id_, "material") is None:
        raise JournalError("its sentences are not in the store")
    campaign = Campaign.replay(stored_material(store, id_), _events(store, id_, last))
    status = campaign.status()
    shown = sum(1 for _ in store.sentences(id_))
    came = sum(each.count for each in _added(store, id_, last))
    if not status.sentences <= shown <= status.sentences + came:
        raise JournalError(f"it has {status.sentences} sentences, the texts of {shown} are there")
    return CampaignReport(id_, campaign.version, status.sentences, status.settled, status.phase)


def _events(store: SqlStore, id_: str, last: int) -> Iterator[Event]:
    """Yield the events up to a version, and refuse a gap between their numbers."""
    before = 0
    for version, entry in store.read(id_):
        if version != before + 1:
            raise JournalError(f"its journal has no version {before + 1}; {version} comes next")
        if version > last:
            return
        before = version
        yield event_of(entry)


def _added(store: SqlStore, id_: str, after: int) -> Iterator[SentencesAdded]:
    """Yield what sentences came after a version."""
    events = (event_of(entry) for _, entry in store.read(id_, after=after))
    return (event for event in events if isinstance(event, SentencesAdded))
