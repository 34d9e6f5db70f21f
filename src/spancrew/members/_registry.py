"""Models by the text that names them, such as ``spacy:en_core_web_sm``."""

from collections.abc import Callable
from typing import Any

from spancrew.core import refuse_incomplete, registered
from spancrew.errors import SpancrewError
from spancrew.members._base import Member
from spancrew.members._settings import MemberSettings

MemberKind = Callable[[str, MemberSettings], Member]
"""Makes a model of what stands behind the colon, and of how it is asked."""


def member_kinds() -> dict[str, MemberKind]:
    """Return every installed kind of model by name."""
    kinds: Any = registered("spancrew.members")
    return dict(kinds)


def member_for(spec: str, settings: MemberSettings | None = None) -> Member:
    """Return the model that a text ``kind:which`` names; a plain address is a server's."""
    is_address = spec.strip().startswith(("http://", "https://"))
    kind, colon, which = f"{'http:' * is_address}{spec.strip()}".partition(":")
    kinds = member_kinds()
    if not colon or not which:
        raise SpancrewError(
            f"{spec!r} names no model: write kind:which, as in python:module:function; kinds are "
            + ", ".join(sorted(kinds))
        )
    if kind not in kinds:
        raise SpancrewError(
            f"a model of kind {kind!r} is not known: there are {', '.join(sorted(kinds))}"
        )
    member = kinds[kind](which, settings or MemberSettings())
    refuse_incomplete(member, Member)
    return member
