"""A linear chain over codes in which I follows only B and I of its own label."""

import torch
from torch import Tensor, nn

_NEVER = -1e4
"""The score of a move that no spans can make; infinity would make gradients undefined."""


def forbidden_moves(codes: int) -> tuple[Tensor, Tensor]:
    """Tell which codes cannot come first, and which cannot follow which (before x after)."""
    before, after = torch.arange(codes)[:, None], torch.arange(codes)[None, :]
    is_inside = (after > 0) & (after % 2 == 0)
    return is_inside[0], is_inside & (before != after) & (before != after - 1)


class ChainLayer(nn.Module):
    """Scores of moves from code to code; ``scores`` are batch x tokens x codes.

    ``mask`` is true for the tokens of a sentence; the first is always one.
    """

    def __init__(self, codes: int) -> None:
        super().__init__()
        self.first = nn.Parameter(torch.zeros(codes))
        self.move = nn.Parameter(torch.zeros(codes, codes))
        start, follow = forbidden_moves(codes)
        self.register_buffer("no_start", start)
        self.register_buffer("no_move", follow)

    def weights(self) -> tuple[Tensor, Tensor]:
        """Return the scores of first codes and of moves, the impossible ones very low."""
        first = self.first.masked_fill(self.no_start, _NEVER)
        return first, self.move.masked_fill(self.no_move, _NEVER)

    def loss(self, scores: Tensor, codes: Tensor, mask: Tensor) -> Tensor:
        """Return minus the log-probability of the codes of every sentence."""
        return self.log_total(scores, mask) - self.path_score(scores, codes, mask)

    def log_total(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the logarithm of the sum over all paths."""
        first, move = self.weights()
        # Taken apart at once: the slope of a slice fills an array of the size of the whole.
        start, *others = scores.unbind(dim=1)
        ahead = first + start
        for here, is_token in zip(others, mask[:, 1:, None].unbind(dim=1), strict=True):
            onward = torch.logsumexp(ahead[:, :, None] + move, dim=1) + here
            ahead = torch.where(is_token, onward, ahead)
        return torch.logsumexp(ahead, dim=1)

    def path_score(self, scores: Tensor, codes: Tensor, mask: Tensor) -> Tensor:
        """Return the score of one path for every sentence."""
        first, move = self.weights()
        own = scores.gather(2, codes[:, :, None])[:, :, 0] * mask
        moves = move[codes[:, :-1], codes[:, 1:]] * mask[:, 1:]
        return first[codes[:, 0]] + own.sum(dim=1) + moves.sum(dim=1)

    def marginals(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the probability of every code at every token: the slope of the log-total."""
        given = scores.detach().requires_grad_()
        with torch.enable_grad():
            (slope,) = torch.autograd.grad(self.log_total(given, mask).sum(), given)
        return slope

    def best(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return the likeliest codes; those after the end of a sentence mean nothing."""
        first, move = self.weights()
        ahead, back = first + scores[:, 0], []
        stay = torch.arange(scores.shape[2]).expand(len(scores), -1)
        for t in range(1, scores.shape[1]):
            most, came = (ahead[:, :, None] + move).max(dim=1)
            ahead = torch.where(mask[:, t, None], most + scores[:, t], ahead)
            back.append(torch.where(mask[:, t, None], came, stay))
        code = ahead.argmax(dim=1)
        path = [code]
        for came in reversed(back):
            code = came.gather(1, code[:, None])[:, 0]
            path.append(code)
        return torch.stack(path[::-1], dim=1)
