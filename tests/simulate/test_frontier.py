"""Final quality against the share of expert sentences."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spancrew.consensus import MajorityVote, methods_for
from spancrew.core import BoolArray, Dataset, Ragged, offsets_of
from spancrew.errors import SpancrewError
from spancrew.formats import read
from spancrew.simulate import GATES, Frontier, FrontierPoint, Pair, frontier, pairs_of
from spancrew.simulate._parallel import Local
from tests.simulate.small import small
from tests.spread import often


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    """Return 120 sentences by five workers."""
    return small(120, workers=5, seed=1)


def at(found: Frontier, name: str, share: float) -> FrontierPoint:
    """Return the point of a pair at a share."""
    return next(point for point in found.curves()[name] if point.expert_share == share)


def with_gold(dataset: Dataset, which: BoolArray) -> Dataset:
    """Return a data set with the gold of some sentences only."""
    gold = dataset.gold
    lengths = np.where(which, gold.lengths, 0)
    values = gold.values[np.repeat(which, gold.lengths)]
    return replace(dataset, gold=Ragged(values, offsets_of(lengths)))


def without_time(found: Frontier) -> str:
    """Return everything but how long it took, comparable to the last bit."""
    return json.dumps([record | {"seconds": 0} for record in found.as_json()])


def test_every_pair_gets_a_point_at_every_share(dataset: Dataset) -> None:
    """In the order of the pairs, shares ascending, each once."""
    pairs = pairs_of(["mv", "span-vote"], ["kappa", "random"])
    found = frontier(dataset, pairs, [0.5, 0.0, 0.5], orders=2, processes=1)

    assert list(found.curves()) == [pair.name for pair in pairs]
    for points in found.curves().values():
        assert [point.expert_share for point in points] == [0.0, 0.5]
    assert {point.orders for point in found.points} == {2}
    assert (found.sentences, found.left_out) == (120, 0)


def test_without_names_all_methods_are_compared_with_the_paper() -> None:
    """The paper's recipe, every method with its expected errors, and experts at random."""
    named = {pair.name for pair in pairs_of()}

    assert {
        f"{method} + expected-error" for method in methods_for("spans") if method != "two-coin"
    } <= named
    assert {"mv + kappa", "mv + kappa-hindsight", "auto + random"} <= named


def test_one_name_is_combined_with_the_usual_other() -> None:
    """And a pair that is named twice is there once."""
    assert [pair.name for pair in pairs_of(["bsc", "bsc"])] == ["bsc + expected-error"]
    assert [pair.name for pair in pairs_of(gates=["random"])] == ["auto + random"]


def test_without_experts_all_gates_are_the_same(dataset: Dataset) -> None:
    """Nobody is asked."""
    found = frontier(dataset, pairs_of(["mv"], GATES), [0.0], orders=2, processes=1)

    assert len({point.exact_f1 for point in found.points}) == 1
    assert all(point.asked == (0, 0) for point in found.points)


@pytest.mark.parametrize("gate", GATES)
def test_experts_everywhere_make_everything_right(dataset: Dataset, gate: str) -> None:
    """On arrival and in the end."""
    (point,) = frontier(dataset, pairs_of(["span-ds"], [gate]), [1.0], 2, processes=1).points

    assert point.exact_f1 == point.settled_f1 == point.asked == (1, 0)


def test_more_experts_are_worth_more(dataset: Dataset) -> None:
    """Whoever decides where to ask; expected errors know better than chance."""
    pairs = pairs_of(["mv"], GATES)
    found = frontier(dataset, pairs, [0.0, 0.2, 0.4, 0.6], audit=0.0, processes=1)

    for points in found.curves().values():
        means = [point.exact_f1.mean for point in points]
        assert means == sorted(means)
        assert [round(point.asked.mean, 1) for point in points] == [0.0, 0.2, 0.4, 0.6]
    gated, random = (at(found, f"mv + {gate}", 0.4) for gate in ("expected-error", "random"))
    assert gated.exact_f1.mean > random.exact_f1.mean + 0.05


