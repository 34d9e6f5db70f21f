"""A campaign of any size on a pilot: its sentences and workers, and further ones like them."""

from collections import Counter
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import WarmUp
from spancrew.consensus import word_numbers
from spancrew.core import Dataset, IntArray, LabelSet, Sentence
from spancrew.crowds import Crowd, with_copies
from spancrew.errors import SpancrewError
from spancrew.feedback import AgreementGate, CrowdOnly, ExpertOnly
from spancrew.formats import read
from spancrew.metrics import Metric
from spancrew.policies import Random
from spancrew.simulate import (
    CROWDS,
    CampaignSize,
    CrowdKind,
    Setting,
    SimulatedCrowd,
    rehearse,
    scene_of,
    simulated_crowd,
)
from tests.simulate.small import small
from tests.simulate.watched import Overheard

PILOT = 40
PLAIN = Setting(Random(), AgreementGate(0.4), crew=4, answers=2, runs=2)


@pytest.fixture(scope="module")
def pilot() -> Dataset:
    """Return sentences with gold, of which each of 8 workers has answered some."""
    return read("demo-zh").dataset.take(np.arange(PILOT))


@pytest.fixture(scope="module")
def grown(pilot: Dataset) -> SimulatedCrowd:
    """Return a calibrated crowd on three times as many sentences, with three more workers."""
    return simulated_crowd(pilot, "calibrated", seed=5, size=CampaignSize(3 * PILOT, 11))


def everything(made: SimulatedCrowd) -> tuple[IntArray, IntArray]:
    """Return all questions that can be asked."""
    workers = len(made.crowd.workers)
    return np.divmod(np.arange(len(made.dataset) * workers), workers)


def some_answers(crowd: Crowd, first: int, size: int, workers: int) -> list[list[int]]:
    """Return what workers say on sentences that follow each other."""
    sentences = np.repeat(np.arange(first, first + size), workers)
    found = crowd.answers(sentences, np.tile(np.arange(workers), size))
    return [row.tolist() for row in found]


@pytest.mark.parametrize("kind", CROWDS)
def test_a_campaign_is_as_large_as_the_pilot_unless_told(kind: CrowdKind, pilot: Dataset) -> None:
    """And the same if its size is told."""
    plain = simulated_crowd(pilot, kind, seed=5)
    told = simulated_crowd(pilot, kind, seed=5, size=CampaignSize(PILOT, len(pilot.workers)))
    asked = pilot.answers.sentence.astype(np.int64), pilot.answers.worker.astype(np.int64)

    assert told.dataset == plain.dataset
    assert told.crowd.workers == plain.crowd.workers
    assert told.crowd.answers(*asked) == plain.crowd.answers(*asked)


def test_more_sentences_are_copies_that_nobody_has_answered(pilot: Dataset) -> None:
    """All are copied once before any is copied twice, each with an id of its own."""
    data = with_copies(pilot, 100, np.random.default_rng(1))
    sizes = Counter(data.sentences.texts)
    known = Counter(pilot.sentences.texts)

    assert data.take(np.arange(PILOT)) == replace(pilot, finals=None)
    assert len(set(data.sentences.ids)) == len(data) == 100
    assert all(2 * known[text] <= count <= 3 * known[text] for text, count in sizes.items())
    assert len(data.answers) == len(pilot.answers)
    for place in range(PILOT, 100):
        original = pilot.sentences.ids.index(data.sentences.ids[place].split(" (")[0])
        assert data.gold_spans(place) == pilot.gold_spans(original)


def test_nobody_learns_the_words_of_a_copy_from_the_first(grown: SimulatedCrowd) -> None:
    """Each round has words of its own, which are repeated in it as in the pilot."""
    words, spelling = word_numbers(grown.dataset)
    rounds = [
        {int(word) for k in range(first, first + PILOT) for word in words[k]}
        for first in (0, PILOT, 2 * PILOT)
    ]

    assert {len(each) for each in rounds} == {len(rounds[0])}
    assert len(spelling) == sum(len(each) for each in rounds) == len(set.union(*rounds))


def test_a_copy_never_takes_the_id_of_a_sentence() -> None:
    """Whatever the ids of the pilot look like."""
    made = [Sentence.from_tokens(name, ["Ana", "left"]) for name in ("s0", "s0 (2)")]
    data = Dataset.of(made, labels=LabelSet(("PER",)))
    ids = with_copies(data, 9, np.random.default_rng(0)).sentences.ids

    assert len(set(ids)) == 9
    assert ids[:2] == ("s0", "s0 (2)")


