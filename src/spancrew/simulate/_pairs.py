"""What a frontier compares: ways to join answers, with ways to ask the expert."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from spancrew.consensus import Consensus, consensus_method, consensus_name
from spancrew.simulate._gates import GateName, gate_name

_DEFAULT: tuple[tuple[str, str], ...] = (
    ("mv", "kappa-hindsight"),
    ("mv", "kappa"),
    ("mv", "expected-error"),
    ("span-vote", "expected-error"),
    ("ds", "expected-error"),
    ("span-ds", "expected-error"),
    ("bsc", "expected-error"),
    ("auto", "expected-error"),
    ("auto", "random"),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """How answers are joined, and who decides to ask the expert."""

    consensus: Consensus
    gate: GateName

    @property
    def method(self) -> str:
        """Return the name of the consensus method."""
        return consensus_name(self.consensus)

    @property
    def name(self) -> str:
        """Return both names."""
        return f"{self.method} + {self.gate}"


def pairs_of(methods: Sequence[str] = (), gates: Sequence[str] = ()) -> tuple[Pair, ...]:
    """Return all combinations of the methods and gates of these names.

    Without gates, expected errors decide; without methods, ``auto`` joins the answers. Without
    either: the paper's recipe, every method with its expected errors, and experts at random.

    >>> [pair.name for pair in pairs_of(["mv"], ["kappa", "random"])]
    ['mv + kappa', 'mv + random']
    """
    named = _DEFAULT
    if methods or gates:
        named = tuple(product(methods or ["auto"], gates or ["expected-error"]))
    pairs = [Pair(consensus_method(method), gate_name(gate)) for method, gate in named]
    return tuple({pair.name: pair for pair in pairs}.values())
