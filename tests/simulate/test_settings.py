"""Numbers that make no campaign are refused with one sentence."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spancrew.core import Dataset, LabelSet, Sentence
from spancrew.crowds import Bernoulli, Replay
from spancrew.errors import SpancrewError
from spancrew.feedback import Adaptive
from spancrew.simulate import AnswerTable, Prices, Scene, Setting, rehearse, scene_of
from spancrew.simulate._scene import AnswersOnDemand
from tests.simulate.small import small, small_scene


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"answers": 0}, "answers 0: at least 1 is needed"),
        ({"runs": 0}, "runs 0: at least 1 is needed"),
        ({"seed": -1}, "seed -1: at least 0 is needed"),
        ({"delay": -1}, "delay -1: at least 0 is needed"),
        ({"cap": 0}, "cap 0: at least 1 is needed"),
        (
            {"crew": 3},
            "a crew of 3 cannot give 4 answers on a sentence: take a crew of at least 4",
        ),
        ({"attendance": 0.0}, "attendance 0: it is a probability above 0 and up to 1"),
        ({"attendance": 1.5}, "attendance 1.5: it is a probability above 0 and up to 1"),
        ({"attendance": float("nan")}, "attendance nan: it is a probability above 0 and up to 1"),
        ({"worker_prices": (0.1, 0.0)}, "a worker's price of 0: it must be above 0"),
        ({"worker_prices": (0.1, -1.0)}, "a worker's price of -1: it must be above 0"),
    ],
)
def test_a_setting_without_sense_is_refused(numbers: dict[str, Any], message: str) -> None:
    """With the value and what would do."""
    with pytest.raises(SpancrewError) as caught:
        Setting(**numbers)

    assert message in str(caught.value)


@pytest.mark.parametrize("prices", [(-0.1, 1.0), (0.1, -1.0), (float("nan"), 1.0)])
def test_negative_prices_are_refused(prices: tuple[float, float]) -> None:
    """Nobody pays to work; free work is fine."""
    with pytest.raises(SpancrewError, match="it cannot be negative"):
        Prices(*prices)

    assert Prices(0.0, 0.0).answer == 0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            Setting(crew=10, answers=10),
            "10 answers on a sentence need as many workers; there are 9",
        ),
        (Setting(crew=10, answers=4), "a crew of 10 cannot be chosen from 9 workers"),
        (Setting(crew=9, worker_prices=(1.0, 2.0)), "2 prices are given for 9 workers"),
        (
            Setting(crew=9, cap=10),
            "9 workers with at most 10 answers each cannot give 4 answers on",
        ),
    ],
)
def test_a_setting_that_the_crowd_cannot_fill_is_refused(setting: Setting, message: str) -> None:
    """As soon as it meets a crowd."""
    with pytest.raises(SpancrewError) as caught:
        rehearse(small_scene(), setting)

    assert message in str(caught.value)


def test_answers_that_may_not_be_needed_do_not_count_against_the_cap() -> None:
    """Where sentences start with two, half as many answers may do."""
    setting = Setting(crew=9, cap=10, feedback=Adaptive())

    assert rehearse(small_scene(), replace(setting, runs=1)).settled.tolist() == [23]
    with pytest.raises(SpancrewError, match="cannot give 2 answers on 23 sentences"):
        rehearse(small_scene(), replace(setting, cap=5))


def test_rules_know_what_answers_cost_on_average() -> None:
    """Where workers have prices of their own."""
    setting = Setting(prices=Prices(0.1, 2.0), worker_prices=(0.25, 0.5, 0.75))

    assert setting.mean_prices == Prices(0.5, 2.0)
    assert replace(setting, worker_prices=None).mean_prices == Prices(0.1, 2.0)


def test_more_first_answers_than_there_are_mean_all() -> None:
    """A sentence then starts with all of them."""
    assert Setting(answers=3, feedback=Adaptive(first=9)).least_answers == 3
    assert Setting(answers=3, feedback=Adaptive()).least_answers == 2
    assert Setting(answers=3).least_answers == 3


def test_no_runs_are_refused() -> None:
    """An empty range is no wish for all."""
    with pytest.raises(SpancrewError, match=r"range\(2, 2\) has no runs to rehearse"):
        rehearse(small_scene(), Setting(crew=8), range(2, 2))


def test_an_empty_data_set_is_refused() -> None:
    """There is nothing to label."""
    dataset = Dataset.of([], labels=LabelSet(("PER",)))
    crowd = Bernoulli({"ada": 0.5})

    with pytest.raises(SpancrewError, match="there are no sentences to rehearse on"):
        scene_of(dataset, crowd)


def test_a_crowd_without_workers_is_refused() -> None:
    """Nobody could answer."""
    dataset = small().without_answers()

    with pytest.raises(SpancrewError, match="the crowd has no workers"):
        scene_of(dataset, Bernoulli({}))


def test_sentences_without_gold_are_refused() -> None:
    """The expert is played with gold."""
    sentences = [Sentence.from_tokens(name, ["x"]) for name in ("one", "two")]
    dataset = Dataset.of(sentences, {"one": []}, labels=LabelSet(("PER",)))

    with pytest.raises(SpancrewError, match="1 of 2 sentences have no gold"):
        scene_of(dataset, Bernoulli({"ada": 0.5}))


def test_answers_are_drawn_beforehand_unless_few_are_asked_for() -> None:
    """Which makes no difference to what is drawn."""
    dataset = small()
    crowd = Replay(dataset)
    table, demand = scene_of(dataset, crowd), scene_of(dataset, crowd, asks=10)
    sentences, workers = np.divmod(np.arange(len(dataset) * 9), 9)

    assert isinstance(table.source, AnswerTable)
    assert isinstance(demand.source, AnswersOnDemand)
    assert table.source.answers(sentences, workers) == demand.source.answers(sentences, workers)
    assert np.array_equal(
        table.source.scores(sentences, workers), demand.source.scores(sentences, workers)
    )
    assert table.truth == pytest.approx(demand.truth, abs=1e-12)


def test_who_can_answer_what_is_known_to_the_scene() -> None:
    """Nothing needs to be known where everybody can answer everything."""
    dataset = small(share=0.4)
    scene: Scene = scene_of(dataset, Replay(dataset))
    pairs = {
        (int(s), int(w))
        for s, w in zip(dataset.answers.sentence, dataset.answers.worker, strict=True)
    }

    assert scene.can is not None
    assert set(zip(*(side.tolist() for side in np.nonzero(scene.can)), strict=True)) == pairs
    assert small_scene().can is None
