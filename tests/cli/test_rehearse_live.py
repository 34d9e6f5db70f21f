"""`spancrew rehearse-live`: simulated people on a real server."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.client import Client
from tests.cli.conftest import Run
from tests.processes import launched
from tests.serving import Serving, serving, start
from tests.waiting import PATIENCE, wait_until

SMALL = ("--sentences", "20", "--workers", "8", "--crew", "8", "--answers", "3", "--runs", "3")
QUICK = ("--feedback", "gate:threshold=0.65", "--policy", "cucb")
COINS = ("--crowd", "bernoulli")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a server."""
    with serving(tmp_path_factory.mktemp("server")) as found:
        yield found

    assert "Traceback" not in found.log.read_text("utf-8")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Serving]:
    """Return a server of two processes, which end well."""
    found = start(tmp_path, workers=2)
    try:
        yield found
    finally:
        code = found.stop()

    assert code == 0
    assert "Traceback" not in found.log.read_text("utf-8")


@pytest.fixture(autouse=True)
def login(server: Serving, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let commands know who one is."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SPANCREW_TOKEN", server.admin_token())


@pytest.mark.slow
def test_live_and_offline_are_put_side_by_side(
    run: Run, pair: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All sentences are settled, the labels are good, and the money adds up."""
    monkeypatch.setenv("SPANCREW_TOKEN", pair.admin_token())
    words = [*SMALL, *QUICK, "--seed", "3", "--report", "live.html", "--json"]
    code, out, err = run("rehearse-live", pair.url, *words)
    found = json.loads(out)
    live = {name: each["live"] for name, each in found.items() if isinstance(each, dict)}

    assert (code, err) == (0, "")
    assert (found["sentences"], found["settled"], found["workers"]) == (20, 20, 8)
    assert 0.7 < live["final_f1"] <= 1
    assert abs(found["final_f1"]["difference"]) < 0.25
    assert live["answers"] >= 60
    assert live["money"] == pytest.approx(0.1 * live["answers"] + live["expert_labels"])
    assert 20 * live["expert_share"] < live["expert_labels"]
    assert found["money"]["offline"].keys() == {"mean", "sd", "min", "max"}
    page = (tmp_path / "live.html").read_text("utf-8")
    assert "Live rehearsal" in page
    assert "http://" not in page


@pytest.mark.slow
def test_the_server_never_sees_gold(run: Run, server: Serving) -> None:
    """It gets bare sentences; experts say what they know one by one."""
    code, out, _ = run(
        "rehearse-live", server.url, *SMALL, *QUICK, *COINS, "--mode", "rounds", "--json"
    )
    with server.admin() as admin:
        status = admin.campaign(json.loads(out)["campaign"]).status()

    assert code == 0
    assert status.by_gold == 0
    assert status.by_expert > 0


def test_the_output_fits_a_terminal(
    run: Run, server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is cut off in eighty columns."""
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run("rehearse-live", server.url, *SMALL, *COINS, "--feedback", "crowd")

    assert code == 0
    assert "20 of 20 sentences settled live by 8 workers" in out
    assert "…" not in out
    for words in ("F1 of final labels", "expert share", "answers", "money", "live - offline"):
        assert words in out


def test_what_cannot_be_played_is_refused_before_anything_happens(
    run: Run, server: Serving
) -> None:
    """No campaign is made."""
    with server.admin() as admin:
        before = len(admin.campaigns())
        many = run("rehearse-live", server.url, "--workers", "31")
        few = run("rehearse-live", server.url, *COINS, "--workers", "2", "--answers", "4")
        after = len(admin.campaigns())

    assert (many[0], few[0]) == (2, 2)
    assert "take --workers 30" in many[2]
    assert "crew" in few[2] or "workers" in few[2]
    assert after == before


def test_without_experts_it_says_what_is_missing(
    run: Run, server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what became of the campaign."""
    monkeypatch.setattr("spancrew.cli._live_rehearsal._STUCK", 2.0)
    words = [*SMALL, *COINS, "--feedback", "expert", "--experts", "0"]
    code, _, err = run("rehearse-live", server.url, *words)

    assert code == 2
    assert "wait for an expert" in err
    assert "--campaign" in err


@pytest.mark.slow
def test_an_interrupted_rehearsal_goes_on(run: Run, server: Serving, tmp_path: Path) -> None:
    """With the same people, until everything is settled."""
    words = [*SMALL, *QUICK, *COINS, "--seconds", "1", "--json"]
    command = [sys.executable, "-m", "spancrew.cli", "rehearse-live", server.url, *words]
    with server.admin() as admin:
        before = {card.id for card in admin.campaigns()}
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with launched(command, cwd=tmp_path, **streams) as process:
            wait_until(lambda: _answered(admin, before), "nobody answered")
            (campaign,) = _answered(admin, before)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
        middle = admin.campaign(campaign).status()
        again = [*words[:-3], "--campaign", campaign, "--json"]
        code, out, _ = run("rehearse-live", server.url, *again)
        workers = len(admin.campaign(campaign).people.workers())

    assert process.returncode == 130
    assert f"--campaign {campaign}" in err.decode()
    assert middle.phase == "running"
    assert 0 < middle.answers < 60
    assert code == 0
    assert json.loads(out)["settled"] == 20
    assert workers == 8


def _answered(admin: Client, before: set[str]) -> list[str]:
    """Return the new campaigns that have some answers."""
    new = [card.id for card in admin.campaigns() if card.id not in before]
    return [id_ for id_ in new if admin.campaign(id_).status().answers > 3]
