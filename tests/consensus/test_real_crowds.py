"""Every method on the answers of real crowds."""

from functools import cache
from pathlib import Path

import pytest

from spancrew.consensus import Consensus, DawidSkene, Evidence, MajorityVote, SpanDs, SpanVote
from spancrew.core import Dataset
from spancrew.formats import read
from spancrew.metrics import Metric


@cache
def dataset(path: Path) -> Dataset:
    """Return a data set, read once."""
    return read(path).dataset


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("method", "conll", "oei"),
    [
        (MajorityVote(), 0.710, 0.476),
        (SpanVote(), 0.726, 0.552),
        (SpanVote(0.2), 0.717, 0.590),
        (DawidSkene(), 0.755, 0.490),
        (SpanDs(), 0.760, 0.499),
    ],
)
def test_the_final_labels_are_as_good_as_measured(
    real_data: Path, method: Consensus, conll: float, oei: float
) -> None:
    """Exact F1 of labels that nobody but the crowd has seen."""
    for file, least in (("conll-crowd/collected.json", conll), ("oei/dev-crowd.json", oei)):
        data = dataset(real_data / file)
        evidence = Evidence.of(data)
        beliefs = method.fit(evidence).judge(evidence.answers, evidence.lengths, evidence.words)

        assert Metric().pool(beliefs.labels, data.gold).f1 > least
