"""One campaign at the desk: in memory, in step with its journal, served by one thread."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from typing import Any

from spancrew.campaign import (
    Campaign,
    Entry,
    Material,
    SentencesAdded,
    entry_of,
    event_of,
    model_from_bytes,
)
from spancrew.errors import JournalError, SpancrewError, StoreError, UnknownCampaignError
from spancrew.server.desk.summary import summarised
from spancrew.stores import (
    Derived,
    EventStore,
    Recorded,
    SentenceRow,
    Turn,
    grown_material,
    stored_material,
)

Settle = Callable[[], None]

_NEAR = 200
"""Events after a snapshot that are read again in no time."""

_log = logging.getLogger("spancrew.desk")


@dataclass(frozen=True, slots=True, eq=False)
class QueuedWork:
    """Something to do with a campaign, and who waits for it.

    ``rows`` are the sentences by which the campaign may grow.
    """

    run: Callable[[Campaign], Any]
    writes: bool
    future: "Future[Any]"
    rows: Sequence[SentenceRow] = ()

    def begins(self) -> bool:
        """Tell whether somebody still waits for it; from then on it cannot be called off."""
        return self.future.set_running_or_notify_cancel()

    def fail(self, error: BaseException) -> None:
        """Tell every waiting caller that it was not done; each gets its own error."""
        own = StoreError(str(error)) if type(error) is StoreError else error
        self.future.set_exception(own)


class BrokenWorkError(Exception):
    """A work failed in a way that nobody foresaw: it may have left the campaign half changed."""

    def __init__(self, work: QueuedWork, error: Exception) -> None:
        super().__init__(str(error))
        self.work = work
        self.error = error


class StaleError(Exception):
    """The journal is shorter than what is in memory: it was deleted, or an older one put back."""


class CampaignQueue:
    """Works that wait for one campaign, and the campaign.

    ``waiting``, ``scheduled`` and ``used_at`` belong to the desk's lock, everything else to the
    serving thread.
    """

    def __init__(self, store: EventStore, name: str, fits: int) -> None:
        self.name = name
        self.waiting: deque[QueuedWork] = deque()
        self.scheduled = False
        self.campaign: Campaign | None = None
        self.snapshot_at = 0
        self.snapshot_kept: Future[None] | None = None
        self.fitting: int | None = None
        self._store = store
        self._fits = fits
        self._material: Material | None = None
        # The version up to which memory and journal are known to be the same. A campaign that is
        # ahead of it holds what was never written, and must not be used any further.
        self._safe = 0
        self._has_written = False
        # The version of which the store is known to have a summary.
        self._summarised = 0
        self.used_at = 0.0

    def serve(self, works: Sequence[QueuedWork]) -> bool:
        """Do works in one turn, then look; tell whether the journal has grown.

        Group commit: all works of a turn share one transaction, and so one wait for the disk.
        Nobody hears of anything before it is safe.
        """
        self._has_written = False
        waiting = [work for work in works if work.begins()]
        self._settle([work for work in waiting if work.writes], self._take_turn)
        self._settle([work for work in waiting if not work.writes], self._look)
        return self._has_written

    def _settle(
        self, waiting: list[QueuedWork], attempt: Callable[[list[QueuedWork]], list[Settle]]
    ) -> None:
        """Attempt works until all are done or refused.

        One that fails in an unforeseen way is taken out, the campaign is read again, and the
        others are done without it.
        """
        while waiting:
            try:
                settled = attempt(waiting)
            except BrokenWorkError as broken:
                _log.error("a work on %s failed", self.name, exc_info=broken.error)
                self.forget()
                broken.work.fail(broken.error)
                waiting = [work for work in waiting if work is not broken.work]
            except StaleError:
                self.forget(all_of_it=True)
            except Exception as error:  # noqa: BLE001  whatever it is, nobody may wait for ever
                self._give_up(waiting, error)
                return
            else:
                for settle in settled:
                    settle()
                return

    def forget(self, *, all_of_it: bool = False) -> None:
        """Throw away what is in memory; it is read again when it is needed."""
        self.campaign = None
        if all_of_it:
            self._material = None

    def pack_up(self) -> None:
        """Keep a snapshot, so that the campaign is back soon when it is wanted again."""
        if self.campaign is None or self.campaign.version - self.snapshot_at < _NEAR:
            return
        try:
            self.keep("snapshot", Derived(self.campaign.version, self.campaign.snapshot()))
        except Exception:  # noqa: BLE001  a convenience: the journal has everything
            _log.exception("a snapshot of %s could not be made", self.name)

    def _give_up(self, waiting: Sequence[QueuedWork], error: Exception) -> None:
        """Tell everybody that nothing was done; keep the campaign only if nothing was."""
        if not isinstance(error, SpancrewError):
            _log.error("a turn on %s failed", self.name, exc_info=error)
        if self.campaign is not None and self.campaign.version != self._safe:
            self.forget()
        for work in waiting:
            work.fail(_refusal(error, self.name))

    def _take_turn(self, waiting: list[QueuedWork]) -> list[Settle]:
        """Do all works and write what has happened; return how to tell those who wait."""
        campaign = self._loaded()
        with self._store.turn(self.name) as turn:
            self._catch_up(campaign, turn.read(after=campaign.version), turn.version)
            settled, entries = [], []
            for work in waiting:
                before = campaign.sentences
                settled.append(_done(work, campaign))
                entries += _entries(work, campaign)
                if campaign.sentences > before:
                    turn.add_sentences(before, work.rows)
            _record(campaign, turn, entries)
            if self._summarised != campaign.version:
                turn.summarise(*summarised(campaign))
        self._safe = self._summarised = campaign.version
        self._has_written = bool(entries)
        return settled

    def _look(self, waiting: list[QueuedWork]) -> list[Settle]:
        """Do works that change nothing; return how to tell those who wait."""
        campaign = self._loaded()
        # From the last entry that is known: where not even that one is there, the campaign was
        # deleted or an older journal put back. A query of its own would cost every look.
        entries = self._store.read(self.name, after=campaign.version - 1)
        if next(entries, None) is None:
            raise StaleError
        self._catch_up(campaign, entries, campaign.version)
        return [self._looked(work, campaign) for work in waiting]

    def _catch_up(self, campaign: Campaign, news: Iterable[Recorded], version: int) -> None:
        """Let happen what other processes wrote."""
        if campaign.version > version:
            raise StaleError
        for recorded in news:
            self._apply(campaign, recorded)
            self._safe = campaign.version
        self._install_model(campaign)

    def _apply(self, campaign: Campaign, recorded: Recorded) -> None:
        """Let an event of the journal happen, with the sentences that it may need."""
        event = event_of(recorded.entry)
        if isinstance(event, SentencesAdded) and campaign.stocked < event.first + event.count:
            campaign.supply(grown_material(self._store, self.name, campaign.state.stock))
        campaign.apply(event)

    def _install_model(self, campaign: Campaign) -> None:
        """Use a model that was fitted elsewhere; otherwise it is fitted again, which is slow."""
        if campaign.lacks_model() is None:
            return
        kept = self._store.kept(self.name, "model", at=campaign.model_mark)
        if kept is None:
            return
        try:
            campaign.install(model_from_bytes(kept.data))
        except JournalError as error:
            _log.warning("the model of %s cannot be used: %s", self.name, error)

    def _looked(self, work: QueuedWork, campaign: Campaign) -> Settle:
        """Read the campaign; a reader that changes it has failed."""
        before = campaign.version
        settle = _done(work, campaign)
        if campaign.version != before or campaign.news():
            raise BrokenWorkError(work, TypeError("a look must not change the campaign"))
        return settle

    def _loaded(self) -> Campaign:
        """Return the campaign, read from the store if it is not in memory."""
        if self.campaign is None:
            version = self._store.version(self.name)
            if version == 0:
                raise UnknownCampaignError(f"there is no campaign {self.name!r}")
            known = self._material
            self._material = (
                stored_material(self._store, self.name)
                if known is None
                else grown_material(self._store, self.name, known)
            )
            self.campaign = self._resumed(self._material, version)
            self._safe = self.campaign.version
        return self.campaign

    def _resumed(self, material: Material, version: int) -> Campaign:
        """Return the campaign as of now: the last snapshot and what came after it."""
        kept = self._store.kept(self.name, "snapshot")
        if kept is not None and kept.version <= version:
            try:
                campaign = Campaign.restore(material, kept.data, fits=self._fits)
            except JournalError as error:
                _log.warning("%s: %s; its journal is replayed", self.name, error)
            else:
                self.snapshot_at = kept.version
                for recorded in self._store.read(self.name, after=kept.version):
                    self._apply(campaign, recorded)
                return campaign
        self.snapshot_at = 0
        entries = self._store.read(self.name)
        opened = [event_of(each.entry) for each in islice(entries, 1)]
        campaign = Campaign.replay(material, opened, fits=self._fits)
        for recorded in entries:
            self._apply(campaign, recorded)
        return campaign

    def keep(self, kind: str, kept: Derived) -> None:
        """Keep a snapshot or a model; without it the next start takes longer, nothing else."""
        keep_derived(self._store, self.name, kind, kept)


def keep_derived(store: EventStore, campaign: str, kind: str, kept: Derived) -> None:
    """Keep what can be made again: if that fails there is a warning, and nothing is lost."""
    try:
        store.keep(campaign, kind, kept)
        if not store.version(campaign):
            # It was deleted meanwhile.
            store.delete(campaign)
    except SpancrewError as error:
        _log.warning("a %s of %s was not kept: %s", kind, campaign, error)


def _done(work: QueuedWork, campaign: Campaign) -> Settle:
    """Do a piece of work; return how to tell its callers. A refusal is a result like any other."""
    try:
        value: Any = work.run(campaign)
    except SpancrewError as refused:
        error = refused
        return lambda: work.future.set_exception(error)
    except Exception as error:
        raise BrokenWorkError(work, error) from error
    return lambda: work.future.set_result(value)


def _entries(work: QueuedWork, campaign: Campaign) -> list[Entry]:
    """Return what a work has brought about, as it is written to the journal."""
    try:
        return [entry_of(event) for event in campaign.news()]
    except Exception as error:
        raise BrokenWorkError(work, error) from error


def _record(campaign: Campaign, turn: Turn, entries: list[Entry]) -> None:
    """Write to the journal, and see that it counts as the campaign does."""
    if entries:
        turn.append(entries)
    if turn.version != campaign.version:
        raise JournalError(
            f"the campaign counts {campaign.version} events, its journal {turn.version}; nothing "
            "was written"
        )


def _refusal(error: Exception, name: str) -> Exception:
    """Return what those are told whose works could not be made safe."""
    if isinstance(error, (StoreError, JournalError, UnknownCampaignError)):
        return error
    return StoreError(f"the journal of {name!r} could not be written; nothing was, so try again")
