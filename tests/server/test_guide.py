"""The guide of a campaign and the training: who sees what, what is refused, what is noted."""

from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Dataset, Sentence, Span
from spancrew.server.api.practice import taken_out
from tests.server.conftest import House, Visitor, create, demo, invite, last_unknown, upload

EXAMPLE: dict[str, Any] = {
    "sentence": {"text": "Ada met Bo in Oslo."},
    "spans": [{"start": 0, "end": 1, "label": "PER"}, {"start": 4, "end": 5, "label": "LOC"}],
    "note": "Names of people and places.",
}
PRACTICE: list[dict[str, Any]] = [
    {
        "sentence": {"text": "Kim lives in Rome."},
        "spans": [{"start": 0, "end": 1, "label": "PER"}, {"start": 3, "end": 4, "label": "LOC"}],
        "note": "Rome is a place.",
    },
    {"sentence": {"text": "Nobody was there."}, "spans": []},
]
GUIDE: dict[str, Any] = {
    "instructions": "# Names\n\nMark **all** names.",
    "examples": [EXAMPLE],
    "practice": PRACTICE,
}


@pytest.fixture
def campaign(admin: Visitor, tmp_path: Path) -> str:
    """Return a campaign."""
    return create(admin, tmp_path)


@pytest.fixture
def guided(admin: Visitor, campaign: str) -> str:
    """Return a campaign with a guide."""
    admin.ok("PUT", f"/campaigns/{campaign}/guide", json=GUIDE)
    return campaign


def test_a_campaign_without_a_guide_has_an_empty_one(admin: Visitor, campaign: str) -> None:
    """Its workers count as trained."""
    worker = invite(admin, campaign)
    empty = {"instructions": "", "examples": [], "training": 0, "trained": True}

    assert admin.ok("GET", f"/campaigns/{campaign}/guide") == {**empty, "practice": []}
    assert worker.ok("GET", f"/campaigns/{campaign}/guide") == {**empty, "practice": None}


def test_a_guide_that_was_read_can_be_written_as_it_is(admin: Visitor, guided: str) -> None:
    """With its ids and tokens; plain texts have been cut into tokens."""
    path = f"/campaigns/{guided}/guide"
    found = admin.ok("GET", path)
    again = {name: found[name] for name in ("instructions", "examples", "practice")}

    assert found["examples"][0]["sentence"]["tokens"][-1] == [18, 19]
    assert found["examples"][0]["sentence"]["id"] == "example-1"
    assert admin.ok("PUT", path, json=again) == found


def test_a_chinese_sentence_is_cut_into_characters(admin: Visitor, campaign: str) -> None:
    """As everywhere; the route that cuts keeps nothing."""
    body = {"texts": ["李华住在北京。", "Ada 👍🏽"]}
    made = admin.ok("POST", f"/campaigns/{campaign}/guide/sentences", json=body)

    assert [len(each["tokens"]) for each in made] == [7, 2]
    assert made[1]["tokens"] == [[0, 3], [4, 6]]
    assert admin.ok("GET", f"/campaigns/{campaign}/guide")["examples"] == []


def test_workers_and_experts_see_examples_and_no_practice(admin: Visitor, guided: str) -> None:
    """Whoever labels must not know the answers beforehand."""
    for role in ("workers", "experts"):
        person = invite(admin, guided, role)
        response = person.call("GET", f"/campaigns/{guided}/guide")

        assert response.json()["training"] == 2
        assert response.json()["practice"] is None
        assert response.json()["trained"] is (role == "experts")
        assert "Rome" not in response.text


