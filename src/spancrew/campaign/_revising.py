"""A last look at what the crowd has said, with all that was learned to the end."""

from spancrew.campaign._brain import Brain, fit
from spancrew.campaign._events import Fitted, Spans
from spancrew.campaign._state import State


def revised(state: State, brain: Brain) -> dict[int, Spans]:
    """Return the labels of the sentences that the crowd settled, judged once more.

    Who decided does not change. A method that learns nothing has nothing to add.
    """
    rows = len(state.log)
    if not state.plan.method.learns or not rows:
        return {}
    last = fit(state, Fitted(0.0, rows, len(state.workers)), brain.model(state))
    evidence = state.log.evidence(state.material, rows, len(state.workers))
    labels = last.judge(evidence.answers, evidence.lengths, evidence.words).labels
    sentence, crowd = state.log.sentence.all.tolist(), state.log.by_crowd.all.tolist()
    return {sentence[row]: state.spans(labels[row]) for row in range(rows) if crowd[row]}
