"""How a campaign went, as far as its export tells."""

from dataclasses import replace

from spancrew.campaign import Campaign, StandIn, another_course
from spancrew.feedback import CrowdOnly
from spancrew.whatif._collected import CollectedAnswers
from spancrew.whatif._course import CampaignCourse, DecidedSentence, f1_of
from spancrew.whatif._values import By, ExpertCounts


def course_of_export(collected: CollectedAnswers) -> CampaignCourse:
    """Return the labels of an export; what they cost is reckoned by the prices of the plan.

    An export does not have the crowd's own labels on audited sentences, nor what was expected of
    others: both are what the consensus method makes of all answers.
    """
    past, prices = collected.past, collected.plan.prices
    crowd = _crowd_alone(collected)
    so_far = crowd.labels_so_far(revise=True)
    said = {int(s): crowd.state.spans(so_far.codes[k]) for k, s in enumerate(so_far.sentence)}
    by = {sentence: _by(collected, sentence) for sentence in past.settled}
    labels = {sentence: collected.labels[sentence] for sentence in by}
    rows = {
        sentence: DecidedSentence(
            who, said[sentence] if who == "audit" else labels[sentence], None
        )
        for sentence, who in by.items()
        if sentence in said
    }
    truth = collected.truth
    known = {s: row._replace(truth=truth.get(s)) for s, row in rows.items()}
    answers = sum(past.answers_on().values())
    audits, gate = len(past.audited), sum(who == "expert" for who in by.values())
    spent = round(answers * prices.answer + (gate + audits) * prices.expert, 9)
    experts = ExpertCounts(gate, 0, audits)
    return CampaignCourse(
        labels, by, f1_of(collected, known, so_far), spent, answers, experts, {}, {}
    )


def _crowd_alone(collected: CollectedAnswers) -> Campaign:
    """Return the campaign in which the crowd decides on everything."""
    plan = replace(collected.plan, feedback=CrowdOnly(), audit=0.0)
    return another_course(collected.material, collected.past, plan, StandIn(0)).campaign


def _by(collected: CollectedAnswers, sentence: int) -> By:
    if sentence in collected.past.audited:
        return "audit"
    return collected.past.settled[sentence].by