def test_a_worker_practises_and_is_trained(admin: Visitor, guided: str) -> None:
    """The spans come after the answer; the training is over when every sentence was answered."""
    worker = invite(admin, guided)
    path = f"/campaigns/{guided}/training"
    shown = worker.ok("GET", f"{path}/0")
    given = [{"start": 0, "end": 1, "label": "PER"}, {"start": 1, "end": 2, "label": "LOC"}]
    first = worker.ok("POST", f"{path}/0", json={"spans": given})
    half = worker.ok("GET", f"/campaigns/{guided}/guide")["trained"]
    second = worker.ok("POST", f"{path}/1", json={"spans": []})

    assert set(shown) == {"position", "of", "sentence"}
    assert (shown["position"], shown["of"]) == (0, 2)
    assert set(shown["sentence"]) == {"id", "text", "tokens"}
    assert first == {
        "right": given[:1],
        "missing": [{"start": 3, "end": 4, "label": "LOC"}],
        "extra": given[1:],
        "note": "Rome is a place.",
        "perfect": False,
        "trained": False,
    }
    assert half is False
    assert (second["perfect"], second["trained"]) == (True, True)
    assert worker.ok("GET", f"/campaigns/{guided}/guide")["trained"] is True
    assert worker.call("GET", f"{path}/2").status_code == 404
    assert worker.call("POST", f"{path}/2", json={"spans": []}).status_code == 404


def test_a_new_sentence_is_practised_by_those_who_were_trained(
    admin: Visitor, guided: str
) -> None:
    """An old one is not, wherever it stands now."""
    worker = invite(admin, guided)
    path = f"/campaigns/{guided}"
    for n in range(2):
        worker.ok("POST", f"{path}/training/{n}", json={"spans": []})
    turned = {**GUIDE, "instructions": "Shorter.", "practice": PRACTICE[::-1]}
    admin.ok("PUT", f"{path}/guide", json=turned)
    still = worker.ok("GET", f"{path}/guide")["trained"]
    new = {"sentence": {"text": "Lea is new."}, "spans": []}
    admin.ok("PUT", f"{path}/guide", json={**turned, "practice": [new, *PRACTICE]})

    assert still is True
    assert worker.ok("GET", f"{path}/guide")["trained"] is False
    assert worker.ok("POST", f"{path}/training/0", json={"spans": []})["trained"] is True


@pytest.mark.parametrize(
    ("spans", "problem"),
    [
        ([{"start": 0, "end": 1, "label": "XYZ"}], "'XYZ' is none of the labels"),
        ([{"start": 4, "end": 6, "label": "PER"}], "outside the sentence of 5 tokens"),
        ([{"start": 2, "end": 2, "label": "PER"}], "2-2 is empty"),
        (
            [{"start": 0, "end": 2, "label": "PER"}, {"start": 1, "end": 3, "label": "LOC"}],
            "the spans 0-2 and 1-3 overlap",
        ),
    ],
)
def test_spans_that_do_not_fit_are_refused_with_their_place(
    admin: Visitor, guided: str, spans: list[dict[str, Any]], problem: str
) -> None:
    """In the guide of an admin and in the answer of a worker; nothing changes by it."""
    wrong = {**PRACTICE[0], "spans": spans}
    path = f"/campaigns/{guided}"
    refused = admin.call("PUT", f"{path}/guide", json={**GUIDE, "practice": [PRACTICE[1], wrong]})
    worker = invite(admin, guided)
    answer = worker.call("POST", f"{path}/training/0", json={"spans": spans})

    assert refused.status_code == answer.status_code == 422
    place = f"practice.1.spans.{len(spans) - 1}: "
    assert refused.json()["error"]["message"].startswith(place)
    assert problem in refused.json()["error"]["message"]
    assert problem in answer.json()["error"]["message"]
    assert answer.json()["error"]["code"] == "answer_refused"
    assert admin.ok("GET", f"{path}/guide")["practice"][0]["note"] == "Rome is a place."
    worker.ok("POST", f"{path}/training/1", json={"spans": []})
    assert worker.ok("GET", f"{path}/guide")["trained"] is False


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"instructions": "x" * 20_001}, "instructions"),
        ({"instructions": "bell \x07"}, "instructions"),
        ({"examples": [EXAMPLE] * 51}, "examples"),
        ({"practice": [EXAMPLE] * 51}, "practice"),
        ({"examples": [EXAMPLE, {**EXAMPLE, "note": "x" * 2001}]}, "examples.1.note"),
        ({"examples": [{"sentence": {"text": "x" * 10_001}, "spans": []}]}, "examples.0.sentence"),
        ({"examples": [{"sentence": {"text": " \n "}, "spans": []}]}, "examples.0: "),
        (
            {"examples": [{"sentence": {"text": "ab", "tokens": [[0, 3]]}, "spans": []}]},
            "examples.0: ",
        ),
        ({"practice": [EXAMPLE]}, "practice.0: this sentence is at examples.0, too"),
        ({"practice": [PRACTICE[1], PRACTICE[1]]}, "practice.1: this sentence is at practice.0"),
        ({"secret": 1}, "secret"),
    ],
)
def test_a_guide_is_bounded_and_its_faults_have_a_place(
    admin: Visitor, campaign: str, change: dict[str, Any], place: str
) -> None:
    """So that a page can show them where they are."""
    whole = {"instructions": "", "examples": [EXAMPLE], "practice": [], **change}
    refused = admin.call("PUT", f"/campaigns/{campaign}/guide", json=whole)

    assert refused.status_code == 422
    assert refused.json()["error"]["message"].removeprefix("body.").startswith(place)


