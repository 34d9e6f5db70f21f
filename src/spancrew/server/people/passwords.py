"""Passwords: argon2, in threads, as slow for names that nobody has as for those somebody has."""

from asyncio import Semaphore

from anyio import to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_AT_ONCE = 2
"""Hashes that are computed at a time; each takes 64 MB, which strangers could ask for."""


class Passwords:
    """Hashes and checks passwords off the event loop."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._nobody: str | None = None
        self._turns = Semaphore(_AT_ONCE)

    async def hashed(self, password: str) -> str:
        """Return what is kept of a password."""
        async with self._turns:
            return await to_thread.run_sync(self._hasher.hash, password)

    async def fits(self, known: str | None, password: str) -> bool:
        """Tell whether a password is the one whose hash is known; without one, none fits."""
        async with self._turns:
            return await to_thread.run_sync(self._fits, known, password)

    def _fits(self, known: str | None, password: str) -> bool:
        if known is None:
            self._nobody = self._nobody or self._hasher.hash("nobody has this password")
        try:
            return self._hasher.verify(known or self._nobody or "", password) and known is not None
        except (VerificationError, InvalidHashError):
            return False
