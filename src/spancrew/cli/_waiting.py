"""A progress bar that shows up only when something takes longer than two seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

PATIENCE = 2.0


class Waiting:
    """What is being done and how far it is."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def phase(self, what: str) -> None:
        """Say what is being done now; how long it takes is not known."""
        self._progress.update(self._task, description=what, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Say how far it is."""
        self._progress.update(self._task, completed=done, total=total)


@contextmanager
def waiting(what: str) -> Iterator[Waiting]:
    """Show a progress bar on the terminal's error output if the work takes its time."""
    console = Console(stderr=True)
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("remaining"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = progress.add_task(what, total=None)
    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    if console.is_terminal:
        timer.start()
    try:
        yield Waiting(progress, task)
    finally:
        timer.cancel()
        if progress.live.is_started:
            progress.stop()
