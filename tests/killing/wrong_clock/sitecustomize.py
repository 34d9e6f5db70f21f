"""Let ``time.time`` be some seconds wrong; Python imports this file before any program.

The file that WRONG_CLOCK names holds the seconds, as a float of eight bytes. It can be changed at
any time, and all processes see it at once.
"""

import mmap
import os
import struct
import time
from pathlib import Path


def set_wrong(path: Path) -> None:
    """Replace the clock of this process."""
    right = time.time  # noqa: TID251  the real clock
    with path.open("rb") as file:
        shared = mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)

    def wrong() -> float:
        return right() + float(struct.unpack("d", shared[:8])[0])

    time.time = wrong  # noqa: TID251


if "WRONG_CLOCK" in os.environ:
    set_wrong(Path(os.environ["WRONG_CLOCK"]))
