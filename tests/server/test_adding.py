"""Sentences that are added to a campaign while it runs."""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spancrew.campaign import unpack
from spancrew.core import Dataset, Sentence, Span
from spancrew.formats import read
from spancrew.server.desk.desk import Desk
from spancrew.stores import check_store, material_of_rows, open_sql
from tests.server.conftest import House, Visitor, create, demo, invite, upload
from tests.server.desks import NAME, answer, kinds, opened, plan, rows

PER: list[dict[str, Any]] = [{"start": 0, "end": 1, "label": "PER"}]
PLAN: dict[str, Any] = {
    "feedback": "crowd",
    "answers": 1,
    "crew": 1,
    "warm_up": "none",
    "audit": 0,
}


def sent(
    admin: Visitor, campaign: str, dataset: Dataset, folder: Path, **form: str
) -> dict[str, Any]:
    """Add sentences and return what became of them."""
    files = {"file": ("more.jsonl", upload(dataset, folder))}
    path = f"/campaigns/{campaign}/sentences"
    found: dict[str, Any] = admin.ok("POST", path, data={"gold": "ignore", **form}, files=files)
    return found


def worked(worker: Visitor, campaign: str) -> list[int]:
    """Label all there is; return the sentences."""
    numbers = []
    while work := worker.ok("POST", f"/campaigns/{campaign}/next").get("assignment"):
        body = {"assignment": work["assignment"], "spans": PER, "key": str(work["assignment"])}
        worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)
        numbers.append(work["sentence"]["id"])
    return numbers


def test_a_campaign_that_was_over_goes_on(house: House, admin: Visitor, tmp_path: Path) -> None:
    """With the new sentences alone: in lists, figures, agreement, index, export and audit log."""
    made = create(admin, tmp_path, sentences=3, **PLAN)
    admin.ok("POST", f"/campaigns/{made}/start")
    worker = invite(admin, made)
    first = worked(worker, made)
    agreed = admin.ok("GET", f"/campaigns/{made}/agreement")["answers"]
    over = admin.ok("GET", f"/campaigns/{made}/status")
    told = sent(admin, made, demo(8), tmp_path)
    second = worked(worker, made)
    status = admin.ok("GET", f"/campaigns/{made}/status")
    listed = admin.ok("GET", f"/campaigns/{made}/sentences", params={"number": [4, 7]})
    ids = [each["sentence"]["id"] for each in listed["sentences"]]
    (log,) = [
        each for each in admin.ok("GET", "/audit")["entries"] if each["action"] == "sentences.add"
    ]

    assert (len(first), agreed, over["phase"]) == (3, 3, "finished")
    assert (told["added"], told["known"], told["sentences"]) == (5, 3, 8)
    assert told["numbers"] == list(range(8))
    assert len(second) == 5
    assert not set(first) & set(second)
    assert (status["phase"], status["settled"], status["sentences"]) == ("finished", 8, 8)
    assert ids == [demo(8).sentences[k].id for k in (4, 7)]
    assert {each["state"] for each in listed["sentences"]} == {"settled"}
    assert admin.ok("GET", f"/campaigns/{made}/agreement")["answers"] == 8
    assert [each["sentences"] for each in admin.ok("GET", "/campaigns")] == [8]
    assert (log["before"], log["after"]) == ({"sentences": 3}, {"sentences": 8})
    exported = tmp_path / "out.jsonl"
    exported.write_bytes(admin.call("GET", f"/campaigns/{made}/export?format=spancrew").content)
    assert read(exported).dataset.sentences == demo(8).sentences


def test_sending_the_same_again_changes_nothing(admin: Visitor, tmp_path: Path) -> None:
    """By id and text; where another sentence has the id, by the key."""
    made = create(admin, tmp_path, sentences=3, **PLAN)
    other = Dataset.of([Sentence.from_tokens("x", ["Ana", "left"])], labels=demo().labels)
    twin = Dataset.of(
        [*other.sentences, Sentence.from_tokens(demo().sentences[1].id, ["Rome"])],
        labels=demo().labels,
    )
    path = f"/campaigns/{made}/events"
    one = sent(admin, made, other, tmp_path, key="a")
    two = sent(admin, made, twin, tmp_path, key="b")
    count = len(admin.ok("GET", path)["events"])
    again = [sent(admin, made, twin, tmp_path, key="b"), sent(admin, made, other, tmp_path)]
    shown = admin.ok("GET", f"/campaigns/{made}/sentences", params={"number": 4})

    assert (one["numbers"], two["numbers"]) == ([3], [3, 4])
    assert [each["numbers"] for each in again] == [[3, 4], [3]]
    assert [each["added"] for each in again] == [0, 0]
    assert len(admin.ok("GET", path)["events"]) == count
    assert shown["sentences"][0]["sentence"]["id"] == f"{demo().sentences[1].id}+4"


def test_the_budget_decides_how_many_are_begun(admin: Visitor, tmp_path: Path) -> None:
    """All are taken in; the rest waits for money."""
    prices = {"answer": 0.5, "expert": 1}
    made = create(admin, tmp_path, sentences=2, budget=1.5, prices=prices, **PLAN)
    admin.ok("POST", f"/campaigns/{made}/start")
    sent(admin, made, demo(6), tmp_path)
    labelled = worked(invite(admin, made), made)
    status = admin.ok("GET", f"/campaigns/{made}/status")

    assert len(labelled) == 3
    assert (status["waiting"], status["reason"]) == (3, "the budget is spent")


