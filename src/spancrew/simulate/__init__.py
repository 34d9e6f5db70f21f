"""Rehearsals: many runs in lock step, sweeps over a pool or a cluster.

May import campaign, crowds and what lies below.
"""

from spancrew.feedback import Prices
from spancrew.simulate._calibration import Calibration
from spancrew.simulate._cell import Cell
from spancrew.simulate._frontier import SHARES, Frontier, FrontierPoint, frontier
from spancrew.simulate._gates import GATES, GateName
from spancrew.simulate._machine import check_engine
from spancrew.simulate._outcome import METRICS, Outcome, joined
from spancrew.simulate._pairs import Pair, pairs_of
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import Scene, scene_of
from spancrew.simulate._setting import Setting, refuse_unfit
from spancrew.simulate._source import OnDemand, Source, Table
from spancrew.simulate._stand_ins import CROWDS, CrowdKind, StandIns, stand_ins
from spancrew.simulate._summary import (
    EXACT,
    Spread,
    Summary,
    as_json,
    recommended,
    spread_of,
    summary_of,
)
from spancrew.simulate._sweep import sweep

__all__ = [
    "CROWDS",
    "EXACT",
    "GATES",
    "METRICS",
    "SHARES",
    "Calibration",
    "Cell",
    "CrowdKind",
    "Frontier",
    "FrontierPoint",
    "GateName",
    "OnDemand",
    "Outcome",
    "Pair",
    "Prices",
    "Scene",
    "Setting",
    "Source",
    "Spread",
    "StandIns",
    "Summary",
    "Table",
    "as_json",
    "check_engine",
    "frontier",
    "joined",
    "pairs_of",
    "recommended",
    "refuse_unfit",
    "rehearse",
    "scene_of",
    "spread_of",
    "stand_ins",
    "summary_of",
    "sweep",
]
