"""`spancrew demo --live`: everything moves, there is a seat, and nothing is left behind."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from spancrew.client import CampaignClient, Client
from spancrew.wire import WorkerAssignment
from tests.processes import launched
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def demo(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start the demo with quick people, and stop it if the test has not."""
    words = [sys.executable, "-m", "spancrew.cli", "demo", "--live", "--no-browser"]
    with launched(
        [*words, "--seconds", "0.2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    ) as process:
        yield process


def links_of(process: "subprocess.Popen[str]") -> dict[str, str]:
    """Return the links that the demo prints, by what they are for."""
    assert process.stdout is not None
    found: dict[str, str] = {}
    for line in process.stdout:
        if match := re.match(r"  (start here|dashboard|your seat|expert)\s+(\S+)", line):
            found[match[1]] = match[2]
        if line.startswith("  stop"):
            return found
    raise AssertionError(process.communicate()[1])


def admin_of(link: str) -> Client:
    """Go in by the link of the dashboard, as the browser does."""
    parts = urlsplit(link)
    return Client.from_link(f"{parts.scheme}://{parts.netloc}/enter#{parts.fragment}")


def test_everything_moves_and_there_is_a_seat(
    demo: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """Crowd and expert settle sentences, the free seat gets work, one page leads everywhere.

    When the campaign is over, a fresh one begins, in which they go on.
    """
    links = links_of(demo)
    with admin_of(links["dashboard"]) as admin, Client.from_link(links["your seat"]) as seat:
        campaign = admin.campaign(admin.campaigns()[0].id)
        assert urlsplit(links["dashboard"]).query == f"next=/campaigns/{campaign.id}"
        wait_until(lambda: _moves(campaign), "nothing was settled by crowd and expert")
        wait_until(
            lambda: isinstance(seat.worker().next(), WorkerAssignment), "the seat got no work"
        )
        told = json.loads(_get(links["start here"] + "/now"))
        with pytest.raises(HTTPError, match="404"):
            _get(links["start here"][:-1])
        assert b"Take the worker" in _get(links["start here"])
        campaign.finish()
        wait_until(lambda: _number(links["start here"]) == 2, "no fresh campaign began")
        fresh = admin.campaign(
            next(each.id for each in admin.campaigns() if each.id != campaign.id)
        )
        wait_until(lambda: _moves(fresh), "nothing was settled in the fresh campaign")
    assert [told[name] for name in ("dashboard", "worker", "expert", "number")] == [
        links["dashboard"],
        links["your seat"],
        links["expert"],
        1,
    ]
    hosts = {urlsplit(told[name]).hostname for name in ("dashboard", "worker", "expert")}
    assert len(hosts) == 3
    assert urlsplit(told["expert_alone"]).hostname == "127.0.0.1"
    demo.send_signal(signal.SIGINT)
    _, told = demo.communicate(timeout=PATIENCE)
    assert told == "Stopped; nothing of the demo is kept.\n"
    assert list(tmp_path.iterdir()) == []


def _get(address: str) -> bytes:
    with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310  the address is ours
        found: bytes = answer.read()
    return found


def _number(start: str) -> int:
    return int(json.loads(_get(start + "/now"))["number"])


def _moves(campaign: CampaignClient) -> bool:
    status = campaign.status()
    return status.by_crowd > 0 and status.by_expert > 0
