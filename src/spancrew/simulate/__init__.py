"""Rehearsals: many runs in lock step, sweeps over a pool or a cluster.

May import campaign, crowds and what lies below.
"""

from spancrew.simulate._cell import Cell
from spancrew.simulate._outcome import METRICS, Outcome, joined
from spancrew.simulate._rehearse import rehearse
from spancrew.simulate._scene import Scene, scene_of
from spancrew.simulate._setting import Prices, Setting
from spancrew.simulate._source import OnDemand, Source, Table
from spancrew.simulate._sweep import sweep

__all__ = [
    "METRICS",
    "Cell",
    "OnDemand",
    "Outcome",
    "Prices",
    "Scene",
    "Setting",
    "Source",
    "Table",
    "joined",
    "rehearse",
    "scene_of",
    "sweep",
]
