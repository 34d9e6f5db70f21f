"""Consensus methods by name."""

from collections.abc import Mapping
from typing import Any

from spancrew.consensus._base import Consensus
from spancrew.core import from_spec, registered, spec_of

_GROUP, _KIND = "spancrew.consensus", "consensus"


def consensus_methods() -> dict[str, type[Consensus]]:
    """Return the class of every installed consensus method by name."""
    return dict(registered(_GROUP))


def consensus_method(spec: str | Mapping[str, Any]) -> Consensus:
    """Return the consensus method that a text or a mapping describes.

    >>> consensus_method("mv:ties=first") == consensus_method({"consensus": "mv", "ties": "first"})
    True
    """
    return from_spec(spec, _KIND, consensus_methods())


def consensus_name(method: Consensus) -> str:
    """Return the text that describes a method, without options that are at their default.

    >>> from spancrew.consensus import MajorityVote
    >>> consensus_name(MajorityVote("first")), consensus_name(MajorityVote())
    ('mv:ties=first', 'mv')
    """
    return spec_of(method, consensus_methods())
