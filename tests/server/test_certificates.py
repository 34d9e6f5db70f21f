"""Audits on a server: blind for experts, and a certificate of what is exported."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.certificates import certificate_from, differences
from spancrew.formats import read
from tests.server.conftest import Visitor, create, demo, gold_spans, invite

DATA = demo()
WRONG = [{"start": 0, "end": 1, "label": "PER"}]


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a running campaign of which everything is audited; two workers say the same."""
    made = create(admin, tmp_path, answers=2, crew=2, audit=12)
    admin.ok("POST", f"/campaigns/{made}/start")
    workers = [invite(admin, made) for _ in range(2)]
    for turn in range(12):
        for worker in workers:
            work = worker.ok("POST", f"/campaigns/{made}/next")["assignment"]
            spans = WRONG if turn < 3 else gold_spans(DATA, work["sentence"]["id"])
            body = {"assignment": work["assignment"], "spans": spans}
            worker.ok("POST", f"/campaigns/{made}/answers", json=body)
    return made


def audit(admin: Visitor, campaign: str, count: int = 12) -> list[dict[str, Any]]:
    """Let an expert label what they get; return the sheets."""
    expert = invite(admin, campaign, "experts")
    sheets = []
    for _ in range(count):
        sheet = expert.ok("POST", f"/campaigns/{campaign}/expert/next")["sheet"]
        sheets.append(sheet)
        spans = gold_spans(DATA, sheet["sentence"]["id"])
        body = {"sentence": sheet["number"], "spans": spans}
        expert.ok("POST", f"/campaigns/{campaign}/expert/answers", json=body)
    return sheets


def test_nothing_shows_an_expert_that_it_is_an_audit(admin: Visitor, campaign: str) -> None:
    """Neither answers nor the crowd's labels, and the same word as for a warm-up."""
    sheets = audit(admin, campaign)

    for sheet in sheets:
        assert (sheet["answers"], sheet["crowd"]) == ([], [])
        assert sheet["doubt"]["purpose"] == "blind"
        assert (sheet["doubt"]["loss"], sheet["doubt"]["errors"]) == (0.0, None)
        assert "audit" not in json.dumps(sheet)


def test_the_figure_is_a_guess_until_something_is_audited(admin: Visitor, campaign: str) -> None:
    """Then it has an interval, which closes when everything is."""
    path = f"/campaigns/{campaign}/certificate"
    guess = admin.ok("GET", path)
    audit(admin, campaign, 5)
    some = admin.ok("GET", path)
    audit(admin, campaign, 7)
    every = admin.ok("GET", path)

    assert (guess["kind"], guess["f1"]["low"], guess["audited"]) == ("guess", None, 0)
    assert (some["kind"], some["audited"], some["level"]) == ("audited", 5, 0.95)
    assert some["f1"]["low"] < some["f1"]["high"]
    assert every["f1"] == {"estimate": 1.0, "low": 1.0, "high": 1.0}


def test_an_export_has_the_labels_of_the_audits(
    admin: Visitor, campaign: str, tmp_path: Path
) -> None:
    """Whoever audited them has decided on them, and the export says so."""
    audit(admin, campaign)
    exported = admin.call("GET", f"/campaigns/{campaign}/export")
    file = tmp_path / "export.jsonl"
    file.write_bytes(exported.content)
    dataset = read(file).dataset
    finals = [dataset.final(k) for k in range(len(dataset))]

    assert {final.by for final in finals if final is not None} == {"audit"}
    for k, final in enumerate(finals):
        assert final is not None
        assert tuple(each.span for each in final.spans) == DATA.gold_spans(k)


def test_a_certificate_can_be_kept_and_checked(admin: Visitor, campaign: str) -> None:
    """It says what it is about by hashes; a later one differs."""
    audit(admin, campaign, 6)
    path = f"/campaigns/{campaign}/certificate/record"
    kept = admin.ok("GET", path)
    again = admin.ok("GET", path)
    audit(admin, campaign, 6)
    later = admin.ok("GET", path)
    made, provenance = certificate_from(kept)

    assert differences(kept, again) == []
    assert differences(kept, later)
    assert (made.kind, made.audited, provenance.seed) == ("audited", 6, 0)
    assert provenance.source == "Names in news"
    assert provenance.probability == 1.0
    assert provenance.journal_hash is not None
    assert len(provenance.journal_hash) == 64


def test_a_certificate_is_a_page_of_its_own(admin: Visitor, campaign: str) -> None:
    """It needs nothing from anywhere else."""
    audit(admin, campaign, 6)
    page = admin.call("GET", f"/campaigns/{campaign}/certificate/page")

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "Exact F1 of the delivered labels is" in page.text
    assert "attachment" in page.headers["content-disposition"]
    assert 'href="http' not in page.text
    assert 'src="' not in page.text


@pytest.mark.parametrize("level", [0, 1, 2, "nan"])
def test_a_level_that_is_none_is_refused(admin: Visitor, campaign: str, level: float) -> None:
    """It is a probability between 0 and 1."""
    answer = admin.call("GET", f"/campaigns/{campaign}/certificate", params={"level": level})

    assert answer.status_code == 422
