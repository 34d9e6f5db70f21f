"""Bridges to other services: the crowd platforms that workers come from and are paid on.

Each platform has one protocol, ``CrowdPlatform``. May import client, wire and errors; knows the
server by its HTTP API only.
"""

from spancrew.bridges._base import CrowdPlatform, Payment, PlatformName, Submission, Ticket
from spancrew.bridges._links import completion_link, external_question, link_problem, study_link
from spancrew.bridges._money import cents_of, money
from spancrew.bridges._mturk import MTURK, MTURK_SANDBOX, HitOrder, MTurk
from spancrew.bridges._owed import FEES, Base, Due, Earner, Others, dues
from spancrew.bridges._payout import Payout, refuse_uncertain
from spancrew.bridges._payout_journal import Attempt, PaymentState, PayoutJournal, journal_name
from spancrew.bridges._payout_plan import PayoutPlan, earners_of, plan_of
from spancrew.bridges._prolific import Prolific, StudyOrder
from spancrew.bridges._prolific_api import PROLIFIC
from spancrew.bridges._retries import Retries

__all__ = [
    "FEES",
    "MTURK",
    "MTURK_SANDBOX",
    "PROLIFIC",
    "Attempt",
    "Base",
    "CrowdPlatform",
    "Due",
    "Earner",
    "HitOrder",
    "MTurk",
    "Others",
    "Payment",
    "PaymentState",
    "Payout",
    "PayoutJournal",
    "PayoutPlan",
    "PlatformName",
    "Prolific",
    "Retries",
    "StudyOrder",
    "Submission",
    "Ticket",
    "cents_of",
    "completion_link",
    "dues",
    "earners_of",
    "external_question",
    "journal_name",
    "link_problem",
    "money",
    "plan_of",
    "refuse_uncertain",
    "study_link",
]
