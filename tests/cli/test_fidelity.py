"""`spancrew fidelity` as a user runs it."""

import json
import re
from pathlib import Path

from spancrew.formats import read, write
from tests.cli.conftest import Run


def test_fidelity_prints_both_modes(run: Run) -> None:
    """Real values beside those of the stand-ins."""
    code, out, err = run("fidelity", "demo-zh", "--crowd", "ses")

    assert (code, err) == (0, "")
    for part in ("real", "known", "new", "KS", "majority vote", "worker F1", "by agreement"):
        assert part in out
    assert re.search(r"^new: (usable|with care|not usable)\.", out, re.MULTILINE)
    assert "fitted to the other half" in " ".join(out.split())


def test_the_seed_draws_the_half_and_in_sample_draws_none(run: Run) -> None:
    """The number of sentences says what was compared."""
    words = ("fidelity", "demo-zh", "--crowd", "ses", "--json")
    half, other, whole = (
        json.loads(run(*words, *more)[1])["new"]
        for more in (("--seed", "1"), ("--seed", "2"), ("--in-sample",))
    )

    assert [record["sentences"] for record in (half, other, whole)] == [22, 22, 44]
    assert half["kappa"]["real"] != other["kappa"]["real"]
    assert "fitted to the same sentences" in " ".join(run(*words[:-1], "--in-sample")[1].split())


def test_fidelity_prints_json_and_writes_a_page(run: Run, tmp_path: Path) -> None:
    """The fields that scripts rely on; a page without any request to the outside."""
    code, out, _ = run("fidelity", "demo-zh", "--json", "--report", "zh.html")
    record = json.loads(out)
    page = (tmp_path / "zh.html").read_text(encoding="utf-8")

    assert code == 0
    assert record.keys() == {"known", "new"}
    for mode in record.values():
        assert {"sentences", "ks", "worker_f1_mean_abs_error"} <= mode.keys()
        for figure in ("kappa", "mv_exact_f1", "exactly_right", "exactly_wrong"):
            assert mode[figure].keys() == {"real", "generated"}
        assert mode["verdict"] in {"usable", "with care", "not usable"}
        bands = mode["vote_by_agreement"]
        assert [(b["from"], b["to"]) for b in bands] == [(-1, 0.4), (0.4, 0.65), (0.65, 1), (1, 1)]
        assert all(b.keys() == {"from", "to", "real", "generated", "margin"} for b in bands)
    assert page.count(' data-plot="') == 4
    assert page.count("<script>") == 1
    assert page.count("<script") == 1 + page.count('<script type="application/json">')
    assert not re.findall(r'(?:src|href)="', page)


def test_too_few_answers_get_a_clear_message(run: Run, tmp_path: Path) -> None:
    """Exit code 2 and one line."""
    write(read("demo-zh").dataset.without_answers(), tmp_path / "bare.jsonl")
    code, out, err = run("fidelity", tmp_path / "bare.jsonl")

    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "no sentence has gold and at least 4 answers" in err
