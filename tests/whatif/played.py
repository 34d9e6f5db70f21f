"""Campaigns on replayed answers, played to their end."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from spancrew.campaign import Campaign, Plan, entry_of
from spancrew.core import Dataset, Ragged
from spancrew.feedback import feedback_rule
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import policy
from spancrew.server.api.export import result_of
from spancrew.server.api.upload import rows_of
from spancrew.simulate import Scene, scene_of, simulated_crowd
from spancrew.stores import MemoryStore
from spancrew.whatif import CollectedAnswers, collected_from_events
from tests.campaign.driven import Driven
from tests.simulate.small import small_scene


@cache
def demo_scene() -> Scene:
    """Return the demo, with answers of everybody on every sentence that never change."""
    made = simulated_crowd(read("demo").dataset, "calibrated", Metric(), seed=1)
    return scene_of(made.dataset, made.crowd, Metric())


@cache
def long_scene() -> Scene:
    """Return a small scene that is long enough for several fits."""
    return small_scene(sentences=140, workers=9, seed=3)


@cache
def played(on: Callable[[], Scene], rule: str, answers: int = 4, audit: float = 0.1) -> Driven:
    """Play a campaign by a rule; crews are drawn at random, so that the answers are the same."""
    scene = on()
    plan = Plan(
        scene.dataset.labels.names,
        policy=policy("random"),
        feedback=feedback_rule(rule),
        crew=min(20, len(scene.workers)),
        answers=answers,
        audit=audit,
    )
    return Driven(scene, plan).run()


def without_gold(dataset: Dataset) -> Dataset:
    """Return a data set as a campaign knows it."""
    none = Ragged(dataset.gold.values[:0], np.zeros(len(dataset) + 1, np.int64))
    return replace(dataset, gold=none)


def collected(live: Driven) -> CollectedAnswers:
    """Return what a campaign has collected."""
    return collected_from_events(without_gold(live.scene.dataset), live.events)


def true_f1(campaign: Campaign, gold: Ragged) -> float:
    """Return the exact F1 of the labels that a campaign delivers."""
    found = campaign.labels_so_far(revise=True)
    rows = [
        (audit if len(audit) else codes).tolist()
        for codes, audit in zip(found.codes, found.audits, strict=True)
    ]
    return Metric("exact").pool(Ragged.of(rows), gold.take(found.sentence)).f1


def export_of(live: Driven) -> Dataset:
    """Return the export of a campaign, as a server makes it."""
    store, plan = MemoryStore(), live.campaign.plan
    store.add_sentences("c", rows_of(without_gold(live.scene.dataset)))
    store.append("c", [entry_of(event) for event in live.events], expected_version=0)
    return result_of(store, "c", plan, {}, None, answers=True)


def write_journal(live: Driven, path: Path) -> Path:
    """Write a journal as 'spancrew campaign events --json' prints it."""
    rows = (
        {"version": k, "kind": entry.kind, "at": entry.at, "body": json.loads(entry.body)}
        for k, entry in enumerate(map(entry_of, live.events), 1)
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path
