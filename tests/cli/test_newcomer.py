"""A table of somebody new becomes a running campaign in three commands."""

import json
from pathlib import Path

import pytest

from spancrew.client import Client
from spancrew.wire import WorkerAssignment
from tests.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("login")

REVIEWS = "nr,review text,stars\nr1,Dr. Wu left New York. She was happy.,5\nr2,Yes.,4\n"
HOW = ("--text-column", "review text", "--id-column", "nr", "--split", "sentences")


def test_a_table_becomes_a_running_campaign_in_three_commands(run: Run, tmp_path: Path) -> None:
    """Create, invite, start; then a worker has a sentence of it."""
    (tmp_path / "reviews.csv").write_text(REVIEWS, "utf-8")
    _, made, _ = run("campaign", "create", "reviews.csv", *HOW, "--labels", "PER,LOC", "--json")
    campaign = str(json.loads(made)["id"])
    _, link, _ = run("campaign", "invite", "worker", campaign)
    code, _, err = run("campaign", "start", campaign)
    with Client.from_link(link.strip()) as guest:
        sheet = guest.worker().next()

    assert (code, err) == (0, "")
    assert isinstance(sheet, WorkerAssignment)
    assert sheet.sentence.text in {"Dr. Wu left New York.", "She was happy.", "Yes."}


def test_what_the_server_cannot_read_names_the_flag_here(run: Run, tmp_path: Path) -> None:
    """And the file by the name that the user knows."""
    (tmp_path / "reviews.csv").write_text(REVIEWS, "utf-8")
    code, _, err = run("campaign", "create", "reviews.csv", "--labels", "PER")

    assert code == 2
    assert err == (
        "spancrew: reviews.csv: no column looks like the text (columns: nr, review text, stars); "
        "name it with --text-column\n"
    )
