"""Platforms and servers on this machine, and the secrets that they know."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.bridges import PayoutJournal
from spancrew.client import Client
from tests.bridges.books import Fake
from tests.bridges.mturk import FakeMTurk, mturk
from tests.bridges.potato_desk import Desk
from tests.bridges.prolific import TOKEN, FakeProlific, prolific
from tests.serving import Serving, serving

AWS = {
    "AWS_ACCESS_KEY_ID": "AKIATESTTESTTESTTEST",
    "AWS_SECRET_ACCESS_KEY": "aws-secret-of-the-requester",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/nonexistent/config",
    "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent/credentials",
}


@pytest.fixture(autouse=True)
def secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Set the environment of somebody with accounts on both platforms, and a folder of theirs."""
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    monkeypatch.setenv("SPANCREW_PAYOUTS", str(tmp_path / "payouts"))
    for name, value in AWS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def fake_prolific() -> Iterator[FakeProlific]:
    """Return a Prolific that runs."""
    with prolific() as found:
        yield found


@pytest.fixture
def fake_mturk() -> Iterator[FakeMTurk]:
    """Return an MTurk that runs."""
    with mturk() as found:
        yield found


@pytest.fixture(params=["prolific", "mturk"])
def fake(request: pytest.FixtureRequest) -> Iterator[Fake]:
    """Return a platform that runs: each of the two."""
    with prolific() if request.param == "prolific" else mturk() as found:
        yield found


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[PayoutJournal]:
    """Return a new journal."""
    with PayoutJournal(tmp_path / "payouts" / "j.sqlite") as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server of spancrew."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="module")
def admin(server: Serving) -> Iterator[Client]:
    """Return its admin."""
    with server.admin() as found:
        yield found


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Return a desk in Potato."""
    return Desk(tmp_path)
