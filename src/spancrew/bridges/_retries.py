"""Requests to a platform that is busy or away: when they are sent again, and when never."""

from collections.abc import Callable
from typing import TypeVar

from spancrew.calling import Retries
from spancrew.errors import PlatformError, UncertainPaymentError

T = TypeVar("T")
_LONGEST = 30.0


class NotDoneError(Exception):
    """A request that the platform did not carry out; it may be sent again ``after`` seconds."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


class LostError(Exception):
    """A request without an answer: it may have been carried out."""


def persist(
    attempt: Callable[[], T], retries: Retries, platform: str, *, harmless: bool = True
) -> T:
    """Send a request until it is answered; one that is not ``harmless`` never after it got lost.

    Waits grow from one second to thirty; a platform that names a time gets it.
    """
    waited, wait = 0.0, 1.0
    while True:
        try:
            return attempt()
        except LostError as error:
            if not harmless:
                raise UncertainPaymentError(
                    f"{platform} did not answer ({error}): nobody knows whether it was done"
                ) from None
            problem, asked = str(error), 0.0
        except NotDoneError as error:
            problem, asked = str(error), error.after
        if waited + asked >= retries.patience:
            raise PlatformError(f"{platform} cannot be reached now ({problem}): try again later")
        pause = max(asked, wait * retries.rng.uniform(0.7, 1.3))
        retries.pause(pause)
        waited, wait = waited + pause, min(2 * wait, _LONGEST)
