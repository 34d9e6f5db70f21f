"""Contract tests that a third-party policy, consensus method, model or store can inherit.

May import everything below cli.
"""

from spancrew.testing._choices import ChoiceContract
from spancrew.testing._consensus import ConsensusContract
from spancrew.testing._feedback import FeedbackContract
from spancrew.testing._members import MemberContract
from spancrew.testing._policies import PolicyContract
from spancrew.testing._stores import StoreContract
from spancrew.testing._trial import Trial

__all__ = [
    "ChoiceContract",
    "ConsensusContract",
    "FeedbackContract",
    "MemberContract",
    "PolicyContract",
    "StoreContract",
    "Trial",
]
