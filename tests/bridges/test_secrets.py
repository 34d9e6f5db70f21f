"""Secrets come from the environment, and stay there."""

from pathlib import Path

import pytest

from spancrew.bridges import Payout, PayoutJournal, Prolific
from spancrew.errors import PlatformError
from tests.bridges.books import account, plan_for
from tests.bridges.conftest import AWS
from tests.bridges.loopback import Fault
from tests.bridges.mturk import FakeMTurk
from tests.bridges.prolific import TOKEN, FakeProlific


@pytest.mark.parametrize("name", ["prolific", "mturk"])
def test_no_secret_is_in_an_error_or_in_the_journal(
    fake_prolific: FakeProlific, fake_mturk: FakeMTurk, tmp_path: Path, name: str
) -> None:
    """Whatever a platform says."""
    fake = fake_prolific if name == "prolific" else fake_mturk
    fake.web.faults += [Fault("/pay/", 401), Fault("SendBonus", 401)]
    with PayoutJournal(tmp_path / "j.sqlite") as journal, pytest.raises(PlatformError) as refused:
        Payout(account(fake), journal).send(plan_for(fake, [120]))
    kept = (tmp_path / "j.sqlite").read_bytes()

    assert "401" in str(refused.value) or "credentials" in str(refused.value)
    for secret in (TOKEN, AWS["AWS_SECRET_ACCESS_KEY"]):
        assert secret not in str(refused.value)
        assert secret.encode() not in kept


@pytest.mark.parametrize(
    ("name", "remedy"), [("PROLIFIC_TOKEN", "PROLIFIC_TOKEN"), ("AWS_ACCESS_KEY_ID", "AWS_ACCESS")]
)
def test_a_missing_secret_is_named(
    monkeypatch: pytest.MonkeyPatch,
    fake_prolific: FakeProlific,
    fake_mturk: FakeMTurk,
    name: str,
    remedy: str,
) -> None:
    """With the variable that has to be set."""
    fake = fake_prolific if name == "PROLIFIC_TOKEN" else fake_mturk
    monkeypatch.delenv(name)
    with pytest.raises(PlatformError, match=remedy):
        account(fake).submissions()


def test_a_token_never_goes_over_plain_http() -> None:
    """But on this machine."""
    with pytest.raises(PlatformError, match="https"):
        Prolific(api="http://api.prolific.com/api/v1")