def test_a_method_that_does_not_learn_needs_no_last_look(dataset: Dataset) -> None:
    """What was decided on arrival is final."""
    found = frontier(dataset, pairs_of(["mv"], GATES), [0.3], processes=1)

    assert all(point.exact_f1 == point.settled_f1 for point in found.points)


def test_the_same_seed_gives_the_same_points(dataset: Dataset) -> None:
    """And another one gives others; the number of processes changes nothing."""
    pairs = pairs_of(["mv", "span-ds"], ["random", "kappa-hindsight"])
    one, same, apart, other = (
        without_time(frontier(dataset, pairs, [0.1, 0.3], 3, seed, processes=processes))
        for seed, processes in ((4, 1), (4, 1), (4, 2), (5, 1))
    )

    assert one == same == apart
    assert one != other


def test_an_order_is_the_same_whatever_else_is_asked_for(dataset: Dataset) -> None:
    """Pairs do not disturb each other."""
    alone = frontier(dataset, pairs_of(["ds"]), [0.2], 2, processes=1)
    among = frontier(dataset, pairs_of(["mv", "ds"]), [0.0, 0.2], 2, processes=1)

    expected, found = (at(each, "ds + expected-error", 0.2) for each in (alone, among))
    assert found.exact_f1 == expected.exact_f1
    assert found.calibration.error == expected.calibration.error


def test_progress_is_told_from_beginning_to_end(dataset: Dataset) -> None:
    """Without experts one gate stands for all, so that is done once."""
    told: list[tuple[int, int]] = []
    frontier(
        dataset,
        pairs_of(["mv"], ["kappa", "random"]),
        [0.0, 0.5],
        orders=2,
        processes=1,
        progress=lambda done, total: told.append((done, total)),
    )

    assert told == [(done, 6) for done in range(7)]


def test_sentences_without_gold_or_answers_are_left_out(dataset: Dataset) -> None:
    """And counted; the others give what they give alone."""
    keep = np.arange(len(dataset)) % 3 > 0
    found = frontier(with_gold(dataset, keep), pairs_of(["mv"]), [0.2], 2, processes=1)
    alone = frontier(dataset.take(np.flatnonzero(keep)), pairs_of(["mv"]), [0.2], 2, processes=1)

    assert (found.sentences, found.left_out) == (80, 40)
    assert found.points[0].exact_f1 == alone.points[0].exact_f1