def test_the_first_sentences_keep_their_real_answers(
    grown: SimulatedCrowd, pilot: Dataset
) -> None:
    """The larger campaign begins with what is known."""
    asked = pilot.answers.sentence.astype(np.int64), pilot.answers.worker.astype(np.int64)

    assert grown.crowd.answers(*asked) == pilot.answers.codes
    assert grown.crowd.workers[:8] == pilot.workers


def test_copies_get_answers_of_their_own(grown: SimulatedCrowd, pilot: Dataset) -> None:
    """Never the same answers twice, nor as hard for everybody as the first time."""
    place = {id_: k for k, id_ in enumerate(pilot.sentences.ids)}
    copied = [place[id_.split(" (")[0]] for id_ in grown.dataset.sentences.ids]
    scores = (
        Metric()
        .pairs(
            grown.crowd.answers(*everything(grown)),
            grown.dataset.gold,
            gold_rows=everything(grown)[0],
        )[:, 2]
        .reshape(-1, 11)
    )
    first, second = np.zeros((2, PILOT, 11))
    first[copied[PILOT : 2 * PILOT]] = scores[PILOT : 2 * PILOT]
    second[copied[2 * PILOT :]] = scores[2 * PILOT :]

    assert (first != second).mean() > 0.2
    assert np.abs(first.mean(axis=1) - second.mean(axis=1)).mean() > 0.05
    assert first.mean() == pytest.approx(second.mean(), abs=0.1)


def test_any_questions_come_back_in_their_order(grown: SimulatedCrowd) -> None:
    """Sentences of the pilot and copies, mixed."""
    sentences, workers = everything(grown)
    rows = np.random.default_rng(0).permutation(len(sentences))[:200]
    whole = grown.crowd.answers(sentences, workers)

    assert grown.crowd.answers(sentences[rows], workers[rows]) == whole.take(rows)
    assert grown.crowd.can_answer(sentences[rows], workers[rows]).tolist() == list(range(200))


def test_another_seed_gives_copies_other_answers(pilot: Dataset) -> None:
    """The same seed gives the same."""
    single = pilot.take(np.array([0]))
    one, same, other = (
        simulated_crowd(single, "calibrated", seed=seed, size=CampaignSize(30))
        for seed in (5, 5, 6)
    )
    sentences, workers = everything(one)

    assert one.crowd.answers(sentences, workers) == same.crowd.answers(sentences, workers)
    assert one.crowd.answers(sentences, workers) != other.crowd.answers(sentences, workers)


def test_other_sentences_are_copied_first_by_another_seed(pilot: Dataset) -> None:
    """Where not all are copied equally often."""
    one, other = (with_copies(pilot, 50, np.random.default_rng(seed)) for seed in (1, 2))

    assert set(one.sentences.texts[PILOT:]) != set(other.sentences.texts[PILOT:])


def test_new_workers_are_like_the_known_ones(grown: SimulatedCrowd, pilot: Dataset) -> None:
    """They come after them, and answer for themselves."""
    sentences, workers = everything(grown)
    codes = grown.crowd.answers(sentences, workers)
    f1 = Metric().pairs(codes, grown.dataset.gold, gold_rows=sentences)[:, 2].reshape(-1, 11)
    known, new = f1[:, :8].mean(axis=0), f1[:, 8:].mean(axis=0)
    plain = simulated_crowd(pilot, "calibrated", seed=5).crowd

    assert len(set(grown.crowd.workers)) == 11
    assert (known.min() - 0.1 < new).all()
    assert (new < known.max() + 0.1).all()
    assert some_answers(plain, 0, PILOT, 8) == some_answers(grown.crowd, 0, PILOT, 8)
    assert (f1[:, 8:] != f1[:, [0, 1, 2]]).any()


def test_a_size_is_drawn_by_the_seed(pilot: Dataset) -> None:
    """The same seed draws the same sentences and workers, another one others."""
    one, same, other = (
        simulated_crowd(pilot, "bernoulli", seed=seed, size=CampaignSize(90, 30))
        for seed in (1, 1, 2)
    )
    fewer, again = (
        simulated_crowd(pilot, "ses", seed=seed, size=CampaignSize(12, 3)) for seed in (1, 2)
    )

    assert one.crowd.answers(*everything(one)) == same.crowd.answers(*everything(one))
    assert one.crowd.answers(*everything(one)) != other.crowd.answers(*everything(one))
    assert fewer.dataset.sentences.ids != again.dataset.sentences.ids


