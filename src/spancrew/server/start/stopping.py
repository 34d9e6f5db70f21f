"""Whether the server was told to stop: long answers end then, instead of holding it up."""

import signal


def is_stopping() -> bool:
    """Tell whether the process serves no longer; it drains, and waits for answers to end."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    return bool(getattr(server, "should_exit", False))
