"""Populations and their crowds, for either kind of answers."""

from collections.abc import Mapping

from spancrew.core import Dataset
from spancrew.crowds._calibrated import Calibrated
from spancrew.crowds._choosers import CalibratedChoices
from spancrew.crowds._choosing import ChoicePopulation, fit_choices
from spancrew.crowds._population import ENOUGH, Population, fit_population

AnyPopulation = Population | ChoicePopulation


def fit_crowd(dataset: Dataset, enough: int = ENOUGH) -> AnyPopulation:
    """Learn how workers answer from all answers of a data set that have gold.

    ``enough`` is how many answers on spans are drawn in a round of the fit.
    """
    return fit_choices(dataset) if dataset.kind == "choices" else fit_population(dataset, enough)


def known_crowd(
    dataset: Dataset, population: AnyPopulation, seed: int = 0, *, stand_in: bool = False
) -> Calibrated | CalibratedChoices:
    """Return the workers of the data set that a population was fitted to."""
    if isinstance(population, ChoicePopulation):
        return CalibratedChoices.known(dataset, population, seed, stand_in=stand_in)
    return Calibrated.known(dataset, population, seed, stand_in=stand_in)


def new_crowd(
    dataset: Dataset,
    population: AnyPopulation,
    skills: Mapping[str, float] | None = None,
    seed: int = 0,
) -> Calibrated | CalibratedChoices:
    """Return workers for sentences that nobody has answered; ``skills`` are mean scores."""
    if isinstance(population, ChoicePopulation):
        return CalibratedChoices.new(dataset, population, skills, seed)
    return Calibrated.new(dataset, population, skills, seed)
