"""What forecasts are made from: a pilot, and the crowd that is fitted to it."""

from dataclasses import dataclass, replace

import numpy as np

from spancrew.core import Dataset, is_model, people_among
from spancrew.crowds import (
    ENOUGH,
    AnyPopulation,
    Crowd,
    PartOfCrowd,
    Replay,
    activity_of,
    fit_crowd,
    new_crowd,
    unused_name,
    with_copies,
    with_own_words,
)
from spancrew.simulate import Scene, scene_of

_COPIES, _NEWCOMERS, _PRESENT, _ACTIVITY = range(4)
"""What random numbers are drawn for: copies of sentences, new workers, who of many takes part,
and how active new ones are."""


@dataclass(frozen=True)
class Basis:
    """A pilot, the population that was fitted to it, and how many workers a campaign has.

    With ``has_models``, the models of the pilot answer in the campaign, too.
    """

    pilot: Dataset
    population: AnyPopulation
    workers: int
    has_models: bool = True

    @classmethod
    def of(cls, pilot: Dataset, workers: int, seed: int, enough: int = ENOUGH) -> "Basis":
        """Fit a crowd to a pilot; workers whom it lacks are like those it has.

        ``enough`` is how many answers are drawn in a round of the fit.
        """
        population = fit_crowd(pilot, enough)
        names: list[str] = []
        while len(people_among(pilot.workers)) + len(names) < workers:
            names.append(unused_name("new worker", {*pilot.workers, *names}))
        if names:
            population = population.joined_by(names, _draws(seed, _NEWCOMERS))
        return cls(pilot, population, workers)

    def model(self, sentences: int, seed: int) -> Scene:
        """Return the crowd on that many sentences like the pilot's, all of them new to it.

        Workers are as active as in the pilot.
        """
        known = len(self.pilot)
        rng = _draws(seed, _COPIES)
        chosen = (
            with_copies(self.pilot, sentences, rng)
            if sentences > known
            else self._some(sentences, rng)
        )
        everybody = self.population.dataset.workers
        bare = replace(chosen.without_answers(), workers=everybody)
        crowd: Crowd = new_crowd(bare, self.population, seed=seed)
        models = np.array([is_model(worker) for worker in everybody], bool)
        who = people = np.flatnonzero(~models)
        if self.workers < len(people):
            who = _draws(seed, _PRESENT).choice(people, self.workers, replace=False)
        present = np.union1d(who, np.flatnonzero(models & self.has_models))
        if len(present) < len(everybody):
            crowd = PartOfCrowd(crowd, np.arange(sentences), present)
        scene = scene_of(with_own_words(bare, known) if sentences > known else bare, crowd)
        activity = activity_of(self.pilot, scene.workers, _draws(seed, _ACTIVITY))
        return replace(scene, activity=activity)

    def _some(self, sentences: int, rng: np.random.Generator) -> Dataset:
        rows = rng.choice(len(self.pilot), sentences, replace=False)
        return self.pilot.take(np.sort(rows))

    def without_models(self) -> "Basis":
        """Return the same basis where nobody hears the models of the pilot."""
        people = replace(self.pilot, answers=self.pilot.by_people)
        return replace(self, pilot=people, has_models=False)

    def first(self, most: int) -> "Basis":
        """Return a basis with at most so many sentences of the pilot, drawn at random."""
        if len(self.pilot) <= most:
            return self
        return replace(self, pilot=self._some(most, _draws(most, _COPIES)))

    def real(self) -> Scene:
        """Return the pilot's real answers."""
        return scene_of(self.pilot, Replay(self.pilot))

    def same(self, seed: int) -> Scene:
        """Return fresh answers of the crowd, by those alone who really answered.

        What a rule does with these, against what it does with the real ones, is what is wrong with
        the model: both have the same pairs of sentence and worker, so nothing else differs.
        """
        everybody = replace(self.pilot, workers=self.population.dataset.workers)
        answers = self.pilot.answers
        fresh = new_crowd(everybody, self.population, seed=seed)
        codes = fresh.answers(answers.sentence.astype(np.int64), answers.worker.astype(np.int64))
        drawn = replace(self.pilot, answers=replace(answers, codes=codes))
        return scene_of(self.pilot, Replay(drawn))


def _draws(seed: int, use: int) -> np.random.Generator:
    return np.random.default_rng([seed, use])