def test_what_does_not_fit_is_refused(admin: Visitor, tmp_path: Path) -> None:
    """A campaign that was ended by hand, other labels in gold, and what the guide gives away."""
    made = create(admin, tmp_path, sentences=2, **PLAN)
    path, files = f"/campaigns/{made}", {"file": ("x.jsonl", upload(demo(5), tmp_path))}
    last = demo(5).sentences[4]
    told = {"sentence": {"text": last.text, "tokens": last.bounds}, "spans": []}
    admin.ok("PUT", f"{path}/guide", json={"instructions": "", "examples": [told]})
    leaked = admin.call("POST", f"{path}/sentences", data={"gold": "ignore"}, files=files)
    odd = Dataset.of(
        [Sentence.from_tokens("o", ["Ana"])], {"o": [Span(0, 1, "ANIMAL")]}, labels=None
    )
    files["file"] = ("y.jsonl", upload(odd, tmp_path))
    foreign = admin.call("POST", f"{path}/sentences", files=files)
    admin.ok("POST", f"{path}/finish")
    ended = admin.call("POST", f"{path}/sentences", data={"gold": "ignore"}, files=files)

    assert (leaked.status_code, "gives its labels away" in leaked.text) == (422, True)
    assert (foreign.status_code, "ANIMAL" in foreign.text) == (422, True)
    assert ended.status_code == 409
    assert admin.ok("GET", f"{path}/status")["sentences"] == 2


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_another_process_learns_of_new_sentences(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Whether it has the campaign in memory, or reads a snapshot or the journal afterwards."""
    sqlite = store == "sqlite"
    address = str(tmp_path / "s.db") if sqlite else request.getfixturevalue("postgres").database()
    more = list(rows(20))[12:]
    given = material_of_rows(plan().label_set, more)

    async def grow() -> tuple[list[int | None], list[bytes]]:
        ours, theirs = open_sql(address), open_sql(address)
        one, other = Desk(ours, lambda: 1.0), Desk(theirs, lambda: 1.0)
        await opened(one)
        await other.look(NAME, lambda campaign: campaign.version)
        await one.grow(NAME, lambda campaign: campaign.add(given, 2.0, key="k"), more)
        done = [await other.do(NAME, answer(k % 4)) for k in range(40)]
        bytes_ = [await desk.look(NAME, lambda c: c.snapshot()) for desk in (one, other)]
        await other.close()
        late = Desk(ours, lambda: 1.0)
        bytes_.append(await late.look(NAME, lambda campaign: campaign.snapshot()))
        for desk in (late, one):
            await desk.close()
        assert check_store(ours).problems == []
        assert [row.id for row in ours.sentences(NAME, first=12)] == [row.id for row in more]
        assert kinds(ours)[-1] == "Finished"
        ours.close()
        theirs.close()
        return done, bytes_

    done, bytes_ = asyncio.run(grow())

    assert None not in done
    # Numbers that went through a database may be written as 2 instead of 2.0.
    plain = [unpack(each)[0] for each in bytes_]
    assert plain[0] == plain[1] == plain[2]


def test_a_store_is_checked_while_a_campaign_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether sentences come after the journal was measured, or after it was replayed."""
    more = list(rows(14))[12:]
    given = [material_of_rows(plan().label_set, [row]) for row in more]
    store = open_sql(str(tmp_path / "s.db"))

    async def check() -> list[str]:
        desk = Desk(store, lambda: 1.0)
        await opened(desk)
        read_version, read_sentences = store.version, store.sentences
        waiting = iter(zip(given, more, strict=True))

        async def grow() -> None:
            one, row = next(waiting)
            await desk.grow(NAME, lambda campaign: campaign.add(one, 2.0), [row])

        loop = asyncio.get_running_loop()

        def come() -> None:
            asyncio.run_coroutine_threadsafe(grow(), loop).result()

        def version(campaign: str) -> int:
            found = read_version(campaign)
            monkeypatch.setattr(store, "version", read_version)
            come()
            return found

        def sentences(campaign: str, **options: int) -> Any:
            if "first" not in options:
                monkeypatch.setattr(store, "sentences", read_sentences)
                come()
            return read_sentences(campaign, **options)

        monkeypatch.setattr(store, "version", version)
        monkeypatch.setattr(store, "sentences", sentences)
        problems = (await asyncio.to_thread(check_store, store)).problems
        await desk.close()
        return problems

    assert asyncio.run(check()) == []
    assert len(list(store.sentences(NAME))) == 14
    store.close()


def test_a_turn_that_fails_adds_no_sentence(tmp_path: Path) -> None:
    """Neither to the journal nor to the texts."""
    bad = [row._replace(text="a\0b") for row in list(rows(13))[12:]]
    given = material_of_rows(plan().label_set, bad)

    async def grow() -> tuple[int, int, dict[str, Any]]:
        store = open_sql(str(tmp_path / "s.db"))
        desk = Desk(store, lambda: 1.0)
        await opened(desk)
        with pytest.raises(Exception, match="NUL"):
            await desk.grow(NAME, lambda campaign: campaign.add(given, 2.0), bad)
        seen = await desk.look(NAME, lambda campaign: campaign.sentences)
        texts = len(list(store.sentences(NAME)))
        summary = json.loads(store.summaries()[NAME].body)
        await desk.close()
        store.close()
        return seen, texts, summary

    seen, texts, _ = asyncio.run(grow())

    assert (seen, texts) == (12, 12)
    assert np.all(given.lengths == 1)
