"""The directory on SQLite and PostgreSQL."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from spancrew.errors import ConflictError, StoreError, UnknownCampaignError
from spancrew.server.people.directory import Directory, create_admin_link
from spancrew.server.people.values import CampaignEntry, CampaignGuide, DeliveryRow, SolvedSentence
from spancrew.server.settings import ServerSettings
from spancrew.stores import open_sql
from tests.postgres import Postgres
from tests.server.conftest import HandClock, create, invite, running

NOW = 1000.0


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty store of every kind."""
    if request.param == "sqlite":
        return str(tmp_path / "crew.db")
    return str(request.getfixturevalue("postgres").database())


@pytest.fixture
def directory(address: str) -> Iterator[Directory]:
    """Return an empty directory."""
    store = open_sql(address)
    yield Directory(store.engine)
    store.close()


def test_a_link_that_works_once_works_once_for_all_threads(directory: Directory) -> None:
    """Whoever is quickest."""
    link = create_admin_link(directory, NOW)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: directory.secrets.redeem(link, NOW), range(8)))

    assert sum(each is not None for each in found) == 1


def test_an_id_never_comes_back(directory: Directory) -> None:
    """Whoever remembers that of something that has gone must not find something else."""
    admin = directory.first_admin(NOW)
    gone, _ = directory.secrets.issue("link", admin.id, NOW)
    directory.secrets.revoke(gone, admin.id)
    new, _ = directory.secrets.issue("session", admin.id, NOW)
    directory.campaigns.add(CampaignEntry("a", "A", NOW, 1))
    first = directory.people.add("worker", NOW, campaign="a", number=0)
    directory.campaigns.remove("a")
    second = directory.people.add("worker", NOW, campaign="b", number=0)

    assert new > gone
    assert second.id > first.id


def test_experts_get_numbers_of_their_own(directory: Directory) -> None:
    """One after the other, in every campaign."""
    first = directory.people.add("expert", NOW, campaign="a")
    second = directory.people.add("expert", NOW, campaign="a")
    other = directory.people.add("expert", NOW, campaign="b")

    assert [each.pseudonym for each in (first, second, other)] == ["e0", "e1", "e0"]


def test_a_worker_of_a_platform_is_there_once(directory: Directory) -> None:
    """In each campaign; a number once given stays."""
    known = {"platform": "prolific", "platform_id": "abc"}
    person = directory.people.add("worker", NOW, campaign="a", **known)
    directory.people.add("worker", NOW, campaign="b", **known)

    with pytest.raises(ConflictError):
        directory.people.add("worker", NOW, campaign="a", **known)

    assert directory.people.set_number(person.id, 7).number == 7
    assert directory.people.set_number(person.id, 8).number == 7


def test_workers_without_a_platform_are_many(directory: Directory) -> None:
    """What is not known is not the same."""
    for number in range(3):
        directory.people.add("worker", NOW, campaign="a", number=number)

    assert [p.number for p in directory.people.of_campaign("a", "worker")] == [0, 1, 2]


def test_two_cannot_sign_in_by_one_name(directory: Directory) -> None:
    """The second has to choose another."""
    one, other = (directory.people.add("worker", NOW, campaign="a", number=n) for n in (0, 1))
    directory.people.set_password(one.id, "ada", "hash")

    with pytest.raises(ConflictError, match="'ada'"):
        directory.people.set_password(other.id, "ada", "hash")


def test_those_who_were_heard_of_are_present(directory: Directory) -> None:
    """Erased ones never."""
    people = [directory.people.add("worker", NOW, campaign="a", number=n) for n in range(4)]
    directory.people.see({p.id: NOW + p.id for p in people[:3]})
    directory.people.erase(people[2].id)
    directory.people.see({people[2].id: NOW + 100})

    assert directory.people.present("a", NOW + 5, 5) == {0, 1}
    assert directory.people.present("a", NOW + people[1].id + 5, 5) == {1}
    assert directory.people.present("b", NOW, 5) == frozenset()


def test_secrets_whose_time_is_over_are_swept_away(directory: Directory) -> None:
    """Those without an end stay."""
    admin = directory.first_admin(NOW)
    _, short = directory.secrets.issue("session", admin.id, NOW, lasts=10)
    _, endless = directory.secrets.issue("token", admin.id, NOW)

    assert directory.secrets.find("session", short, NOW + 9) is not None
    assert directory.secrets.find("session", short, NOW + 10) is None
    assert directory.secrets.find("token", short, NOW) is None

    directory.secrets.sweep(NOW + 10)

    assert directory.secrets.find("session", short, NOW) is None
    assert directory.secrets.find("token", endless, NOW + 1e9) is not None


