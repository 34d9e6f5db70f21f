"""Rehearsals: many runs in lock step, sweeps over a pool or a cluster.

May import campaign, crowds and what lies below.
"""

from spancrew.feedback import Prices
from spancrew.simulate._calibration import Calibration
from spancrew.simulate._cell import Cell
from spancrew.simulate._chosen import ChosenAnswers, chosen_answers
from spancrew.simulate._compile import compiling_in_background
from spancrew.simulate._crowd import (
    CROWDS,
    CrowdKind,
    SimulatedCrowd,
    refuse_size,
    simulated_crowd,
    usable,
)
from spancrew.simulate._frontier import SHARES, Frontier, FrontierPoint, frontier
from spancrew.simulate._gates import GATES, GateName, Pair, pairs_of
from spancrew.simulate._grid import (
    ANSWERS,
    CREW,
    PAPERS_BEST,
    QUALITY,
    CrowdChoice,
    Grid,
    crowd_choice,
)
from spancrew.simulate._outcome import METRICS, Outcome, join_outcomes
from spancrew.simulate._parallel import check_engine, workers_of
from spancrew.simulate._phases import Phases, Silence
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import (
    AnswerSource,
    AnswerTable,
    Scene,
    scene_of,
)
from spancrew.simulate._setting import Attendance, Setting, refuse_unfit
from spancrew.simulate._settled import SettledLabels, settled_labels
from spancrew.simulate._size import CampaignSize
from spancrew.simulate._summary import (
    EXACT,
    MeanSd,
    Summary,
    as_json,
    cheapest,
    mean_sd,
    summary_of,
)
from spancrew.simulate._sweep import sweep

__all__ = [
    "ANSWERS",
    "CREW",
    "CROWDS",
    "EXACT",
    "GATES",
    "METRICS",
    "PAPERS_BEST",
    "QUALITY",
    "SHARES",
    "AnswerSource",
    "AnswerTable",
    "Attendance",
    "Calibration",
    "CampaignSize",
    "Cell",
    "ChosenAnswers",
    "CrowdChoice",
    "CrowdKind",
    "Frontier",
    "FrontierPoint",
    "GateName",
    "Grid",
    "MeanSd",
    "Outcome",
    "Pair",
    "Phases",
    "Prices",
    "Scene",
    "Setting",
    "SettledLabels",
    "Silence",
    "SimulatedCrowd",
    "Summary",
    "as_json",
    "cheapest",
    "check_engine",
    "chosen_answers",
    "compiling_in_background",
    "crowd_choice",
    "frontier",
    "join_outcomes",
    "mean_sd",
    "pairs_of",
    "refuse_size",
    "refuse_unfit",
    "rehearse",
    "scene_of",
    "settled_labels",
    "simulated_crowd",
    "summary_of",
    "sweep",
    "usable",
    "workers_of",
]
