"""The memory of a real server does not grow with the campaigns that it has."""

import os
from pathlib import Path

import pytest
from benchmarks.memory import resident

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason=f"no /proc on {os.name}"),
]


def test_many_campaigns_take_little_memory() -> None:
    """All of them were opened once; more than a process holds at a time."""
    assert resident(200, 3) < 600.0
