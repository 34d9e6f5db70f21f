"""The planner: which way to run a campaign, what it costs, how good it gets, and how sure that is.

May import simulate and what lies below.
"""

from spancrew.planner._aim import EXPERT_HOURS, WORKER_HOURS, Aim, People, days_of
from spancrew.planner._forecast import Estimate, Forecast
from spancrew.planner._make import make_plan
from spancrew.planner._pilot import pilot_of, seconds_of
from spancrew.planner._planned import Alternative, PilotNotes, PlannedCampaign
from spancrew.planner._terms import Terms, Work
from spancrew.planner._words import in_words

__all__ = [
    "EXPERT_HOURS",
    "WORKER_HOURS",
    "Aim",
    "Alternative",
    "Estimate",
    "Forecast",
    "People",
    "PilotNotes",
    "PlannedCampaign",
    "Terms",
    "Work",
    "days_of",
    "in_words",
    "make_plan",
    "pilot_of",
    "seconds_of",
]
