"""Votes, kappa and F1 of one sentence, in plain Python."""

from collections import Counter
from typing import Any

import numpy as np
from statsmodels.stats.inter_rater import fleiss_kappa

Codes = tuple[int, ...]


def spans(codes: Codes) -> set[tuple[int, int, int]]:
    """Return start, end and label of every span."""
    found = set()
    for start, code in enumerate(codes):
        if code % 2 == 1:
            end = start + 1
            while end < len(codes) and codes[end] == code + 1:
                end += 1
            found.add((start, end, code))
    return found


def exact_f1(answer: Codes, reference: Codes) -> float:
    """Return twice the common spans over all spans; 1 for nothing against nothing."""
    ours, theirs = spans(answer), spans(reference)
    if not ours and not theirs:
        return 1.0
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def vote(answers: list[Codes], length: int) -> tuple[Codes, bool]:
    """Return the majority's codes, and whether two labels were level anywhere."""
    joint: list[int] = []
    contested = False
    for token in range(length):
        votes = Counter(answer[token] for answer in answers)
        most = max(votes.values(), default=0)
        level = sorted(code for code, number in votes.items() if number == most)
        labels = [code for code in level if code > 0]
        contested |= len({(code + 1) // 2 for code in labels}) > 1
        code = labels[0] if labels else 0
        before = joint[-1] if joint else 0
        if code > 0 and code % 2 == 0 and before not in {code, code - 1}:
            code -= 1
        joint.append(code)
    return tuple(joint), contested


def kappa(answers: list[Codes]) -> float:
    """Return Fleiss' kappa over the tokens; 1 for unanimous answers."""
    if len(set(answers)) == 1:
        return 1.0
    codes = sorted({code for answer in answers for code in answer})
    table: Any = [[column.count(code) for code in codes] for column in zip(*answers, strict=True)]
    return float(fleiss_kappa(np.array(table)))


def vote_errors(answers: list[Codes], joint: Codes) -> tuple[float, float]:
    """Return the wrong and missing spans to be expected, and the true ones.

    A span is true with the chance that is its share of the answers.
    """
    votes = Counter(span for answer in answers for span in spans(answer))
    chance = {span: number / len(answers) for span, number in votes.items()}
    if not answers:
        return 0.0, 0.0
    chosen = spans(joint)
    wrong = sum(1 - chance.get(span, 0.0) for span in chosen)
    missing = sum(each for span, each in chance.items() if span not in chosen)
    return wrong + missing, sum(chance.values())
