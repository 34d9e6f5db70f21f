"""A state as bytes, and models that are fitted elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spancrew.campaign import (
    Campaign,
    Fitted,
    Material,
    entry_of,
    event_of,
    model_from_bytes,
    model_to_bytes,
    pack,
    unpack,
)
from spancrew.consensus import Auto, Bsc, Consensus, DawidSkene, SpanDs
from spancrew.errors import JournalError
from spancrew.feedback import ExpectedErrorGate
from tests.campaign.stage import LEASE, Stage
from tests.campaign.worlds import plain

METHODS: list[Consensus] = [DawidSkene(), SpanDs(), Bsc(), Auto()]


def busy() -> Stage:
    """Return a campaign in the middle of everything."""
    stage = Stage(12, plain(20, known=3), warm_up="shared", gold_share=0.2, crew=10, budget=40.0)
    for _ in range(4):
        for each in stage.campaign.ask(stage.everybody, stage.now):
            if each.worker % 4:
                stage.tell(each, each.worker, key=f"k{each.number}")
        stage.pass_time(LEASE / 2)
    stage.sheet()
    stage.campaign.halt(3, stage.now)
    return stage


def test_a_snapshot_comes_back_to_the_last_bit() -> None:
    """With leases, late ones, the queue and what is remembered of submissions."""
    stage = busy()
    data = stage.campaign.snapshot()
    again = Campaign.restore(stage.material, data)

    assert again.snapshot() == data
    assert again.version == stage.campaign.version
    assert again.status() == stage.campaign.status()
    assert again.standings() == stage.campaign.standings()
    assert again.ledger() == stage.campaign.ledger()
    assert again.expert_queue() == stage.campaign.expert_queue()
    assert again.news() == []


def test_it_does_not_matter_where_a_snapshot_comes_from() -> None:
    """From the living campaign, its journal, or the journal in two parts."""
    stage = busy()
    data = stage.campaign.snapshot()
    events = [event_of(entry_of(event)) for event in stage.events]
    half = len(events) // 2
    begun = Campaign.replay(stage.material, events[:half])
    later = Campaign.restore(stage.material, begun.snapshot())
    for event in events[half:]:
        later.apply(event)

    assert Campaign.replay(stage.material, events).snapshot() == data
    assert later.snapshot() == data


def test_more_workers_than_a_set_has_places_keep_their_order() -> None:
    """Numbers in a set come in an order that depends on its past; bytes must not."""
    stage = Stage(40, plain(3), crew=40, answers=20)
    for worker in (39, 7, 31, 8, 0, 16, 24):
        stage.give(worker, [worker])
    data = stage.campaign.snapshot()

    assert Campaign.restore(stage.material, data).snapshot() == data
    assert Campaign.replay(stage.material, stage.events).snapshot() == data


@pytest.mark.parametrize("data", [b"", b"spancrew", b"\x80\x04pickle", b"PK\x03\x04"])
def test_foreign_bytes_are_refused(data: bytes) -> None:
    """Nothing in them is run."""
    with pytest.raises(JournalError, match="not a snapshot of this version"):
        Campaign.restore(plain(), data)


@given(st.integers(9, 2_000))
def test_a_snapshot_that_was_cut_short_is_refused(size: int) -> None:
    """Wherever it was cut."""
    data = Stage(2).campaign.snapshot()

    with pytest.raises(JournalError, match="a snapshot is damaged"):
        Campaign.restore(plain(), data[: min(size, len(data) - 1)])


def changed(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a snapshot in which something is different."""
    plain, arrays = unpack(data)
    change(plain)
    return pack(plain, arrays)


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.pop("form"),
        lambda plain: plain["form"].update(meaning=0),
        lambda plain: plain["form"]["WorkerRecord"].append("colour"),
        lambda plain: plain["form"]["Lease"].remove("until"),
        lambda plain: plain.pop("step"),
        lambda plain: plain["money"].update(colour="red"),
        lambda plain: plain["workers"][0].pop("price"),
        lambda plain: plain["workers"][0].update(recent=[[1]]),
        lambda plain: plain["plan"].update(policy="of-another-package"),
        lambda plain: plain["plan"].update(colour="red"),
        lambda plain: plain.update(workers=None),
        lambda plain: plain.update(leases=[7]),
    ],
)
def test_a_snapshot_that_does_not_fit_is_refused(
    change: Callable[[dict[str, Any]], object],
) -> None:
    """Of another version, with a field more or less, with a part that nobody offers here."""
    stage = busy()
    data = changed(stage.campaign.snapshot(), change)

    with pytest.raises(JournalError, match=r"snapshot .*does not fit"):
        Campaign.restore(stage.material, data)


