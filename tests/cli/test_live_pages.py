"""Commands on pages that need a server are run against one; the reference names all of them."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from spancrew.cli._main import app
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.serving import serving

LINK = "http://127.0.0.1:8000/enter#..."
ADDRESS = "http://127.0.0.1:8000"


def commands(page: str) -> list[str]:
    """Return the commands that a page shows in plain blocks, but for starting a server."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    blocks = re.findall(r"(?sm)^```text\n(.*?)^```$", text)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if re.match(r"spancrew (campaign|rehearse-live)", line)]


_NEEDS_WORK = ("spancrew campaign why", "spancrew campaign export")


@pytest.mark.slow
def test_the_first_campaign_goes_as_the_tutorial_says(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line by line, on a server of its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as server:
        for line in commands("tutorial/first-campaign.md"):
            told = line.replace(LINK, str(server.link)).replace(ADDRESS, server.url)
            code, out, err = run(*shlex.split(told)[1:])
            # Nobody has worked yet: there is no assignment to ask about, and nothing to export.
            expected = 2 if line.startswith(_NEEDS_WORK) else 0

            assert code == expected, (line, out, err)

    assert (tmp_path / "labels.conll").exists()


def walk(prefix: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield every command below one, with its words."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield prefix, command
        return
    for name, each in inner.items():
        yield from walk(f"{prefix} {name}".strip(), each)


CAMPAIGN = dict(walk("", typer.main.get_command(app).commands["campaign"]))  # type: ignore[attr-defined]
SHARED = {"--server", "--token"}


@pytest.mark.parametrize("name", CAMPAIGN)
def test_every_command_on_campaigns_is_in_the_reference(name: str) -> None:
    """With all its options, and no other."""
    page = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
    about = page.split("\n## `spancrew campaign`")[1].split("\n## `spancrew recruit`")[0]
    rows = [row for row in about.splitlines() if re.match(rf"\| `{name}[ `]", row)]
    if name == "create":
        section = page.split("## `spancrew campaign create`")[1].split("\n## ")[0]
        rows = [row.split(" | ")[0] for row in section.splitlines() if row.startswith("| `-")]
    described = set(
        re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(r.split("|")[-2] for r in rows))
    )
    if name == "create":
        described = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(rows)))
    options = {o for p in CAMPAIGN[name].params for o in p.opts if o.startswith("-")}

    assert rows
    assert described - {"-h", "--help"} - SHARED == options - SHARED
