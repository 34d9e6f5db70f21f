"""The labels that sentences end up with if experts label a share of them."""

from typing import NamedTuple

import numpy as np

from spancrew.core import BoolArray, Dataset, Ragged
from spancrew.simulate._frontier import in_random_order
from spancrew.simulate._gates import Pair
from spancrew.simulate._stream import arrivals_of


class SettledLabels(NamedTuple):
    """Final labels, and on which sentences they are the expert's."""

    labels: Ragged
    by_expert: BoolArray


def settled_labels(dataset: Dataset, pair: Pair, share: float, seed: int = 0) -> SettledLabels:
    """Return final labels of the sentences that have gold and an answer, in their order.

    They arrive in a random order, as for a frontier, and nobody audits.
    """
    order, found, _ = in_random_order(arrivals_of(dataset), seed, pair, share, 0, 0.0)
    place = np.argsort(order)
    return SettledLabels(found.final.take(place), found.asked[place])
