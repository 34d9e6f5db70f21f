"""How far people follow suggestions, as `spancrew campaign show` prints it."""

import pytest

from spancrew.campaign import Anchoring
from spancrew.cli._campaign_views import _anchoring


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, {}),
        (
            Anchoring(1_200, 300, 0.85, 0.7, 0.15, 0.11, 0.19),
            "0.85 of 1,200 who saw it, 0.70 of 300 who did not: +0.15 (+0.11 to +0.19 at 95%)",
        ),
        (Anchoring(1, 0, 1.0, None, None, None, None), "1.00 of 1 who saw it, - of 0 who did not"),
    ],
)
def test_the_agreement_of_both_groups_is_shown(found: Anchoring | None, said: object) -> None:
    """With the difference and its interval once both are there; nothing without suggestions."""
    shown = said if said == {} else {"agreement with suggestions": said}

    assert _anchoring(found) == shown