def test_a_snapshot_with_a_wrong_bit_is_refused() -> None:
    """Wherever it is: a number that is a little off would be believed for ever."""
    data = busy().campaign.snapshot()
    places = np.random.default_rng(1).integers(0, 8 * len(data), 200)

    for place in places.tolist():
        wrong = bytearray(data)
        wrong[place // 8] ^= 1 << place % 8
        with pytest.raises(JournalError):
            Campaign.restore(busy_material(), bytes(wrong))


def busy_material() -> Material:
    """Return the sentences of the busy campaign."""
    return plain(20, known=3)


@given(
    st.dictionaries(st.text(max_size=3), st.none() | st.integers() | st.text(max_size=5)),
    st.lists(st.integers(0, 5), min_size=0, max_size=3),
    st.sampled_from(["int64", "float64", "bool", "int8", "uint16"]),
)
def test_packed_values_come_back(plain_: dict[str, object], shape: list[int], kind: str) -> None:
    """Arrays of any shape, empty ones as well, and JSON."""
    array = np.ones(shape, kind)
    back, arrays = unpack(pack(plain_, {"a": array, "b": array[..., None]}))

    assert back == plain_
    assert arrays["a"].dtype == array.dtype
    assert np.array_equal(arrays["a"], array)
    assert arrays["b"].shape == (*shape, 1)


@pytest.mark.parametrize("method", METHODS, ids=lambda each: type(each).__name__)
def test_a_fit_in_the_background_is_the_same_as_one_in_place(method: Consensus) -> None:
    """Both know the same after it, and so does who replays the journal."""
    stage = Stage(5, plain(80), answers=2, crew=5, consensus=method, feedback=ExpectedErrorGate())
    stage.campaign = Campaign.replay(stage.material, stage.events, fits=0)
    fits = 0
    for _ in range(200):
        stage.turn(ways=(1, 1, 1, 2))
        if (seen := stage.campaign.due_fit()) is not None:
            stage.campaign.fitted(seen, stage.campaign.fit(seen), stage.now)
            fits += 1
        if stage.campaign.phase == "finished":
            break
    again = Campaign.replay(stage.material, [event_of(entry_of(e)) for e in stage.events])

    assert fits == len(stage.of(Fitted)) > 0
    assert again.snapshot() == stage.campaign.snapshot()
    assert again.revised() == stage.campaign.revised()
    assert again.lacks_model() == stage.of(Fitted)[-1].seen or again.lacks_model() is None


def test_a_fit_is_due_after_fifty_sentences_and_done_in_place() -> None:
    """Unless somebody else does it."""
    stage = Stage(5, plain(80), crew=5, consensus=DawidSkene(), feedback=ExpectedErrorGate())
    stage.run(ways=(1, 1, 2))
    (fitted,) = stage.of(Fitted)

    assert fitted.seen == 50
    assert fitted.workers == 5
    assert stage.campaign.due_fit() is None


def test_a_model_of_yesterday_is_not_used() -> None:
    """Who joined in the meantime is in none, and a fit that came between makes it stale."""
    stage = Stage(3, plain(30), crew=3, consensus=Bsc(), feedback=ExpectedErrorGate())
    for _ in range(6):
        stage.turn(ways=(1, 1, 2))
    seen = len(stage.campaign.state.log)
    model = stage.campaign.fit(seen)
    stage.campaign.join(stage.now)
    stage.campaign.fitted(seen, model, stage.now)
    stage.campaign.fitted(seen - 1, model, stage.now)
    stage.turn(ways=(1, 1, 2))
    (fitted,) = stage.of(Fitted)
    again = Campaign.replay(stage.material, stage.events)

    assert fitted.workers == 3
    assert again.revised() == stage.campaign.revised()


def test_a_model_that_nobody_has_made_here_is_made_when_it_is_needed() -> None:
    """Only what follows from the journal is used."""
    stage = Stage(3, plain(30), crew=3, consensus=DawidSkene(), feedback=ExpectedErrorGate())
    for _ in range(6):
        stage.turn(ways=(1, 1, 2))
    seen = len(stage.campaign.state.log)
    nothing = stage.campaign.state.log.evidence(stage.material, 0, 3)
    stage.campaign.fitted(seen, DawidSkene().fit(nothing), stage.now)
    again = Campaign.replay(stage.material, stage.events)

    assert stage.campaign.lacks_model() == seen
    assert again.revised() == stage.campaign.revised()


@pytest.mark.parametrize("method", METHODS, ids=lambda each: type(each).__name__)
def test_a_model_comes_back_from_its_bytes(method: Consensus) -> None:
    """So that a restart need not fit again."""
    stage = Stage(5, plain(70), crew=5, consensus=method, feedback=ExpectedErrorGate())
    stage.run(ways=(1, 1, 2))
    seen = stage.of(Fitted)[-1].seen
    fitted = model_to_bytes(stage.campaign.fit(seen))
    assert fitted is not None
    again = Campaign.restore(stage.material, stage.campaign.snapshot())
    lacking = again.lacks_model()
    again.install(model_from_bytes(fitted))

    assert lacking == seen
    assert again.lacks_model() is None
    assert model_to_bytes(model_from_bytes(fitted)) == fitted


def test_a_model_of_another_make_is_refused() -> None:
    """It is fitted again."""
    with pytest.raises(JournalError, match="cannot be read"):
        model_from_bytes(pack({"model": {"object": "spancrew.errors:Place", "parts": {}}}, {}))
    with pytest.raises(JournalError, match="cannot be read"):
        model_from_bytes(pack({"model": {"object": "subprocess:run", "parts": {}}}, {}))
    assert model_to_bytes(object()) is None  # type: ignore[arg-type]


def test_records_of_packages_without_a_consensus_method_are_not_made() -> None:
    """Though this one is a named tuple with all of its parts: bytes may come from anywhere."""
    parts = dict.fromkeys(("scheme", "netloc", "path", "query", "fragment"), "")
    record = {"object": "urllib.parse:SplitResult", "parts": parts}
    with pytest.raises(JournalError, match=r"urllib\.parse belongs to no package"):
        model_from_bytes(pack({"model": record}, {}))
