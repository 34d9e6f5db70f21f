"""What is to be rehearsed, on its way to the process that does it."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_FILE = "job.json"


@dataclass(frozen=True, slots=True)
class Job:
    """A plan on data, so many times; ``data`` is a path or the name of a bundled data set."""

    data: str
    format: str | None
    plan: Mapping[str, Any]
    runs: int
    skill: float | None


def keep_job(job: Job, folder: Path) -> None:
    """Leave a job in a folder, with the process that wants it done."""
    record = {"job": asdict(job), "parent": os.getpid()}
    (folder / _FILE).write_text(json.dumps(record), "utf-8")


def kept_job(folder: Path) -> tuple[Job, int]:
    """Return the job of a folder, and the process with which it ends."""
    record = json.loads((folder / _FILE).read_text("utf-8"))
    return Job(**record["job"]), int(record["parent"])
