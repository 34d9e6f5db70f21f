"""One server for all attempts, with a campaign that runs."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.attacks.premises import PROCESSES, Premises, premises_of
from tests.server.conftest import Visitor, create, invite

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="package", params=PROCESSES, ids="processes={}".format)
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
