"""A campaign in miniature, so that kernels are compiled before anybody waits for them."""

from dataclasses import replace

from spancrew.campaign._campaign import Campaign
from spancrew.campaign._events import Spans
from spancrew.campaign._material import Material
from spancrew.campaign._plan import Plan
from spancrew.campaign._values import Submission, Waiting
from spancrew.core import Dataset, Sentence, is_compiling

_SENTENCES, _TURNS = 60, 1_000
"""Enough sentences for a fit; more turns than they can take."""


def warm(plan: Plan) -> None:
    """Run a small campaign by a plan to its end, and throw it away.

    The first time this takes up to a minute, as everything hot is compiled; then it is on disk.
    Where nothing is compiled there is nothing to do.
    """
    if not is_compiling():
        return
    sentences = [Sentence.from_tokens(f"s{k}", ["a", "b", "c"]) for k in range(_SENTENCES)]
    material = Material.of(Dataset.of(sentences, labels=plan.label_set))
    small = replace(plan, crew=plan.answers, budget=None, cap=None, lease=600.0)
    campaign = Campaign.open(small, material, 0.0)
    for _ in range(plan.answers):
        campaign.join(0.0)
    campaign.start(0.0)
    for turn in range(_TURNS):
        if campaign.phase == "finished":
            return
        _turn(campaign, plan, float(turn))


def _turn(campaign: Campaign, plan: Plan, now: float) -> None:
    """Let everybody answer; not everybody finds the same."""
    for each in campaign.ask(range(plan.answers), now):
        odd = (each.sentence + each.worker) % 3 == 0
        campaign.tell(Submission(each.number, each.worker, _spans(plan, odd)), now)
    while not isinstance(sheet := campaign.next_expert("e1", now), Waiting):
        campaign.tell_expert(sheet.sentence, "e1", _spans(plan, odd=False), now)


def _spans(plan: Plan, odd: bool) -> Spans:
    label = plan.labels[-1 if odd else 0]
    if plan.kind == "choices":
        return tuple((k, k + 1, label) for k in range(3))
    return ((0, 2 if odd else 1, label),)
