"""The process of one rehearsal: reads its job from a folder, writes JSON lines.

It is started as ``python -m spancrew.server.rehearsal.child FOLDER``.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from spancrew.errors import SpancrewError
from spancrew.server.api.errors import answer_of
from spancrew.server.processes import end_with
from spancrew.server.rehearsal.forecast import forecast_of
from spancrew.server.rehearsal.job import Job, kept_job

NICE = 5
"""Those who label come first: a rehearsal takes what they leave of the processor."""


def _write(record: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(record, allow_nan=False) + "\n")
    sys.stdout.flush()


def _say(done: int, of: int, phase: str) -> None:
    _write({"done": done, "of": of, "phase": phase})


def main(job: Job) -> None:
    """Rehearse and write the forecast, or why there is none."""
    try:
        _write({"forecast": forecast_of(job, _say)})
    except SpancrewError as error:
        answer = answer_of(error)
        _write({**json.loads(bytes(answer.body)), "status": answer.status_code})


if __name__ == "__main__":
    given, parent = kept_job(Path(sys.argv[1]))
    end_with(parent)
    os.nice(NICE)
    main(given)
