"""Answers on sentences, written as tags."""

from collections.abc import Sequence

import numpy as np

from spancrew.consensus import Beliefs, MajorityVote
from spancrew.core import Answers, Ragged, encode_tags
from spancrew.feedback import FeedbackRule
from tests.strategies import LABELS

Sheet = Sequence[str]
"""The answers on one sentence, tags with blanks between them."""


def judged(*sheets: Sheet) -> tuple[Answers, Beliefs]:
    """Return answers and what the majority makes of them."""
    rows = [answer.split() for sheet in sheets for answer in sheet]
    codes = Ragged.of([encode_tags(row, LABELS).tolist() for row in rows])
    sentence = [k for k, sheet in enumerate(sheets) for _ in sheet]
    worker = [j for sheet in sheets for j in range(len(sheet))]
    answers = Answers(np.array(sentence, np.int32), np.array(worker, np.int32), codes, len(sheets))
    lengths = np.array([len(sheet[0].split()) if sheet else 2 for sheet in sheets])
    return answers, MajorityVote().judge(answers, lengths)


def is_trusted(rule: FeedbackRule, sheet: Sheet) -> bool:
    """Tell whether the crowd's word counts on a sentence."""
    return bool(rule.judge(*judged(sheet)).trusted[0])
