"""What labels are worth to whoever trains on them: arms that cost money, models that learn.

May import simulate, formats and what lies below.
"""

from spancrew.effect._arms import ARMS, ArmName
from spancrew.effect._base import NOBODY, Arm, Learner, Texts, Trained, Trainer
from spancrew.effect._crf import Crf
from spancrew.effect._design import Design
from spancrew.effect._effect import always, effect
from spancrew.effect._material import CrewStage
from spancrew.effect._models import MODELS, ModelName, learner_of
from spancrew.effect._results import PAIRS, ArmResult, Effect, Missing
from spancrew.effect._scores import Difference

__all__ = [
    "ARMS",
    "MODELS",
    "NOBODY",
    "PAIRS",
    "Arm",
    "ArmName",
    "ArmResult",
    "CrewStage",
    "Crf",
    "Design",
    "Difference",
    "Effect",
    "Learner",
    "Missing",
    "ModelName",
    "Texts",
    "Trained",
    "Trainer",
    "always",
    "effect",
    "learner_of",
]
