"""The exit codes of calls that are wrong in a usual way, and the words that say why."""

import io
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.serving import Serving

OFFLINE = [
    # No command, or no such command.
    ("", 2, ""),
    ("labels", 2, "No such command 'labels'"),
    ("campaign", 2, ""),
    ("campaign stop", 2, "No such command 'stop'"),
    # Options and arguments.
    ("inspect", 2, "Missing argument 'data'"),
    ("inspect demo --colour red", 2, "No such option: --colour"),
    ("inspect demo --overlaps last", 2, "Invalid value for '--overlaps'"),
    ("augment demo", 2, "Missing option '--out'"),
    ("simulate demo --runs many", 2, "Invalid value for '--runs'"),
    ("reproduce table-5", 2, "Invalid value for"),
    ("serve --port 70000", 2, "Invalid value for '--port'"),
    ("demo --live --seconds 0", 2, "Invalid value for '--seconds'"),
    ("rehearse-live", 2, "Missing argument 'url'"),
    ("rehearse-live http://127.0.0.1:9 --workers 0", 2, "Invalid value for '--workers'"),
    ("campaign create demo --practice 99", 2, "Invalid value for '--practice'"),
    ("campaign webhook remove c1 one", 2, "Invalid value for 'WEBHOOK'"),
    # Files.
    ("inspect nothing.jsonl", 2, "nothing.jsonl"),
    ("inspect empty.jsonl", 2, "empty.jsonl"),
    ("inspect demo --format xml", 2, "choose from"),
    ("inspect demo --labels PER", 2, "among those declared"),
    ("inspect demo-zh --report nowhere/report.html", 2, "nowhere/report.html"),
    ("convert demo-zh empty.jsonl", 2, "replace it with --force"),
    ("convert demo-zh demo.json", 2, "name it with --to"),
    ("convert demo-zh nowhere/demo.jsonl", 2, "create it first"),
    ("augment demo-zh --out empty.jsonl", 2, "replace it with --force"),
    ("augment demo-zh --out new.jsonl --targets empty.jsonl", 2, "is not JSON"),
    ("augment demo-zh --out new.jsonl --targets nothing.csv", 2, "nothing.csv"),
    ("aggregate demo-zh --out empty.jsonl", 2, "replace it with --force"),
    ("aggregate demo-zh --to conll", 2, "name the file, too, with --out"),
    ("aggregate demo-zh --expert nobody", 2, "nobody"),
    # Methods, rules, crowds and figures.
    ("aggregate demo-zh --method best", 2, "'best'"),
    ("aggregate demo-zh --method mv:ties=last", 2, "last"),
    ("frontier demo-zh --gate door", 2, "'door'"),
    ("frontier demo-zh --orders 0", 2, "0"),
    ("frontier demo-zh --share 7", 2, "7"),
    ("simulate demo-zh --crowd real", 2, "crowd 'real' is not known"),
    ("simulate demo-zh --crowd replay:ties=first", 2, "replay has none"),
    ("simulate demo-zh --crowd ses:ties=last", 2, "ties 'last' is not known"),
    ("simulate demo-zh --policy best", 2, "'best'"),
    ("simulate demo-zh --feedback gate:threshold=high", 2, "high"),
    ("simulate demo-zh --crew 99", 2, "99"),
    ("simulate demo-zh --runs 0", 2, "0"),
    ("simulate demo-zh --engine moon", 2, "moon"),
    ("simulate demo-zh --engine dask://h:1 --processes 2", 2, "processes"),
    ("reproduce table-2 --runs 0", 2, "at least 1 is needed"),
    ("reproduce table-3 --feedback best", 2, "'best'"),
    ("rehearse-live http://127.0.0.1:9 --crowd real", 2, "crowd 'real' is not known"),
    ("rehearse-live http://127.0.0.1:9 --workers 31", 2, "take --workers 30"),
    # Who one is.
    ("campaign list", 2, "nobody is logged in to http://127.0.0.1:8000"),
    ("campaign show 1 --server http://h:1/", 2, "nobody is logged in to http://h:1:"),
    ("campaign create demo --plan empty.jsonl --token t", 2, "this is no JSON"),
    ("campaign create demo --plan list.json --token t", 2, "a plan is a JSON object"),
    ("campaign export 1 empty.jsonl", 2, "replace it with --force"),
    ("campaign export 1 labels.xyz", 2, "--to"),
    ("campaign set-budget 1 much", 2, "no amount of money"),
    ("campaign cap 1 w0 many", 2, "no number of answers"),
]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let nobody be logged in, and let no message be broken into lines."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("SPANCREW_SERVER", raising=False)
    monkeypatch.delenv("SPANCREW_TOKEN", raising=False)


@pytest.mark.parametrize(("line", "code", "words"), OFFLINE, ids=[each[0] for each in OFFLINE])
def test_a_wrong_call_says_why_and_ends_with_its_code(
    run: Run, tmp_path: Path, line: str, code: int, words: str
) -> None:
    """Without a server."""
    (tmp_path / "empty.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    found, _, err = run(*line.split())

    assert (found, words in err) == (code, True), err
    assert "Traceback" not in err


ONLINE = [
    ("list --token worthless", 2, "token"),
    ("login {server}", 2, "link"),
    ("login {server}/enter#worthless", 2, "link"),
    ("token create {server}/enter#worthless ci", 2, "link"),
    ("show nothing", 2, "there is no campaign"),
    ("create nothing.jsonl", 2, "nothing.jsonl"),
    ("create demo-zh --answers 0", 2, "answers"),
    ("create demo-zh --policy best", 2, "'best'"),
    ("create demo-zh --feedback gate:threshold=high", 2, "high"),
    ("create demo-zh --labels X", 2, "label"),
    ("start nothing", 2, "there is no campaign"),
    ("set-rule {campaign} best", 2, "'best'"),
    ("set-budget {campaign} -- -5", 2, "budget"),
    ("halt {campaign} w99", 2, "w99"),
    ("cap {campaign} w99 3", 2, "w99"),
    ("invite again {campaign} w99", 2, "w99"),
    ("dismiss {campaign} e99", 2, "no such expert"),
    ("worker-data export {campaign} w99", 2, "w99"),
    ("why {campaign} 99", 2, "no such assignment"),
    ("webhook add {campaign} nowhere", 2, "begins with https://"),
    ("webhook add {campaign} https://h.example --event Rain", 2, "Rain"),
    ("webhook remove {campaign} 99", 2, "no such webhook"),
    ("token revoke 99", 2, "no such token"),
    ("delete {campaign}", 1, "Aborted"),
]


@pytest.fixture(scope="module")
def campaign(server: Serving) -> str:
    """Return a campaign on that server."""
    with server.admin() as admin:
        return admin.create("names", "demo-zh", gold="ignore").id


@pytest.mark.parametrize(("line", "code", "words"), ONLINE, ids=[each[0] for each in ONLINE])
def test_what_the_server_refuses_says_why_and_ends_with_its_code(
    run: Run,
    server: Serving,
    campaign: str,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    code: int,
    words: str,
) -> None:
    """Unknown campaigns, people and links; plans that no campaign can follow."""
    monkeypatch.setenv("SPANCREW_SERVER", server.url)
    monkeypatch.setenv("SPANCREW_TOKEN", server.admin_token())
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    told = line.format(server=server.url, campaign=campaign).split()
    found, _, err = run("campaign", *told)

    assert (found, words in err) == (code, True), err
    assert "Traceback" not in err
