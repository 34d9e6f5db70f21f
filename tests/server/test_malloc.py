"""Memory of large arrays goes back to the machine, so that a server does not grow for ever."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="not the GNU C library"
)

LEARNED, HELD = 20_000_000, 1_000_000
"""An array that is freed, by which the library learns to keep such sizes; and the next one."""

CODE = f"""
import ctypes
import os
import sys
from spancrew.server import app_from_environment

class Malloc(ctypes.Structure):
    _fields_ = [(f"field{{k}}", ctypes.c_size_t) for k in range(10)]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Malloc

def lent():
    return libc.mallinfo2().field4

if sys.argv[1] == "server":
    app_from_environment({{"SPANCREW_STORE": "sqlite:///" + sys.argv[2]}})
large = bytearray({LEARNED})
del large

def lent_for_one():
    before = lent()
    held = bytearray({HELD})
    return lent() - before

# A thread of the server may free an array of its own between two looks; not each time.
print(max(lent_for_one() for _ in range(21)), flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("who", ["server", "nobody"])
def test_large_arrays_are_on_loan_for_one_use(who: str, tmp_path: Path) -> None:
    """Without this, memory of one that was freed is kept for the next, in ever more pieces."""
    words = [sys.executable, "-c", CODE, who, str(tmp_path / "store.db")]
    # Nothing is compiled meanwhile, which would use memory, too.
    known = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    found = subprocess.run(words, check=True, capture_output=True, text=True, env=known)  # noqa: S603

    assert int(found.stdout) >= HELD if who == "server" else int(found.stdout) == 0
