"""Who answers which sentence: some workers do a great deal, some hardly anything."""

from collections.abc import Sequence

from crowd import Worker
from draws import Draws


def schedule(
    workers: Sequence[Worker], sentences: int, shares: Sequence[float], draws: Draws
) -> list[list[int]]:
    """Return for every sentence the positions of its workers, in the order of their answers.

    ``shares[k]`` is the weight of sentences with ``k + 1`` answers.
    """
    wanted = _sizes(sum(worker.answers for worker in workers), sentences, shares, draws)
    chosen: list[list[int]] = [[] for _ in range(sentences)]
    busiest_first = sorted(range(len(workers)), key=lambda k: -workers[k].answers)
    for worker in busiest_first:
        # The neediest sentences first, or the last workers find too few that are left.
        open_ = sorted(draws.shuffled(range(sentences)), key=lambda s: len(chosen[s]) - wanted[s])
        for sentence in open_[: workers[worker].answers]:
            chosen[sentence].append(worker)
    return [draws.shuffled(crew) for crew in chosen]


def _sizes(total: int, sentences: int, shares: Sequence[float], draws: Draws) -> list[int]:
    """Draw the number of answers of every sentence so that they make up the total."""
    most = len(shares)
    sizes = [draws.weighted(range(1, most + 1), shares) for _ in range(sentences)]
    while (left := total - sum(sizes)) != 0:
        sentence = draws.between(0, sentences - 1)
        step = 1 if left > 0 else -1
        if 1 <= sizes[sentence] + step <= most:
            sizes[sentence] += step
    return sizes
