"""Where tests keep compiled kernels; run as a script, it prints the folder."""

import hashlib
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_ROOMS_WITH_KERNELS = (
    "core",
    "metrics",
    "tagger",
    "consensus",
    "policies",
    "feedback",
    "augment",
    "crowds",
    "simulate",
    "experiments",
)


def kernel_folder() -> Path:
    """Return a folder for compiled kernels that no change of the sources can make stale.

    numba looks only at the file of the outermost kernel; those it calls may have changed. Rooms
    without kernels do not count, so that a change of a page compiles nothing again.
    """
    digest = hashlib.sha256()
    for room in _ROOMS_WITH_KERNELS:
        for path in sorted((_ROOT / "src" / "spancrew" / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return _ROOT / ".venv" / "kernels" / digest.hexdigest()[:16]


if __name__ == "__main__":
    print(kernel_folder())  # noqa: T201  for the Makefile
