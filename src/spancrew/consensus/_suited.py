"""The form of a consensus method that suits the kind of the answers."""

from typing import Protocol, runtime_checkable

from spancrew.consensus._base import Consensus
from spancrew.consensus._registry import consensus_methods, consensus_name
from spancrew.core import Kind
from spancrew.errors import KindError


@runtime_checkable
class ServesChoices(Protocol):
    """A consensus method that has a form for choices."""

    def for_choices(self) -> Consensus:
        """Return the form of the method that joins choices."""


def suited_to(method: Consensus, kind: Kind) -> Consensus:
    """Return the form of a method that joins answers of a kind; refuse a method for spans only."""
    if kind == "spans":
        return method
    if isinstance(method, ServesChoices):
        return method.for_choices()
    fit = [name for name, each in consensus_methods().items() if hasattr(each, "for_choices")]
    raise KindError(
        f"the method {consensus_name(method)!r} joins spans, and the data has choices; use "
        f"{', '.join(sorted(fit))}"
    )
