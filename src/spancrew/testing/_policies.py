"""What every policy keeps to."""
# ruff: noqa: S101  asserts are what a contract is made of

import pickle

import numpy as np

from spancrew.core import Chance, FloatArray, IntArray
from spancrew.policies import NOBODY, Policy, Random, Standings
from spancrew.testing._parts import check_part
from spancrew.testing._trial import Trial

_MANY = range(400)
"""Runs enough to tell a preference from chance."""


class PolicyContract:
    """Tests for pytest: inherit, and set ``policy``.

    ``learns`` says that the policy gets better with rewards; ``tries_all`` that everybody is
    asked at some time; ``minds_pending`` that answers which were asked for and not yet scored
    count. A policy that does not do one of these on purpose sets it to False.
    """

    policy: Policy
    learns: bool = True
    tries_all: bool = True
    minds_pending: bool = True

    def test_it_is_the_same_again_from_a_copy_and_from_its_name(self) -> None:
        """And has all members of the protocol."""
        check_part(self.policy, "policy", Policy)
        learning = self.policy.learning

        assert 0 < learning.memory <= 1
        assert isinstance(learning.difficulty, bool)
        assert isinstance(self.policy.needs_truth, bool)

    def test_a_crew_is_made_of_different_workers(self) -> None:
        """Before the first reward and after many."""
        trial = Trial()
        crews, standings = trial.play(self.policy, 30)

        assert crews.shape == (30, 20, 4)
        assert self.policy.select(standings, 4, Chance.of(1, trial.runs)).dtype == np.int64
        assert crews.min() >= 0
        assert crews.max() < trial.workers
        assert (np.diff(np.sort(crews, axis=2), axis=2) > 0).all()

    def test_only_who_is_there_is_chosen(self) -> None:
        """And where too few are there, the crew ends with -1."""
        trial = Trial()
        _, standings = trial.play(self.policy, 20)
        for there in (0, 1, 3, 4, 7):
            standings.available[:] = np.arange(trial.workers) < there
            crews = self.policy.select(standings, 4, Chance.of(1, trial.runs))
            chosen = min(there, 4)

            assert crews.shape == (20, 4)
            assert (crews[:, chosen:] == NOBODY).all()
            assert (crews[:, :chosen] >= 0).all()
            assert (crews < there).all()

    def test_a_crew_larger_than_the_crowd_is_all_of_it(self) -> None:
        """In some order, with -1 behind; a crew of nobody is empty."""
        trial = Trial()
        standings = trial.standings(self.policy)
        chance = Chance.of(1, trial.runs)
        crews = self.policy.select(standings, 15, chance)

        assert (np.sort(crews, axis=1)[:, 3:] == np.arange(12)).all()
        assert (crews[:, 12:] == NOBODY).all()
        assert self.policy.select(standings, 0, chance).shape == (20, 0)

    def test_nobody_works_beyond_their_cap(self) -> None:
        """Where the best have done their share, others take over until all have."""
        trial = Trial(cap=10)
        crews, _ = trial.play(self.policy, 60)
        work = [(crews == worker).sum(axis=(0, 2)) for worker in range(trial.workers)]

        assert (np.array(work) == 10).all()

    def test_choosing_changes_nothing_that_is_known(self) -> None:
        """A policy has no memory of its own and leaves the standings alone."""
        _, standings = Trial().play(self.policy, 20)
        before = pickle.dumps(standings)
        self.policy.select(standings, 4, Chance.of(1, range(20)))

        assert pickle.dumps(standings) == before

    def test_the_same_seed_gives_the_same_crews(self) -> None:
        """Twice over many steps."""
        once, _ = Trial(seed=5).play(self.policy, 30)
        again, _ = Trial(seed=5).play(self.policy, 30)

        assert (once == again).all()

    def test_a_run_does_not_depend_on_those_beside_it(self) -> None:
        """To the last bit, alone and among others."""
        together, known = Trial(runs=range(7)).play(self.policy, 40)
        alone, known_alone = Trial(runs=range(4, 5)).play(self.policy, 40)

        assert (together[:, 4:5] == alone).all()
        assert (known.total[4:5] == known_alone.total).all()

    def test_rewards_may_be_all_alike(self) -> None:
        """Nobody is ever right, or everybody always is."""
        trial = Trial()
        for reward in (0.0, 1.0):
            standings = trial.standings(self.policy)
            _teach(standings, reward, times=20)
            crews = self.policy.select(standings, 4, Chance.of(1, trial.runs))

            assert (crews >= 0).all()

    def test_a_worker_with_pending_answers_is_not_preferred(self) -> None:
        """Of workers with the same past, be it good, bad or mixed."""
        trial = Trial(runs=_MANY, workers=6, size=1)
        by_chance = 1 / 6 + 4 * np.sqrt(5 / 36 / len(_MANY))
        for past in ((0.0, 1.0), (0.9,), (1.0, 1.0, 1.0), (0.1, 0.1)):
            standings = trial.standings(self.policy)
            standings.truth = np.full(6, 0.5)
            for reward in past:
                _teach(standings, reward, times=2)
            standings.pending[:, 0] = 50
            first = self.policy.select(standings, 1, Chance.of(1, _MANY))

            assert (first == 0).mean() < by_chance

    def test_pending_answers_count(self) -> None:
        """Of workers without any score, one who was asked often is clearly less preferred.

        Otherwise a slow worker would be asked again and again, before anything is known of them.
        """
        trial = Trial(runs=_MANY, workers=6, size=1)
        standings = trial.standings(self.policy)
        standings.truth = np.full(6, 0.5)
        standings.pending[:, 0] = 50
        standings.time += 50
        first = self.policy.select(standings, 1, Chance.of(1, _MANY))
        below_chance = 1 / 6 - 4 * np.sqrt(5 / 36 / len(_MANY))

        assert not self.minds_pending or (first == 0).mean() < below_chance

    def test_pending_answers_of_the_absent_change_nothing(self) -> None:
        """Nobody else looks better or worse for them."""
        trial = Trial()
        _, standings = trial.play(self.policy, 20)
        standings.available[:, 0] = False
        chance = Chance.of(1, trial.runs)
        before = self.policy.select(standings, 4, chance)
        standings.pending[:, 0] += 50

        assert (self.policy.select(standings, 4, chance) == before).all()

    def test_of_equal_workers_the_cheaper_is_preferred(self) -> None:
        """At half the price, clearly more often than by chance."""
        trial = Trial(runs=_MANY, workers=2, size=1, group=1)
        standings = trial.standings(self.policy)
        standings.truth = np.full(2, 0.5)
        _teach(standings, 0.0, times=2)
        _teach(standings, 1.0, times=2)
        standings.price = np.array([2.0, 1.0])
        chosen = self.policy.select(standings, 1, Chance.of(1, _MANY))

        assert chosen.mean() > 0.5 + 4 * 0.5 / np.sqrt(len(_MANY))

    def test_a_price_that_all_share_changes_nothing(self) -> None:
        """Neither does another currency."""
        trial = Trial()
        _, standings = trial.play(self.policy, 20)
        chance = Chance.of(1, trial.runs)
        before = self.policy.select(standings, 4, chance)
        standings.price = np.full(trial.workers, 7.0)
        shared = self.policy.select(standings, 4, chance)
        standings.price = np.linspace(1.0, 2.0, trial.workers)
        dear = self.policy.select(standings, 4, chance)
        standings.price = 1024 * standings.price
        currency = self.policy.select(standings, 4, chance)

        assert (shared == before).all()
        assert (currency == dear).all()

    def test_everybody_gets_a_chance(self) -> None:
        """Everybody is asked at some time, in every run."""
        crews, _ = Trial().play(self.policy, 200)
        asked = [len(np.unique(crews[:, run])) for run in range(crews.shape[1])]

        assert min(asked) == 12 or not self.tries_all

    def test_it_beats_chance(self) -> None:
        """By more than five standard errors, with rewards at once and with late ones."""
        for delay in (0, 5):
            trial = Trial(delay=delay)
            better = self._gain(trial, steps=150)

            assert not self.learns or better.mean() > 5 * _standard_error(better)

    def test_the_best_of_a_crew_come_first(self) -> None:
        """On average over runs, by true skill, after a while."""
        trial = Trial()
        crews, _ = trial.play(self.policy, 150)
        skill = trial.skills[crews[100:]].mean(axis=0)
        better = skill[:, 0] - skill[:, -1]

        assert not self.learns or better.mean() > 3 * _standard_error(better)

    def _gain(self, trial: Trial, steps: int) -> FloatArray:
        chosen, _ = trial.play(self.policy, steps)
        by_chance, _ = trial.play(Random(), steps)
        return trial.mean_skill(chosen) - trial.mean_skill(by_chance)


def _teach(standings: Standings, reward: float, times: int) -> None:
    """Give every worker the same reward some times, each on a sentence of their own."""
    runs, workers = standings.count.shape
    crew: IntArray = np.tile(np.arange(workers), runs)[:, None]
    for _ in range(times):
        run = np.repeat(np.arange(runs), workers)
        standings.learn(run, crew, np.full(crew.shape, reward))
        standings.tick()


def _standard_error(values: FloatArray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values)))
