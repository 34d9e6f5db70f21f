"""What if: what another rule would have decided on the answers that a campaign has collected.

May import campaign and what lies below.
"""

from spancrew.whatif._collected import (
    CollectedAnswers,
    collected_from_events,
    collected_from_export,
)
from spancrew.whatif._other import OtherRule
from spancrew.whatif._values import By, Change, ExpertCounts, Sums, WhatIf, WhatIfFigure
from spancrew.whatif._what_if import DRAWS, what_if

__all__ = [
    "DRAWS",
    "By",
    "Change",
    "CollectedAnswers",
    "ExpertCounts",
    "OtherRule",
    "Sums",
    "WhatIf",
    "WhatIfFigure",
    "collected_from_events",
    "collected_from_export",
    "what_if",
]
