"""One small fitted population for all tests of crowds."""

import numpy as np
import pytest

from spancrew.core import Dataset
from spancrew.crowds import Population, fit_population
from spancrew.formats import read


@pytest.fixture(scope="session")
def pilot() -> Dataset:
    """Return a part of the demo."""
    return read("demo").dataset.take(np.arange(160))


@pytest.fixture(scope="session")
def population(pilot: Dataset) -> Population:
    """Fit it once."""
    return fit_population(pilot)
