"""The form of a consensus method that suits the kind of the answers."""

from typing import Protocol, runtime_checkable

from spancrew.consensus._base import Consensus
from spancrew.consensus._ordinal import Ordinal
from spancrew.consensus._registry import consensus_methods, consensus_name
from spancrew.core import Kind
from spancrew.errors import KindError


@runtime_checkable
class ServesChoices(Protocol):
    """A consensus method that has a form for choices."""

    def for_choices(self) -> Consensus:
        """Return the form of the method that joins choices."""


def suited_to(method: Consensus, kind: Kind) -> Consensus:
    """Return the form of a method that joins answers of a kind; refuse one for the other kind."""
    if kind == "choices" and isinstance(method, ServesChoices):
        return method.for_choices()
    if kind == "spans" and not isinstance(method, Ordinal):
        return method
    joins = "spans" if kind == "choices" else "choices"
    raise KindError(
        f"the method {consensus_name(method)!r} joins {joins}, and the data has {kind}; use "
        f"{', '.join(methods_for(kind))}"
    )


def methods_for(kind: Kind) -> list[str]:
    """Return the names of the methods that join answers of a kind.

    >>> "bsc" in methods_for("choices"), "ordinal" in methods_for("spans")
    (False, False)
    """
    return sorted(
        name
        for name, each in consensus_methods().items()
        if (hasattr(each, "for_choices") if kind == "choices" else not issubclass(each, Ordinal))
    )
