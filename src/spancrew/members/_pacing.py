"""When a request may be sent: not too many a minute, and none while a server asks for a rest."""

import time
from collections.abc import Callable
from threading import Lock


class Pacer:
    """Gives requests of several threads their turns; ``clock`` and ``pause`` are in seconds."""

    def __init__(
        self,
        per_minute: float | None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._gap = 0.0 if per_minute is None else 60.0 / per_minute
        self._clock, self._pause = clock, pause
        self._lock = Lock()
        self._next = clock()

    def take_turn(self) -> None:
        """Wait until a request may be sent."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._next)
            self._next = turn + self._gap
        if turn > now:
            self._pause(turn - now)

    def rest(self, seconds: float) -> None:
        """Let all requests wait for some seconds."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)
