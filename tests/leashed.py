"""Become another program that cannot outlive the process that started it.

Run as a script, with the id of that process and then the words of the command. However the tests
end, and be it by SIGKILL, nothing that they have started stays behind.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ask for SIGKILL at the death of the parent, and start the command in this process."""
    parent, *words = sys.argv[1:]
    end_with(int(parent))
    os.execv(words[0], words)  # noqa: S606  the words of a test


def end_with(parent: int) -> None:
    """Let this process be killed when its parent dies; SIGINT ends it even if it was ignored."""
    # Whoever runs the tests in the background may have told everybody to ignore SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("whoever started this has gone")


if __name__ == "__main__":
    main()
