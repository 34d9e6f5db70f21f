"""How a campaign went, as far as its export tells."""

import numpy as np

from spancrew.certificates import Fixed, Part, PartCounts, sampled_f1
from spancrew.whatif._collected import Collected
from spancrew.whatif._course import Course
from spancrew.whatif._values import By, ExpertCounts


def course_of_export(collected: Collected) -> Course:
    """Return the labels of an export; what they cost is reckoned by the prices of the plan.

    The crowd's own labels on audited sentences are not in an export, so its F1 is a guess, by the
    confidence in sentences.
    """
    past, prices = collected.past, collected.plan.prices
    by = {sentence: _by(collected, sentence) for sentence in past.settled}
    crowd = [sentence for sentence, who in by.items() if who == "crowd"]
    answers = sum(past.answers_on().values())
    counts = np.array([len(collected.labels[each]) for each in crowd], np.float64)
    right = counts * np.array([past.settled[each].confidence for each in crowd])
    sure = float(sum(len(collected.labels[s]) for s, who in by.items() if who != "crowd"))
    none = np.zeros(0)
    part = Part(
        PartCounts(counts, right, counts),
        np.zeros(0, np.int64),
        PartCounts(none, none, none),
        counts,
        Fixed(sure, sure, sure),
        Fixed(sure, sure, sure),
    )
    audits = len(past.audited)
    gate = sum(who == "expert" for who in by.values())
    spent = round(answers * prices.answer + (gate + audits) * prices.expert, 9)
    labels = {sentence: collected.labels[sentence] for sentence in by}
    experts = ExpertCounts(gate, 0, audits)
    return Course(labels, by, sampled_f1(part), spent, answers, experts, {}, {})


def _by(collected: Collected, sentence: int) -> By:
    if sentence in collected.past.audited:
        return "audit"
    return collected.past.settled[sentence].by
