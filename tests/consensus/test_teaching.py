"""How a tagger in the crew is taught: how much experts count, and how often it is trained."""

from dataclasses import replace

import numpy as np
import pytest

from spancrew.consensus import CrewModel, Evidence, consensus_method
from spancrew.core import Ragged, offsets_of
from spancrew.errors import SpancrewError
from spancrew.tagger import ROUNDS, CrossFitted, facets_of
from tests.consensus.test_members import demo


def test_a_tagger_learns_more_of_experts_who_count_more() -> None:
    """Nobody but experts gives one of the labels; it is found where they have not looked."""
    dataset = demo()
    rare = 2 * dataset.labels.id("LOC") + 1
    lost = np.isin(dataset.answers.codes.values, [rare, rare + 1])
    codes = Ragged(np.where(lost, 0, dataset.answers.codes.values), dataset.answers.codes.offsets)
    crowd = replace(dataset, answers=replace(dataset.answers, codes=codes))
    is_known = np.arange(len(dataset)) % 5 == 0
    lengths = np.where(is_known, dataset.gold.lengths, 0)
    taken = np.repeat(is_known, dataset.gold.lengths)
    known = Ragged(dataset.gold.values[taken], offsets_of(lengths))
    evidence = replace(Evidence.of(crowd), known=known)
    words, found = evidence.words, []
    assert words is not None
    for weight in (1, 16):
        model = consensus_method(f"auto+tagger:expert={weight}").fit(evidence)
        assert isinstance(model, CrewModel)
        assert model.tagger is not None
        found.append(int((model.tagger.tag(words).values == rare).sum()))

    assert found[1] > 2 * found[0]


def test_a_second_pass_trains_on_what_the_first_has_settled() -> None:
    """The tagger of the second is one trained by hand on the labels of the first."""
    evidence = Evidence.of(demo())
    once, twice = (
        consensus_method(f"auto+tagger:passes={passes}").fit(evidence) for passes in (1, 2)
    )
    words, spelling = evidence.words, evidence.spelling
    assert isinstance(twice, CrewModel)
    assert twice.tagger is not None
    assert words is not None
    assert spelling is not None
    labels = once.judge(evidence.answers, evidence.lengths, words).labels
    codes = 2 * evidence.labels + 1
    again = CrossFitted.train(
        facets_of(spelling), words, labels, np.ones(len(words)), codes, ROUNDS
    )

    assert np.array_equal(twice.tagger.tag(words).values, again.tag(words).values)


@pytest.mark.parametrize("option", ["expert=0", "expert=-1", "expert=inf", "passes=0"])
def test_a_tagger_is_taught_something(option: str) -> None:
    """Experts count more than nothing, and not without end; it is trained at least once."""
    with pytest.raises(SpancrewError, match="is needed"):
        consensus_method(f"auto+tagger:{option}")
