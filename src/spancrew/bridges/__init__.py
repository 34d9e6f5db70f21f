"""Bridges to other services.

The crowd platforms that workers come from and are paid on have the protocol ``CrowdPlatform``, the
tools that people label in have ``LabellingTool``; a ``MemberRun`` lets a model work. May import
client, members, wire, formats, core and errors; knows the server by its HTTP API only.
"""

from spancrew.bridges._base import CrowdPlatform, Payment, PlatformName, PlatformSubmission, Ticket
from spancrew.bridges._bridge import Bridge
from spancrew.bridges._label_studio import LabelStudioProjects
from spancrew.bridges._label_studio_api import LabelStudioApi
from spancrew.bridges._links import completion_link, external_question, link_problem, study_link
from spancrew.bridges._listener import listening
from spancrew.bridges._member_run import MemberCounts, MemberRun, model_name
from spancrew.bridges._money import cents_of, money
from spancrew.bridges._mturk import MTURK, MTURK_SANDBOX, HitOrder, MTurk
from spancrew.bridges._owed import FEES, Base, Due, Earner, Others, dues
from spancrew.bridges._payout import Payout, refuse_uncertain
from spancrew.bridges._payout_journal import Attempt, PaymentState, PayoutJournal, journal_name
from spancrew.bridges._payout_plan import PayoutPlan, earners_of, plan_of
from spancrew.bridges._potato import Potato
from spancrew.bridges._prolific import Prolific, StudyOrder
from spancrew.bridges._prolific_api import PROLIFIC
from spancrew.bridges._roster import Roster
from spancrew.bridges._seats import ExpertSeat, Seat, WorkerSeat
from spancrew.bridges._tool import Filled, LabellingTool, Person, Role, Sheet
from spancrew.calling import Retries

__all__ = [
    "FEES",
    "MTURK",
    "MTURK_SANDBOX",
    "PROLIFIC",
    "Attempt",
    "Base",
    "Bridge",
    "CrowdPlatform",
    "Due",
    "Earner",
    "ExpertSeat",
    "Filled",
    "HitOrder",
    "LabelStudioApi",
    "LabelStudioProjects",
    "LabellingTool",
    "MTurk",
    "MemberCounts",
    "MemberRun",
    "Others",
    "Payment",
    "PaymentState",
    "Payout",
    "PayoutJournal",
    "PayoutPlan",
    "Person",
    "PlatformName",
    "PlatformSubmission",
    "Potato",
    "Prolific",
    "Retries",
    "Role",
    "Roster",
    "Seat",
    "Sheet",
    "StudyOrder",
    "Ticket",
    "WorkerSeat",
    "cents_of",
    "completion_link",
    "dues",
    "earners_of",
    "external_question",
    "journal_name",
    "link_problem",
    "listening",
    "model_name",
    "money",
    "plan_of",
    "refuse_uncertain",
    "study_link",
]
