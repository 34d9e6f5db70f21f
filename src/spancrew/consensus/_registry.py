"""Consensus methods by name."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from spancrew.consensus._base import Consensus
from spancrew.consensus._members import Tagger, WithMembers
from spancrew.core import from_spec, refuse_unnamed, registered, spec_of

_GROUP, _KIND = "spancrew.consensus", "consensus"
_MEMBERS = {"tagger": Tagger}
_PLUS = re.compile(r"\+(?=[a-z])")
"""Between a method and who joins the people; there is a plus in numbers such as 1e+3, too."""


def consensus_methods() -> dict[str, type[Consensus]]:
    """Return the class of every installed consensus method by name."""
    return dict(registered(_GROUP))


def consensus_method(spec: str | Mapping[str, Any]) -> Consensus:
    """Return the consensus method that a text or a mapping describes.

    ``auto+tagger`` is ``auto`` with a tagger beside the people.

    >>> consensus_method("mv:ties=first") == consensus_method({"consensus": "mv", "ties": "first"})
    True
    """
    if not isinstance(spec, str):
        return from_spec(spec, _KIND, consensus_methods())
    name, *members = _PLUS.split(spec)
    return with_members(from_spec(name, _KIND, consensus_methods()), members)


def with_members(method: Consensus, members: Sequence[str]) -> Consensus:
    """Return a method that hears members beside the people, such as ``tagger:rounds=6``.

    >>> consensus_name(with_members(consensus_method("mv"), ["tagger"]))
    'mv+tagger'
    """
    if not members:
        return method
    taggers = tuple(from_spec(each, "member", _MEMBERS) for each in members)
    if isinstance(method, WithMembers):
        return WithMembers(method.method, method.taggers + taggers)
    return WithMembers(method, taggers)


def members_of(method: Consensus) -> list[str]:
    """Return the names of the members that a method hears beside the people."""
    taggers = method.taggers if isinstance(method, WithMembers) else ()
    return [spec_of(each, _MEMBERS) for each in taggers]


def consensus_name(method: Consensus) -> str:
    """Return the text that describes a method, without options that are at their default.

    >>> from spancrew.consensus import MajorityVote
    >>> consensus_name(MajorityVote("first")), consensus_name(MajorityVote())
    ('mv:ties=first', 'mv')
    """
    if isinstance(method, WithMembers):
        return "+".join([consensus_name(method.method), *members_of(method)])
    return spec_of(method, consensus_methods())


def refuse_unnamed_method(method: Consensus) -> None:
    """Refuse a method that cannot be made from its own name again, as a journal needs it."""
    alone = method.method if isinstance(method, WithMembers) else method
    refuse_unnamed(alone, _KIND, consensus_methods())
