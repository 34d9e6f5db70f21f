"""Projects of Potato: the config that is written, and those that are refused."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from spancrew.bridges import Person, Potato
from spancrew.errors import SpancrewError
from tests.bridges.potato_desk import LABELS, Desk


def config_of(folder: Path) -> dict[str, Any]:
    """Return the config that the bridge writes."""
    Potato(folder, LABELS, "news")
    made: dict[str, Any] = json.loads((folder / "config.yaml").read_text("utf-8"))
    return made


def test_a_config_of_yours_may_say_more(tmp_path: Path) -> None:
    """In YAML, with folders of its own, labels with colours and other settings."""
    config = config_of(tmp_path)
    config |= {"data_directory": "incoming", "output_annotation_dir": "done", "port": 9000}
    labels = [{"name": name, "color": "#aabbcc"} for name in reversed(LABELS)]
    config["annotation_schemes"][0]["labels"] = labels
    rows = "".join(f"{key}: {json.dumps(value)}\n" for key, value in config.items())
    (tmp_path / "config.yaml").write_text(f"# ours\n{rows}", "utf-8")
    desk = Desk(tmp_path)

    assert len(list((tmp_path / "incoming").glob("*.jsonl"))) == 1
    assert desk.said == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"assignment_strategy": "random"}, "'assignment_strategy' must be \"batch\""),
        ({"batch_assignment": {"annotator_key": "who"}}, "spancrew_for"),
        ({"watch_data_directory": False}, "'watch_data_directory' must be true"),
        ({"data_directory": None}, "'data_directory' must be a folder"),
        ({"item_properties": {"id_key": "nr", "text_key": "text"}}, "item_properties"),
        ({"database": {"type": "mysql"}}, "answers must be in files"),
        ({"annotation_schemes": []}, "span named 'spancrew_spans' with the labels PER, LOC"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    """With what to change; the file stays as it was."""
    config = json.dumps(config_of(tmp_path) | change)
    (tmp_path / "config.yaml").write_text(config, "utf-8")
    with pytest.raises(SpancrewError, match=re.escape(said)):
        Potato(tmp_path, LABELS, "news")

    assert (tmp_path / "config.yaml").read_text("utf-8") == config


@pytest.mark.parametrize("written", ["a: [", "just words", ""])
def test_what_is_no_config_is_refused(tmp_path: Path, written: str) -> None:
    """Rather than replaced."""
    (tmp_path / "config.yaml").write_text(written, "utf-8")
    with pytest.raises(SpancrewError, match="is no config of Potato"):
        Potato(tmp_path, LABELS, "news")


def test_other_labels_need_another_project(tmp_path: Path) -> None:
    """Potato would offer the wrong ones."""
    config_of(tmp_path)
    with pytest.raises(SpancrewError, match="labels PER, ORG"):
        Potato(tmp_path, ["PER", "ORG"], "news")


@pytest.mark.parametrize("name", ["a/b", "a\\b", ".ana", "a\nb"])
def test_names_that_potato_refuses_are_refused(tmp_path: Path, name: str) -> None:
    """A name is a folder of its output."""
    with pytest.raises(SpancrewError, match="log in to Potato"):
        Desk(tmp_path, Person("c1", name, "worker"))
