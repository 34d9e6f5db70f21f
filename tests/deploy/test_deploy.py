"""The files in `deploy` name nothing that is not there.

No container engine and no service manager runs here: commands, options, settings, metrics and
paths are compared with ours, and systemd looks at the unit where it is installed.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import typer
import yaml

from spancrew.cli._main import app
from spancrew.server import ServerSettings
from spancrew.server.alerts.limits import AlertKind
from tests.conftest import ROOT
from tests.server.conftest import HandClock, create, running

DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "spancrew.service").read_text("utf-8")
IMAGE = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
RULES: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus-rules.yaml").read_text("utf-8"))
BOARD: dict[str, Any] = json.loads((DEPLOY / "grafana-dashboard.json").read_text("utf-8"))


def command(name: str) -> Any:
    """Return a command of ours; fail if there is none."""
    found: Any = typer.main.get_command(app)
    for word in name.split():
        assert word in found.commands, f"there is no command {name}"
        found = found.commands[word]
    return found


def refuse_unknown(words: list[str]) -> None:
    """Fail if a command line of ours names a command or an option that is not there."""
    options = {each for param in command(words[0]).params for each in param.opts}

    assert [each for each in words[1:] if each.startswith("-") and each not in options] == []


def settings() -> set[str]:
    """Return the names of all settings of the server in the environment."""
    found: set[str] = set()
    for name in ("serve", "doctor"):
        for param in command(name).params:
            given = getattr(param, "envvar", None) or []
            found |= {given} if isinstance(given, str) else set(given)
    return found


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of all metrics that a server with a campaign shows."""
    clock = HandClock()
    folder = tmp_path_factory.mktemp("metrics")
    with running(folder, clock, ServerSettings(clock=clock)) as house:
        admin = house.admin()
        create(admin, folder)
        page = admin.call("GET", "/metrics").text
    return set(re.findall(r"(?m)^# TYPE (\S+)", page))


def named_metrics(text: str) -> set[str]:
    """Return the metrics of ours that a text names; a histogram by its own name."""
    return {
        re.sub(r"_(bucket|sum|count)$", "", each) for each in re.findall(r"spancrew_\w+", text)
    }


def expressions() -> Iterator[str]:
    """Yield all expressions of the rules and of the dashboard."""
    for group in RULES["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in BOARD["panels"]:
        yield from (target["expr"] for target in panel["targets"])
    yield from (each["definition"] for each in BOARD["templating"]["list"] if "definition" in each)


def test_every_metric_that_is_named_is_there(metrics: set[str]) -> None:
    """In rules and dashboard; and a name that is wrong would be found."""
    assert set().union(*map(named_metrics, expressions())) <= metrics
    assert not named_metrics("rate(spancrew_nothing_total[5m])") <= metrics


def test_the_dashboard_shows_every_metric(metrics: set[str]) -> None:
    """But for what only programs look at."""
    shown = set().union(*map(named_metrics, expressions()))

    ours = {each for each in metrics if not each.endswith("_created")}

    assert ours - shown == {"spancrew_events", "spancrew_journal_version"}


def test_every_alert_of_ours_has_its_rule() -> None:
    """With a summary, a remedy and how bad it is."""
    rules = [rule for group in RULES["groups"] for rule in group["rules"]]
    kinds = {found for rule in rules for found in re.findall(r'kind="(\w+)"', rule["expr"])}

    assert kinds == set(get_args(AlertKind))
    for rule in rules:
        assert set(rule["annotations"]) == {"summary", "description"}
        assert rule["labels"]["severity"] in {"warning", "critical"}
    assert len({rule["alert"] for rule in rules}) == len(rules)


@pytest.mark.parametrize("text", list(expressions()))
def test_expressions_are_closed(text: str) -> None:
    """Every bracket that opens closes."""
    stack = []
    for each in re.sub(r'"[^"]*"', "", text):
        if each in "([{":
            stack.append(")]}"["([{".index(each)])
        elif each in ")]}":
            assert stack.pop() == each
    assert stack == []


def test_the_panels_do_not_overlap() -> None:
    """Each has its place, and its number."""
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }

        assert not cells & taken
        assert place["x"] + place["w"] <= 24
        taken |= cells
    assert len({panel["id"] for panel in BOARD["panels"]}) == len(BOARD["panels"])


def test_the_unit_calls_commands_that_are_there() -> None:
    """With options that they have."""
    lines = re.findall(r"(?m)^Exec\w+=-?/opt/spancrew/bin/spancrew (.+)$", UNIT)

    assert len(lines) == 2
    for line in lines:
        refuse_unknown(shlex.split(line))
    assert set(re.findall(r"SPANCREW_\w+", UNIT)) <= settings()


def test_the_unit_leaves_few_rights() -> None:
    """It can write to its own folder, and gain nothing."""
    for line in (
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "CapabilityBoundingSet=",
        "StateDirectory=spancrew",
        "UMask=0077",
    ):
        assert line in UNIT.splitlines()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    """The program itself is not at its place here."""
    unit = tmp_path / "spancrew.service"
    unit.write_text(UNIT.replace("/opt/spancrew/bin/spancrew", sys.executable), "utf-8")
    done = subprocess.run(  # noqa: S603  words of ours
        ["systemd-analyze", "verify", "--man=no", str(unit)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "spancrew" in line]

    assert said == []


def test_the_image_is_made_of_files_that_are_there() -> None:
    """And it calls a command that is there, with settings that are there."""
    copied = [shlex.split(each)[:-1] for each in re.findall(r"(?m)^COPY (?!--)(.+)$", IMAGE)]
    words = [
        json.loads(found) for found in re.findall(r"(?m)^(?:ENTRYPOINT|CMD) (\[.+\])$", IMAGE)
    ]

    assert all((ROOT / name).exists() for names in copied for name in names)
    assert words[0] == ["spancrew"]
    refuse_unknown(words[1])
    assert set(re.findall(r"SPANCREW_\w+", IMAGE)) <= settings()
    assert re.search(r"(?m)^USER spancrew$", IMAGE)
    assert "/health/ready" in IMAGE


def test_the_compose_file_fits_the_image() -> None:
    """Its build, its command, its settings, its volumes; secrets are in none of them."""
    server, database = COMPOSE["services"]["server"], COMPOSE["services"]["database"]
    build = server["build"]

    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    refuse_unknown(server["command"])
    assert set(server["environment"]) <= settings()
    assert server["environment"]["SPANCREW_STORE"].startswith("postgresql://spancrew:${POSTGRES_P")
    assert "@database/spancrew" in server["environment"]["SPANCREW_STORE"]
    assert database["environment"]["POSTGRES_PASSWORD"].startswith("${")
    used = {each.partition(":")[0] for one in (server, database) for each in one["volumes"]}
    assert used == set(COMPOSE["volumes"])
    networks = {each for one in (server, database) for each in one["networks"]}
    assert networks == set(COMPOSE["networks"])
    assert all(port.startswith("127.0.0.1:") for port in server["ports"])
    assert server["depends_on"]["database"]["condition"] == "service_healthy"
    assert "VOLUME /var/lib/spancrew" in IMAGE