@pytest.mark.parametrize(
    ("shares", "orders", "seed", "processes", "message"),
    [
        ([20.0], 5, 0, 1, "share 20: it is from 0 to 1, as 0.2 is for 20 %"),
        ([-0.1], 5, 0, 1, "share -0.1"),
        ([float("nan")], 5, 0, 1, "share nan"),
        ([0.1], 0, 0, 1, "orders 0: at least 1 is needed"),
        ([0.1], 5, -1, 1, "seed -1: at least 0 is needed"),
        ([0.1], 5, 0, 0, "0 processes cannot do anything"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    dataset: Dataset, shares: list[float], orders: int, seed: int, processes: int, message: str
) -> None:
    """With what to do instead."""
    with pytest.raises(SpancrewError, match=message):
        frontier(dataset, pairs_of(["mv"]), shares, orders, seed, processes=processes)


def test_unknown_gates_are_told_the_known_ones() -> None:
    """Or the one that was probably meant."""
    with pytest.raises(SpancrewError, match="there are expected-error, kappa, random, kappa-hin"):
        pairs_of(gates=["quality"])
    with pytest.raises(SpancrewError, match="did you mean 'expected-error'"):
        pairs_of(gates=["expected-errors"])


def test_a_data_set_without_gold_or_answers_is_refused(dataset: Dataset) -> None:
    """Each with its own word."""
    none = np.zeros(len(dataset), bool)
    pair = [Pair(MajorityVote(), "random")]

    with pytest.raises(SpancrewError, match="no sentence has gold: a frontier needs"):
        frontier(with_gold(dataset, none), pair)
    with pytest.raises(SpancrewError, match="no sentence has answers: a frontier needs"):
        frontier(dataset.without_answers(), pair)


def test_gold_and_answers_have_to_meet(dataset: Dataset) -> None:
    """On the same sentence, somewhere."""
    rows = np.arange(dataset.answers.first[60])
    answers = dataset.answers.take(rows, dataset.answers.sentence[rows], len(dataset))
    apart = replace(with_gold(dataset, np.arange(len(dataset)) >= 60), answers=answers)

    with pytest.raises(SpancrewError, match="no sentence has gold and answers together"):
        frontier(apart, [Pair(MajorityVote(), "random")])


def _ends(_what: int) -> int:
    import os

    os._exit(1)


def test_a_process_that_is_ended_is_explained() -> None:
    """In one sentence, with what to do."""
    with pytest.raises(SpancrewError, match="one of 2 processes was ended from outside"):
        list(Local(2).run(_ends, [(1,), (2,), (3,)]))


@pytest.mark.realdata
def test_names_need_few_experts(real_data: Path) -> None:
    """CoNLL, with a model of the sequence and its expected errors; the paper's recipe behind."""
    dataset = read(real_data / "conll-crowd" / "collected.json").dataset
    methods = often(["auto"], ["bsc", "auto"])
    pairs = [*pairs_of(methods), *pairs_of(["mv"], ["kappa-hindsight"])]
    measured = [(0.2, 0.898, 0.812), *often([], [(0.1, 0.855, 0.748), (0.3, 0.925, 0.859)])]
    shares = [share for share, *_ in measured]
    found = frontier(dataset, pairs, shares, orders=1, audit=0.0, processes=1)

    for share, least, paper in measured:
        for method in methods:
            assert at(found, f"{method} + expected-error", share).exact_f1.mean >= least
        hindsight = at(found, "mv + kappa-hindsight", share).exact_f1.mean
        assert hindsight == pytest.approx(paper, abs=0.002)


@pytest.mark.realdata
def test_opinions_need_few_experts(real_data: Path) -> None:
    """OEI, where a vote on spans is hard to beat."""
    dataset = read(real_data / "oei" / "dev-crowd.json").dataset
    pairs = [*pairs_of(["auto", "span-vote"]), *pairs_of(["mv"], ["kappa-hindsight"])]
    found = frontier(dataset, pairs, [0.2], audit=0.0, processes=1)

    assert at(found, "auto + expected-error", 0.2).exact_f1.mean >= 0.69
    assert at(found, "span-vote + expected-error", 0.2).exact_f1.mean >= 0.69
    assert at(found, "mv + kappa-hindsight", 0.2).exact_f1.mean < 0.6


@pytest.mark.realdata
def test_stated_confidence_can_be_trusted(real_data: Path) -> None:
    """With 10 % expert sentences, drawn at random, on CoNLL."""
    dataset = read(real_data / "conll-crowd" / "collected.json").dataset
    found = frontier(dataset, pairs_of(["auto"], ["random"]), [0.1], orders=2, processes=1)

    assert found.points[0].calibration.error <= 0.05


def test_audits_are_counted_apart(dataset: Dataset) -> None:
    """Where no expert is asked nobody audits, and without audits all is as it was."""
    with_audits, without = (
        frontier(dataset, pairs_of(["mv"]), [0.0, 0.2], audit=audit, processes=1)
        for audit in (0.25, 0.0)
    )

    for one, other in zip(with_audits.points, without.points, strict=True):
        assert one.asked == other.asked
        assert other.audited.mean == 0
    first, second = with_audits.points
    assert first.audited.mean == 0
    assert 0.1 < second.audited.mean < 0.3
    assert second.as_json()["audited"] == second.audited._asdict()
    assert second.exact_f1.mean > without.points[1].exact_f1.mean


def test_more_audits_than_sentences_are_refused(dataset: Dataset) -> None:
    """A share is meant."""
    with pytest.raises(
        SpancrewError, match=r"audit 5: it is from 0 to below 1, as 0\.05 is for 5 %"
    ):
        frontier(dataset, audit=5)
