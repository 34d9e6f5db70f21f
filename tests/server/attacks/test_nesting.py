"""JSON nested fifty thousand levels deep is refused with a reason, wherever it is sent."""

import json
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from spancrew.formats import formats_for, write
from spancrew.server.people.identity import SignInFlow
from tests.server.attacks.premises import Premises
from tests.server.conftest import API, Visitor, demo, invite
from tests.spread import spread

DEPTHS = (101, 50_000)
"""Just above our limit, and far above that of Python."""
JSON_FORMATS = {
    "spancrew": "data.jsonl",
    "collected": "data-collected.json",
    "doccano": "data.jsonl",
    "label-studio": "data.json",
    "oei": "data.json",
    "json": "data.json",
    "prodigy": "data.jsonl",
    "argilla": "data.json",
    "uima-cas": "data.cas.json",
}


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    """Return valid JSON of some depth."""
    return opening * depth + "1" + closing * depth


def routes_with_json(place: Premises) -> list[tuple[str, str]]:
    """Return method and path of all routes that take a body of JSON."""
    document: dict[str, Any] = place.client.get(f"{API}/openapi.json").json()
    return [
        (method.upper(), path.removeprefix("/api/v1"))
        for path, methods in document["paths"].items()
        for method, told in methods.items()
        if "application/json" in told.get("requestBody", {}).get("content", {})
    ]


def test_no_route_breaks_on_a_body_that_is_nested_deep(
    place: Premises, admin: Visitor, campaign: str
) -> None:
    """Whoever sends it gets a 422, or is told that there is nothing for them."""
    people = [admin, invite(admin, campaign), invite(admin, campaign, "experts"), place.nobody]
    bodies = [nested(50_000), nested(50_000, '{"a":', "}"), "[" * 100_000]
    refused = set()
    for method, path in routes_with_json(place):
        address = path.replace("{c}", campaign).replace("{", "").replace("}", "")
        for who, body in ((who, body) for who in people for body in bodies):
            headers = {"Content-Type": "application/json"}
            answer = who.call(method, address, content=body, headers=headers)

            assert answer.status_code in {401, 403, 404, 422}, (method, path, answer.text)
            assert set(answer.json()) == {"error"}
            if answer.status_code == 422:
                refused.add((method, path))
    assert len(refused) >= 15


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("route", ["campaigns", "rehearsals"])
def test_a_plan_that_is_nested_deep_is_refused(admin: Visitor, route: str, depth: int) -> None:
    """Above the length of a plan it is too long, below it too deep."""
    for plan in (nested(depth), json.dumps({"policy": {}})[:-2] + f'"a": {nested(depth)}}}}}'):
        fields = {"name": "x", "plan": plan, "data": "demo"}
        parts = {name: (None, value) for name, value in fields.items()}
        answer = admin.call("POST", f"/{route}", files=parts)

        assert answer.status_code == 422
        message = answer.json()["error"]["message"]
        assert "levels deep" in message or "characters" in message


@pytest.mark.parametrize(("name", "depth"), spread(JSON_FORMATS, DEPTHS))
def test_a_file_that_is_nested_deep_is_refused_in_every_format(
    admin: Visitor, tmp_path: Path, name: str, depth: int
) -> None:
    """Without the name of the format, it may look like none."""
    path = tmp_path / JSON_FORMATS[name]
    write(demo(3), path, name)
    whole = path.read_text("utf-8")
    broken = whole.replace('{"', f'{{"x": {nested(depth)}, "', 1)
    for route in ("campaigns", "inspections"):
        for named in ({"format": name}, {}):
            answer = admin.call(
                "POST", f"/{route}", data={"name": "x", **named}, files={"file": ("x", broken)}
            )

            assert answer.status_code == 422, answer.text
            assert "levels deep" in answer.text or not named
            assert str(tmp_path) not in answer.text


@pytest.mark.parametrize("text", [nested(20_000), nested(20_000, '{"a":', "}"), "[1]", "{", "é"])
def test_a_cookie_that_is_nested_deep_is_none_of_ours(text: str) -> None:
    """It says how a sign-in with a team's account began, and anybody can send one."""
    value = urlsafe_b64encode(text.encode("latin-1")).decode()

    assert SignInFlow.from_cookie(value) is None


def test_every_format_of_one_json_file_is_tried() -> None:
    """The others are folders, columns, or not text."""
    others = {"conll", "matrix", "huggingface", "crowd-dir", "spacy", "brat"}
    others |= {"text", "csv", "xlsx", "parquet", "webanno", "inception"}

    assert set(formats_for("spans")) - others == set(JSON_FORMATS)
