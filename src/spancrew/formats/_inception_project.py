"""What is in an export of a whole INCEpTION project: whose file is which, and how far they are."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from spancrew.errors import Place
from spancrew.formats._json import checked, need, want

PROJECT = "exportedproject.json"
CURATOR = "CURATION_USER"
INITIAL = "INITIAL_CAS"

_FILE = re.compile(r"(annotation|curation)/([^/]+)/([^/]+)\.(?:json|xmi|zip|tsv)")
_BINARY = re.compile(r"(?:annotation|curation)_ser/.*\.ser")
_FINISHED = {"FINISHED", "CURATIONFINISHED"}
_IN_PROGRESS = {"INPROGRESS", "CURATIONINPROGRESS"}


class ProjectFile(NamedTuple):
    """The annotations of one document by one person; the worker is None for the curator."""

    document: str
    worker: str | None
    name: str


class Project(NamedTuple):
    """The files by document; ``initial`` are documents as they were before anybody worked."""

    description: str | None
    files: dict[str, list[ProjectFile]]
    initial: dict[str, str]
    binaries: int

    @property
    def is_there(self) -> bool:
        """Tell whether this is a project at all."""
        return bool(self.description or self.files or self.initial)


def project_in(names: Iterable[str]) -> Project:
    """Return whose file is which, by the names in an archive or a folder."""
    listed = list(names)
    described = [name for name in listed if name.rpartition("/")[2] == PROJECT]
    root = min(described, key=len).removesuffix(PROJECT) if described else ""
    project = Project(f"{root}{PROJECT}" if described else None, {}, {}, sum(
        _BINARY.fullmatch(name.removeprefix(root)) is not None for name in listed
    ))  # fmt: skip
    for name in listed:
        found = _FILE.fullmatch(name.removeprefix(root))
        if found is None:
            continue
        kind, document, user = found[1], found[2], found[3]
        if user == INITIAL:
            project.initial[document] = name
            continue
        worker = None if kind == "curation" else unquote(user)
        project.files.setdefault(document, []).append(ProjectFile(document, worker, name))
    return project


class ProjectProgress(NamedTuple):
    """The order of the documents, and how far each worker, or the curator (None), is with them."""

    documents: tuple[str, ...]
    states: Mapping[tuple[str, str | None], str]

    def left_out(self, file: ProjectFile) -> str | None:
        """Say why a file does not count; None if it does."""
        state = self.states.get((file.document, file.worker), "FINISHED")
        if state in _FINISHED or (state in _IN_PROGRESS and not self.has_finished):
            return None
        return (
            "documents in progress" if state in _IN_PROGRESS else "documents not begun or locked"
        )

    @property
    def has_finished(self) -> bool:
        """Tell whether anybody has finished anything."""
        return not _FINISHED.isdisjoint(self.states.values())

    @property
    def is_unfinished(self) -> bool:
        """Tell whether there is work, and none of it finished."""
        return not _IN_PROGRESS.isdisjoint(self.states.values()) and not self.has_finished


def progress_of(record: Any, place: Place) -> ProjectProgress:
    """Return what the description of a project says."""
    fields = checked(record, dict, "the project", place)
    sources = want(fields, "source_documents", list, place) or []
    names = tuple(need(each, "name", str, place) for each in sources)
    states: dict[tuple[str, str | None], str] = {}
    for name, each in zip(names, sources, strict=True):
        state = _state(each, place)
        if state.startswith("CURATION"):
            states[name, None] = state
    for each in want(fields, "annotation_documents", list, place) or []:
        key = need(each, "name", str, place), need(each, "user", str, place)
        states[key] = _state(each, place)
    return ProjectProgress(names, states)


def _state(record: dict[str, Any], place: Place) -> str:
    found: str = want(record, "state", str, place) or "FINISHED"
    return found.upper().replace("_", "").replace("-", "")
