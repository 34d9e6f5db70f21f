"""What the routes work with."""

from collections.abc import Sequence
from typing import cast

from fastapi import Request

from spancrew.core import turned_labels
from spancrew.errors import UnknownCampaignError
from spancrew.server.alerts.watch import AlertWatch
from spancrew.server.desk.desk import Desk
from spancrew.server.desk.summary import LiveStatus, status_in, status_of
from spancrew.server.desk.warmth import WARMTH
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import Folds, SentenceCache, Tallies
from spancrew.server.live.hub import Hub
from spancrew.server.live.known import SentenceIds
from spancrew.server.live.picture import PictureFold
from spancrew.server.live.upkeep import Upkeep
from spancrew.server.logs import Log, Metrics
from spancrew.server.people.credentials import Passwords
from spancrew.server.people.directory import Directory
from spancrew.server.people.identity import IdentityProvider
from spancrew.server.people.presence import Presence
from spancrew.server.people.sessions import Callers
from spancrew.server.processes import in_thread
from spancrew.server.rehearsal.run import RehearsalPlaces
from spancrew.server.settings import Buckets, Recently, ServerSettings
from spancrew.stores import SentenceIndex, last_backup, stored_material

_LOOK_AGAIN = 900.0
"""Seconds after which a look at the same personal data is noted again in the audit log."""


TEAM_BACK = "/sign-in/team/back"
"""Where an identity provider sends people back to."""


def _provider(settings: ServerSettings) -> IdentityProvider | None:
    if settings.identity is None or settings.public_url is None:
        return None
    return IdentityProvider(settings.identity, settings.public_url.rstrip("/") + TEAM_BACK)


class Services:
    """Everything that lives as long as the application."""

    def __init__(
        self, desk: Desk, directory: Directory, settings: ServerSettings, log: Log
    ) -> None:
        self.desk = desk
        self.directory = directory
        self.settings = settings
        self.log = log
        self.metrics = Metrics()
        self.callers = Callers(directory, settings.clock)
        self.presence = Presence(directory)
        self.passwords = Passwords(settings.password_kibibytes)
        self.identity = _provider(settings)
        self.calls = Buckets(settings.request_rate)
        self.sign_ins = Buckets(settings.sign_in_rate)
        self.password_tries = Buckets(settings.password_rate)
        self.streams = Buckets(settings.stream_rate)
        self.looks = Recently(_LOOK_AGAIN)
        self.agreements = Folds(desk.store, "agreement", self._no_answers)
        self.pictures = Folds(desk.store, "picture", lambda _: PictureFold())
        for folds in (self.agreements, self.pictures):
            desk.when_grown(folds.grown)
        self.index = SentenceIndex(directory.engine, desk.store)
        self._upkeep = Upkeep("index of sentences", self.index.marked, self.index.catch_up)
        desk.when_grown(self._upkeep.grown)
        self.tallies = Tallies(desk.store)
        self.shown = SentenceCache(desk.store)
        self.known = SentenceIds(desk.store)
        self.live = Hub(desk, self.shown, log)
        self.watch = AlertWatch(
            directory, desk.store, settings, log, lambda: last_backup(directory.engine)
        )
        self.rehearsals = RehearsalPlaces(settings.rehearsals, settings.rehearsal_seconds)
        # Campaigns for which all is compiled.
        self._warm: set[str] = set()
        # Seconds for which workers count as present, by campaign; a plan never changes them.
        self._windows: dict[str, float] = {}
        # Labels of campaigns on pairs whose responses can change places; of others none.
        self._turning: dict[str, tuple[str, ...]] = {}

        desk.when_left(self.leave_campaign)

    def forget_campaign(self, campaign: str) -> None:
        """Drop what is kept in memory of a campaign that is gone, and of its people.

        The hub sees by itself that there is nothing to watch any more.
        """
        self.callers.forget_campaign(campaign)
        self.leave_campaign(campaign)

    def leave_campaign(self, campaign: str) -> None:
        """Drop, from any thread, what is kept of a campaign that nobody uses; all can be found.

        A campaign that was deleted by another process leaves so, too.
        """
        self.agreements.forget(campaign)
        self.pictures.forget(campaign)
        self._upkeep.forget(campaign)
        self.shown.forget(campaign)
        self.known.forget(campaign)
        self.presence.forget_campaign(campaign)
        self._warm.discard(campaign)
        self._windows.pop(campaign, None)
        self._turning.pop(campaign, None)

    async def tidy(self) -> None:
        """Drop what nobody has looked at for long, and write down who was seen."""
        self.agreements.sweep()
        self.pictures.sweep()
        await self.presence.write()

    async def turning(self, campaign: str) -> tuple[str, ...]:
        """Return the labels of a campaign if pairs can be shown in either order, else none."""
        found = self._turning.get(campaign)
        if found is None:
            plan = await self.desk.look(campaign, lambda each: each.plan)
            can = plan.kind == "choices" and turned_labels(plan.labels)
            self._turning[campaign] = found = plan.labels if can else ()
        return found

    def stop(self) -> None:
        """Let nobody wait for what would take long."""
        self.agreements.stop()
        self.pictures.stop()
        self._upkeep.stop()

    def _no_answers(self, campaign: str) -> AgreementFold:
        store = self.desk.store
        material = stored_material(store, campaign)
        return AgreementFold(material, lambda first: store.sentences(campaign, first=first))

    async def statuses(self, campaigns: Sequence[str]) -> dict[str, LiveStatus]:
        """Return how campaigns stand, in their order; those that are gone are left out.

        Their summaries say it, so that none comes into memory; only one without is loaded.
        """
        kept = await in_thread(self.desk.store.summaries, campaigns)
        found: dict[str, LiveStatus] = {}
        for name in campaigns:
            status = status_in(kept[name]) if name in kept else None
            try:
                if status is None:
                    status = await self.desk.look(name, status_of)
            except UnknownCampaignError:
                continue
            found[name] = status
        return found

    @property
    def now(self) -> float:
        """Return the time now."""
        return self.settings.clock()

    async def is_warm(self, campaign: str) -> bool:
        """Wait until answers can be judged at once; tell whether they can."""
        if campaign in self._warm:
            return True
        plan = await self.desk.look(campaign, lambda c: c.plan)
        is_warm = await WARMTH.reached(plan)
        if is_warm:
            self._warm.add(campaign)
        return is_warm

    async def available(self, campaign: str, worker: int) -> frozenset[int]:
        """Return the workers of a campaign who are there."""
        window = self._windows.get(campaign)
        if window is None:
            window = await self.desk.look(campaign, lambda c: c.plan.presence)
            self._windows[campaign] = window
        return await self.presence.available(campaign, worker, window, self.now)


async def services_of(request: Request) -> Services:
    """Return what the application of a request works with; FastAPI calls no thread for it."""
    return cast("Services", request.app.state.services)
