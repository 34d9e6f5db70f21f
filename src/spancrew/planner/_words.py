"""A candidate in plain words."""

from spancrew.core import parse_spec
from spancrew.planner._candidates import Candidate

_JOINED = {"mv": "a majority vote"}


def in_words(candidate: Candidate | None, expert_share: float) -> str:
    """Say what is done, in one clause.

    >>> in_words(Candidate("gate:threshold=0.6", "mv", 3, 20), 0.4)
    'ask 3 workers about each sentence, join their answers by a majority vote, and send those \
where they agree less than 0.6, about 40 %, to an expert'
    """
    if candidate is None:
        return "let experts label every sentence"
    method, *members = candidate.consensus.split("+")
    joined = " with a ".join([_JOINED.get(method, f"the method {method}"), *members])
    sent = _sent(candidate, expert_share)
    return f"ask {_asked(candidate)}, join their answers by {joined}, and {sent}"


def _asked(candidate: Candidate) -> str:
    if candidate.fewest == 0:
        return f"models first, and up to {candidate.answers} workers where that pays"
    if candidate.feedback.startswith("adaptive"):
        return f"2 workers about each sentence, and up to {candidate.answers} where that pays"
    return f"{candidate.answers} workers about each sentence"


def _sent(candidate: Candidate, share: float) -> str:
    rule, options = parse_spec(candidate.feedback)
    if rule == "crowd":
        return "take what they say"
    if rule == "gate":
        below = f"those where they agree less than {options['threshold']}"
        return f"send {below}, about {100 * share:.0f} %, to an expert"
    return f"send the {100 * share:.0f} % with the most expected errors to an expert"
