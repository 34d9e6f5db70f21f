"""`spancrew bridge`: people work in another tool."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from spancrew.client import Client
from tests.bridges.in_label_studio import in_label_studio
from tests.bridges.in_potato import in_potato
from tests.bridges.label_studio import TOKEN, FakeLabelStudio, label_studio
from tests.bridges.scene import Scene, small
from tests.bridges.story import assert_as_rehearsed
from tests.cli.conftest import Run
from tests.serving import Serving


@pytest.fixture
def admin(server: Serving) -> Iterator[Client]:
    """Return the admin."""
    with server.admin() as found:
        yield found


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, login: None) -> Iterator[FakeLabelStudio]:
    """Return a Label Studio that runs, whose token is in the environment."""
    monkeypatch.setenv("LABEL_STUDIO_API_KEY", TOKEN)
    with label_studio() as found:
        yield found


def run_while_people_work(scene: Scene[Any, Any], run: Run, *words: str) -> str:
    """Run a bridge to the end of its campaign, and return what it says."""
    words += ("--campaign", scene.campaign.id, "--every", "0.05")
    stop = Event()

    def work() -> None:
        while not stop.is_set():
            for name in scene.people:
                scene.work(name)

    everybody = Thread(target=work)
    everybody.start()
    try:
        code, _, err = run("bridge", *words, "--people", str(scene.folder / "people.json"))
    finally:
        stop.set()
        everybody.join()
        scene.close()
    assert code == 0, err
    return err


def test_the_command_runs_until_the_campaign_is_over(
    admin: Client, fake: FakeLabelStudio, run: Run, tmp_path: Path
) -> None:
    """While people work in Label Studio."""
    scene = in_label_studio(small(), admin, fake, tmp_path)
    said = run_while_people_work(scene, run, "label-studio", "--url", fake.url)

    assert "5 people work in Label Studio" in said
    assert "the campaign is over" in said
    assert_as_rehearsed(scene.played, scene.campaign)


@pytest.mark.usefixtures("login")
def test_people_may_work_in_potato(admin: Client, run: Run, tmp_path: Path) -> None:
    """The command only needs its folder."""
    scene = in_potato(small(), admin, tmp_path)
    said = run_while_people_work(scene, run, "potato", "--folder", str(scene.fake.folder))

    assert "5 people work in Potato" in said
    assert_as_rehearsed(scene.played, scene.campaign)


@pytest.mark.usefixtures("login")
def test_a_config_that_does_not_fit_is_refused_with_a_remedy(
    admin: Client, run: Run, tmp_path: Path
) -> None:
    """Before anybody is invited."""
    campaign = small().create(admin, tmp_path, "misfit")
    (tmp_path / "config.yaml").write_text("{}")
    words = ["--campaign", campaign.id, "--folder", str(tmp_path), "--worker", "ana"]
    code, _, err = run("bridge", "potato", *words, "--people", str(tmp_path / "p.json"))

    assert code == 2
    assert "does not fit this campaign" in err
    assert "move it away" in err
    assert campaign.people.workers() == []


def test_without_people_the_command_says_whom_to_name(
    admin: Client, fake: FakeLabelStudio, run: Run, tmp_path: Path
) -> None:
    """Nothing is made in Label Studio."""
    campaign = small().create(admin, tmp_path, "nobody")
    words = ["--campaign", campaign.id, "--url", fake.url]
    code, _, err = run("bridge", "label-studio", *words, "--people", str(tmp_path / "p.json"))

    assert code == 2
    assert "--worker" in err
    assert fake.projects == {}
