"""Files and plans that are made to do harm, and what becomes of them."""

import io
import json
import zipfile
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from spancrew.core import Dataset, Sentence, Span
from spancrew.server.settings import ServerSettings
from tests.server.attacks.conftest import SCRIPT
from tests.server.attacks.premises import Premises
from tests.server.conftest import HandClock, Visitor, demo, invite, running, upload


def test_script_in_sentences_and_labels_comes_back_as_data(
    place: Premises, admin: Visitor, tmp_path: Path
) -> None:
    """JSON that no browser takes for a page."""
    sentences = [Sentence.from_tokens(f"{SCRIPT}{k}", [SCRIPT, "x"]) for k in range(3)]
    data = Dataset.of(sentences, {s.id: [Span(0, 1, SCRIPT)] for s in sentences})
    made = admin.ok(
        "POST",
        "/campaigns",
        data={"name": SCRIPT, "gold": "ignore", "plan": json.dumps({"warm_up": "none"})},
        files={"file": (SCRIPT, upload(data, tmp_path))},
    )
    admin.ok("POST", f"/campaigns/{made['id']}/start")
    worker = invite(admin, made["id"], name=SCRIPT)
    answer = worker.call("POST", f"/campaigns/{made['id']}/next")

    assert answer.json()["assignment"]["sentence"]["text"] == f"{SCRIPT} x"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    export = admin.call("GET", f"/campaigns/{made['id']}/export")
    assert (
        export.headers["content-disposition"]
        == 'attachment; filename="script-alert-1-script.jsonl"'
    )
    assert export.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize(
    "name", ["../../../etc/cron.d/evil", "/etc/passwd", "..\\..\\evil", "x\0y", "a" * 5000, "demo"]
)
def test_a_path_in_the_name_of_an_upload_leads_nowhere(
    place: Premises, admin: Visitor, name: str
) -> None:
    """The file is kept under a name of ours, and not for long."""
    folder = place.folder
    before = sorted(folder.rglob("*"))
    answer = admin.call(
        "POST",
        "/campaigns",
        data={"name": "x", "gold": "ignore"},
        files={
            "file": (name, b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x"]}\n')
        },
    )

    assert answer.status_code == (400 if len(name) > 4000 else 201), answer.text
    assert sorted(folder.rglob("*")) == before


def test_bombs_of_archives_are_refused_before_they_explode(
    tmp_path: Path, clock: HandClock
) -> None:
    """Also an archive in an archive, and a file in one that unpacks once more."""
    text = zipped({"bomb.txt": b"0 " * 10_000_000})
    bombs = [
        text,
        zipped({"inner.zip": text}),
        zipped({"x.spacy": zlib.compress(b"0" * 9_000_000)}),
    ]
    settings = ServerSettings(clock=clock, upload_limit=1_000_000)
    with running(tmp_path, clock, settings) as house:
        answers = [
            house.admin().call(
                "POST", f"/{route}", data={"name": "x"}, files={"file": ("x.zip", bomb)}
            )
            for route in ("inspections", "campaigns")
            for bomb in bombs
        ]

    assert max(map(len, bombs)) < 100_000
    assert [answer.status_code for answer in answers] == [413] * 6


def test_archives_that_mean_harm_are_refused(place: Premises, admin: Visitor) -> None:
    """Paths that lead out, too many files, archives too deep, and other kinds of archives."""
    deep = zipped({"a.txt": b"x"})
    for _ in range(3):
        deep = zipped({"inner.zip": deep})
    harm = {
        "outside": zipped({"../../evil.txt": b"x"}),
        "parts": zipped({f"{k}.txt": b"x" for k in range(10_001)}),
        "archives in archives": deep,
        "compressed": b"\x1f\x8b compressed",
        "not whole": b"PK\x03\x04 cut off",
    }
    before = sorted(place.folder.rglob("*"))
    for words, file in harm.items():
        answer = admin.call("POST", "/inspections", files={"file": ("x.zip", file)})

        assert answer.status_code == 422
        assert words in answer.json()["error"]["message"]
    assert sorted(place.folder.rglob("*")) == before


def zipped(files: dict[str, bytes]) -> bytes:
    """Return an archive of files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def test_a_bomb_of_a_spacy_file_is_refused_before_it_explodes(
    tmp_path: Path, clock: HandClock
) -> None:
    """What it would unpack to counts, not what it is."""
    bomb = zlib.compress(b"\0" * 50_000_000, 9)
    settings = ServerSettings(clock=clock, upload_limit=1_000_000)
    with running(tmp_path, clock, settings) as house:
        answer = house.admin().call(
            "POST",
            "/campaigns",
            data={"name": "bomb", "format": "spacy"},
            files={"file": ("bomb.spacy", bomb)},
        )

    assert len(bomb) < 100_000
    assert answer.status_code == 413


def test_bombs_of_tables_are_refused_before_they_explode(tmp_path: Path, clock: HandClock) -> None:
    """A workbook is an archive, and Parquet keeps a value once for as many rows as one likes."""
    book, table = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"<x/>" * 5_000_000)
    cells = pa.DictionaryArray.from_arrays(pa.array([0] * 9_000, pa.int32()), ["a" * 2_000])
    pq.write_table(pa.table({"text": cells}), table)
    settings = ServerSettings(clock=clock, upload_limit=1_000_000)
    with running(tmp_path, clock, settings) as house:
        answers = [
            house.admin().call("POST", f"/{route}", data={"name": "x"}, files={"file": file})
            for route in ("inspections", "campaigns")
            for file in (("x.xlsx", book.getvalue()), ("x.parquet", table.getvalue()))
        ]

    assert len(book.getvalue()) + len(table.getvalue()) < 100_000
    assert [answer.status_code for answer in answers] == [413] * 4


def test_an_archive_is_no_workbook_because_of_its_name(admin: Visitor) -> None:
    """It is read as one, and found to be none; entities in it are not even looked at."""
    contents = (b"no sheet", b'<!DOCTYPE x [<!ENTITY a "aaa">]><x>&a;</x>')
    for content, words in zip(contents, ("workbook that cannot be read", "entities"), strict=True):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("xl/workbook.xml", content)
        answer = admin.call("POST", "/inspections", files={"file": ("x.xlsx", file.getvalue())})

        assert answer.status_code == 422
        assert words in answer.json()["error"]["message"]


def test_an_upload_above_the_limit_is_refused(tmp_path: Path, clock: HandClock) -> None:
    """And below it is not, though it is above the limit of other bodies."""
    settings = ServerSettings(clock=clock, upload_limit=300_000, body_limit=10_000)
    with running(tmp_path, clock, settings) as house:
        admin = house.admin()
        answers = [
            admin.call(
                "POST",
                "/campaigns",
                data={"name": "x", "gold": "ignore"},
                files={"file": ("x", upload(demo(12), tmp_path) + b"\n" * blank)},
            ).status_code
            for blank in (20_000, 400_000)
        ]

    assert answers == [201, 413]


def test_nobody_can_upload_without_being_known(place: Premises) -> None:
    """The body is not even read."""
    answer = place.nobody.call("POST", "/campaigns", files={"file": ("x", b"x" * 1000)})

    assert answer.status_code == 401


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\1\2",
        b"\xff\xfe\0x",
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x\\u0000y"]}\n',
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["\\ud800"]}\n',
        b'{"spancrew": 1, "labels": ["PER"]}\n' + b"[" * 100_000,
        b'{"spancrew": 1, "labels": ["PER"]}\n{"id": ' + b"9" * 10_000 + b"}\n",
        b'{"spancrew": 1, "labels": ["PER"]}\n',
        b'{"spancrew": 1, "labels": []}\n{"id": "a", "tokens": ["x"]}\n',
    ],
)
def test_data_that_cannot_be_read_are_refused_without_a_path(admin: Visitor, data: bytes) -> None:
    """The message says what is wrong, and nothing about the machine."""
    answer = admin.call(
        "POST", "/campaigns", data={"name": "x", "gold": "ignore"}, files={"file": ("x", data)}
    )

    assert answer.status_code == 422, answer.text
    assert "spancrew-" not in answer.text
    assert "upload" not in answer.text


@pytest.mark.parametrize(
    "plan",
    [
        "[]",
        "{",
        '{"labels": 5}',
        '{"labels": ["\\ud800"]}',
        '{"labels": ["PER", "PER"]}',
        '{"labels": []}',
        '{"labels": [1]}',
        '{"labels": ["PER"], "crew": "four"}',
        '{"labels": ["PER"], "crew": 1e400}',
        '{"labels": ["PER"], "crew": NaN}',
        '{"labels": ["PER"], "lease": -1}',
        '{"labels": ["PER"], "policy": {"policy": "__import__"}}',
        '{"labels": ["PER"], "policy": "os:system=1"}',
        '{"labels": ["PER"], "feedback": 7}',
        '{"labels": ["PER"], "prices": {"answer": "much"}}',
        '{"labels": ["PER"], "budget": "x"}',
        '{"labels": ["PER"], "seed": 1e3}',
        '{"labels": ["PER"], "seed": 99999999999999999999999}',
        '{"labels": ["PER"], "seed": null}',
        '{"labels": ["PER"], "mode": ["stream"]}',
        '{"labels": ["PER"], "nothing": 1}',
    ],
)
def test_a_plan_that_cannot_be_followed_is_refused(admin: Visitor, plan: str) -> None:
    """With a reason, whatever it holds."""
    data = b'{"spancrew": 1, "labels": ["PER"]}\n{"id": "a", "tokens": ["x"]}\n'
    answer = admin.call(
        "POST",
        "/campaigns",
        data={"name": "x", "gold": "ignore", "plan": plan},
        files={"file": ("x", data)},
    )

    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["message"]
