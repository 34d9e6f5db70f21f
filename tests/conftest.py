"""Fixtures for all tests."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests.postgres import Postgres, running_postgres
from tests.spread import often

ROOT = Path(__file__).resolve().parent.parent

# Where nothing is compiled yet and all cores are busy, a first request may wait for long.
os.environ.setdefault("SPANCREW_WARM_SECONDS", "600")
# Tests run on all cores already. Where a test does not ask for processes, there are none beside
# it: to start them and to load everything again takes longer than what they would do.
os.environ.setdefault("LOKY_MAX_CPU_COUNT", "1")

for name, examples, steps in (("quick", often(12, 20), 20), ("fuzz", 200, 50)):
    settings.register_profile(
        name,
        deadline=None,  # the first example compiles a kernel
        max_examples=examples,
        stateful_step_count=steps,
        derandomize=name == "quick",  # the same examples everywhere: red for one, red for all
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("quick")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for doctests in the sources only: there are none here, and looking imports all."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of the real data sets, or skip."""
    folder = Path(os.environ.get("SPANCREW_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder} (set SPANCREW_DATA)")
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL, in which every test makes a place of its own."""
    with running_postgres(durable=False) as server:
        yield server
