"""Any order of appends, turns and reads does to a store what it does to a list."""

from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spancrew.campaign import Entry
from spancrew.errors import VersionError
from spancrew.stores import EventStore, Recorded, open_store
from tests.spread import often
from tests.stores.conftest import Address

NAMES = ("a", "b")


@pytest.fixture(scope="module", params=["memory", "sqlite", "postgresql"])
def lived_in(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[EventStore]:
    """Return a store that all examples share; each empties it first."""
    place = "memory:"
    if request.param == "sqlite":
        place = str(tmp_path_factory.mktemp("model") / "store.db")
    if request.param == "postgresql":
        place = request.getfixturevalue("postgres").database()
    store = open_store(place)
    yield store
    store.close()


entries = st.lists(
    st.builds(
        Entry,
        st.sampled_from(["Started", "Judged"]),
        st.floats(0, 4e9),
        st.dictionaries(st.text("ab\u00e4\u6771", max_size=2), st.integers(0, 9)).map(
            lambda body: str(body).replace("'", '"')
        ),
    ),
    max_size=4,
)
appends = st.tuples(st.just("append"), st.sampled_from(NAMES), entries, st.integers(-2, 2))
turns = st.tuples(st.just("turn"), st.sampled_from(NAMES), entries, st.integers(0, 1))
nothing: st.SearchStrategy[list[Entry]] = st.just([])
reads = st.tuples(st.just("read"), st.sampled_from(NAMES), nothing, st.integers(0, 9))


def play(store: EventStore, model: list[Entry], step: tuple[str, str, list[Entry], int]) -> None:
    """Do one step to both, and see that they answer alike."""
    what, name, new, number = step
    if what == "append":
        _append(store, model, (name, new, number))
    if what == "turn":
        _take_turn(store, model, name, new, fails=bool(number))
    if what == "read":
        expected = [Recorded(at, each) for at, each in enumerate(model, 1) if at > number]
        assert list(store.read(name, after=number)) == expected
    assert store.version(name) == len(model)


def _append(store: EventStore, model: list[Entry], step: tuple[str, list[Entry], int]) -> None:
    name, new, off = step
    if off:
        with pytest.raises(VersionError):
            store.append(name, new, expected_version=len(model) + off)
        return
    assert store.append(name, new, expected_version=len(model)) == len(model) + len(new)
    model += new


def _take_turn(
    store: EventStore, model: list[Entry], name: str, new: list[Entry], *, fails: bool
) -> None:
    with suppress(ZeroDivisionError), store.turn(name) as turn:
        assert turn.version == len(model)
        turn.append(new)
        assert [each for _, each in turn.read()] == [*model, *new]
        if fails:
            raise ZeroDivisionError
    model += [] if fails else new


@settings(
    max_examples=often(20, 40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.one_of(appends, turns, reads), max_size=12))
def test_a_journal_is_a_list(
    lived_in: EventStore, steps: list[tuple[str, str, list[Entry], int]]
) -> None:
    """Two journals side by side, with refused appends and turns that fail."""
    models: dict[str, list[Entry]] = {name: [] for name in NAMES}
    for name in NAMES:
        lived_in.delete(name)
    for step in steps:
        play(lived_in, models[step[1]], step)

    for name in NAMES:
        assert [each for _, each in lived_in.read(name)] == models[name]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_second_start_finds_everything(address: Address, kind: str) -> None:
    """What one store wrote, the next one reads."""
    place = address(kind)
    first = open_store(place)
    first.append("a", [Entry("Started", 0.1, "{}")], expected_version=0)
    first.close()
    second = open_store(place)
    found = list(second.read("a"))
    second.close()

    assert found == [Recorded(1, Entry("Started", 0.1, "{}"))]
