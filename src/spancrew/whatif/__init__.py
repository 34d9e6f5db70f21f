"""What if: what another rule would have decided on the answers that a campaign has collected.

May import campaign and what lies below.
"""

from spancrew.whatif._collected import Collected, collected_from_events, collected_from_export
from spancrew.whatif._other import OtherRule
from spancrew.whatif._values import Change, ExpertCounts, Figure, WhatIf
from spancrew.whatif._what_if import DRAWS, what_if

__all__ = [
    "DRAWS",
    "Change",
    "Collected",
    "ExpertCounts",
    "Figure",
    "OtherRule",
    "WhatIf",
    "collected_from_events",
    "collected_from_export",
    "what_if",
]
