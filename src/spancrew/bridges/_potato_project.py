"""A project of Potato: its config, which must fit the campaign, and its folders."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spancrew.calling import needed
from spancrew.errors import SpancrewError

FOR = "spancrew_for"
"""The field of a line that lists who gets it."""

SPANS, ANSWER = "spancrew_spans", "spancrew_answer"
ALL_MARKED, NOTHING, AS_SUGGESTED, SKIP = (
    "All marked",
    "Nothing to mark",
    "As suggested",
    "Skip",
)
_Config = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PotatoProject:
    """Where a project has its sentences, and what people did with them."""

    data: Path
    output: Path


def open_project(folder: Path, labels: Sequence[str], title: str) -> tuple[PotatoProject, bool]:
    """Return a project, and whether it was made just now; refuse one that does not fit."""
    file, wanted = folder / "config.yaml", _config(labels, title)
    is_new = not file.exists()
    if is_new:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")
    found = _read(file)
    misfit = _misfit(found, wanted)
    if misfit is not None:
        raise SpancrewError(
            f"{file} does not fit this campaign: {misfit}. Correct it, or move it away and let "
            "this command write one"
        )
    root = folder / str(found.get("task_dir", "."))
    project = PotatoProject(root / found["data_directory"], root / found["output_annotation_dir"])
    project.data.mkdir(parents=True, exist_ok=True)
    return project, is_new


def write_whole(file: Path, text: str) -> None:
    """Write a file so that nobody ever sees half of it."""
    draft = file.with_suffix(".new")
    draft.write_text(text, "utf-8")
    draft.replace(file)


def _config(labels: Sequence[str], title: str) -> _Config:
    return {
        "annotation_task_name": title,
        "task_dir": ".",
        "data_directory": "data",
        "watch_data_directory": True,
        "watch_poll_interval": 2,
        "output_annotation_dir": "annotation_output",
        "item_properties": {"id_key": "id", "text_key": "text"},
        "assignment_strategy": "batch",
        "batch_assignment": {"annotator_key": FOR},
        "require_password": False,
        "user_config": {"allow_all_users": True, "users": []},
        "annotation_schemes": [
            {
                "annotation_type": "span",
                "name": SPANS,
                "description": "Choose a label, then mark the words",
                "labels": list(labels),
            },
            {
                "annotation_type": "radio",
                "name": ANSWER,
                "description": "Choose this last: it hands your answer in",
                "labels": [ALL_MARKED, NOTHING, AS_SUGGESTED, SKIP],
            },
        ],
    }


def _read(file: Path) -> _Config:
    text = file.read_text("utf-8")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _yaml(text)
    if not isinstance(found, dict):
        raise SpancrewError(f"{file} is no config of Potato: correct it, or move it away")
    return found


def _yaml(text: str) -> Any:
    yaml = needed("yaml", "potato")
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


def _misfit(found: _Config, wanted: _Config) -> str | None:
    """Say what in a config must be another way; settings that do no harm may be any way."""
    for key in ("data_directory", "output_annotation_dir"):
        if not isinstance(found.get(key), str):
            return f"{key!r} must be a folder, such as {wanted[key]!r}"
    for key in ("watch_data_directory", "assignment_strategy"):
        if found.get(key) != wanted[key]:
            return f"{key!r} must be {json.dumps(wanted[key])}"
    for key in ("item_properties", "batch_assignment"):
        given = found.get(key)
        if not isinstance(given, dict) or given | wanted[key] != given:
            return f"{key!r} must hold {json.dumps(wanted[key])}"
    if "database" in found:
        return "answers must be in files, so leave 'database' out"
    return _scheme_misfit(found.get("annotation_schemes"), wanted["annotation_schemes"])


def _scheme_misfit(found: Any, wanted: list[_Config]) -> str | None:
    known = {
        scheme.get("name"): scheme
        for scheme in (found if isinstance(found, list) else [])
        if isinstance(scheme, dict)
    }
    for scheme in wanted:
        kind, name = scheme["annotation_type"], scheme["name"]
        given = known.get(name, {})
        if given.get("annotation_type") != kind or _labels(given) != set(scheme["labels"]):
            said = ", ".join(scheme["labels"])
            return f"'annotation_schemes' must have a {kind} named {name!r} with the labels {said}"
    return None


def _labels(scheme: _Config) -> set[str]:
    given = scheme.get("labels")
    listed = given if isinstance(given, list) else []
    return {str(each.get("name") if isinstance(each, dict) else each) for each in listed}
