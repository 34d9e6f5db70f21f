"""How much a forecast would differ with another pilot: the same from parts of the pilot."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from spancrew.core import Dataset, FloatArray
from spancrew.planner._aim import Aim
from spancrew.planner._basis import Basis
from spancrew.planner._bench import Bench, Meter
from spancrew.planner._candidates import Candidate
from spancrew.planner._figures import corrected
from spancrew.planner._look import MOST_REPLAYED
from spancrew.simulate import Silence, workers_of

PAIRS = 3
"""Pairs of parts that have no sentence in common."""

MOST = 150
"""The most sentences of a part."""

PART_SIZE = 500
"""Sentences of the campaign that is forecast from a part."""

DRAWN = 2_000
"""Answers to draw in a round when a crowd is fitted to a part.

What chance does to a skill then is small against what it owes to the few answers of a part.
"""


def spread(basis: Basis, candidates: Sequence[Candidate], bench: Bench) -> FloatArray:
    """Return by candidate how figures vary with the pilot, as covariances (candidates x 4 x 4).

    The whole forecast is made again, with a crowd that is fitted anew, from pairs of random parts
    of the pilot that share no sentence. Both parts of a pair differ as two pilots of their size
    would; what varies shrinks with the number of sentences.
    """
    pilot = basis.pilot
    size = min(len(pilot) // 2, MOST)
    calls: list[tuple[Any, ...]] = []
    for pair in range(PAIRS):
        order = np.random.default_rng([bench.seed, pair]).permutation(len(pilot))
        for part in (order[:size], order[size : 2 * size]):
            drawn = pilot.take(np.sort(part))
            # Another seed draws other new workers, too.
            seed = bench.seed + len(calls)
            calls.append((drawn, basis.workers, tuple(candidates), bench.aim, seed))
    found: list[FloatArray] = [np.zeros(0)] * len(calls)
    with workers_of("local", bench.processes) as workers:
        for done, (place, figures) in enumerate(workers.run(from_part, calls), 1):
            found[place] = figures
            bench.meter(done, len(calls))
    gaps = np.array(found[::2]) - np.array(found[1::2])
    return covariances(gaps, size, min(len(pilot), MOST_REPLAYED))


def covariances(gaps: FloatArray, size: int, sentences: int) -> FloatArray:
    """Return how figures of a whole vary, by how two parts of some size differ.

    ``gaps`` are pairs x candidates x figures. Two parts differ twice as much as one of them
    varies, and that shrinks with the number of sentences.
    """
    products = np.einsum("pci,pcj->cij", gaps, gaps) / len(gaps)
    shrunk: FloatArray = products * size / (2 * sentences)
    return shrunk


def from_part(
    part: Dataset, workers: int, candidates: Sequence[Candidate], aim: Aim, seed: int
) -> FloatArray:
    """Return the forecast of every candidate from a part of a pilot alone."""
    basis = Basis.of(part, workers, seed, DRAWN)
    quiet = Bench(aim, seed, 1, Meter(Silence(), [1.0]))
    scenes = {
        "model": [basis.model(min(aim.sentences, PART_SIZE), seed)],
        "real": [basis.real()],
        "same": [basis.same(seed)],
    }
    rows = {name: some[0] for name, some in quiet.figures(scenes, candidates, 1).items()}
    is_steered = [each.is_steered for each in candidates]
    return corrected(rows["model"], rows["real"], rows["same"], is_steered)
