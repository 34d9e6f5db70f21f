"""The pages on the API name everything that there is."""

import re

from spancrew.server.refusals import STATUSES
from tests.conftest import ROOT
from tests.server.conftest import House

PAGE = (ROOT / "docs" / "reference" / "http-api.md").read_text("utf-8")


def test_every_route_has_its_row(house: House) -> None:
    """And no route is described that is not there."""
    document = house.app.openapi()
    routes = {
        f"{method.upper()} {path}" for path, known in document["paths"].items() for method in known
    }
    described = re.findall(r"^\| `([A-Z]+ /[^`]*)` \|", PAGE, re.MULTILINE)

    assert sorted(described) == sorted(routes)


def test_every_route_says_what_it_does_and_how_it_refuses(house: House) -> None:
    """In the document that clients are made from."""
    document = house.app.openapi()
    for path, known in document["paths"].items():
        for method, operation in known.items():
            assert operation["summary"], (method, path)
            assert operation["tags"], (method, path)
            assert operation["description"], (method, path)
            assert path == "/health" or any(s >= "4" for s in operation["responses"])


def test_every_code_of_an_error_is_described() -> None:
    """With its status."""
    for _, status, code in STATUSES:
        assert re.search(rf"^\| {status} \|.*`{code}`", PAGE, re.MULTILINE), (status, code)


def test_operations_have_names_that_differ(house: House) -> None:
    """Clients that are made from the document need them."""
    document = house.app.openapi()
    names = [op["operationId"] for known in document["paths"].values() for op in known.values()]

    assert len(names) == len(set(names))
