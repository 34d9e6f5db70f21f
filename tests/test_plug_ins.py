"""The how-tos for parts by others, followed to the letter in an environment of their own."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.conftest import ROOT

_FILE = re.compile(r'^```\w+ title="([\w.]+\.\w+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

FOLLOWED = {
    "add-a-feedback-rule": ["passed", "short:tokens=12"],
    "add-a-consensus-method": ["passed", "demo by two-votes:least=0.7", "two-votes"],
    "add-a-policy": ["passed", "tuned:scale=0.5"],
}
"""Pages whose files and commands are followed here, with words that the commands print."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment, which sees this spancrew, pip and what they need.

    What builds a package is there as well, so that pip need not make an environment to build each.
    """
    folder = tmp_path_factory.mktemp("environment")
    create = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    subprocess.run(create, check=True)  # noqa: S603  our own
    (site,) = folder.glob("lib/python*/site-packages")
    paths = [str(ROOT / "src"), sysconfig.get_path("purelib")]
    (site / "spancrew.pth").write_text("\n".join(paths), encoding="utf-8")
    for name, module in (("pip", "pip"), ("spancrew", "spancrew.cli")):
        command = folder / "bin" / name
        command.write_text(f'#!/bin/sh\nexec "{folder}/bin/python" -m {module} "$@"\n', "utf-8")
        command.chmod(0o755)
    _run(folder, folder, "pip install --quiet hatchling")
    return folder


def test_plug_ins_are_written_installed_and_used(environment: Path, tmp_path: Path) -> None:
    """Every file and every command of each page, in their order, and nothing else."""
    for page, printed in FOLLOWED.items():
        (tmp_path / page).mkdir()
        out = _follow(environment, tmp_path / page, page)

        assert [words for words in printed if words not in out] == [], out


def _follow(environment: Path, folder: Path, page: str) -> str:
    text = (ROOT / "docs" / "how-to" / f"{page}.md").read_text("utf-8")
    for name, content in _FILE.findall(text):
        (folder / name).write_text(content, encoding="utf-8")
    return "".join(
        _run(environment, folder, command)
        for block in _COMMANDS.findall(text)
        for command in block.splitlines()
    )


def _run(environment: Path, folder: Path, command: str) -> str:
    variables = {
        **os.environ,
        "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": "",
        "COLUMNS": "200",
        "PIP_NO_BUILD_ISOLATION": "0",
    }
    done = subprocess.run(  # noqa: S603  the commands of our own page
        shlex.split(command),
        cwd=folder,
        env=variables,
        executable=environment / "bin" / shlex.split(command)[0],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"$ {command}\n{done.stdout}\n{done.stderr}"
    return done.stdout
