"""The watch: once a minute, one of the processes looks whether there is an alert."""

import asyncio
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from spancrew.errors import SpancrewError
from spancrew.server.alerts.book import AlertBook, AlertNews
from spancrew.server.alerts.rules import (
    Alert,
    AlertKey,
    MachineFigures,
    WatchedCampaign,
    alerts,
    is_ripe,
)
from spancrew.server.desk.summary import LiveStatus, status_in
from spancrew.server.logs import Log, frames
from spancrew.server.people.directory import Directory
from spancrew.server.processes import in_thread
from spancrew.server.settings import ServerSettings
from spancrew.stores import EventStore, database_of

_TAIL = 1_000
"""Events at the end of a journal in which to look for the last sentence that was settled."""
_GRACE = 3.0
"""How many times a watch may be late before another process takes it over."""

LastBackup = Callable[[], float | None]


class AlertWatch:
    """Looks at the figures of campaigns that run, without loading any."""

    def __init__(
        self,
        directory: Directory,
        store: EventStore,
        settings: ServerSettings,
        log: Log,
        last_backup: LastBackup = lambda: None,
    ) -> None:
        self._directory = directory
        self._store = store
        self._settings = settings
        self._log = log
        self._last_backup = last_backup
        self._holder = secrets.token_hex(8)
        self.book = AlertBook(directory.engine)
        self._young: dict[AlertKey, Alert] = {}
        self._progress: dict[str, tuple[int, float]] = {}

    async def run(self) -> None:
        """Look once a minute, until cancelled."""
        while True:
            try:
                await in_thread(self.look)
            except SpancrewError as error:
                self._log.warning("alerts wait", problem=type(error).__name__)
            except Exception as error:  # noqa: BLE001  logged; the next look tries again
                self._log.error("alerts failed", problem=type(error).__name__, where=frames(error))
            await asyncio.sleep(self._settings.alert_seconds)

    def look(self) -> AlertNews | None:
        """Look at everything; None if another process is on watch."""
        now, limits = self._settings.clock(), self._settings.alerts
        until = now + _GRACE * self._settings.alert_seconds
        if not self.book.hold(self._holder, now, until):
            return None
        before = self._young | self.book.all()
        found = alerts(self.machine(), self._campaigns(now), limits, now, before)
        ripe = {key: each for key, each in found.items() if is_ripe(each, limits, now)}
        self._young = {key: each for key, each in found.items() if key not in ripe}
        news = self.book.replace(ripe, self._directory.webhooks.all(), now)
        for state, changed in zip(news._fields, news, strict=True):
            for each in changed:
                self._log.warning(
                    "alert", state=state, alert=each.key.kind, campaign=each.key.campaign or None
                )
        return news

    def machine(self) -> MachineFigures:
        """Return what is known of the disk and of the last backup."""
        engine = self._directory.engine
        folder = Path(database_of(engine).place).absolute().parent
        disk = shutil.disk_usage(folder) if engine.dialect.name == "sqlite" else None
        saved = self._last_backup()
        if saved is None:
            entries = self._directory.campaigns.all()
            saved = min((each.created_at for each in entries), default=None)
        return MachineFigures(disk and disk.free, disk and disk.total, saved)

    def _campaigns(self, now: float) -> list[WatchedCampaign]:
        found = []
        for name, summary in self._store.summaries().items():
            status = status_in(summary)
            if status is not None and status.status.phase in {"running", "paused"}:
                found.append(self._figures(name, status, now))
        known = {each.id for each in found}
        self._progress = {name: each for name, each in self._progress.items() if name in known}
        return found

    def _figures(self, name: str, found: LiveStatus, now: float) -> WatchedCampaign:
        return WatchedCampaign(
            name,
            found.status,
            found.ledger,
            found.leases,
            len(self._directory.people.present(name, now, self._settings.alerts.present)),
            self._settled_at(name, found.status.settled, found.status.version, now),
            found.asked_at,
        )

    def _settled_at(self, name: str, settled: int, version: int, now: float) -> float:
        """Return when a sentence was last settled; at first sight, the journal says it."""
        before = self._progress.get(name)
        if before is None:
            at = self._last_settled(name, version, now)
        else:
            at = before[1] if before[0] == settled else now
        self._progress[name] = (settled, at)
        return at

    def _last_settled(self, name: str, version: int, now: float) -> float:
        """Return the time of the last settled sentence or start; else of the first event read."""
        last = None
        for _, entry in self._store.read(name, after=max(version - _TAIL, 0)):
            if last is None or entry.kind in {"Settled", "Started"}:
                last = entry.at
        return now if last is None else last
