"""`spancrew serve` as a user runs it: a process of its own, on a free port."""

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.client import Client
from spancrew.errors import SpancrewError
from tests.cli.conftest import Run
from tests.processes import is_running
from tests.serving import Serving, serving, start
from tests.waiting import wait_until


@pytest.fixture
def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def busy_port() -> Iterator[int]:
    """Return a port that somebody uses."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield int(taken.getsockname()[1])


PASSWORD = "correct horse battery staple"  # noqa: S105  a word for tests


def test_it_starts_in_an_empty_folder(tmp_path: Path) -> None:
    """A file that only its owner reads, a link that works once; Ctrl-C ends it well.

    A second start goes on; once an admin has a password, a link is printed only if asked for.
    """
    first = start(tmp_path, fresh=True)
    with Client.from_link(str(first.link)) as admin:
        made = admin.create("first", "demo", gold="ignore")
        admin.set_password("ana", PASSWORD)
    with pytest.raises(SpancrewError, match="used already"):
        Client.from_link(str(first.link))
    code = first.stop(with_signal=signal.SIGINT)
    second = start(tmp_path, port=first.port)
    with Client(second.url) as ana:
        ana.log_in("ana", PASSWORD)
        found = [card.id for card in ana.campaigns()]
    ended = second.stop()
    with serving(tmp_path, options=["--admin-link", "--quiet"]) as third:
        third.admin_token()

    assert (code, ended) == (0, -signal.SIGTERM)
    assert stat.S_IMODE((tmp_path / "spancrew.db").stat().st_mode) == 0o600
    assert found == [made.id]
    assert second.link is None
    assert third.link not in {None, first.link}
    assert "Traceback" not in third.log.read_text("utf-8")


def _replaced(server: Serving, gone: int) -> list[int]:
    """Return the processes that serve once there are two without the one that has gone."""
    now: list[int] = []

    def are_two() -> bool:
        now[:] = [pid for pid in server.servers() if pid != gone]
        return len(now) == 2

    wait_until(are_two, f"no process took the place of {gone}")
    return now


@pytest.mark.slow
def test_a_process_that_dies_is_replaced_and_none_is_left_behind(tmp_path: Path) -> None:
    """Two processes on one file; a killed one comes back, and all end with their parent."""
    server = start(tmp_path, workers=2, fresh=True)
    try:
        before = server.servers()
        os.kill(before[0], signal.SIGKILL)
        after = _replaced(server, before[0])
        with server.admin() as admin:
            admin.create("still here", "demo", gold="ignore")
            names = [card.name for card in admin.campaigns()]
    finally:
        server.kill()

    everybody = [*before, *after]
    wait_until(lambda: not any(map(is_running, everybody)), "they did not end with their parent")
    assert len(before) == 2
    assert names == ["still here"]


def test_a_port_in_use_is_one_clear_line(run: Run, tmp_path: Path, busy_port: int) -> None:
    """And no file is made."""
    code, out, err = run("serve", "--port", str(busy_port))

    assert (code, out) == (2, "")
    assert f"port {busy_port} of 127.0.0.1 is in use" in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_one_clear_line(run: Run) -> None:
    """It is not made: a typing error would look like lost campaigns."""
    code, _, err = run("serve", "--folder", "nowhere")

    assert code == 2
    assert "nowhere is no folder; create it first" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_clear_line(run: Run, tmp_path: Path) -> None:
    """With what to do."""
    (tmp_path / "mine").mkdir(mode=0o500)
    code, _, err = run("serve", "--folder", "mine")

    assert code == 2
    assert "mine cannot be written to" in err


def test_a_database_that_does_not_answer_is_one_clear_line(run: Run, free_port: int) -> None:
    """Without the password."""
    address = f"postgresql://ana:secret@127.0.0.1:{free_port}/spancrew"
    code, _, err = run("serve", "--port", "0", "--store", address)

    assert code == 2
    assert err.count("\n") == 1
    assert "secret" not in err
    assert "cannot be reached, so nothing was started; start the database, or correct" in err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--public-url", "crew.example"), "write it as https://"),
        (("--store", "mysql://host/db"), "'mysql' is not known"),
        (("--alerts", "budget=much"), "a share such as 0.8"),
        (("--host", "no.such.host.invalid"), "no address of this machine"),
    ],
)
def test_what_cannot_be_served_is_refused(run: Run, words: tuple[str, str], problem: str) -> None:
    """Before anything is printed."""
    code, out, err = run("serve", "--port", "0", *words)

    assert (code, out) == (2, "")
    assert problem in err


def test_help_needs_nothing_of_the_server(tmp_path: Path) -> None:
    """Neither FastAPI nor numba is imported for it."""
    code = (
        "import sys; sys.argv = ['spancrew', 'serve', '--help']\n"
        "from spancrew.cli import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "heavy = {'fastapi', 'uvicorn', 'sqlalchemy', 'numba', 'httpx'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, check=False, cwd=tmp_path)  # noqa: S603  our own

    assert (done.returncode, done.stderr) == (0, b"")
