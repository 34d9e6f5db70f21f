"""What the server can be told: its settings, its clock, and how often somebody calls."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from spancrew.errors import SpancrewError
from spancrew.server.alerts.limits import AlertLimits

Clock = Callable[[], float]
"""Returns the time in seconds since 1970, UTC."""


def real_clock() -> float:
    """Return the time now."""
    return time.time()  # noqa: TID251  the real clock


@dataclass(frozen=True, slots=True)
class Rate:
    """How many calls a second are allowed in the long run, and how many at once."""

    per_second: float
    burst: int


class Buckets:
    """A bucket per caller, in the memory of this process; those unused longest are forgotten."""

    def __init__(self, rate: Rate, *, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, who: Hashable, now: float) -> float:
        """Return 0 if the call may go on, else in how many seconds it may.

        >>> buckets = Buckets(Rate(per_second=0.5, burst=1))
        >>> buckets.take("me", now=0.0), buckets.take("me", now=0.0), buckets.take("me", now=2.0)
        (0.0, 2.0, 0.0)
        """
        rate = self._rate
        level, before = self._levels.pop(who, (float(rate.burst), now))
        level = min(rate.burst, level + max(now - before, 0.0) * rate.per_second)
        wait = 0.0 if level >= 1 else (1 - level) / rate.per_second
        self._levels[who] = (level if wait else level - 1, now)
        if len(self._levels) > self._most:
            self._levels.popitem(last=False)
        return wait


class Recently:
    """What happened lately, in the memory of this process; of very much, the oldest is forgotten.

    >>> looks = Recently(seconds=900)
    >>> looks.add("workers", now=0.0)
    >>> looks.has("workers", now=899.0), looks.has("workers", now=900.0)
    (True, False)
    >>> looks.has("workers", now=-3600.0)  # the clock was set back
    False
    """

    def __init__(self, seconds: float, *, most: int = 10_000) -> None:
        self._seconds = seconds
        self._most = most
        self._times: OrderedDict[Hashable, float] = OrderedDict()

    def has(self, what: Hashable, now: float) -> bool:
        """Tell whether something happened lately."""
        return 0 <= now - self._times.get(what, -self._seconds) < self._seconds

    def add(self, what: Hashable, now: float) -> None:
        """Note that something happened."""
        self._times[what] = now
        self._times.move_to_end(what)
        if len(self._times) > self._most:
            self._times.popitem(last=False)


@dataclass(frozen=True, slots=True)
class IdentitySettings:
    """The identity provider of a team, and what this server is called there."""

    issuer: str
    client: str
    secret: str = field(repr=False)


def identity_from(environment: Mapping[str, str]) -> IdentitySettings | None:
    """Return the provider that the environment names, None if it names none."""
    names = ("SPANCREW_OIDC_ISSUER", "SPANCREW_OIDC_CLIENT", "SPANCREW_OIDC_SECRET")
    values = [environment.get(name, "") for name in names]
    if not any(values):
        return None
    if missing := [name for name, value in zip(names, values, strict=True) if not value]:
        raise SpancrewError(f"sign-in by a team needs {', '.join(missing)}, too")
    return IdentitySettings(*values)


MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """How the server treats those who call it.

    ``public_url`` is the address that browsers use, such as ``https://crew.example``; without it,
    the address of each request counts. Cookies are ``secure`` if that address begins with https;
    ``secure`` overrides that. ``hook_hours`` is how long a webhook is tried; ``private_hooks``
    lets webhooks go to private addresses and to plain http. ``open_metrics`` shows /metrics to
    all. At most ``rehearsals`` run at a time in each process, none of them longer than
    ``rehearsal_seconds``; the search for a plan may take three times as long.
    ``alerts`` says when to raise an alert, which is looked at every ``alert_seconds``.
    ``identity`` lets people sign in by the provider of their team.
    Hashing a password takes ``password_kibibytes`` of memory, which makes guessing expensive.
    A live stream ends after ``stream_seconds``; browsers then open it again by themselves.
    """

    public_url: str | None = None
    secure: bool | None = None
    session_days: float = 14.0
    body_limit: int = MEGABYTE
    upload_limit: int = 100 * MEGABYTE
    request_rate: Rate = field(default_factory=lambda: Rate(100.0, 500))
    sign_in_rate: Rate = field(default_factory=lambda: Rate(5.0, 300))
    password_rate: Rate = field(default_factory=lambda: Rate(0.2, 10))
    password_kibibytes: int = 65_536
    stream_rate: Rate = field(default_factory=lambda: Rate(1.0, 30))
    stream_seconds: float = 3600.0
    hook_hours: float = 24.0
    hook_timeout: float = 10.0
    hook_poll: float = 1.0
    private_hooks: bool = False
    open_metrics: bool = False
    alerts: AlertLimits = field(default_factory=AlertLimits)
    alert_seconds: float = 60.0
    rehearsals: int = 2
    rehearsal_seconds: float = 600.0
    identity: IdentitySettings | None = None
    clock: Clock = real_clock

    def __post_init__(self) -> None:
        """Refuse an address that no browser could use."""
        if self.public_url is None:
            if self.identity is not None:
                raise SpancrewError(
                    "sign-in by a team needs --public-url, to which the provider sends people back"
                )
            return
        parts = urlsplit(self.public_url)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            raise SpancrewError(
                f"public URL {self.public_url!r}: write it as https://crew.example"
            )

    @property
    def origin(self) -> str | None:
        """Return scheme and host of the public address; None if it is not set."""
        if self.public_url is None:
            return None
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower()

    def is_secure(self, scheme: str) -> bool:
        """Tell whether cookies go over https only, for a request that came by a scheme."""
        if self.secure is not None:
            return self.secure
        return (self.origin or f"{scheme}://").startswith("https://")
