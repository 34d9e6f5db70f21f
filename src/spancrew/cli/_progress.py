"""A progress bar that shows up only when something takes longer than two seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 2.0


class ProgressBar:
    """What is being done and how far it is."""

    def __init__(self, progress: "Progress", task: "TaskID") -> None:
        self._progress = progress
        self._task = task

    def phase(self, what: str) -> None:
        """Say what is being done now; how long it takes is not known."""
        self._progress.update(self._task, description=what, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Say how far it is."""
        self._progress.update(self._task, completed=done, total=total)


@contextmanager
def progress_bar(what: str) -> Iterator[ProgressBar]:
    """Show a progress bar on the terminal's error output if the work takes long."""
    from rich import progress as parts
    from rich.console import Console

    console = Console(stderr=True)
    progress = parts.Progress(
        parts.SpinnerColumn(),
        parts.TextColumn("{task.description}"),
        parts.BarColumn(),
        parts.TimeElapsedColumn(),
        parts.TextColumn("remaining"),
        parts.TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = progress.add_task(what, total=None)
    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    if console.is_terminal:
        timer.start()
    try:
        yield ProgressBar(progress, task)
    finally:
        timer.cancel()
        if progress.live.is_started:
            progress.stop()
