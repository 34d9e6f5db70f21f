"""The planner: which way to run a campaign, what it costs, how good it gets, and how sure that is.

May import simulate and what lies below.
"""

from spancrew.planner._aim import EXPERT_HOURS, WORKER_HOURS, Aim, People, days_of
from spancrew.planner._arm import FamilyArm
from spancrew.planner._assumed import PRIORS, Assumption, assumed_pilot
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench, Meter
from spancrew.planner._candidates import Candidate, Family, families
from spancrew.planner._figures import F1, SENT
from spancrew.planner._forecast import Forecast
from spancrew.planner._look import Looks, Seen
from spancrew.planner._make import Computing, Pilot, forecasts_of, make_plan
from spancrew.planner._models import ModelsCompared, PlanNeeds
from spancrew.planner._pilot import LEAST_WORKERS, answers_of, pilot_of, seconds_of
from spancrew.planner._planned import Alternative, FrontierDot, PilotNotes, PlannedCampaign
from spancrew.planner._terms import Terms, Work
from spancrew.planner._wishes import EXPERT_PACE, Wishes, assumed_source, plan_for
from spancrew.planner._words import in_words

__all__ = [
    "EXPERT_HOURS",
    "EXPERT_PACE",
    "F1",
    "LEAST_WORKERS",
    "PRIORS",
    "SENT",
    "WORKER_HOURS",
    "Aim",
    "Alternative",
    "Assumption",
    "Basis",
    "Bench",
    "Candidate",
    "Computing",
    "Family",
    "FamilyArm",
    "Forecast",
    "FrontierDot",
    "Looks",
    "Meter",
    "ModelsCompared",
    "People",
    "Pilot",
    "PilotNotes",
    "PlanNeeds",
    "PlannedCampaign",
    "Seen",
    "Terms",
    "Wishes",
    "Work",
    "answers_of",
    "assumed_pilot",
    "assumed_source",
    "days_of",
    "families",
    "forecasts_of",
    "in_words",
    "make_plan",
    "pilot_of",
    "plan_for",
    "seconds_of",
]
