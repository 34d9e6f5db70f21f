"""What must be true after every kill, and in the end."""

import json
import time
from collections import Counter
from contextlib import closing

from spancrew.errors import StoreError
from spancrew.server import SCHEMA_STEPS, Directory
from spancrew.stores import Recorded, SqlStore, check_store, open_sql, restore_store
from tests.killing.backups import Backup
from tests.killing.story import Story
from tests.waiting import PATIENCE, wait_until

Cursors = dict[int, int]
"""How far each webhook is."""


def check_after_kill(story: Story) -> None:
    """Nothing confirmed is lost: not in the store, not in the last backup, not at receivers."""
    known = story.confirmed()
    with story.backups.held() as backup:
        cursors, entries = _looked(story)
        if backup is not None:
            _check_backup(story, backup, entries)
    _check_answers(entries, known)
    for hook, cursor in cursors.items():
        assert story.receiver.missing(hook, story.first, cursor) == [], "events were skipped"


def check_in_the_end(story: Story) -> None:
    """Every sentence is settled once, and every event was delivered."""
    wait_until(lambda: _is_delivered(story), "the webhooks did not get everything")
    check_after_kill(story)
    with story.server.admin() as admin:
        campaign = admin.campaign(story.crowd.campaign)
        status, ledger = campaign.status(), campaign.ledger()
        corrected = campaign.sentences.page(corrected=True)
    kinds = Counter(each.entry.kind for each in _looked(story)[1])

    assert story.crowd.errors == [], story.crowd.errors
    assert status.phase == "finished"
    assert status.settled == kinds["Settled"] == story.sentences
    assert ledger.answers == len(story.crowd.answered)
    assert ledger.model_answers == len(story.crowd.by_model) > 0
    assert ledger.answers + ledger.model_answers == kinds["Answered"]
    assert corrected.total == kinds["Corrected"] == len(story.crowd.corrected) > 0
    assert {each.label for hit in corrected.sentences for each in hit.labels} == {
        story.topic.right
    }


def _looked(story: Story) -> tuple[Cursors, list[Recorded]]:
    """Return how far the webhooks are and what the journal has; a database may need a moment."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with closing(open_sql(story.address, make=False, upgrade=False)) as store:
                cursors = _cursors(store)
                assert check_store(store).problems == []
                return cursors, list(store.read(story.crowd.campaign))
        except StoreError:
            assert time.monotonic() < deadline, "the store did not come back"
            time.sleep(0.1)


def _cursors(store: SqlStore) -> Cursors:
    return {hook.id: hook.cursor for hook in Directory(store.engine).webhooks.all()}


def _check_answers(entries: list[Recorded], known: frozenset[str]) -> None:
    """Check that the journal has no gap, and every confirmed answer once."""
    said = {"Answered", "ExpertAnswered", "Corrected", "SentencesAdded"}
    bodies = [json.loads(entry.body) for _, entry in entries if entry.kind in said]
    keys = Counter(body["key"] for body in bodies)
    settled = Counter(
        json.loads(entry.body)["sentence"] for _, entry in entries if entry.kind == "Settled"
    )

    assert [version for version, _ in entries] == list(range(1, len(entries) + 1))
    assert known <= keys.keys(), "confirmed answers are lost"
    assert max(keys.values(), default=1) == 1, "an answer counts twice"
    assert max(settled.values(), default=1) == 1, "a sentence was settled twice"


def _check_backup(story: Story, backup: Backup, entries: list[Recorded]) -> None:
    """Check that a backup restores to a beginning of the journal that was confirmed by then."""
    target = story.folder / "restored.db"
    (found,) = restore_store(backup.path, str(target), SCHEMA_STEPS)
    with closing(open_sql(target)) as store:
        restored = list(store.read(story.crowd.campaign))
    for path in story.folder.glob("restored.db*"):
        path.unlink()

    assert found.problem is None
    assert restored == entries[: len(restored)]
    _check_answers(restored, backup.known)


def _is_delivered(story: Story) -> bool:
    with closing(open_sql(story.address, make=False, upgrade=False)) as store:
        last = store.version(story.crowd.campaign)
        return all(cursor == last for cursor in _cursors(store).values())
