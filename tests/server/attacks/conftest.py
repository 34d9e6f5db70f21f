"""One server for all attempts, with a campaign that runs."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.attacks.premises import Premises, premises_of
from tests.server.conftest import Visitor, create, invite
from tests.spread import often

SCRIPT = "<script>alert(1)</script>"


_ONE_OR_TWO = [1, pytest.param(2, marks=pytest.mark.slow)]
_BY_ANY_PROCESS = often({"test_nesting", "test_uploads"}, set[str]())
"""Attacks that a process refuses whatever others know."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Attack a server with two processes where it matters what each of them knows."""
    if "place" in metafunc.fixturenames:
        is_for_any = metafunc.module.__name__.rpartition(".")[2] in _BY_ANY_PROCESS
        metafunc.parametrize(
            "place",
            [1] if is_for_any else _ONE_OR_TWO,
            indirect=True,
            ids="processes={}".format,
            scope="package",
        )


@pytest.fixture(scope="package")
def place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Premises]:
    """Yield a server with one process or with two."""
    with premises_of(tmp_path_factory.mktemp("attacks"), request.param) as made:
        yield made


@pytest.fixture(scope="package")
def admin(place: Premises) -> Visitor:
    """Return an admin."""
    return place.admin


@pytest.fixture(scope="package")
def campaign(place: Premises, admin: Visitor) -> str:
    """Return a campaign that runs."""
    made = create(admin, place.folder, sentences=60)
    admin.ok("POST", f"/campaigns/{made}/start")
    return made


@pytest.fixture(scope="package")
def worker(admin: Visitor, campaign: str) -> Visitor:
    """Return a worker of the campaign."""
    return invite(admin, campaign)


def work_of(worker: Visitor, campaign: str) -> dict[str, Any]:
    """Return the assignment of a worker."""
    work: dict[str, Any] = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
    return work
