"""The worker selection of the authors' code: queues, late rewards, and the published figures."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.core import Answer, Chance, Dataset, FloatArray, Sentence
from spancrew.crowds import Replay
from spancrew.errors import SpancrewError
from spancrew.experiments._authors_protocol import (
    NONE,
    AuthorsSetting,
    Queues,
    _Driver,
    authors_rehearsal,
)
from spancrew.experiments._data import conll_data
from spancrew.experiments._jobs import ExperimentJob, work
from spancrew.experiments._methods import authors_gate
from spancrew.feedback import CrowdOnly, ExpertOnly, FeedbackRule
from spancrew.metrics import Metric
from spancrew.policies import Cucb, EpsilonGreedy, Oracle, Policy, Random, Thompson
from spancrew.simulate import AnswerTable
from tests.experiments.authors_plain import plain_run
from tests.simulate.small import LABELS, small

METRIC = Metric("proportional:authors", empty=0.0)


def sparse(**real: str) -> Dataset:
    """Return sentences a to e, with an answer of each worker on some of them."""
    sentences = [Sentence.from_tokens(name, ["x"] * 3) for name in "abcde"]
    answers = [
        Answer(name, worker, ()) for name in "abcde" for worker in real if name in real[worker]
    ]
    found = Dataset.of(sentences, {}, answers, LABELS)
    assert found.workers == tuple(real)
    return found


def staged(
    sentences: int = 23, workers: int = 9, share: float = 0.3
) -> tuple[Dataset, AnswerTable, FloatArray]:
    """Return a data set with a share of real answers, all answers, and the true scores."""
    full = small(sentences, workers)
    rows = np.flatnonzero(np.random.default_rng(5).random(len(full.answers)) < share)
    some = full.answers.take(rows, full.answers.sentence[rows], len(full))
    table = AnswerTable(full, Replay(full), METRIC)
    return replace(full, answers=some), table, table.truth


def test_real_answers_come_first_in_the_order_of_the_file() -> None:
    """Then all other sentences, in an order that the workers of a run share."""
    dataset = sparse(ada="abd", bo="ac", cy="ae")
    queues = Queues.start(dataset, 3, 2, Chance.of(1, range(4)))
    ada, bo = queues.order[:, 0], queues.order[:, 1]

    assert ada[:, :3].tolist() == [[0, 1, 3]] * 4
    assert bo[:, :2].tolist() == [[0, 2]] * 4
    assert len({tuple(row) for row in bo[:, 2:].tolist()}) > 1
    for run in range(4):
        rest = [[s for s in queues.order[run, w] if s not in {0, 1, 2, 3}] for w in (0, 1)]
        assert sorted(queues.order[run, 0].tolist()) == list(range(5))
        assert rest[0] == rest[1] == [4]


def test_a_complete_sentence_is_passed_over() -> None:
    """Ada and Bo complete the first; Cy takes their next one; who is nobody takes nothing."""
    dataset = sparse(ada="a", bo="a", cy="ac")
    queues = Queues.start(dataset, 3, 2, Chance.of(1, range(1)))

    assert queues.take(np.array([[0, NONE, 1, 2]])).tolist() == [[0, NONE, 0, 2]]
    assert queues.given[0, 0].tolist() == [0, 1]
    assert queues.given[0, 2].tolist() == [2, NONE]
    assert queues.missing[0].tolist() == [0, 2, 1, 2, 2]


def test_who_has_answered_everything_that_is_open_takes_nothing() -> None:
    """Ada answers all five sentences alone, then none."""
    queues = Queues.start(sparse(ada="bd", bo="c"), 2, 2, Chance.of(1, range(1)))
    taken = [int(queues.take(np.array([[0]]))[0, 0]) for _ in range(7)]

    assert taken[:2] == [1, 3]
    assert sorted(taken[:5]) == [0, 1, 2, 3, 4]
    assert taken[5:] == [NONE, NONE]
    assert queues.missing[0].tolist() == [1] * 5


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(6, 9))
def test_every_sentence_gets_its_answers_from_different_workers(
    seed: int, answers: int, crew: int
) -> None:
    """Whoever is in the crew."""
    dataset, _, _ = staged(7)
    chance = Chance.of(seed, range(2))
    queues = Queues.start(dataset, 9, answers, chance)
    for step in range(100):
        queues.take(chance.at(step).shuffled(9)[:, :crew])

    assert not queues.missing.any()
    assert all(len(set(row)) == answers for row in queues.given.reshape(-1, answers).tolist())
    assert (np.sort(queues.given.reshape(2, -1)) >= 0).all()
    assert queues.done.sum() == 2 * 7 * answers


@pytest.mark.parametrize("policy", [Cucb(0.2), EpsilonGreedy(), Random()])
def test_rewards_come_when_a_sentence_is_complete(policy: Policy) -> None:
    """T counts the answers given; the mean is over scores, the warm-up's among them."""
    dataset, table, phi = staged()
    setting = AuthorsSetting(policy, ExpertOnly(), 4, 5, 3)
    driver = _Driver(dataset, table, phi, METRIC, setting)
    driver.warm_up()
    early = driver.queues.missing == 0  # not judged: nobody was chosen for them
    for step in range(1, 9):
        driver.step(step)
        queues, standings = driver.queues, driver.standings
        whole = ((queues.missing == 0) & ~early)[:, None, :] & queues.done
        first = driver.queues.order[:, :, 0].astype(np.int64)
        started = table.scores(first, np.broadcast_to(np.arange(9), first.shape))
        every = table.scores(*np.meshgrid(np.arange(23), np.arange(9)))

        assert standings.count.tolist() == (1 + whole.sum(axis=2)).tolist()
        assert standings.pulls.tolist() == queues.done.sum(axis=2).tolist()
        assert standings.total == pytest.approx(started + (whole * every).sum(axis=2))
        assert standings.time.tolist() == [9 + step] * 3
    assert (standings.pulls != standings.count).any()


