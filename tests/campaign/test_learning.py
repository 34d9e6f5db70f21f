"""Policies find the good workers while a campaign goes on."""

import numpy as np
import pytest

from spancrew.campaign import Assigned, Campaign, Material, Plan, Spans, Submission, Waiting
from spancrew.consensus import MajorityVote
from spancrew.core import decode
from spancrew.feedback import AgreementGate
from spancrew.policies import policy
from tests.simulate.small import small
from tests.spread import spread

WORKERS, GOOD = 12, 4
POLICIES = ["cucb:scale=0.3", "thompson", "kl-ucb", "bayes-ucb", "difficulty-thompson"]


def share_of_good(name: str, mode: str, seed: int) -> float:
    """Return the share of answers by the good third; others are right one time in five."""
    dataset = small(120, 1, seed=seed)
    plan = Plan(
        dataset.labels.names,
        policy=policy(name),
        feedback=AgreementGate(0.5),
        consensus=MajorityVote(),
        mode=mode,  # type: ignore[arg-type]
        crew=4,
        answers=2,
        seed=seed,
    )
    campaign = Campaign.open(plan, Material.of(dataset, use_gold=False), 0.0)
    for _ in range(WORKERS):
        campaign.join(0.0)
    campaign.start(0.0)
    rng = np.random.default_rng(seed)
    gold: list[Spans] = [
        tuple((s.start, s.end, s.label) for s in decode(dataset.gold[k], dataset.labels))
        for k in range(len(dataset))
    ]
    _drive(campaign, gold, rng)
    asked = [e.worker for e in campaign.news() if isinstance(e, Assigned) and e.purpose == "crew"]
    return sum(worker < GOOD for worker in asked) / len(asked)


def _drive(campaign: Campaign, gold: list[Spans], rng: np.random.Generator) -> None:
    for now in range(1, 2_000):
        if campaign.phase == "finished":
            return
        everybody = rng.permutation(WORKERS).tolist()
        for each in campaign.ask(everybody, float(now)):
            is_right = rng.random() < (0.95 if each.worker < GOOD else 0.2)
            spans = gold[each.sentence] if is_right else _wrong(gold[each.sentence])
            campaign.tell(Submission(each.number, each.worker, spans), float(now))
        while not isinstance(sheet := campaign.next_expert("e1", float(now)), Waiting):
            campaign.tell_expert(sheet.sentence, "e1", gold[sheet.sentence], float(now))


def _wrong(spans: Spans) -> Spans:
    """Return other labels, or a span where there is none."""
    others = {"LOC": "ORG", "ORG": "PER", "PER": "LOC"}
    return tuple((s, e, others[label]) for s, e, label in spans) or ((0, 1, "PER"),)


@pytest.mark.parametrize(("name", "mode"), spread(POLICIES, ["stream", "rounds"]))
def test_a_policy_that_learns_asks_good_workers_more_than_chance_does(
    name: str, mode: str
) -> None:
    """A third of the crowd is good; chance gives them a third of the work."""
    by_chance = np.mean([share_of_good("random", mode, seed) for seed in range(2)])
    learned = np.mean([share_of_good(name, mode, seed) for seed in range(2)])

    assert 0.2 < by_chance < 0.45
    assert learned > by_chance + 0.2