def test_the_most_that_fits_is_taken(admin: Visitor, campaign: str) -> None:
    """The bounds themselves are inside."""
    solved = [{"sentence": {"text": f"Sentence {n}."}, "spans": []} for n in range(100)]
    body = {"instructions": "字" * 20_000, "examples": solved[:50], "practice": solved[50:]}

    assert admin.ok("PUT", f"/campaigns/{campaign}/guide", json=body)["training"] == 50


@pytest.mark.parametrize("part", ["examples", "practice"])
@pytest.mark.parametrize("gold", ["use", "ignore"])
def test_a_sentence_of_the_campaign_is_refused(
    admin: Visitor, tmp_path: Path, part: str, gold: str
) -> None:
    """However it is written: a worker could be checked with it."""
    campaign = create(admin, tmp_path, gold=gold)
    sentence = demo().sentences[5]
    text = sentence.text.upper().replace(" ", "  ")
    body: dict[str, Any] = {"examples": [EXAMPLE]}
    body[part] = [PRACTICE[1], {"sentence": {"text": text}, "spans": []}]
    path = f"/campaigns/{campaign}/guide"
    answers = [
        admin.call("PUT", path, json=body),
        admin.call("POST", f"{path}/sentences", json={"texts": ["One.", text]}),
    ]

    for answer, place in zip(answers, [f"{part}.1", "texts.1"], strict=True):
        told = answer.json()["error"]
        assert answer.status_code == 422
        assert told["message"].startswith(f"{place}: this is sentence {sentence.id!r} of the camp")
        assert "sentence of your own" in told["remedy"]


def test_choices_need_one_label_for_every_token(admin: Visitor, tmp_path: Path) -> None:
    """In the guide as in answers."""
    campaign = create(admin, tmp_path, kind="choices")
    spans = [{"start": n, "end": n + 1, "label": "PER"} for n in range(4)]
    path = f"/campaigns/{campaign}/guide"
    half = {"practice": [{"sentence": {"text": "A B C D"}, "spans": spans[:3]}]}
    whole = {"practice": [{"sentence": {"text": "A B C D"}, "spans": spans}]}
    refused = admin.call("PUT", path, json=half).json()["error"]["message"]

    assert refused == "practice.0.spans: question 3 has no answer of its own"
    assert admin.ok("PUT", path, json=whole)["training"] == 1


def test_a_foreign_worker_sees_nothing_of_it(admin: Visitor, guided: str, tmp_path: Path) -> None:
    """The guide of another campaign is not there."""
    worker = invite(admin, create(admin, tmp_path))

    for method, path in [("GET", "guide"), ("GET", "training/0"), ("POST", "training/0")]:
        body: dict[str, Any] | None = {"spans": []} if method == "POST" else None
        assert worker.call(method, f"/campaigns/{guided}/{path}", json=body).status_code == 404


