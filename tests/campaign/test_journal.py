"""Events as rows of a journal, and back."""

import json
import math
import re
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import (
    KINDS,
    Answered,
    Assigned,
    Campaign,
    Entry,
    FinalLabel,
    Opened,
    Started,
    entry_of,
    event_of,
)
from spancrew.errors import CampaignError, JournalError
from tests.campaign.stage import PLAN, Stage
from tests.campaign.worlds import plain
from tests.conftest import ROOT

NUMBER = st.integers(0, 10**6)
MONEY = st.floats(0, 100)
TEXT = st.text(max_size=8)
MAYBE_TEXT = st.none() | TEXT
SPANS = st.lists(st.tuples(NUMBER, NUMBER, TEXT), max_size=3).map(tuple)
WORKERS = st.lists(NUMBER, max_size=3).map(tuple)
PLAIN = st.dictionaries(TEXT, st.none() | NUMBER | MONEY | TEXT | st.lists(NUMBER), max_size=3)
FINAL = st.builds(FinalLabel, NUMBER, NUMBER, TEXT, MONEY, WORKERS)
PURPOSE = st.sampled_from(["crew", "warm-up", "gold"])

BY_FIELD: dict[str, st.SearchStrategy[Any]] = {
    "at": MONEY,
    "plan": PLAIN,
    "reason": TEXT,
    "budget": st.none() | MONEY,
    "feedback": TEXT,
    "price": st.none() | MONEY,
    "cap": st.none() | NUMBER,
    "banned": st.booleans(),
    "crew": WORKERS,
    "until": MONEY,
    "purpose": PURPOSE,
    "extra": MONEY,
    "spans": SPANS,
    "crowd": SPANS,
    "paid": MONEY,
    "seconds": st.none() | MONEY,
    "late": st.booleans(),
    "surplus": st.booleans(),
    "key": MAYBE_TEXT,
    "turned": st.booleans(),
    "note": TEXT,
    "outcome": st.sampled_from(["crowd", "more", "expert"]),
    "errors": MONEY,
    "size": MONEY,
    "expert": TEXT,
    "by": st.sampled_from(["crowd", "expert", "gold"]),
    "labels": st.lists(FINAL, max_size=2).map(tuple),
    "confidence": st.floats(0, 1),
    "rewards": st.lists(st.tuples(NUMBER, st.none() | MONEY), max_size=3).map(tuple),
    "reward": MONEY,
}
"""Fields that are no number; the rest are."""

SPECIAL = {("Assigned", "reason"): PLAIN, ("Judged", "reason"): st.none() | MONEY}


def strategy_of(name: str) -> st.SearchStrategy[Any]:
    """Return any event of a kind."""
    kind = KINDS[name]
    chosen = {
        field.name: SPECIAL.get((name, field.name), BY_FIELD.get(field.name, NUMBER))
        for field in fields(kind)
    }
    return st.builds(kind, **chosen)


@pytest.mark.parametrize("name", KINDS)
def test_every_event_comes_back_from_its_entry(name: str) -> None:
    """Through a row of text, with all its values."""

    @given(strategy_of(name))
    def comes_back(event: Any) -> None:
        entry = entry_of(event)
        again = Entry(entry.kind, entry.at, json.dumps(json.loads(entry.body)))

        assert event_of(entry) == event
        assert event_of(again) == event
        assert (entry.kind, entry.at) == (name, event.at)

    comes_back()


def test_every_kind_of_event_is_documented_with_its_fields() -> None:
    """And none is that is not there."""
    page = (ROOT / "docs" / "reference" / "events.md").read_text("utf-8")
    parts = re.split(r"^### (\w+)$", page, flags=re.MULTILINE)[1:]
    described = dict(zip(parts[::2], parts[1::2], strict=True))

    assert sorted(described) == sorted(KINDS)
    for name, text in described.items():
        rows = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
        assert rows == {field.name for field in fields(KINDS[name])} - {"at"}, name


def test_an_event_of_a_newer_version_is_refused() -> None:
    """It cannot be passed over: what follows depends on it."""
    with pytest.raises(JournalError, match="'Teleported', which this version does not know"):
        event_of(Entry("Teleported", 1.0, "{}"))


def test_a_journal_has_no_value_that_json_does_not_know() -> None:
    """NaN would be read by nobody else."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        entry_of(KINDS["BudgetSet"](0.0, math.nan))


def test_a_journal_begins_with_a_campaign_that_was_set_up() -> None:
    """Nothing else can be replayed."""
    with pytest.raises(CampaignError, match="begins with a campaign that was set up"):
        Campaign.replay(plain(), [Started(1.0)])
    with pytest.raises(CampaignError, match="begins with a campaign that was set up"):
        Campaign.replay(plain(), [])


def test_a_journal_is_replayed_on_its_own_sentences_only() -> None:
    """Others would get its labels."""
    opened = Opened(0.0, PLAN.to_json(), 6)

    with pytest.raises(JournalError, match="6 sentences, not 5"):
        Campaign.replay(plain(5), [opened])


def test_somebody_elses_events_are_no_news() -> None:
    """They are in the journal already."""
    stage = Stage()
    stage.answer(0)
    other = Campaign.replay(stage.material, stage.events)

    assert other.news() == []
    assert other.version == len(stage.events)
    assert other.snapshot() == stage.campaign.snapshot()


def test_an_entry_tells_whether_it_writes_a_rare_field() -> None:
    """A note of a person that looks like one is none."""
    told = Answered(1.0, 3, 4, 5, ((0, 1, "PER"),), 0.1, note='"shown":true', key="shown")
    quiet = Assigned(1.0, 3, 4, 5, 9.0, "crew", {})

    assert entry_of(replace(quiet, shown=True)).writes("shown")
    assert not entry_of(quiet).writes("shown")
    assert not entry_of(told).writes("shown")
    assert entry_of(told).writes("note")
