"""A campaign on a server with simulated people, and the same campaign rehearsed offline."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from spancrew.campaign import Plan
from spancrew.cli._connection import Connection, log_in
from spancrew.cli._live_comparison import LiveComparison, measures
from spancrew.cli._simulated_people import (
    Knowledge,
    PeopleAtWork,
    SimulatedExpert,
    SimulatedPerson,
    SimulatedWorker,
)
from spancrew.client import CampaignClient, Client
from spancrew.core import MODEL_PREFIX, Dataset, Ragged, is_model, people_among
from spancrew.crowds import PartOfCrowd
from spancrew.errors import SpancrewError
from spancrew.formats import read, write
from spancrew.metrics import Metric
from spancrew.simulate import (
    ANSWERS,
    CREW,
    Scene,
    Setting,
    crowd_choice,
    refuse_unfit,
    rehearse,
    scene_of,
    simulated_crowd,
)
from spancrew.wire import Invitation

if TYPE_CHECKING:
    from spancrew.cli._progress import ProgressBar

_LOOK = 0.3
"""Seconds between two looks at how far the campaign is."""

_STUCK = 60.0
"""Seconds without any event after which nobody can do anything any more."""


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """What the options of the command say; ``plan`` is JSON, without labels."""

    data: str
    sentences: int | None
    workers: int
    experts: int
    crowd: str
    plan: dict[str, Any]
    seconds: float
    runs: int
    seed: int


def rehearse_on_server(
    url: str,
    token: str | None,
    options: LiveOptions,
    progress: "ProgressBar",
    existing: str | None = None,
) -> LiveComparison:
    """Run the campaign on the server, then rehearse it offline, and compare both.

    ``existing`` is a campaign that an earlier rehearsal with the same options has left behind.
    """
    progress.phase("Making the crowd")
    scene, plan = _scene_and_plan(options)
    setting = _offline_setting(plan, options)
    refuse_unfit(setting, options.workers, len(scene.dataset))
    address = urlsplit(url)
    is_link = bool(address.fragment or address.query or address.path.strip("/"))
    client = log_in(url) if is_link else Connection(url, token).open()
    with client, TemporaryDirectory() as folder:
        progress.phase("Setting up the campaign")
        if existing is None:
            bare = _write_bare(scene.dataset, Path(folder))
            name = f"rehearsal on {Path(options.data).name}"
            campaign = client.create(name, bare, plan, gold="ignore", format="spancrew")
        else:
            campaign = client.find(existing)
        with _advice_if_interrupted(campaign, client.url):
            started = time.perf_counter()
            _run(campaign, scene, options, progress)
            seconds = time.perf_counter() - started
            progress.phase("Exporting")
            live = _live_figures(campaign, scene.dataset, Path(folder) / "result.jsonl")
            settled = campaign.status().settled
    progress.phase(f"Rehearsing offline, {options.runs} runs")
    return LiveComparison(
        campaign.id,
        len(scene.dataset),
        settled,
        options.workers,
        options.experts,
        seconds,
        setting,
        measures(live, rehearse(scene, setting)),
    )


def _scene_and_plan(options: LiveOptions) -> tuple[Scene, Plan]:
    """Read the data, make the crowd, and refuse more workers than there are."""
    choice = crowd_choice(options.crowd)
    pilot = read(options.data).dataset
    if options.workers > (there := len(people_among(pilot.workers))):
        raise SpancrewError(
            f"{options.data} has {there} workers to stand in for, {options.workers} are wanted: "
            f"take --workers {there}"
        )
    made = simulated_crowd(pilot, choice.kind, ties=choice.ties, seed=options.seed)
    size = min(options.sentences or len(made.dataset), len(made.dataset))
    dataset = made.dataset.take(np.arange(size))
    answers = options.plan.get("answers", min(ANSWERS, options.workers))
    usual = {"answers": answers, "crew": max(min(CREW, options.workers), answers)}
    plan = Plan.from_json({**usual, **options.plan, "labels": dataset.labels.names})
    models = np.array([is_model(name) for name in made.crowd.workers], bool)
    people = np.flatnonzero(~models)[: options.workers]
    working = np.concatenate([people, np.flatnonzero(models)])
    crowd = PartOfCrowd(made.crowd, np.arange(size), working)
    return scene_of(dataset, crowd), plan


def _offline_setting(plan: Plan, options: LiveOptions) -> Setting:
    return Setting(
        policy=plan.policy,
        feedback=plan.feedback,
        consensus=plan.method,
        crew=plan.crew_size,
        answers=plan.answers,
        runs=options.runs,
        seed=options.seed,
        prices=plan.prices,
        cap=plan.cap,
        audit=plan.audits,
        warm_up=plan.warm_up,
    )


def _write_bare(dataset: Dataset, folder: Path) -> Path:
    """Write the sentences alone, so that neither gold nor answers reach the server."""
    none = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
    target = folder / "sentences.jsonl"
    write(replace(dataset.without_answers(), gold=none, workers=()), target, "spancrew")
    return target


@contextmanager
def _advice_if_interrupted(campaign: CampaignClient, url: str) -> Iterator[None]:
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


def _run(
    campaign: CampaignClient, scene: Scene, options: LiveOptions, progress: "ProgressBar"
) -> None:
    people: list[SimulatedPerson] = []
    with ExitStack() as guests:
        for guest, person in _people(campaign, scene, options):
            guests.enter_context(guest)
            people.append(person)
            progress(len(people), options.workers + options.experts)
        if campaign.status().phase != "running":
            campaign.start()
        progress.phase("Working")
        at_work = PeopleAtWork(people)
        try:
            _watch(campaign, at_work, progress)
        finally:
            at_work.end()


def _people(
    campaign: CampaignClient, scene: Scene, options: LiveOptions
) -> Iterator[tuple[Client, SimulatedPerson]]:
    """Let everybody in who works on the campaign: those who are there already, and the others."""
    knowledge = Knowledge(scene)
    there = {each.person.name: each.person.pseudonym for each in campaign.people.workers()}
    for k, name in enumerate(scene.workers):
        known = there.get(name)
        invited = campaign.people.renew_link(known) if known else _invited(campaign, name)
        guest = Client.from_link(invited.url)
        yield guest, SimulatedWorker(guest.worker(campaign.id), k, knowledge, _pace(options, k))
    for k in range(options.experts):
        guest = Client.from_link(campaign.invite_expert().url)
        pace = _pace(options, options.workers + k)
        yield guest, SimulatedExpert(guest.expert(campaign.id), knowledge, pace)


def _invited(campaign: CampaignClient, name: str) -> Invitation:
    """Let a worker in, or a model, who both go by the name that they have in the data."""
    if is_model(name):
        return campaign.people.add_model(name.removeprefix(MODEL_PREFIX))
    return campaign.invite_worker(name)


def _pace(options: LiveOptions, k: int) -> Callable[[], float]:
    """Return what draws how long the k-th person thinks."""
    if not options.seconds:
        return lambda: 0.0
    rng = Random(options.seed * 1_000_003 + k)  # noqa: S311  how long somebody thinks is no secret
    return lambda: rng.expovariate(1 / options.seconds)


def _watch(campaign: CampaignClient, at_work: PeopleAtWork, progress: "ProgressBar") -> None:
    """Look on until the campaign is over."""
    version, since = -1, time.monotonic()
    while True:
        at_work.raise_failure()
        status = campaign.status()
        progress(status.settled, status.sentences)
        if status.phase == "finished":
            return
        if status.version != version:
            version, since = status.version, time.monotonic()
        if at_work.over or time.monotonic() - since > _STUCK:
            raise SpancrewError(
                f"nothing happens any more in campaign {campaign.id}: {status.settled:,} of "
                f"{status.sentences:,} sentences are settled, {status.at_expert:,} wait for an "
                "expert; more workers, experts or budget are needed"
            )
        time.sleep(_LOOK)


def _live_figures(campaign: CampaignClient, truth: Dataset, target: Path) -> dict[str, float]:
    """Return the figures of the campaign, by its export, its ledger and its journal."""
    campaign.export(target, "spancrew", revise=True)
    ledger = campaign.ledger()
    sent = {
        event.body["sentence"]
        for event in campaign.all_events()
        if event.kind == "Judged" and event.body["outcome"] == "expert"
    }
    return {
        "final_f1": _final_f1(read(target, "spancrew", labels=truth.labels.names).dataset, truth),
        "expert_share": len(sent) / len(truth),
        "expert_labels": ledger.experts,
        "answers": ledger.answers,
        "money": ledger.spent,
    }


def _final_f1(result: Dataset, truth: Dataset) -> float:
    """Return the exact F1 of final labels against gold, over the sentences that are settled."""
    if result.finals is None:
        return 0.0
    settled = np.flatnonzero(result.finals.codes.lengths > 0)
    place = {id_: k for k, id_ in enumerate(truth.sentences.ids)}
    rows = np.array([place[result.sentences.ids[k]] for k in settled], np.int64)
    return Metric("exact").pool(result.finals.codes.take(settled), truth.gold.take(rows)).f1