def test_who_is_erased_has_practised_nothing(house: House, admin: Visitor, guided: str) -> None:
    """Their data say what they practised; then it is gone."""
    worker = invite(admin, guided)
    worker.ok("POST", f"/campaigns/{guided}/training/0", json={"spans": []})
    path = f"/campaigns/{guided}/workers/w0/data"
    practised = admin.ok("GET", path)["practised"]
    admin.ok("DELETE", path)

    assert practised == [house.clock()]
    assert admin.ok("GET", path)["practised"] == []


def test_a_deleted_campaign_takes_its_guide_along(
    house: House, admin: Visitor, guided: str
) -> None:
    """And what its workers practised."""
    worker = invite(admin, guided)
    worker.ok("POST", f"/campaigns/{guided}/training/0", json={"spans": []})
    person = house.directory.people.find(campaign=guided, role="worker", number=0)
    assert person is not None
    assert len(house.directory.guides.practised(person.id)) == 1

    admin.ok("DELETE", f"/campaigns/{guided}")

    assert house.directory.guides.of(guided).instructions == ""
    assert house.directory.guides.practised(person.id) == {}
    assert admin.call("GET", f"/campaigns/{guided}/guide").status_code == 404


def made_with_practice(
    admin: Visitor, folder: Path, practice: str, gold: str = "use"
) -> tuple[int, dict[str, Any]]:
    """Create a campaign on thirty sentences and return what the server answers."""
    answer = admin.call(
        "POST",
        "/campaigns",
        data={"name": "Practised", "practice": practice, "gold": gold},
        files={"file": ("news.jsonl", upload(last_unknown(demo(30)), folder))},
    )
    return answer.status_code, answer.json()


def test_sentences_to_practise_on_are_taken_out_of_the_campaign(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """They have all labels, nobody is ever given them, and the same data give the same ones."""
    made = [made_with_practice(admin, tmp_path, "6")[1] for _ in range(2)]
    guides = [admin.ok("GET", f"/campaigns/{each['id']}/guide") for each in made]
    given = {each["sentence"]["text"] for each in guides[0]["practice"]}
    left = {row.text for row in house.store.sentences(made[0]["id"])}
    labels = {s["label"] for each in guides[0]["practice"] for s in each["spans"]}

    assert guides[0] == guides[1]
    assert len(given) == guides[0]["training"] == 6
    assert (made[0]["sentences"], len(left)) == (24, 24)
    assert given.isdisjoint(left)
    assert given | left == set(demo(30).sentences.texts)
    assert labels == set(made[0]["plan"]["labels"])
    assert 0 < sum(not each["spans"] for each in guides[0]["practice"]) < 3


def test_known_labels_that_are_kept_out_can_still_be_practised_on(
    house: House, admin: Visitor, tmp_path: Path
) -> None:
    """With gold ignored, what is practised has its labels, and what is left has none."""
    made = made_with_practice(admin, tmp_path, "3", "ignore")[1]
    guide = admin.ok("GET", f"/campaigns/{made['id']}/guide")

    assert guide["training"] == 3
    assert any(each["spans"] for each in guide["practice"])
    assert {row.gold for row in house.store.sentences(made["id"])} == {None}


@pytest.mark.parametrize("practice", ["51", "-1", "many", "30"])
def test_no_more_is_taken_out_than_there_is(
    house: House, admin: Visitor, tmp_path: Path, practice: str
) -> None:
    """At most fifty, only those whose labels are known, and never all; nothing is left behind."""
    status, told = made_with_practice(admin, tmp_path, practice)

    assert status == 422
    assert told["error"]["message"].startswith("practice: ")
    assert house.store.campaigns() == []
    assert admin.ok("GET", "/campaigns") == []


def test_a_sentence_that_is_there_twice_is_not_taken_out() -> None:
    """Its twin would stay in the campaign, and be given away."""
    one, twin = Sentence.from_text("a", "Ada left."), Sentence.from_text("b", "Ada  left .")
    other = Sentence.from_text("c", "Bo stayed.")
    spans = {each: [Span(0, 1, "PER")] for each in "abc"}
    rest, solved = taken_out(Dataset.of([one, twin, other], spans), 1)

    assert [each.text for each in solved] == ["Bo stayed."]
    assert rest.sentences.ids == ("a", "b")
