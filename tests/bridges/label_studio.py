"""A Label Studio on this machine that answers as version 1.23 does, and people who work in it."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from spancrew.calling import certificates
from spancrew.core import Sentence, Span
from spancrew.formats import label_studio_regions
from tests.bridges.loopback import Answer, Loopback, Request, running

TOKEN = "0123456789abcdef0123456789abcdef01234567"  # noqa: S105  of a server that is not real
_NOT_ANNOTATED = json.dumps(
    {
        "filters": {
            "conjunction": "and",
            "items": [
                {
                    "filter": "filter:tasks:total_annotations",
                    "operator": "equal",
                    "type": "Number",
                    "value": 0,
                }
            ],
        }
    }
)
"""Only tasks without annotations: whoever works there does not read all that they have done."""
_GONE = Answer(404, {"status_code": 404, "detail": "Not found."})


@dataclass
class FakeLabelStudio:
    """Projects, tasks with their annotations, and webhooks; ``hook`` hears of annotations."""

    loopback: Loopback = field(init=False)
    projects: dict[int, dict[str, Any]] = field(default_factory=dict)
    tasks: dict[int, dict[str, Any]] = field(default_factory=dict)
    webhooks: list[dict[str, Any]] = field(default_factory=list)
    deleted: list[dict[str, Any]] = field(default_factory=list)
    imported: list[dict[str, Any]] = field(default_factory=list)
    access: str = "access-1"
    personal: str = "head.body.tail"
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        """Make the server that answers."""
        self.loopback = Loopback(self.answer)

    @property
    def url(self) -> str:
        """Return where it is."""
        return self.loopback.url

    def mend(self) -> None:
        """Let nothing fail any more."""
        self.loopback.faults.clear()

    def answer(self, request: Request) -> Answer:
        """Carry a request out."""
        method, path = request.route.split(" ")
        if path == "/api/token/refresh":
            known = request.body == {"refresh": self.personal}
            return Answer(200, {"access": self.access}) if known else Answer(401, {"detail": "no"})
        if request.headers.get("authorization") not in {f"Token {TOKEN}", f"Bearer {self.access}"}:
            return Answer(401, {"detail": "Authentication credentials were not provided."})
        parts = path.strip("/").split("/")[1:]
        return self._route(method, parts)(request, *map(int, (p for p in parts if p.isdigit())))

    def _route(self, method: str, parts: list[str]) -> Callable[..., Answer]:
        shape = "/".join("*" if part.isdigit() else part for part in parts)
        routes: dict[str, Callable[..., Answer]] = {
            "GET projects": self._list_projects,
            "POST projects": self._make_project,
            "POST projects/*/import": self._import,
            "GET tasks": self._list_tasks,
            "GET tasks/*": self._task,
            "PATCH tasks/*": self._change_task,
            "DELETE tasks/*": self._delete_task,
            "GET tasks/*/annotations": lambda _request, number: self._part(number, "annotations"),
            "GET tasks/*/drafts": lambda _request, number: self._part(number, "drafts"),
            "POST tasks/*/annotations": self._annotate,
            "PATCH annotations/*": self._change_annotation,
            "GET webhooks": lambda _request: Answer(200, self.webhooks),
            "POST webhooks": self._add_webhook,
        }
        return routes.get(f"{method} {shape}", lambda *_: _GONE)

    def _list_projects(self, request: Request) -> Answer:
        wanted = request.query.get("include", "").split(",")
        rows = [
            {name: value for name, value in row.items() if not wanted[0] or name in wanted}
            for row in map(self._with_counts, self.projects.values())
        ]
        return self._page(request, rows, "results")

    def _with_counts(self, project: dict[str, Any]) -> dict[str, Any]:
        tasks = [task for task in self.tasks.values() if task["project"] == project["id"]]
        given = [each for task in tasks for each in task["annotations"]]
        skipped = sum(each["was_cancelled"] for each in given)
        return {
            **project,
            "task_number": len(tasks),
            "total_annotations_number": len(given) - skipped,
            "skipped_annotations_number": skipped,
        }

    def _page(self, request: Request, rows: list[dict[str, Any]], name: str) -> Answer:
        page, size = int(request.query["page"]), int(request.query["page_size"])
        found = rows[(page - 1) * size : page * size]
        if not found and page > 1:
            return Answer(404, {"status_code": 404, "detail": "Invalid page."})
        return Answer(200, {"count": len(rows), "total": len(rows), name: found})

    def _make_project(self, request: Request) -> Answer:
        if len(request.body["title"]) > 50:
            return Answer(400, {"validation_errors": {"title": ["at most 50 characters"]}})
        made = {**request.body, "id": next(self._numbers)}
        self.projects[made["id"]] = made
        return Answer(201, made)

    def _import(self, request: Request, project: int) -> Answer:
        if project not in self.projects:
            return _GONE
        numbers = []
        for given in request.body:
            number = next(self._numbers)
            self.imported.append(given)
            empty: dict[str, Any] = {"annotations": [], "drafts": [], "predictions": []}
            self.tasks[number] = {**empty, **given, "id": number, "project": project}
            numbers.append(number)
        return Answer(201, {"task_count": len(numbers), "task_ids": numbers})

    def _list_tasks(self, request: Request) -> Answer:
        project = int(request.query["project"])
        if project not in self.projects:
            return _GONE
        rows = [each for each in self.tasks.values() if each["project"] == project]
        if request.query.get("query") == _NOT_ANNOTATED:
            rows = [each for each in rows if not each["annotations"]]
        return self._page(request, [{**each, "drafts": []} for each in rows], "tasks")

    def _task(self, _request: Request, number: int) -> Answer:
        """Return a task; it shows drafts to nobody but those who made them."""
        return Answer(200, {**self.tasks[number], "drafts": []}) if number in self.tasks else _GONE

    def _part(self, number: int, name: str) -> Answer:
        """Return the annotations or drafts of a task; drafts of one that is gone are none."""
        if number not in self.tasks:
            return Answer(200, []) if name == "drafts" else _GONE
        return Answer(200, self.tasks[number][name])

    def _change_task(self, request: Request, number: int) -> Answer:
        if number not in self.tasks:
            return _GONE
        self.tasks[number] = {**self.tasks[number], **request.body}
        return Answer(200, self.tasks[number])

    def _delete_task(self, _request: Request, number: int) -> Answer:
        if number not in self.tasks:
            return _GONE
        self.deleted.append(self.tasks.pop(number))
        return Answer(204, None)

    def _annotate(self, request: Request, number: int) -> Answer:
        if number not in self.tasks:
            return _GONE
        made = {"was_cancelled": False, **request.body, "id": next(self._numbers), "task": number}
        task = self.tasks[number]
        self.tasks[number] = {**task, "annotations": [*task["annotations"], made]}
        return Answer(201, made)

    def _change_annotation(self, request: Request, number: int) -> Answer:
        for task in self.tasks.values():
            for each in task["annotations"]:
                if each["id"] == number:
                    each.update(request.body)
                    return Answer(200, each)
        return _GONE

    def _add_webhook(self, request: Request) -> Answer:
        self.webhooks.append({**request.body, "id": next(self._numbers)})
        return Answer(201, self.webhooks[-1])


@contextmanager
def label_studio() -> Iterator[FakeLabelStudio]:
    """Run a Label Studio."""
    made = FakeLabelStudio()
    with running(made.loopback):
        yield made


class Labeller:
    """Somebody who knows nothing but Label Studio, and there the project with their name.

    With a ``campaign``, projects with their name for another one are not theirs.
    """

    def __init__(self, url: str, name: str, campaign: str = "") -> None:
        headers = {"Authorization": f"Token {TOKEN}"}
        self.title = f"{name} · {campaign}"
        self.http = httpx.Client(
            base_url=url, headers=headers, timeout=60.0, verify=certificates()
        )
        self._project: int | None = None
        self._done: set[int] = set()

    def close(self) -> None:
        """Close the connection."""
        self.http.close()

    def open_tasks(self) -> list[dict[str, Any]]:
        """Return the tasks of one's project that nobody has annotated."""
        self._project = self._project or self._find()
        if self._project is None:
            return []
        params = {"project": str(self._project), "fields": "all", "page": "1", "page_size": "100"}
        params["query"] = _NOT_ANNOTATED
        found = self.http.get("/api/tasks", params=params)
        if found.status_code == 404:
            self._project = None
            return []
        tasks = found.raise_for_status().json()["tasks"]
        return [task for task in tasks if not task["annotations"] and task["id"] not in self._done]

    def todo(self) -> list[tuple[dict[str, Any], str]]:
        """Return the same, each with the id of its sentence."""
        return [(task, task["data"]["id"]) for task in self.open_tasks()]

    def _find(self) -> int | None:
        found = self.http.get(
            "/api/projects/", params={"page": "1", "page_size": "100", "include": "id,title"}
        )
        for project in found.raise_for_status().json()["results"]:
            if project["title"].startswith(self.title):
                return int(project["id"])
        return None

    def annotate(self, task: dict[str, Any], sentence: Sentence, spans: tuple[Span, ...]) -> int:
        """Hand in an annotation; return its id."""
        body = {"result": label_studio_regions(sentence, spans), "lead_time": 2.5}
        return self._post(task, body)

    def skip(self, task: dict[str, Any]) -> int:
        """Skip a task, as its button does."""
        return self._post(task, {"result": [], "was_cancelled": True})

    def _post(self, task: dict[str, Any], body: dict[str, Any]) -> int:
        found = self.http.post(f"/api/tasks/{task['id']}/annotations/", json=body)
        if found.status_code == 404:
            return 0  # withdrawn in the meantime
        self._done.add(task["id"])
        return int(found.raise_for_status().json()["id"])
