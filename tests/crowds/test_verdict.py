"""Whether stand-ins may be used, in words."""

import pytest

from spancrew.crowds import Comparison, VoteBand
from spancrew.crowds._verdict import verdict_on

FINE = Comparison(0.7, 0.72)


def band(distance: float, spans: int = 60, margin: float = 0.04) -> VoteBand:
    """Return the upper band with a vote that is off."""
    return VoteBand(0.65, 1.0, 80, spans, Comparison(0.8, 0.8 + distance), margin)


@pytest.mark.parametrize(
    ("sentences", "ks", "vote", "bands", "expected"),
    [
        (100, 0.08, FINE, [band(0.049)], "usable"),
        (99, 0.01, FINE, [], "with care"),
        (500, 0.081, FINE, [], "with care"),
        (500, 0.151, FINE, [], "not usable"),
        (500, 0.01, Comparison(0.7, 0.75), [], "with care"),
        (500, 0.01, Comparison(0.7, 0.61), [], "not usable"),
        (500, 0.01, FINE, [band(-0.06)], "with care"),
        (500, 0.01, FINE, [band(0.0), band(-0.11)], "not usable"),
        (500, 0.01, FINE, [band(-0.11, spans=49)], "usable"),
        (500, 0.01, FINE, [band(-0.11, margin=0.12)], "usable"),
        (500, 0.01, Comparison(None, None), [band(0.0)], "usable"),
    ],
)
def test_the_worst_figure_decides(
    sentences: int, ks: float, vote: Comparison, bands: list[VoteBand], expected: str
) -> None:
    """A reason is given for all that is not usable, and for nothing else."""
    verdict, reasons = verdict_on(sentences, ks, vote, bands)

    assert verdict == expected
    assert bool(reasons) == (verdict != "usable")


def test_reasons_say_which_way_the_worst_first() -> None:
    """In points, and where."""
    verdict, reasons = verdict_on(40, 0.1, Comparison(0.7, 0.8), [band(-0.06)])

    assert verdict == "not usable"
    assert reasons == [
        "the majority vote is 10 points too good",
        "only 40 sentences were compared, so the figures are rough",
        "the distributions of kappa are 0.10 apart",
        "where kappa is above 0.65 the majority vote is 6 points too bad",
    ]
