"""The list of tests that ``make test`` leaves to ``make test-all``."""

import re

from tests.conftest import ROOT

LISTED = (ROOT / "tests" / "costly.txt").read_text("utf-8").splitlines()


def test_the_list_names_only_what_is_there() -> None:
    """A test that was renamed would come back to the quick ones unnoticed."""
    gone = []
    for line in LISTED:
        file, _, rest = line.partition("::")
        name = re.split(r"::|\[", rest)[0]
        path = ROOT / file
        text = path.read_text("utf-8") if path.exists() else ""
        if not text or (
            name and not re.search(rf"\b(def {name}\(|class {name}\b|{name} = )", text)
        ):
            gone.append(line)

    assert len(LISTED) > 100
    assert gone == []
