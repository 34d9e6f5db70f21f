"""Measure the CPU seconds of every test, and list those that ``make test`` leaves out.

As a plug-in of pytest it measures: ``python -m pytest -p tools.costly -n auto ...``. As a script
it writes ``tests/costly.txt`` from what was measured: ``python -m tools.costly``. Seconds of
servers and browsers that several tests share count for the test at whose end they are stopped.
"""

import json
import os
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

import pytest

_ROOT = Path(__file__).resolve().parent.parent
_MEASURED = _ROOT / "out" / "cpu"
_LIST = _ROOT / "tests" / "costly.txt"
_SECONDS = 0.2
_ALWAYS = {"README.md"}
_SHARING = {
    "tests/cli/test_plan.py",
    "tests/crowds/test_fidelity.py",
    "tests/experiments/test_reproduce.py",
    "tests/whatif/test_second_run.py",
}
"""Files whose tests share what is costly; without the first of them another would pay for it."""


def _cpu() -> float:
    """Return what this process has used, with those that have ended."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what a test costs, with its fixtures."""
    before = _cpu()
    result = yield
    _MEASURED.mkdir(parents=True, exist_ok=True)
    with (_MEASURED / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([item.nodeid, round(_cpu() - before, 3)]) + "\n")
    return result


def _costly() -> list[str]:
    """Return the tests that cost most; where they share it, as blocks of a page do, the file."""
    seconds: dict[str, float] = defaultdict(float)
    for file in _MEASURED.glob("*.jsonl"):
        for line in file.read_text("utf-8").splitlines():
            name, spent = json.loads(line)
            path = name.partition("::")[0]
            key = path if path.endswith(".md") or path in _SHARING else name
            seconds[key] = max(seconds[key], spent)
    costly = {name for name, spent in seconds.items() if spent >= _SECONDS}
    return sorted(costly - _ALWAYS)


if __name__ == "__main__":
    _LIST.write_text("".join(f"{name}\n" for name in _costly()), encoding="utf-8")
