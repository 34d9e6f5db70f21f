"""A campaign on a server with simulated people, and its offline twin."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np

from spancrew.cli._campaign_access import logged_in
from spancrew.cli._campaign_server import connect
from spancrew.cli._rehearse_live_people import (
    Bustle,
    Knowledge,
    SimulatedExpert,
    SimulatedWorker,
)
from spancrew.cli._rehearse_live_scene import Piece, Wanted, piece_of, write_bare
from spancrew.cli._rehearse_live_view import Compared, Figures, compared_measures
from spancrew.client import CampaignClient, Client
from spancrew.core import Dataset
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.simulate import rehearse

if TYPE_CHECKING:
    from spancrew.cli._waiting import Waiting

_LOOK = 0.3
"""Seconds between two looks at how far the campaign is."""

_STUCK = 60.0
"""Seconds without any event after which nobody can do anything any more."""


def rehearsed_live(
    url: str, token: str | None, wanted: Wanted, wait: "Waiting", left: str | None = None
) -> Compared:
    """Run the campaign on the server, then rehearse it offline, and put both side by side.

    ``left`` is a campaign that an earlier rehearsal with the same options has left behind.
    """
    wait.phase("Making the crowd")
    piece = piece_of(wanted)
    address = urlsplit(url)
    is_link = bool(address.fragment or address.query or address.path.strip("/"))
    client = logged_in(url) if is_link else connect(url, token)
    with client, TemporaryDirectory() as folder:
        wait.phase("Setting up the campaign")
        if left is None:
            bare = write_bare(piece.scene.dataset, Path(folder))
            name = f"rehearsal on {Path(wanted.data).name}"
            campaign = client.create(name, bare, piece.plan, gold="ignore", format="spancrew")
        else:
            campaign = client.find(left)
        with _left_alone(campaign, client.url):
            started = time.perf_counter()
            _run(campaign, piece, wanted, wait)
            seconds = time.perf_counter() - started
            wait.phase("Exporting")
            figures = _figures(campaign, piece, Path(folder))
            settled = campaign.status().settled
    wait.phase(f"Rehearsing offline, {wanted.runs} runs")
    outcome = rehearse(piece.scene, piece.setting)
    return Compared(
        campaign.id,
        len(piece.scene.dataset),
        settled,
        wanted.workers,
        wanted.experts,
        seconds,
        piece.setting,
        compared_measures(figures, outcome),
    )


@contextmanager
def _left_alone(campaign: CampaignClient, url: str) -> Iterator[None]:
    """Say what to do with the campaign if the rehearsal ends before it does."""
    try:
        yield
    except (KeyboardInterrupt, SpancrewError):
        sys.stderr.write(
            f"Campaign {campaign.id} stays on {url} as it is. Go on with the same command and "
            f"--campaign {campaign.id}, look at it with 'spancrew campaign show {campaign.id}', "
            f"or remove it with 'spancrew campaign delete {campaign.id}'.\n"
        )
        raise


def _run(campaign: CampaignClient, piece: Piece, wanted: Wanted, wait: "Waiting") -> None:
    people: list[SimulatedWorker | SimulatedExpert] = []
    with ExitStack() as guests:
        for guest, person in _people(campaign, piece, wanted):
            guests.enter_context(guest)
            people.append(person)
            wait(len(people), wanted.workers + wanted.experts)
        if campaign.status().phase != "running":
            campaign.start()
        wait.phase("Working")
        bustle = Bustle(people)
        try:
            _watch(campaign, bustle, wait)
        finally:
            bustle.end()


def _people(
    campaign: CampaignClient, piece: Piece, wanted: Wanted
) -> Iterator[tuple[Client, SimulatedWorker | SimulatedExpert]]:
    """Let everybody in who works on the campaign: those who are there already, and the others."""
    knowledge = Knowledge(piece.scene)
    there = {each.person.name: each.person.pseudonym for each in campaign.people.workers()}
    for k, name in enumerate(piece.scene.workers):
        known = there.get(name)
        invited = campaign.people.renew_link(known) if known else campaign.invite_worker(name)
        guest = Client.from_link(invited.url)
        pace = _pace(wanted, k)
        yield guest, SimulatedWorker(guest.worker(campaign.id), k, knowledge, pace)
    for k in range(wanted.experts):
        guest = Client.from_link(campaign.invite_expert().url)
        pace = _pace(wanted, wanted.workers + k)
        yield guest, SimulatedExpert(guest.expert(campaign.id), knowledge, pace)


def _pace(wanted: Wanted, k: int) -> Callable[[], float]:
    """Return what draws how long the k-th person thinks."""
    if not wanted.seconds:
        return lambda: 0.0
    rng = Random(wanted.seed * 1_000_003 + k)  # noqa: S311  how long somebody thinks is no secret
    return lambda: rng.expovariate(1 / wanted.seconds)


def _watch(campaign: CampaignClient, bustle: Bustle, wait: "Waiting") -> None:
    """Look on until the campaign is over."""
    version, since = -1, time.monotonic()
    while True:
        bustle.refuse_failures()
        status = campaign.status()
        wait(status.settled, status.sentences)
        if status.phase == "finished":
            return
        if status.version != version:
            version, since = status.version, time.monotonic()
        if bustle.over or time.monotonic() - since > _STUCK:
            raise SpancrewError(
                f"nothing happens any more in campaign {campaign.id}: {status.settled:,} of "
                f"{status.sentences:,} sentences are settled, {status.at_expert:,} wait for an "
                "expert; more workers, experts or budget are needed"
            )
        time.sleep(_LOOK)


def _figures(campaign: CampaignClient, piece: Piece, folder: Path) -> Figures:
    """Return what came of the campaign, by its export, its ledger and its journal."""
    target = folder / "result.jsonl"
    campaign.export(target, "spancrew", revise=True)
    ledger = campaign.ledger()
    sentences = len(piece.scene.dataset)
    judged, asked = set(), 0
    for event in campaign.all_events():
        if event.kind == "Judged":
            judged.add(event.body["sentence"])
        asked += event.kind == "ExpertAnswered" and event.body["sentence"] in judged
    return Figures(
        final_f1_of(
            read(target, "spancrew", labels=piece.plan.labels).dataset, piece.scene.dataset
        ),
        ledger.experts / sentences,
        asked / sentences,
        ledger.answers,
        ledger.spent,
    )


def final_f1_of(result: Dataset, truth: Dataset) -> float:
    """Return the exact F1 of final labels against gold, over the sentences that are settled."""
    if result.finals is None:
        return 0.0
    settled = np.flatnonzero(result.finals.codes.lengths > 0)
    place = {id_: k for k, id_ in enumerate(truth.sentences.ids)}
    rows = np.array([place[result.sentences.ids[k]] for k in settled], np.int64)
    return Metric("exact").pool(result.finals.codes.take(settled), truth.gold.take(rows)).f1
