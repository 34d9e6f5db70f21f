"""The host of the live demo: one campaign after the other, for as long as it is open."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from spancrew.campaign import Status
from spancrew.cli._demo_campaign import PATIENCE, DemoCampaign, DemoLinks
from spancrew.cli._demo_tempo import KEPT_SENTENCES, Attention
from spancrew.client import Client
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.server import Directory, link_url, real_clock
from spancrew.server.start import DemoDoor, DemoNow
from spancrew.simulate import scene_of, simulated_crowd
from spancrew.stores import open_sql

_DAY = 86400.0
_LOOKS = 1.0
"""Seconds between two looks at the campaign."""
_SHOWN = 7.0
"""For so many times the seconds of an answer a campaign that is over is shown."""

Announce = Callable[[int, DemoLinks], None]
"""Told when a campaign has begun: which one, and its links."""


class DemoHost:
    """Keeps a campaign going; ``address`` is that of the server's store."""

    def __init__(self, address: str, data: Path, seconds: float, door: DemoDoor) -> None:
        self._address = address
        self._seconds = seconds
        self._door = door
        made = simulated_crowd(read(data, "spancrew").dataset, "replay")
        self._scene = scene_of(made.dataset, made.crowd)
        self._attention = Attention()
        self._stop = threading.Event()
        self._ended = threading.Event()
        self._ended.set()

    def run(self, url: str, announce: Announce) -> None:
        """Hold one campaign after the other on a server that listens, until told to end."""
        self._ended.clear()
        try:
            _await(url)
            secret = self._admin_secret()
            link = f"{url}/enter?next=/campaigns/{{}}#{secret}"
            with Client.from_link(link_url(url, secret), patience=PATIENCE) as admin:
                number = 0
                while not self._stop.is_set():
                    number += 1
                    self._hold(admin, link, number, announce)
        except (SpancrewError, OSError):
            # Whoever stops the server stops this in the middle of something.
            if not self._stop.wait(PATIENCE):
                raise
        finally:
            self._ended.set()

    def end(self) -> None:
        """Stop everybody."""
        self._stop.set()
        self._ended.wait()

    def _hold(self, admin: Client, link: str, number: int, announce: Announce) -> None:
        """Hold a campaign from its beginning until it was over for a while."""
        campaign = DemoCampaign(admin, self._scene, self._seconds, number)
        try:
            links = campaign.start(link.format)
            self._show(number, links, campaign)
            announce(number, links)
            while not self._stop.wait(_LOOKS):
                if self._show(number, links, campaign).phase == "finished":
                    self._stop.wait(_SHOWN * self._seconds)
                    return
        finally:
            campaign.end()

    def _show(self, number: int, links: DemoLinks, campaign: DemoCampaign) -> Status:
        status = campaign.look(self._attention, looks=self._door.is_watched())
        self._door.show(
            DemoNow(
                number=number,
                dashboard=links.dashboard,
                worker=links.worker,
                expert=links.expert,
                expert_alone=links.expert_alone,
                settled=status.settled,
                sentences=status.sentences,
                kept=min(status.waiting, KEPT_SENTENCES),
                questions=status.at_expert,
                tempo=campaign.pace.tempo,
            )
        )
        return status

    def _admin_secret(self) -> str:
        """Return a link that works more than once: the browser and the demo both use it."""
        store = open_sql(self._address)
        try:
            directory, now = Directory(store.engine), real_clock()
            admin = directory.first_admin(now)
            return directory.secrets.issue("link", admin.id, now, lasts=_DAY)[1]
        finally:
            store.close()


def _await(url: str) -> None:
    """Wait until the server answers."""
    deadline = time.monotonic() + 60
    with Client(url, patience=60) as anybody:
        while time.monotonic() < deadline:
            if anybody.is_ready():
                return
            time.sleep(0.05)
    raise SpancrewError(f"the server at {url} did not get ready within a minute")
