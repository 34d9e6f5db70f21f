"""Thirty simulated people, the tagger and a model on PostgreSQL with two processes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.formats import write
from tests.cli.conftest import Run
from tests.consensus.test_members import demo, gold_with, with_model
from tests.postgres import running_postgres
from tests.serving import Serving, serving

SENTENCES = 120
PLAN = ("--consensus", "auto+tagger", "--feedback", "expected-error:share=0.2")

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Serving]:
    """Return a server of two processes on PostgreSQL."""
    folder = tmp_path / "server"
    folder.mkdir()
    with (
        running_postgres() as postgres,
        serving(folder, store=postgres.database(), workers=2) as found,
    ):
        yield found


def test_a_campaign_with_models_goes_as_rehearsed(
    run: Run, server: Serving, tmp_path: Path
) -> None:
    """The model answers every sentence besides, is no worker, and figures are those offline."""
    data = tmp_path / "data.jsonl"
    write(with_model(demo(), gold_with(0.3)), data)
    words = ["--data", str(data), "--sentences", str(SENTENCES), *PLAN, "--runs", "5", "--json"]
    words += ["--workers", "30", "--token", server.admin_token(), "--audit", "0"]
    code, out, err = run("rehearse-live", server.url, *words)
    assert (code, err) == (0, "")
    found = json.loads(out)
    with server.admin() as admin:
        campaign = admin.campaign(found["campaign"])
        status, ledger = campaign.status(), campaign.ledger()

    assert found["settled"] == status.settled == SENTENCES
    assert (status.workers, status.models) == (30, 1)
    assert SENTENCES - 10 < ledger.model_answers <= SENTENCES
    assert ledger.answers == pytest.approx(found["answers"]["offline"]["mean"], rel=0.05)
    assert abs(found["final_f1"]["difference"]) < 0.08
    assert abs(found["expert_share"]["difference"]) < 0.1
