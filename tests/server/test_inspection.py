"""A look at data before there is a campaign, and the figures of those that there are."""

import json
from pathlib import Path
from typing import Any

import pytest

from spancrew.core import Answer, DatasetBuilder
from spancrew.formats import read, write
from tests.server.conftest import House, Visitor, create, demo, gold_spans, upload


def look(admin: Visitor, file: bytes, **fields: str) -> Any:
    """Send a file to look at."""
    return admin.call("POST", "/inspections", data=fields, files={"file": ("x", file)})


def test_bundled_data_are_counted(admin: Visitor) -> None:
    """With labels, gold, answers and examples."""
    found = admin.ok("POST", "/inspections", files={"data": (None, "demo")})

    assert (found["sentences"], found["gold"], found["workers"]) == (600, 600, 30)
    assert found["models"] == 0
    assert (found["answers"], found["tokens"], found["format"]) == (2712, 11264, "spancrew")
    assert found["labels"] == [
        {"name": "LOC", "spans": 508},
        {"name": "ORG", "spans": 397},
        {"name": "PER", "spans": 402},
        {"name": "WORK", "spans": 117},
    ]
    dataset = read("demo").dataset
    assert len(found["examples"]) == 3
    for example in found["examples"]:
        assert example["spans"] == gold_spans(dataset, example["sentence"]["id"])
        assert example["spans"]
    assert (found["repairs"], found["repaired"]) == ([], 0)


def test_models_among_the_workers_are_counted(admin: Visitor, tmp_path: Path) -> None:
    """The planner asks for their price."""
    known = demo(3)
    builder = DatasetBuilder(known.labels)
    builder.add_all(known)
    for each in known.sentences:
        builder.add_answer(Answer(each.id, "model:x"))
    found = look(admin, upload(builder.build(), tmp_path)).json()

    assert (found["models"], found["workers"]) == (1, 1)


def test_nothing_is_kept(admin: Visitor, house: House, tmp_path: Path) -> None:
    """To look is not to create."""
    look(admin, upload(demo(5), tmp_path))

    assert admin.ok("GET", "/campaigns") == []
    assert house.store.campaigns() == []


def test_a_format_is_recognised_or_told(admin: Visitor, tmp_path: Path) -> None:
    """Both come to the same."""
    path = tmp_path / "data.conll"
    write(demo(4), path)
    found = [look(admin, path.read_bytes(), **more) for more in ({}, {"format": "conll"})]

    assert [each.json()["format"] for each in found] == ["conll", "conll"]
    assert found[0].json() == found[1].json()
    assert look(admin, path.read_bytes(), format="nothing").status_code == 422
    assert look(admin, path.read_bytes(), format="huggingface").status_code == 422


def test_sentences_without_labels_have_examples_without_spans(admin: Visitor) -> None:
    """And no labels are found."""
    lines = "".join(json.dumps({"id": k, "text": f"Ana {k} left"}) + "\n" for k in range(5))
    found = look(admin, lines.encode(), format="doccano").json()

    assert (found["sentences"], found["gold"], found["labels"]) == (5, 0, [])
    assert [each["spans"] for each in found["examples"]] == [None, None, None]


def test_what_cannot_be_read_names_the_line(admin: Visitor, tmp_path: Path) -> None:
    """And what is wrong with it."""
    broken = upload(demo(3), tmp_path) + b'{"id": "s1", "tokens": \n'
    answer = look(admin, broken)

    assert answer.status_code == 422
    assert answer.json()["error"]["message"].startswith("line 5:")


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_that_no_store_can_keep_is_refused(admin: Visitor, text: str) -> None:
    """Here already, not only when the campaign is created."""
    line = json.dumps({"id": "s1", "text": text})
    answer = look(admin, line.encode(), format="doccano")

    assert answer.status_code == 422


def test_figures_of_campaigns(admin: Visitor, tmp_path: Path) -> None:
    """Those that are asked for, each once; what is not there is left out."""
    first, other, third = (create(admin, tmp_path) for _ in range(3))
    admin.ok("POST", f"/campaigns/{other}/start")
    query = f"campaign={other}&campaign={first}&campaign={other}&campaign=nothing&campaign=.."
    found = admin.ok("GET", f"/figures?{query}")

    assert [(each["id"], each["phase"]) for each in found] == [
        (other, "running"),
        (first, "draft"),
    ]
    assert found[0] == {
        "id": other,
        "phase": "running",
        "sentences": 12,
        "settled": 0,
        "spent": 0.0,
        "expected_quality": None,
    }
    assert third not in {each["id"] for each in found}
    assert admin.ok("GET", "/figures") == []


def test_figures_are_bounded(admin: Visitor) -> None:
    """Fifty in one call."""
    query = "&".join(f"campaign=c{k}" for k in range(51))

    assert admin.call("GET", f"/figures?{query}").status_code == 422
