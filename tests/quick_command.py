"""The command line in a process that starts quickly."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from spancrew.cli import main
from tests.killing.wrong_clock.sitecustomize import set_wrong
from tests.leashed import end_with


def run(words: list[str], environment: Mapping[str, str], out: Path, log: Path) -> None:
    """Run a command in a group of processes of its own; what it prints goes to files."""
    os.setsid()
    end_with(os.getppid())
    for path, stream in ((out, 1), (log, 2)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.environ.clear()
    os.environ.update(environment)
    if wrong := environment.get("WRONG_CLOCK"):
        set_wrong(Path(wrong))
    sys.argv = ["spancrew", *words]
    main()
