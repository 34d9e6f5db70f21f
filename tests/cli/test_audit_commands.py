"""`spancrew campaign audit` as an owner runs it, against a real server."""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.serving import Serving

pytestmark = pytest.mark.usefixtures("login")


def test_the_audit_log_is_listed_checked_and_exported(run: Run, made: str, tmp_path: Path) -> None:
    """For people, for programs, and as a file."""
    run("campaign", "start", made)
    _, listed, _ = run("campaign", "audit", "list", "--campaign", made, "--action", "campaigns")
    _, told, _ = run("campaign", "audit", "list", "--limit", "1", "--json")
    code, checked, _ = run("campaign", "audit", "check")
    run("campaign", "audit", "export", "audit.jsonl")
    run("campaign", "audit", "export", "audit.csv", "--campaign", made)
    again, _, refused = run("campaign", "audit", "export", "audit.csv")
    _, none, _ = run("campaign", "audit", "list", "--since", "2999-01-01")
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "audit.csv").read_text("utf-8"))))

    assert re.search(r"campaigns\.start .*done", listed)
    assert json.loads(told)[0]["action"] == "audit.entries"
    assert (code, checked[:22]) == (0, "The audit log is whole")
    assert lines[-1]["action"] == "audit.export"
    assert [row["action"] for row in rows] == ["campaigns.create", "campaigns.start"]
    assert again == 2
    assert "audit.csv" in refused
    assert none == "There are no such entries.\n"


def test_the_audit_log_is_sent_elsewhere(run: Run) -> None:
    """To an address that can be removed again."""
    _, added, _ = run("campaign", "audit", "webhook", "add", "https://siem.example/x")
    _, told, _ = run("campaign", "audit", "webhook", "list", "--json")
    hook = str(json.loads(told)[-1]["id"])
    _, listed, _ = run("campaign", "audit", "webhook", "list")
    _, sent, _ = run("campaign", "audit", "webhook", "deliveries", hook)
    _, resumed, _ = run("campaign", "audit", "webhook", "resume", hook)
    _, removed, _ = run("campaign", "audit", "webhook", "remove", hook)

    assert added.startswith(f"Webhook {hook} is set up")
    assert "siem.example" in listed
    assert sent
    assert resumed == f"Webhook {hook} is active again.\n"
    assert removed == f"Webhook {hook} is gone.\n"


@contextmanager
def forged(store: Path) -> Iterator[None]:
    """Change the first entry, as somebody can who has all rights in the database, and undo it."""
    with closing(sqlite3.connect(store, isolation_level=None)) as database:
        (guard,) = database.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'audit_log_update'"
        ).fetchone()
        database.execute("DROP TRIGGER audit_log_update")
        database.execute("UPDATE audit_log SET action = 'x' || action WHERE id = 1")
        try:
            yield
        finally:
            database.execute("UPDATE audit_log SET action = substr(action, 2) WHERE id = 1")
            database.execute(guard)


def test_a_log_that_was_changed_ends_the_check_with_code_2(run: Run, server: Serving) -> None:
    """Told in words, and in JSON for the program that asks every night."""
    run("campaign", "audit", "export", "audit.jsonl")
    with forged(server.folder / "spancrew.db"):
        words = run("campaign", "audit", "check")
        told = run("campaign", "audit", "check", "--json")
    whole = run("campaign", "audit", "check", "--json")

    assert (words[0], words[1]) == (2, "")
    assert "not as it was written" in words[2]
    assert told[0] == 2
    assert "entry 1" in json.loads(told[1])["problem"]
    assert (whole[0], json.loads(whole[1])["problem"]) == (0, None)
