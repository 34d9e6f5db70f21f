"""What the routes work with."""

from dataclasses import dataclass, field
from typing import cast

from fastapi import Request

from spancrew.server.desk.desk import Desk
from spancrew.server.desk.warmth import WARMTH
from spancrew.server.live.figures import AgreementFold
from spancrew.server.live.folds import Folds, SentenceCache, Tallies
from spancrew.server.live.hub import Hub
from spancrew.server.live.picture import PictureFold
from spancrew.server.logs import Log, Metrics
from spancrew.server.people.directory import Directory
from spancrew.server.people.people import Passwords
from spancrew.server.people.sessions import Callers, Presence
from spancrew.server.rehearsal.run import Rehearsals
from spancrew.server.settings import Buckets, ServerSettings


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that lives as long as the application."""

    desk: Desk
    directory: Directory
    settings: ServerSettings
    log: Log
    metrics: Metrics
    callers: Callers
    presence: Presence
    passwords: Passwords
    calls: Buckets
    sign_ins: Buckets
    password_tries: Buckets
    agreements: Folds[AgreementFold]
    pictures: Folds[PictureFold]
    live: Hub
    streams: Buckets
    tallies: Tallies
    shown: SentenceCache
    rehearsals: Rehearsals
    warm: set[str] = field(default_factory=set)
    """Campaigns for which all is compiled."""
    windows: dict[str, float] = field(default_factory=dict)
    """Seconds for which workers count as present, by campaign; a plan never changes them."""

    @classmethod
    def of(
        cls, desk: Desk, directory: Directory, settings: ServerSettings, log: Log
    ) -> "Services":
        """Put everything together."""
        sentences = SentenceCache(desk.store)
        return cls(
            desk=desk,
            directory=directory,
            settings=settings,
            log=log,
            metrics=Metrics(),
            callers=Callers(directory, settings.clock),
            presence=Presence(directory),
            passwords=Passwords(),
            calls=Buckets(settings.request_rate),
            sign_ins=Buckets(settings.sign_in_rate),
            password_tries=Buckets(settings.password_rate),
            agreements=Folds(desk.store),
            pictures=Folds(desk.store),
            live=Hub(desk, sentences, log),
            streams=Buckets(settings.stream_rate),
            tallies=Tallies(desk.store),
            shown=sentences,
            rehearsals=Rehearsals(settings.rehearsals, settings.rehearsal_seconds),
        )

    def forget_campaign(self, campaign: str) -> None:
        """Drop what is kept in memory of a campaign that is gone, and of its people.

        The hub sees by itself that there is nothing to watch any more.
        """
        self.callers.forget_campaign(campaign)
        self.agreements.forget(campaign)
        self.pictures.forget(campaign)
        self.shown.forget(campaign)

    def stop(self) -> None:
        """Let nobody wait for what would take long."""
        self.agreements.stop()
        self.pictures.stop()

    @property
    def now(self) -> float:
        """Return the time now."""
        return self.settings.clock()

    async def is_warm(self, campaign: str) -> bool:
        """Wait until answers can be judged at once; tell whether they can."""
        if campaign not in self.warm:
            plan = await self.desk.look(campaign, lambda c: c.plan)
            if await WARMTH.reached(plan):
                self.warm.add(campaign)
        return campaign in self.warm

    async def available(self, campaign: str, worker: int) -> frozenset[int]:
        """Return the workers of a campaign who are there."""
        if campaign not in self.windows:
            self.windows[campaign] = await self.desk.look(campaign, lambda c: c.plan.presence)
        return await self.presence.available(campaign, worker, self.windows[campaign], self.now)


async def services_of(request: Request) -> Services:
    """Return what the application of a request works with; FastAPI calls no thread for it."""
    return cast("Services", request.app.state.services)