def test_fewer_sentences_and_workers_are_a_part_of_the_crowd(pilot: Dataset) -> None:
    """Who is there answers as in the whole."""
    whole = simulated_crowd(pilot, "ses", seed=3)
    part = simulated_crowd(pilot, "ses", seed=3, size=CampaignSize(12, 3))
    sentences, workers = everything(part)
    place = np.array([pilot.sentences.ids.index(each) for each in part.dataset.sentences.ids])
    who = np.array([pilot.workers.index(each) for each in part.crowd.workers])

    assert (len(part.dataset), len(part.crowd.workers), part.left_out) == (12, 3, 0)
    assert part.crowd.answers(sentences, workers) == whole.crowd.answers(
        place[sentences], who[workers]
    )


def test_few_workers_leave_out_what_none_of_them_answered(pilot: Dataset) -> None:
    """Where only real answers are replayed; which sentences are too many is known then."""
    found = simulated_crowd(pilot, "replay", seed=1, size=CampaignSize(workers=1))
    there = len(found.dataset)

    assert 0 < there < PILOT
    assert found.left_out == PILOT - there
    with pytest.raises(SpancrewError, match=f"real answers on {there} sentences, and {PILOT} are"):
        simulated_crowd(pilot, "replay", seed=1, size=CampaignSize(PILOT, 1))


@pytest.mark.parametrize(
    ("kind", "size", "message"),
    [
        ("replay", CampaignSize(41), "has real answers on 40 sentences, and 41 are wanted"),
        ("replay", CampaignSize(workers=9), "has the 8 workers of the pilot, and 9 are wanted"),
        ("ses", CampaignSize(workers=9), "take at most 8, or the crowd calibrated"),
    ],
)
def test_what_a_crowd_cannot_do_is_refused(
    pilot: Dataset, kind: CrowdKind, size: CampaignSize, message: str
) -> None:
    """With what would do."""
    with pytest.raises(SpancrewError, match=message):
        simulated_crowd(pilot, kind, size=size)


@pytest.mark.parametrize(("sentences", "workers"), [(0, None), (None, 0), (-3, 4)])
def test_a_campaign_has_sentences_and_workers(sentences: int, workers: int) -> None:
    """At least one of each."""
    with pytest.raises(SpancrewError, match="at least 1 is needed"):
        CampaignSize(sentences, workers)


@given(st.integers(1, 60), st.integers(4, 14), st.sampled_from(get_args(WarmUp)))
def test_all_sentences_are_settled_and_nobody_answers_one_twice(
    sentences: int, workers: int, warm_up: WarmUp
) -> None:
    """Smaller and larger than the pilot of 23 sentences and 9 workers."""
    made = simulated_crowd(small(), "bernoulli", size=CampaignSize(sentences, workers))
    scene = scene_of(made.dataset, made.crowd)
    source = Overheard(scene.source)
    setting = replace(PLAIN, warm_up=warm_up, runs=1)
    outcome = rehearse(replace(scene, source=source), setting)
    steps = source.scored if warm_up == "none" else source.scored[1:]
    pairs = Counter(pair for step in steps for pair in step)

    assert outcome.settled.tolist() == [sentences]
    assert (outcome.sentences, len(outcome.workers)) == (sentences, workers)
    assert max(pairs.values(), default=1) == 1


@pytest.mark.parametrize("sentences", [10, 23, 70])
def test_what_a_campaign_costs_can_be_counted_by_hand(sentences: int) -> None:
    """Two answers on each sentence at 0.1, nine workers, experts at 1."""
    size = CampaignSize(sentences)
    made = simulated_crowd(small(), "bernoulli", size=size)
    scene = scene_of(made.dataset, made.crowd)

    def money(rule: ExpertOnly | CrowdOnly, warm_up: WarmUp) -> list[float]:
        setting = replace(PLAIN, feedback=rule, warm_up=warm_up, runs=1)
        found: list[float] = rehearse(scene, setting).money.tolist()
        return found

    assert money(CrowdOnly(), "none") == pytest.approx([0.2 * sentences])
    assert money(CrowdOnly(), "shared") == pytest.approx([0.2 * sentences])
    assert money(ExpertOnly(), "none") == pytest.approx([1.2 * sentences])
    assert money(ExpertOnly(), "shared") == pytest.approx([1.2 * (sentences - 1) + 1 + 0.9])
