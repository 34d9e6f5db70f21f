"""What the desk does when nobody asks: snapshots, fits, and the passing of time."""

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from spancrew.campaign import Campaign, model_to_bytes
from spancrew.consensus import Model
from spancrew.errors import SpancrewError
from spancrew.server.desk.queue import CampaignQueue
from spancrew.server.settings import Clock
from spancrew.stores import Derived

_log = logging.getLogger("spancrew.desk")

PART = 100
"""The part of a journal that has no snapshot yet, at most."""

Put = Callable[[str, Callable[[Campaign], Any]], "Future[Any]"]


@dataclass(frozen=True, slots=True)
class Pace:
    """How a desk works.

    At most ``batch`` works share a turn, ``waiting`` works wait in all; beyond, new ones are
    refused. ``threads`` campaigns are worked on at once. A snapshot is made after ``snapshot``
    events or a hundredth of all, whichever is more; leases are looked at every ``tick`` seconds.
    Fits on more than ``fits`` rows of evidence are made in the background; up to 1,000 rows, a fit
    takes a tenth of a second and is made at once. A campaign leaves memory when nobody has used it
    for ``idle`` seconds, or when more than ``loaded`` are there and it was used longest ago.
    """

    batch: int = 200
    waiting: int = 4_000
    threads: int = 4
    snapshot: int = 5_000
    tick: float = 5.0
    fits: int = 1_000
    idle: float = 300.0
    loaded: int = 100


class Background:
    """Threads for what may take long and nobody waits for."""

    def __init__(self, pace: Pace, clock: Clock, put: Put) -> None:
        self._pace = pace
        self._clock = clock
        self._put = put
        self._pool = ThreadPoolExecutor(2, "desk-background")
        self._over = Event()
        self._ticker: Thread | None = None

    def start(self, begin: Callable[[], None], tick: Callable[[], None]) -> None:
        """Begin, then let time pass every few seconds."""
        self._ticker = Thread(target=self._keep_ticking, args=(begin, tick), name="desk-ticker")
        self._ticker.daemon = True
        self._ticker.start()

    def _keep_ticking(self, begin: Callable[[], None], tick: Callable[[], None]) -> None:
        due = begin
        while True:
            try:
                due()
                due = tick
            except SpancrewError as error:
                _log.warning("the time of leases was not looked at: %s", error)
            if self._over.wait(self._pace.tick):
                return

    def care_for(self, queue: CampaignQueue) -> None:
        """Begin what is due for a campaign; called by the thread that serves it, between turns."""
        if queue.campaign is None:
            return
        try:
            self._snapshot(queue, queue.campaign)
            self._fit(queue, queue.campaign)
        except Exception:  # noqa: BLE001  a convenience: the campaign itself goes on
            _log.exception("background work for %s could not begin", queue.name)

    def _snapshot(self, queue: CampaignQueue, campaign: Campaign) -> None:
        version = campaign.version
        due = queue.snapshot_at + max(self._pace.snapshot, queue.snapshot_at // PART)
        if version < due or not (queue.snapshot_kept is None or queue.snapshot_kept.done()):
            return
        queue.snapshot_at = version
        kept = Derived(version, campaign.snapshot())
        queue.snapshot_kept = self._pool.submit(queue.keep, "snapshot", kept)

    def _fit(self, queue: CampaignQueue, campaign: Campaign) -> None:
        seen = campaign.due_fit()
        if seen is None or queue.fitting is not None:
            return
        queue.fitting = seen
        self._pool.submit(self._fitted, queue, campaign.fitting(seen), seen)

    def _fitted(self, queue: CampaignQueue, fit: Callable[[], Model], seen: int) -> None:
        """Fit, which takes long, and let the campaign use it from now on."""
        try:
            model = fit()
            installed = self._put(queue.name, lambda now: _install(now, seen, model, self._clock))
            mark = installed.result()
            if mark is not None and (data := model_to_bytes(model)) is not None:
                queue.keep("model", Derived(mark, data))
        except SpancrewError as error:
            _log.warning("a fit of %s is not used: %s", queue.name, error)
        except Exception:  # noqa: BLE001  the old model stays; the next work tries again
            _log.exception("the consensus method of %s could not be fitted", queue.name)
        finally:
            queue.fitting = None

    def stop_ticking(self) -> None:
        """Let no more time pass."""
        self._over.set()
        if self._ticker is not None:
            self._ticker.join()

    def stop(self) -> None:
        """Finish what has begun and stop all threads."""
        self._pool.shutdown(cancel_futures=True)


def _install(campaign: Campaign, seen: int, model: Model, clock: Clock) -> int | None:
    """Let a campaign use a model; return its mark if it is that of the last fit, to be kept.

    It is not where another process was quicker, the campaign was read again meanwhile, or a label
    that it has learned from was corrected.
    """
    before = len(campaign.state.fits)
    campaign.fitted(seen, model, clock())
    is_used = campaign.lacks_model() is None and len(campaign.state.fits) > before
    return campaign.model_mark if is_used else None