def test_thompson_does_not_look_at_the_warm_up() -> None:
    """It has no mean before the first sentence is complete."""
    dataset, table, phi = staged()
    setting = AuthorsSetting(Thompson("beta", draws=100), ExpertOnly(), 4, 5, 2)
    driver = _Driver(dataset, table, phi, METRIC, setting)
    driver.warm_up()
    before = driver.queues.missing == 0

    assert not driver.standings.count.any()
    assert not before.all()
    assert driver.queues.done.sum() == 2 * 9


@pytest.mark.parametrize(("policy", "leaves"), [(Oracle(), True), (Random(), False)])
def test_who_has_nothing_left_leaves_the_ranking(policy: Policy, leaves: bool) -> None:
    """The oracle goes on with the next best; random crews may still hold them."""
    dataset, table, phi = staged()
    driver = _Driver(dataset, table, phi, METRIC, AuthorsSetting(policy, CrowdOnly(), 4, 4, 1))
    driver.warm_up()
    best, fifth = int(np.argsort(-phi)[0]), int(np.argsort(-phi)[4])
    driver.queues.head[0, best] = len(dataset)
    for step in range(1, 6):
        driver.step(step)

    assert driver.exhausted[0].tolist() == [worker == best for worker in range(9)]
    assert driver.standings.available[0, best] != leaves
    assert driver.asked[0, best] == 1
    if leaves:
        assert driver.asked[0, fifth] == 1 + 4


@pytest.mark.parametrize(
    ("policy", "feedback"),
    [
        (Oracle(), authors_gate(0.65)),
        (Random(), authors_gate(0.3)),
        (EpsilonGreedy(0.3), authors_gate(0.5)),
        (Thompson("beta", draws=100), authors_gate(0.5)),
        (Cucb(0.2), ExpertOnly()),
        (Cucb(0.2), CrowdOnly()),
        (Cucb(0.2), authors_gate(0.5)),
    ],
)
def test_all_runs_at_once_are_as_one_run_in_plain_loops(
    policy: Policy, feedback: FeedbackRule
) -> None:
    """A second implementation, with lists of sentences for queues, takes the same decisions."""
    dataset, table, phi = staged()
    setting = AuthorsSetting(policy, feedback, 3, 5, 4, seed=2)
    found = authors_rehearsal(dataset, table, phi, METRIC, setting)
    plain = [plain_run(dataset, table, phi, METRIC, setting, run) for run in range(4)]

    assert found.scores == pytest.approx(np.array([each.scores for each in plain]))
    assert found.expert_share == pytest.approx([each.experts / 23 for each in plain])
    for regret, each in zip(found.regret, plain, strict=True):
        assert regret[: len(each.regret)] == pytest.approx(np.cumsum(each.regret))
        assert regret[-1] == pytest.approx(sum(each.regret))


def test_a_crew_that_can_never_complete_a_sentence_is_refused() -> None:
    """Otherwise the run would not end."""
    dataset, table, phi = staged()
    with pytest.raises(SpancrewError, match="4 answers on a sentence cannot come from a crew of"):
        authors_rehearsal(
            dataset, table, phi, METRIC, AuthorsSetting(Oracle(), ExpertOnly(), 4, 3)
        )


@pytest.mark.long
@pytest.mark.realdata
def test_the_published_figures_are_met(real_data: Path) -> None:
    """CoNLL, proportional, 10 runs: every row, and the share of sentences that experts see."""
    job = ExperimentJob(conll_data(real_data), "authors", ("table",), ("proportional",), 10, 0)
    numbers = work(job)["table"].numbers
    f1 = {n.row: n.difference for n in numbers if n.column == "proportional f1"}
    experts = {n.row: n for n in numbers if n.column == "proportional experts"}["CUCB (Exp.+MV)"]
    close = ["Oracle", "Random", "CUCB (Exp.)", "CUCB (MV)", "CUCB (Exp.+MV)"]

    assert len(f1) == 11
    assert {row: d for row, d in f1.items() if d is None or abs(d) > 0.5} == {}
    assert {row: f1[row] for row in close if abs(f1[row] or 0) > 0.2} == {}
    assert experts.paper == pytest.approx(34.03)
    assert experts.ours == pytest.approx(34.03, abs=1.5)
