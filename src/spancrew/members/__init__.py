"""Models that answer sentences beside the people of a crew.

May import stores and what lies below.
"""

from spancrew.members._annotating import Annotation, annotate, ask_about, open_sentences, worker_of
from spancrew.members._base import GivenSpan, Member, Reply
from spancrew.members._checking import FAULTS, Checked, SureSpan, checked, surer
from spancrew.members._journal import AnswerJournal, KeptAnswer
from spancrew.members._llm import LanguageModel, PriceEstimate
from spancrew.members._registry import MemberKind, member_for, member_kinds
from spancrew.members._settings import KEY, Briefing, Example, LlmSettings, MemberSettings

__all__ = [
    "FAULTS",
    "KEY",
    "Annotation",
    "AnswerJournal",
    "Briefing",
    "Checked",
    "Example",
    "GivenSpan",
    "KeptAnswer",
    "LanguageModel",
    "LlmSettings",
    "Member",
    "MemberKind",
    "MemberSettings",
    "PriceEstimate",
    "Reply",
    "SureSpan",
    "annotate",
    "ask_about",
    "checked",
    "member_for",
    "member_kinds",
    "open_sentences",
    "surer",
    "worker_of",
]