def test_one_at_a_time_holds_a_webhook(directory: Directory) -> None:
    """Until it lets go, or its time is over."""
    hooks = directory.webhooks
    id_ = hooks.add("a", "https://x.example", "secret", ("Joined",), NOW, cursor=3)

    assert hooks.hold(id_, "one", NOW, NOW + 10) is not None
    assert hooks.hold(id_, "two", NOW + 9, NOW + 19) is None
    assert hooks.hold(id_, "one", NOW + 9, NOW + 19) is not None
    assert hooks.due(NOW, 10) == []
    assert hooks.hold(id_, "two", NOW + 19, NOW + 29) is not None

    hooks.release(id_, "one")

    assert hooks.due(NOW + 20, 10) == []

    hooks.release(id_, "two")

    assert [each.cursor for each in hooks.due(NOW, 10)] == [3]


def test_the_list_of_attempts_does_not_grow_for_ever(directory: Directory) -> None:
    """The last two hundred are enough."""
    hooks = directory.webhooks
    id_ = hooks.add("a", "https://x.example", "secret", (), NOW)
    for attempt in range(210):
        hooks.log(DeliveryRow(id_, NOW, 1, 1, 1, attempt, None, "away", 0.1))

    found = hooks.deliveries(id_, 1000)
    assert len(found) == 200
    assert found[0].attempt == 209


def test_a_campaign_is_forgotten_with_all_its_people(directory: Directory) -> None:
    """And those of others stay."""
    for name in ("a", "b"):
        directory.campaigns.add(CampaignEntry(name, f"Campaign {name}", NOW, 5))
        person = directory.people.add("worker", NOW, campaign=name, number=0)
        directory.secrets.issue("link", person.id, NOW)
        directory.webhooks.add(name, "https://x.example", "secret", (), NOW)

    directory.campaigns.remove("a")

    assert [each.id for each in directory.campaigns.all()] == ["b"]
    assert directory.people.of_campaign("a", "worker") == []
    assert directory.webhooks.of_campaign("a") == []
    assert len(directory.webhooks.of_campaign("b")) == 1
    with pytest.raises(UnknownCampaignError):
        directory.campaigns.one("a")


def test_a_guide_comes_back_as_it_went_in(directory: Directory) -> None:
    """Of many who write at once, one is the last; a campaign without one has an empty one."""
    solved = SolvedSentence("東京 👍", ((0, 2), (3, 4)), ((0, 1, "LOC"),), "A\nplace.")
    guides = [CampaignGuide(f"Edition {n}", (solved,) * n, (solved,)) for n in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda guide: directory.guides.put("a", guide, NOW), guides))

    assert directory.guides.of("a") in guides
    assert directory.guides.of("b") == CampaignGuide()


def test_what_was_practised_is_noted_once_and_erased_with_the_person(directory: Directory) -> None:
    """Nothing is noted of those who are erased, nor left of a campaign that is gone."""
    people = [directory.people.add("worker", NOW, campaign="a", number=n) for n in range(3)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: directory.guides.practise(people[0].id, "k", NOW + n), range(4)))
    for person in people[1:]:
        directory.guides.practise(person.id, "k", NOW)
    once = directory.guides.practised(people[0].id)
    directory.people.erase(people[0].id)
    directory.guides.practise(people[0].id, "k", NOW)
    directory.people.erase(people[1].id)
    directory.campaigns.remove("a")

    assert list(once) == ["k"]
    assert NOW <= once["k"] < NOW + 4
    assert [directory.guides.practised(each.id) for each in people] == [{}, {}, {}]


def test_a_database_that_is_away_is_a_store_error(tmp_path: Path) -> None:
    """Which the server answers with 503."""
    store = open_sql(tmp_path / "crew.db")
    directory = Directory(store.engine)
    directory.check()
    (tmp_path / "crew.db").rename(tmp_path / "elsewhere.db")

    with pytest.raises(StoreError):
        directory.check()
    store.close()


def test_a_server_on_postgresql_hands_out_and_takes_answers(
    tmp_path: Path, postgres: Postgres
) -> None:
    """As on SQLite."""
    clock = HandClock()
    settings = ServerSettings(clock=clock)
    with running(tmp_path, clock, settings, postgres.database()) as house:
        admin = house.admin()
        campaign = create(admin, tmp_path)
        admin.ok("POST", f"/campaigns/{campaign}/start")
        worker = invite(admin, campaign, name="Ann O'Nym")
        work = worker.ok("POST", f"/campaigns/{campaign}/next")["assignment"]
        body = {"assignment": work["assignment"], "spans": [], "next": True}
        answer = worker.ok("POST", f"/campaigns/{campaign}/answers", json=body)
        admin.ok("DELETE", f"/campaigns/{campaign}/workers/w0/data")

        assert answer["next"]["assignment"] is not None
        assert admin.ok("GET", f"/campaigns/{campaign}/status")["answers"] == 1
        assert admin.ok("GET", f"/campaigns/{campaign}/workers")[0]["person"]["name"] is None
