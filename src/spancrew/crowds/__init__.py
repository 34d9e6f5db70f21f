"""Who answers in a rehearsal: replayed, augmented, calibrated or numeric crowds.

May import feedback, augment and what lies below.
"""

from spancrew.crowds._activity import activity_of, attendance
from spancrew.crowds._augmented import Augmented
from spancrew.crowds._base import Crowd
from spancrew.crowds._bernoulli import Bernoulli
from spancrew.crowds._calibrated import Calibrated
from spancrew.crowds._choosers import CalibratedChoices
from spancrew.crowds._choosing import ChoicePopulation, fit_choices
from spancrew.crowds._compare import Fidelity, compare
from spancrew.crowds._copies import CrowdWithCopies, unused_name, with_copies, with_own_words
from spancrew.crowds._fidelity import fidelity
from spancrew.crowds._figures import Comparison, VoteBand
from spancrew.crowds._fitted import AnyPopulation, fit_crowd, known_crowd, new_crowd
from spancrew.crowds._part import PartOfCrowd
from spancrew.crowds._population import ENOUGH, Population, fit_population
from spancrew.crowds._replay import Replay

__all__ = [
    "ENOUGH",
    "AnyPopulation",
    "Augmented",
    "Bernoulli",
    "Calibrated",
    "CalibratedChoices",
    "ChoicePopulation",
    "Comparison",
    "Crowd",
    "CrowdWithCopies",
    "Fidelity",
    "PartOfCrowd",
    "Population",
    "Replay",
    "VoteBand",
    "activity_of",
    "attendance",
    "compare",
    "fidelity",
    "fit_choices",
    "fit_crowd",
    "fit_population",
    "known_crowd",
    "new_crowd",
    "unused_name",
    "with_copies",
    "with_own_words",
]
