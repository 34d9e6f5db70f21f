"""A what-if on an export alone, and on one with its journal."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from spancrew.campaign import Entry, entry_of
from spancrew.errors import FormatError, SpancrewError
from spancrew.feedback import AgreementGate
from spancrew.formats import write
from spancrew.whatif import OtherRule, collected_from_export, what_if
from spancrew.workbench import journal_of
from spancrew.workbench import what_if as say_what_if
from tests.campaign.driven import Driven
from tests.whatif.played import (
    collected,
    export_of,
    long_scene,
    played,
    without_gold,
    write_journal,
)


@pytest.fixture(scope="module")
def live() -> Driven:
    """Return a campaign that has been played to its end."""
    return played(long_scene, "gate:threshold=0.4")


def test_an_export_tells_nearly_what_the_journal_tells(live: Driven) -> None:
    """It lacks the sentence that all workers warmed up on, and when audits were drawn."""
    other = OtherRule(threshold=0.2)
    whole = what_if(collected(live), other)
    part = what_if(collected_from_export(export_of(live), AgreementGate(0.2)), other)

    assert part.sentences == whole.sentences - 1
    assert part.after.expert_share.estimate == pytest.approx(
        whole.after.expert_share.estimate, abs=0.005
    )
    assert part.after.f1.estimate == pytest.approx(whole.after.f1.estimate, abs=0.02)
    assert part.before.f1.estimate == pytest.approx(whole.before.f1.estimate, abs=0.02)
    assert part.audited == whole.audited > 0
    assert any("An export has no prices" in note for note in part.notes)


def test_a_journal_in_a_file_tells_what_the_campaign_tells(live: Driven, tmp_path: Path) -> None:
    """With the sentences of its export."""
    write(export_of(live), tmp_path / "export.jsonl")
    journal = write_journal(live, tmp_path / "journal.jsonl")
    found = say_what_if(tmp_path / "export.jsonl", threshold=0.2, journal=journal)

    assert found.found == what_if(collected(live), OtherRule(threshold=0.2))
    assert repr(found).startswith("WhatIf(gate:threshold=0.2: ")
    assert len(found.frame()) == len(found.found.changes)
    assert "asked by the rule" in found._repr_html_()


class OnServer:
    """A campaign as a client shows it."""

    id = "c1"

    def __init__(self, live: Driven) -> None:
        self._live = live

    def all_events(self, after: int = 0) -> Iterator[Entry]:
        """Yield the journal; bodies are values there."""
        rows = write_journal(self._live, Path("journal.jsonl"))
        yield from (_shown(entry_of(event)) for event in journal_of(rows)[after:])

    def export(self, path: Path, *, revise: bool, answers: bool) -> object:
        """Write the sentences."""
        assert not revise
        assert not answers
        return write(export_of(self._live).without_answers(), path)


def _shown(entry: Entry) -> Entry:

    return entry._replace(body=json.loads(entry.body))


def test_a_campaign_of_a_server_is_asked_for_its_journal(
    live: Driven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as from the journal itself."""
    monkeypatch.chdir(tmp_path)
    found = say_what_if(OnServer(live), threshold=0.2)  # type: ignore[arg-type]

    assert found.found == what_if(collected(live), OtherRule(threshold=0.2))


def test_data_that_is_no_export_is_refused(live: Driven) -> None:
    """Without final labels, or without answers, there is nothing to compare."""
    plain = without_gold(live.scene.dataset)
    rule = AgreementGate()
    silent = export_of(live)
    silent = type(silent)(
        silent.labels,
        silent.sentences,
        silent.workers,
        silent.gold,
        silent.without_answers().answers,
        silent.finals,
    )

    with pytest.raises(SpancrewError, match="no final labels"):
        collected_from_export(plain, rule)
    with pytest.raises(SpancrewError, match="no answers"):
        collected_from_export(silent, rule)
    with pytest.raises(SpancrewError, match="does not say which feedback rule"):
        say_what_if(export_of(live), answers=2)


@pytest.mark.parametrize(
    "line", [b"nothing", b"[]", b'{"kind": "Started"}', b'{"kind": "X", "at": 1}', b'"\xff"']
)
def test_a_file_that_is_no_journal_is_refused_with_its_line(tmp_path: Path, line: bytes) -> None:
    """And with the command that writes one."""
    file = tmp_path / "journal.jsonl"
    file.write_bytes(b'{"kind": "Started", "at": 1, "body": {}}\n' + line)

    with pytest.raises(FormatError, match=r"journal.jsonl.*2"):
        journal_of(file)
