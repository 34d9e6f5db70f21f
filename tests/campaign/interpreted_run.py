"""Play a small campaign and print its journal; run as a program, with or without a compiler."""

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from spancrew.campaign import Campaign, Material, Plan, Submission, Waiting, entry_of
from spancrew.cli._demo_campaign import mostly_unknown
from spancrew.cli._simulated_people import Knowledge
from spancrew.core import Dataset, Span
from spancrew.formats import read
from spancrew.simulate import scene_of, simulated_crowd

SENTENCES = 60


def journal(plan: dict[str, Any]) -> list[str]:
    """Return the events of a campaign in which everybody answers in turn."""
    made = simulated_crowd(_data(), "replay")
    scene = scene_of(made.dataset, made.crowd)
    knowledge, ids = Knowledge(scene), scene.dataset.sentences.ids
    known = Plan.from_json({**plan, "labels": list(scene.dataset.labels.names)})
    campaign = Campaign.open(known, Material.of(mostly_unknown(scene.dataset)), 0.0)
    workers = range(len(scene.workers))
    for _ in workers:
        campaign.join(0.0)
    campaign.start(0.0)
    now, answered = 0.0, True
    while campaign.phase != "finished" and answered:
        now, answered = now + 1.0, False
        for worker in workers:
            found = campaign.next(worker, workers, now)
            if not isinstance(found, Waiting):
                given = knowledge.answer(ids[found.sentence], worker)
                assert given is not None
                campaign.tell(Submission(found.number, worker, _plain(given)), now)
                answered = True
        while not isinstance(sheet := campaign.next_expert("e1", now), Waiting):
            campaign.tell_expert(
                sheet.sentence, "e1", _plain(knowledge.gold(ids[sheet.sentence])), now
            )
            answered = True
    return [str(entry_of(event)) for event in campaign.news()]


def _data() -> Dataset:
    path = Path(str(files("spancrew.formats") / "bundled" / "demo-live.jsonl"))
    return read(path, "spancrew").dataset.take(np.arange(SENTENCES))


def _plain(spans: tuple[Span, ...]) -> tuple[tuple[int, int, str], ...]:
    return tuple((span.start, span.end, span.label) for span in spans)


if __name__ == "__main__":
    json.dump([journal(plan) for plan in json.loads(sys.argv[1])], sys.stdout)
