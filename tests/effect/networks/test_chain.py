"""The chain against every sequence of codes, written out."""

from itertools import pairwise
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="networks need the extra 'models'")

from tests.tagger.fields import sequences  # noqa: E402  after the look for torch

CODES, TOKENS = 5, 3


@pytest.fixture
def chain() -> Any:
    """Return a chain with drawn weights, in which I follows only its own label."""
    from spancrew.effect._networks._chain import ChainLayer

    torch.manual_seed(1)
    made = ChainLayer(CODES).double()
    torch.nn.init.normal_(made.first)
    torch.nn.init.normal_(made.move)
    return made


def written_out(chain: Any, scores: Any) -> dict[tuple[int, ...], Any]:
    """Return the log-score of every possible sequence."""
    found = {}
    for path in sequences(len(scores), CODES):
        total = chain.first[path[0]] + sum(scores[t, code] for t, code in enumerate(path))
        total = total + sum(chain.move[a, b] for a, b in pairwise(path))
        found[path] = total.detach()
    return found


def test_total_marginals_and_best_path_are_those_of_all_sequences(chain: Any) -> None:
    """Sentences of different length in one batch; what is filled up counts for nothing."""
    scores = torch.randn(2, TOKENS, CODES, dtype=torch.float64)
    mask = torch.tensor([[True] * TOKENS, [True, True, False]])
    totals, marginals = chain.log_total(scores, mask), chain.marginals(scores, mask)
    best = chain.best(scores, mask)

    for k, tokens in enumerate((TOKENS, 2)):
        every = written_out(chain, scores[k, :tokens])
        total = torch.logsumexp(torch.stack(list(every.values())), dim=0)
        torch.testing.assert_close(totals[k], total, atol=1e-6, rtol=0)
        assert tuple(best[k, :tokens].tolist()) == max(every, key=lambda path: float(every[path]))
        for t in range(tokens):
            for code in range(CODES):
                here = [v for path, v in every.items() if path[t] == code]
                chance = torch.exp(torch.stack(here) - total).sum() if here else 0.0
                assert float(marginals[k, t, code]) == pytest.approx(float(chance), abs=1e-6)


def test_the_loss_is_minus_the_log_probability(chain: Any) -> None:
    """Of a path that is possible."""
    scores = torch.randn(1, TOKENS, CODES, dtype=torch.float64)
    mask, path = torch.ones(1, TOKENS, dtype=torch.bool), (1, 2, 3)
    every = written_out(chain, scores[0])
    total = torch.logsumexp(torch.stack(list(every.values())), dim=0)

    loss = chain.loss(scores, torch.tensor([path]), mask)
    torch.testing.assert_close(loss[0], total - every[path], atol=1e-6, rtol=0)
