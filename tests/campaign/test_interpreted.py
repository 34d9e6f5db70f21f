"""Kernels mean what they say: compiled or read line by line, a campaign takes the same decisions.

Read line by line, Python checks every index and numpy every overflow, which a compiler does not.
"""

import json
import os
import subprocess
import sys

import pytest

from spancrew.cli._demo_campaign import PLAN
from tests.campaign.interpreted_run import journal

PLANS = [
    PLAN,
    {"answers": 3, "crew": 10},
    {"answers": 3, "crew": 10, "policy": "kl-ucb", "feedback": "gate", "consensus": "ds"},
]
# The numbers of a stream wrap around on purpose.
_WRAP = [f"-Wignore::RuntimeWarning:spancrew.core.{name}" for name in ("_stream", "_chance")]


@pytest.mark.slow
def test_interpreted_kernels_take_the_same_decisions() -> None:
    """The journals are the same to the last digit, whoever runs the loops."""
    words = [sys.executable, "-Werror::RuntimeWarning", *_WRAP]
    words += ["-m", "tests.campaign.interpreted_run", json.dumps(PLANS)]
    done = subprocess.run(  # noqa: S603  our own program
        words, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert json.loads(done.stdout) == [journal(plan) for plan in PLANS]
