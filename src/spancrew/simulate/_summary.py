"""An outcome in a few numbers, and which of several is the cheapest that is good enough."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from spancrew.consensus import Consensus, members_of
from spancrew.core import FloatArray, people_among
from spancrew.metrics import Metric
from spancrew.simulate._outcome import Outcome

EXACT = Metric("exact")


class MeanSd(NamedTuple):
    """Mean and standard deviation over runs; the latter is 0 for a single run."""

    mean: float
    sd: float


def mean_sd(values: FloatArray) -> MeanSd:
    """Return mean and standard deviation over runs."""
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return MeanSd(float(np.mean(values)), sd)


class Summary(NamedTuple):
    """One setting's outcome: scores from 0 to 1, money in the currency of the prices.

    ``answers`` are the paid ones per settled sentence. ``expert_share`` are the sentences that the
    rule sends to experts; those that experts label for the ``warm_up``, and those ``audited``, are
    counted apart.
    """

    name: str
    answers_f1: MeanSd
    final_f1: MeanSd
    expert_share: MeanSd
    money: MeanSd
    saved: MeanSd
    regret: MeanSd
    answers: MeanSd
    warm_up: MeanSd
    audited: MeanSd


def summary_of(name: str, outcome: Outcome, metric: Metric = EXACT) -> Summary:
    """Return the means over runs; F1 by one of the outcome's metrics."""
    return Summary(
        name,
        mean_sd(outcome.answers[metric][:, -1, 2]),
        mean_sd(outcome.final[metric][:, -1, 2]),
        mean_sd(outcome.expert_share),
        mean_sd(outcome.money),
        mean_sd(outcome.saved),
        mean_sd(outcome.regret[:, -1]),
        mean_sd(outcome.answers_per_sentence),
        mean_sd(outcome.warm_up.astype(np.float64)),
        mean_sd(outcome.audited.astype(np.float64)),
    )


def cheapest(summaries: Sequence[Summary], quality: float) -> Summary | None:
    """Return the cheapest setting whose final labels reach a quality; None if none saves money.

    Where none reaches it, the best of those that save money against experts alone. What knows the
    truth beforehand should be left out.
    """
    saving = [each for each in summaries if each.saved.mean > 0]
    good = [each for each in saving if each.final_f1.mean >= quality]
    if good:
        return min(good, key=lambda each: each.money.mean)
    return max(saving, key=lambda each: each.final_f1.mean, default=None)


def hired_members(method: Consensus, hired: float) -> dict[str, Any]:
    """Return who is heard beside the people, and in which share of runs; nothing without any."""
    members = members_of(method)
    return {"members": members, "hired": dict.fromkeys(members, hired)} if members else {}


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return the numbers of an outcome as a record."""
    regret = mean_sd(outcome.regret[:, -1])
    return {
        "answers_f1": {
            metric.name: float(scores[:, -1, 2].mean())
            for metric, scores in outcome.answers.items()
        },
        "final": {metric.name: _parts(scores) for metric, scores in outcome.final.items()},
        "expert_share": float(outcome.expert_share.mean()),
        "experts": {
            "gate": float(outcome.experts[:, -1].mean()),
            "warm_up": float(outcome.warm_up.mean()),
            "audit": float(outcome.audited.mean()),
        },
        "expert_labels": float(outcome.expert_labels.mean()),
        "cost": float(outcome.money.mean()),
        "money": {
            "crowd": float(outcome.crowd_money.mean()),
            "models": float(outcome.model_money.mean()),
            "expert": float(outcome.expert_money.mean()),
            "expert_only": outcome.expert_only_money,
            "saved": float(outcome.saved.mean()),
        },
        "regret": {"mean": regret.mean, "sd": regret.sd},
        "answers": float(outcome.asked.mean()),
        "answers_per_sentence_mean": float(outcome.answers_per_sentence.mean()),
        "settled": float(outcome.settled.mean()),
        "sentences": outcome.sentences,
        "workers": len(people_among(outcome.workers)),
        "models": len(outcome.workers) - len(people_among(outcome.workers)),
        "runs": outcome.runs,
        **hired_members(outcome.setting.consensus, float(outcome.hired.mean())),
    }


def _parts(scores: FloatArray) -> dict[str, float]:
    means = scores[:, -1].mean(axis=0)
    return {
        "p": float(means[0]),
        "r": float(means[1]),
        "f1": float(means[2]),
        "f1_sd": mean_sd(scores[:, -1, 2]).sd,
    }
