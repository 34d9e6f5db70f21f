"""A clock for other processes that is set back and forth, as one that is corrected would be."""

import os
import struct
from pathlib import Path
from random import Random

_FOLDER = Path(__file__).parent / "wrong_clock"
_JUMPS = (0.5, 20.0, 3_600.0, 86_400.0)
"""How wrong the clock may be, in seconds: a correction over the network, up to a wrong date."""


class WrongClock:
    """The clock of all processes that are started with its ``environment``."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "clock"
        self._path.write_bytes(struct.pack("d", 0.0))
        self.jumps = 0

    @property
    def environment(self) -> dict[str, str]:
        """Return what a process needs to be told, so that it uses this clock."""
        paths = [str(_FOLDER), os.environ.get("PYTHONPATH", "")]
        return {"WRONG_CLOCK": str(self._path), "PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def jump(self, dice: Random) -> None:
        """Set it wrong, forwards or back."""
        self._set(dice.choice(_JUMPS) * dice.uniform(-1.0, 1.0))
        self.jumps += 1

    def correct(self) -> None:
        """Set it right."""
        self._set(0.0)

    def _set(self, seconds: float) -> None:
        with self._path.open("r+b") as file:
            file.write(struct.pack("d", seconds))
