"""A campaign of demo sentences whose people work in a labelling tool, and the same rehearsed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import Plan, Settled
from spancrew.cli._live_rehearsal import LiveOptions, _offline_setting, _write_bare
from spancrew.cli._simulated_people import Knowledge
from spancrew.client import CampaignClient, Client
from spancrew.core import Answer, Dataset, Sentence, Span
from spancrew.crowds import Replay
from spancrew.formats import read
from spancrew.simulate import Scene, rehearse, scene_of
from tests.campaign.driven import Driven
from tests.simulate.small import some_answer
from tests.simulate.watched import Watched

DAY = 86400.0
PLAN = {
    "mode": "rounds",
    "warm_up": "own",
    "policy": "cucb",
    "feedback": "gate:threshold=0.5",
    "consensus": "mv",
    "crew": 6,
    "answers": 3,
    "lease": DAY,
    "presence": DAY,
    "audit": 4,
}
WORKERS = 8


@dataclass(frozen=True)
class Story:
    """What is played: the crowd, the plan, and what everybody would answer."""

    options: LiveOptions
    scene: Scene
    plan: Plan
    knowledge: Knowledge

    def create(self, admin: Client, folder: Path, name: str) -> CampaignClient:
        """Set the campaign up on a server, without gold or answers."""
        bare = _write_bare(self.scene.dataset, folder)
        return admin.create(name, bare, self.plan, gold="ignore", format="spancrew")

    def sentence(self, id_: str) -> Sentence:
        """Return a sentence by its id."""
        return self.scene.dataset.sentences[self.knowledge.place[id_]]

    def spans(self, id_: str, worker: int | None) -> tuple[Span, ...]:
        """Return what a worker answers, or with None the expert."""
        if worker is None:
            return self.knowledge.gold(id_)
        found = self.knowledge.answer(id_, worker)
        assert found is not None
        return found

    @property
    def names(self) -> list[str]:
        """Return the workers by name."""
        return [f"worker-{k}" for k in range(self.options.workers)]


def story(sentences: int, seed: int = 5, workers: int = WORKERS, **plan: Any) -> Story:
    """Return a story on the first demo sentences."""
    scene = _demo_scene(sentences, workers)
    words = {**PLAN, **plan, "seed": seed, "labels": scene.dataset.labels.names}
    made = Plan.from_json(words)
    options = LiveOptions("demo", sentences, workers, 1, "replay", words, 0.0, 1, seed)
    return Story(options, scene, made, Knowledge(scene))


@cache
def _demo_scene(sentences: int, workers: int) -> Scene:
    """Return demo sentences on which every worker has an answer, the later ones better ones."""
    demo, rng = read("demo").dataset, np.random.default_rng(1)
    chosen = [demo.sentences[k] for k in range(sentences)]
    gold = {each.id: tuple(demo.gold_spans(k) or ()) for k, each in enumerate(chosen)}
    answers = [
        Answer(each.id, f"worker-{j}", some_answer(rng, len(each), gold[each.id], j, workers))
        for each in chosen
        for j in range(workers)
    ]
    dataset = Dataset.of(chosen, gold, answers, demo.labels)
    return scene_of(dataset, Replay(dataset))


def assert_as_rehearsed(played: Story, campaign: CampaignClient) -> None:
    """Compare crews, labels and money with the rehearsal, and each event with the engine alone."""
    policy = Watched(played.plan.policy)
    setting = replace(_offline_setting(played.plan, played.options), policy=policy, runs=1)
    outcome = rehearse(played.scene, setting)
    engine = Driven(played.scene, played.plan).run()
    events = list(campaign.all_events())
    crews = [tuple(e.body["crew"]) for e in events if e.kind == "CrewChosen"]
    theirs = [tuple(w for w in crew[0].tolist() if w >= 0) for crew in policy.crews]
    ledger = campaign.ledger()

    assert campaign.status().phase == "finished"
    assert campaign.status().settled == outcome.settled[0] == len(played.scene.dataset)
    assert crews == theirs
    assert ledger.answers == outcome.asked[0]
    assert ledger.experts == outcome.expert_labels[0]
    assert ledger.spent == pytest.approx(outcome.money[0])
    assert _settled(events) == _settled_by(engine)


def assert_nothing_twice(campaign: CampaignClient, annotations: int | None = None) -> None:
    """Count: no assignment is answered twice, no answer paid twice, and no annotation is lost."""
    events = list(campaign.all_events())
    answered = [e.body["assignment"] for e in events if e.kind == "Answered"]
    pairs = [(e.body["sentence"], e.body["worker"]) for e in events if e.kind == "Answered"]
    experts = sum(e.kind == "ExpertAnswered" for e in events)

    assert len(set(answered)) == len(answered) == campaign.ledger().answers
    assert len(set(pairs)) == len(pairs)
    assert campaign.ledger().experts == experts
    if annotations is not None:
        assert len(answered) + experts == annotations


def _settled(events: Sequence[Any]) -> dict[int, tuple[str, list[tuple[int, int, str]]]]:
    return {
        e.body["sentence"]: (e.body["by"], sorted(tuple(each[:3]) for each in e.body["labels"]))
        for e in events
        if e.kind == "Settled"
    }


def _settled_by(engine: Driven) -> dict[int, tuple[str, list[tuple[int, int, str]]]]:
    return {
        e.sentence: (e.by, sorted((s.start, s.end, s.label) for s in e.labels))
        for e in engine.events
        if isinstance(e, Settled)
    }
