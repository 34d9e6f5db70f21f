"""The payout journal: what it keeps, and whom it keeps out."""

import sqlite3
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from spancrew.bridges import Payout, PayoutJournal
from spancrew.errors import StoreError
from tests.bridges.books import account, plan_for
from tests.bridges.prolific import FakeProlific


def test_a_journal_is_the_same_after_it_is_opened_again(
    fake_prolific: FakeProlific, tmp_path: Path
) -> None:
    """Plans, states, sums and reasons."""
    plan = plan_for(fake_prolific, [120, 250])
    with PayoutJournal(tmp_path / "j.sqlite") as journal:
        journal.plan(plan)
        Payout(account(fake_prolific), journal).send(plan)
        kept = (journal.plans, journal.paid(), [journal.state(each) for each in plan.payments])
    with PayoutJournal(tmp_path / "j.sqlite") as journal:
        found = (journal.plans, journal.paid(), [journal.state(each) for each in plan.payments])

    assert found == kept
    assert found[0] == {plan.id: plan}
    assert stat.S_IMODE((tmp_path / "j.sqlite").stat().st_mode) == 0o600


def test_two_payouts_at_once_are_refused(tmp_path: Path) -> None:
    """The second is told to wait."""
    with (
        PayoutJournal(tmp_path / "j.sqlite") as journal,
        pytest.raises(StoreError, match="another payout is at work"),
    ):
        PayoutJournal(journal.path)


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    """Neither text, nor a journal of a newer version."""
    (tmp_path / "text").write_text("to pay: everything " * 100)
    newer = tmp_path / "newer"
    PayoutJournal(newer).close()
    with sqlite3.connect(newer) as database:
        database.execute('INSERT INTO entries (body) VALUES (\'{"entry": "cancelled"}\')')
    database.close()

    with pytest.raises(StoreError, match="no payout journal"):
        PayoutJournal(tmp_path / "text")
    with pytest.raises(StoreError, match="'cancelled'"):
        PayoutJournal(newer)


def test_a_journal_has_one_campaign_on_one_platform(
    fake_prolific: FakeProlific, tmp_path: Path
) -> None:
    """A trial in the sandbox does not count as paid."""
    plan = plan_for(fake_prolific, [120])
    with PayoutJournal(tmp_path / "j.sqlite") as journal:
        journal.plan(plan)
        for other in (replace(plan, api="https://else.example"), replace(plan, campaign="other")):
            with pytest.raises(StoreError, match="is the journal of"):
                journal.plan(other)

        assert list(journal.plans) == [plan.id]
