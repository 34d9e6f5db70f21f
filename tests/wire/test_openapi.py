"""The OpenAPI document is a promise to clients: what it lists changes on purpose only."""

import json
from pathlib import Path
from typing import Any

from spancrew.server import ServerSettings
from tests.server.conftest import HandClock, running

GOLDEN = Path(__file__).parent / "openapi.json"


def outline(document: dict[str, Any]) -> dict[str, Any]:
    """Return parameters, bodies, statuses and field names of all routes; no names of schemas.

    A field of a request that may be left out ends with a question mark.
    """
    schemas = document["components"]["schemas"]
    return {
        f"{method.upper()} {path}": _route(operation, schemas)
        for path, known in sorted(document["paths"].items())
        for method, operation in sorted(known.items())
    }


def _route(operation: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = {
        f"{each['in']} {each['name']}": each["schema"] | {"required": each["required"]}
        for each in operation.get("parameters", ())
    }
    body = operation.get("requestBody", {}).get("content", {})
    return {
        "parameters": {name: _without_title(each) for name, each in parameters.items()},
        "body": {
            kind: _shape(each.get("schema", {}), schemas, marked=True)
            for kind, each in body.items()
        },
        "answers": {
            status: {
                kind: _shape(each.get("schema", {}), schemas, marked=False)
                for kind, each in answer.get("content", {}).items()
            }
            for status, answer in sorted(operation["responses"].items())
            if status < "4"
        },
        "refusals": " ".join(sorted(each for each in operation["responses"] if each >= "4")),
    }


def _without_title(schema: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sorted(schema.items()) if name != "title"}


def _shape(schema: dict[str, Any], schemas: dict[str, Any], *, marked: bool) -> Any:
    if "$ref" in schema:
        return _shape(schemas[schema["$ref"].rpartition("/")[2]], schemas, marked=marked)
    if "anyOf" in schema:
        return {"any": [_shape(each, schemas, marked=marked) for each in schema["anyOf"]]}
    if "properties" in schema:
        needed = schema.get("required", ())
        return {
            name if name in needed or not marked else f"{name}?": _shape(
                each, schemas, marked=marked
            )
            for name, each in sorted(schema["properties"].items())
        }
    if schema.get("type") == "array" and "items" in schema:
        return [_shape(schema["items"], schemas, marked=marked)]
    return schema.get("const", schema.get("enum", schema.get("type", "anything")))


def written(found: dict[str, Any]) -> str:
    """Return an outline as text with one route on a line, so that a diff shows the routes."""
    lines = (f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def test_the_document_lists_what_it_did(tmp_path: Path) -> None:
    """To change the API on purpose, write ``written(found)`` into the file; look at the diff."""
    clock = HandClock()
    with running(tmp_path, clock, ServerSettings(clock=clock)) as house:
        found = outline(house.app.openapi())

    assert found == json.loads(GOLDEN.read_text("utf-8"))
