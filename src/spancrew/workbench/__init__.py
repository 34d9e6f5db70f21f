"""What ``import spancrew`` offers by hand: one call for each thing to do with data.

Every call takes a data set, a path or a DataFrame, and returns a value that shows itself. May
import report and everything below.
"""

from spancrew.workbench._calls import (
    CampaignOptions,
    ReadingOptions,
    aggregate,
    certify,
    fidelity,
    frontier,
    inspect,
    read,
    simulate,
)
from spancrew.workbench._certified import Certified
from spancrew.workbench._collected import CampaignOnServer, NamedCampaign, collect, journal_of
from spancrew.workbench._effect import EffectOnModel, effect
from spancrew.workbench._fidelity import CrowdFidelity
from spancrew.workbench._figure import Figure
from spancrew.workbench._frontier import ExpertFrontier
from spancrew.workbench._given import Given
from spancrew.workbench._grid import Stage, Where, rehearse_grid
from spancrew.workbench._inspected import Inspected
from spancrew.workbench._ipython import draw_datasets
from spancrew.workbench._labels import FinalLabels
from spancrew.workbench._plan import (
    CampaignPlan,
    pilot_source,
    plan,
    plan_from,
)
from spancrew.workbench._read_data import ReadData
from spancrew.workbench._rehearsals import Rehearsals
from spancrew.workbench._tagger import HeldOut, label_dataset, train_tagger
from spancrew.workbench._what_if import WhatIfResult, what_if

__all__ = [
    "CampaignOnServer",
    "CampaignOptions",
    "CampaignPlan",
    "Certified",
    "CrowdFidelity",
    "EffectOnModel",
    "ExpertFrontier",
    "Figure",
    "FinalLabels",
    "Given",
    "HeldOut",
    "Inspected",
    "NamedCampaign",
    "ReadData",
    "ReadingOptions",
    "Rehearsals",
    "Stage",
    "WhatIfResult",
    "Where",
    "aggregate",
    "certify",
    "collect",
    "draw_datasets",
    "effect",
    "fidelity",
    "frontier",
    "inspect",
    "journal_of",
    "label_dataset",
    "pilot_source",
    "plan",
    "plan_from",
    "read",
    "rehearse_grid",
    "simulate",
    "train_tagger",
    "what_if",
]

draw_datasets()
