"""One look of a rule at the answers so far, as live campaigns and rehearsals take it."""

from spancrew.consensus import Beliefs
from spancrew.core import Answers, FloatArray
from spancrew.feedback._base import FeedbackRule, Situation
from spancrew.feedback._verdict import Verdict


def weigh(
    rule: FeedbackRule,
    answers: Answers,
    beliefs: Beliefs,
    situation: Situation,
    before: FloatArray | None = None,
) -> Verdict:
    """Let a rule judge; nobody is asked for more where nobody is left.

    ``before`` are the errors that were expected with one answer less on every sentence: the doubts
    of the situation learn from them first what one more answer does.
    """
    if before is not None:
        situation.doubts.learn_answer(situation.run, before, beliefs.errors)
    verdict = rule.judge(answers, beliefs, situation)
    return verdict._replace(more=verdict.more & (situation.left > 0))
