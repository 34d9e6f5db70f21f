"""A real language model on this machine: SmolLM2, whose answers are mostly nonsense."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from spancrew.formats import read
from spancrew.members import (
    AnswerJournal,
    Briefing,
    LanguageModel,
    LlmSettings,
    MemberSettings,
    annotate,
)
from tests.bridges.real import free_port
from tests.processes import launched

pytestmark = pytest.mark.bridges

ENVIRONMENT = Path(__file__).parents[2] / ".venv-bridges-llm"
CAP = 0.05


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve the model."""
    words = [str(ENVIRONMENT / "bin" / "python"), str(Path(__file__).with_name("smol_server.py"))]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with launched([*words, str(free_port())], **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with process.stdin:
            yield process.stdout.readline().decode().strip() + "/v1"


def test_a_real_model_answers_and_goes_on_where_it_stopped(url: str, tmp_path: Path) -> None:
    """A sentence, then one more; nonsense is counted and not an error."""
    dataset = read("demo").dataset.take(np.arange(3))
    gold = dataset.gold_spans(2)
    assert gold is not None
    briefing = Briefing("Mark names.", {"PER": "people"}, [(dataset.sentences[2], gold)], 1)
    llm = LlmSettings(url, input_price=1.0, output_price=1.0, most_tokens=100)
    spent = []
    for count in (1, 2):
        with AnswerJournal(tmp_path / "kept.db", CAP) as journal:
            settings = MemberSettings(
                journal=journal, briefing=briefing, llm=llm, in_parallel=1, timeout=300.0
            )
            part = dataset.take(np.arange(count))
            found = annotate(part, LanguageModel("smollm2", settings))
            spent.append(found.spent)

            assert found.stopped is None
            assert found.answered + found.unusable == count
            assert found.earlier == count - 1

    assert 0 < spent[0] < spent[1] <= CAP
