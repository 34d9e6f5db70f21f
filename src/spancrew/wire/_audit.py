"""The audit log: what admins did."""

from typing import Any, Literal

from spancrew.wire._base import Wire


class AuditEntryView(Wire):
    """What somebody did, or tried to; ``status`` is the answer, null if nobody knows it.

    ``name`` is what the person is called now, null once erased; it is no part of the hash.
    """

    id: int
    at: float
    person: int | None
    name: str | None
    role: str
    via: Literal["session", "token", "link", "password", "team", "server"]
    credential: int | None
    action: str
    campaign: str | None
    target: str | None
    address: str
    agent: str
    status: int | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    hash: str


class AuditView(Wire):
    """Some entries; ``more`` tells whether there are others beyond the last one."""

    entries: tuple[AuditEntryView, ...]
    more: bool


class AuditCheckView(Wire):
    """Whether the log is whole: how many entries are good, the last hash, what is wrong."""

    entries: int
    hash: str
    problem: str | None
