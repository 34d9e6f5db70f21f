"""A server that is asked over HTTP: retries, time limits, and what each request may cost."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from spancrew.calling import certificates, needed, reason_of, seconds_of, secret
from spancrew.core import parse_json
from spancrew.errors import MemberError
from spancrew.members._journal import AnswerJournal
from spancrew.members._pacing import Pacer
from spancrew.members._settings import KEY, MemberSettings

_SHORTEST, _LONGEST = 0.5, 40.0
"""Seconds of the first and of the last wait, each twice as long as the one before it."""

_HERE = frozenset({"127.0.0.1", "::1", "localhost"})


class RefusedRequestError(MemberError):
    """A request that the server does not carry out, however often it is sent."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class _NoReply(NamedTuple):
    """Why there is no reply; a request that ``is_lost`` may have been carried out, and paid."""

    why: str
    is_lost: bool
    after: float = 0.0


class Call(NamedTuple):
    """A request: the same ``key`` is never paid for twice once its reply is there.

    ``most`` is the highest price, ``price_of`` the real one by the reply.
    """

    key: str
    body: dict[str, Any]
    most: float
    price_of: Callable[[Any], float]


@dataclass
class Endpoint:
    """An address that takes JSON and replies with JSON.

    A key goes along if the environment has one; it is never written anywhere.
    """

    url: str
    settings: MemberSettings
    rng: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        """Open no connection yet; refuse an address that a key must not be sent to."""
        self._httpx = needed("httpx", "llm")
        self._key = _key()
        self._http = self._httpx.Client(
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            timeout=self.settings.timeout,
            verify=certificates(),
            # On a connection that is kept, the other side may hang up just when we pay.
            limits=self._httpx.Limits(max_keepalive_connections=0),
        )
        self.pacer = Pacer(self.settings.per_minute)
        _refuse_address(self.url, has_key=bool(self._key))

    @property
    def journal(self) -> AnswerJournal:
        """Return where requests and replies are noted."""
        return self.settings.journal

    def ask(self, call: Call) -> Any:
        """Return the reply, which may be that of an earlier run; try for as long as allowed."""
        if (kept := self.journal.reply(call.key)) is not None:
            return kept
        waited, wait = 0.0, _SHORTEST
        while isinstance(found := self._paid(call), _NoReply):
            if wait > _LONGEST or waited + found.after >= self.settings.patience:
                raise MemberError(f"{self.url} gives no answer ({found.why}): try again later")
            pause = max(found.after, wait * self.rng.uniform(0.7, 1.3))
            self.pacer.rest(pause)
            waited, wait = waited + pause, 2 * wait
        return found

    def _paid(self, call: Call) -> Any:
        """Send a request once, and note what it cost; a reply that got lost costs the most."""
        self.pacer.take_turn()
        self.journal.send(call.key, call.most)
        try:
            found = self._reply(call)
        except RefusedRequestError:
            self.journal.settle(call.key, 0.0)
            raise
        if isinstance(found, _NoReply):
            self.journal.settle(call.key, call.most if found.is_lost else 0.0)
        else:
            self.journal.settle(call.key, call.price_of(found), found)
        return found

    def _reply(self, call: Call) -> Any:
        # A request that an earlier run did not see the end of has the same name again.
        once = f"{call.key}-{self.journal.failures(call.key)}"
        try:
            reply = self._http.post(self.url, json=call.body, headers={"Idempotency-Key": once})
        except (self._httpx.ConnectError, self._httpx.ConnectTimeout) as error:
            return _NoReply(str(error) or "no connection", is_lost=False)
        except self._httpx.TransportError as error:
            return _NoReply(str(error) or type(error).__name__, is_lost=True)
        if reply.status_code == 429:
            after = seconds_of(reply.headers.get("Retry-After"))
            return _NoReply("too many requests", is_lost=False, after=after)
        if reply.status_code >= 500:
            after = seconds_of(reply.headers.get("Retry-After"))
            return _NoReply(f"HTTP status {reply.status_code}", is_lost=True, after=after)
        if not reply.is_success:
            raise RefusedRequestError(self._refusal(reply), reply.status_code)
        try:
            return parse_json(reply.text)
        except ValueError:
            return _NoReply("a reply that is not whole", is_lost=True)

    def _refusal(self, reply: Any) -> str:
        said = reason_of(reply)
        if self._key:
            said = said.replace(self._key, "***")
        hint = f"; is {KEY} right?" if reply.status_code in {401, 403} else ""
        return f"{self.url} refuses (HTTP status {reply.status_code}): {said}{hint}"


def _key() -> str:
    return secret(KEY, "", MemberError) if os.environ.get(KEY, "").strip() else ""


def _refuse_address(url: str, *, has_key: bool) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise MemberError(f"{url!r} is no address: it begins with http:// or https://")
    if parts.username or parts.password:
        raise MemberError(f"the address of a model has no password in it: put it into {KEY}")
    if has_key and parts.scheme == "http" and parts.hostname not in _HERE:
        raise MemberError(f"{url!r} is no https address: {KEY} would be sent in the clear")
