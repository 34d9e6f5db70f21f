"""Label Studio as the tool in which people work: a project for everybody."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from spancrew.bridges._label_studio_api import LabelStudioApi
from spancrew.bridges._tool import Filled, Person, Sheet
from spancrew.core import Sentence, Span
from spancrew.errors import Place, SpancrewError, ToolError
from spancrew.formats import label_studio_regions, label_studio_spans

_OURS = "spancrew"
_MOST_TITLE = 50
_ACTIONS = {
    "send_for_all_actions": False,
    "actions": ["ANNOTATION_CREATED", "ANNOTATION_UPDATED"],
}
_Task = dict[str, Any]

_COUNTS = ("task_number", "total_annotations_number", "skipped_annotations_number")
"""What Label Studio counts in a project; to read one task costs it more than to count them all."""
_WITHOUT_A_LOOK = 6
"""Looks after which tasks are read though their number is the same: somebody may have begun."""


class _Known(NamedTuple):
    """A task that is open: its number, what was put there, and how far it was."""

    number: int
    data: dict[str, Any]
    meta: dict[str, Any]
    filled: Filled


class _Count(NamedTuple):
    """What was counted in a project when its tasks were last read, and how often since."""

    numbers: tuple[int, ...]
    looks: int = 0


class LabelStudioProjects:
    """Projects in Label Studio, one for each person; the open edition has no assignment.

    A project is known by the last line of its description, a sheet by the ``meta`` of its task,
    which also says whether it was taken. The first annotation that was not skipped counts. With a
    ``webhook``, Label Studio is asked to call this address when there is an annotation.
    """

    name = "Label Studio"

    def __init__(
        self,
        api: LabelStudioApi,
        labels: Sequence[str],
        title: str = "",
        *,
        webhook: str | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._api = api
        self._webhook = webhook
        self._tell = tell
        self._labels = tuple(labels)
        self._title = title
        self._projects: dict[Person, int] = {}
        self._listed: dict[str, int] = {}
        self._calling: set[int] = set()
        self._counted: dict[int, tuple[int, ...]] = {}
        self._counts: dict[Person, _Count] = {}
        self._open: dict[Person, dict[str, _Known]] = {}

    def admit(self, person: Person) -> None:
        """Find the project of somebody, or make it."""
        mine = f"{_OURS}/{person.campaign}/{person.role}/{person.name}"
        if mine not in self._listed:  # one list for all who are admitted together
            self._listed = self._list()
        project = self._listed.pop(mine, None)
        if project is None:
            made = self._api.call("POST", "/api/projects/", json=self._new_project(person, mine))
            project = int(made["id"])
        self._projects[person] = project
        if self._webhook is not None and project not in self._calling:
            self._ask_for_calls(project, self._webhook)
            self._calling.add(project)

    def _list(self) -> dict[str, int]:
        """Return all projects by the last line of their description."""
        listed = self._api.pages("/api/projects/", "results", include="id,description")
        return {
            str(each.get("description") or "").rpartition("\n")[2]: int(each["id"])
            for each in listed
        }

    def _ask_for_calls(self, project: int, url: str) -> None:
        """Register the webhook of a project; without it, annotations are found all the same."""
        known = self._api.call("GET", "/api/webhooks/", params={"project": project})
        if any(each.get("url") == url for each in known or []):
            return
        body = {"project": project, "url": url, "send_payload": False, **_ACTIONS}
        try:
            self._api.call("POST", "/api/webhooks/", json=body)
        except ToolError as error:
            # One that is down has refused nothing: this fails as well then, and is tried later.
            self._api.call("GET", "/api/webhooks/", params={"project": project})
            self._webhook = None
            self._tell(
                f"no webhook, so Label Studio is only looked at now and then: {error}. For an "
                "address in a private network, start it with SSRF_PROTECTION_ENABLED=false"
            )

    def _new_project(self, person: Person, mine: str) -> dict[str, Any]:
        title = f"{person.name} · {self._title or person.campaign}"
        about = f"Sentences for {person.name}, chosen by spancrew. Do not change this line:"
        return {
            "title": title[:_MOST_TITLE],
            "description": f"{about}\n{mine}",
            "label_config": label_config(self._labels),
            "maximum_annotations": 1,
            "show_collab_predictions": person.role == "expert",
            "show_skip_button": True,
        }

    def sheets(self, person: Person, *, thorough: bool) -> list[Filled]:
        """Return what is open; when ``thorough``, also answers that were changed later."""
        is_changed = self._is_changed(person)
        if thorough:
            self._listed, self._open[person] = {}, {}
            params = {"project": self._projects[person], "fields": "all"}
            listed = list(self._api.pages("/api/tasks", "tasks", **params))
        elif is_changed:
            listed = self._known_tasks(person)
        else:
            return [known.filled for known in self._open[person].values()]
        found = []
        for task in listed:
            ours = _ours(task)
            if ours is None:
                continue
            filled = _filled(task, ours)
            if ours.get("taken") != filled.mark:
                known = _Known(int(task["id"]), task["data"], task["meta"], filled)
                self._open[person][filled.key] = known
                found.append(filled)
        return found

    def _is_changed(self, person: Person) -> bool:
        """Tell whether the tasks of somebody may be other than when they were last read.

        They are counted before they are read, so that nothing can come between unnoticed. What
        waits to be corrected changes no number.
        """
        project = self._projects[person]
        if project not in self._counted:  # a count serves everybody once
            self._counted = self._count()
        numbers, before = self._counted.pop(project, ()), self._counts.get(person)
        waits = any(
            each.filled.state == "answered" for each in self._open.get(person, {}).values()
        )
        if before is None or before.numbers != numbers or before.looks >= _WITHOUT_A_LOOK or waits:
            self._counts[person] = _Count(numbers)
            return True
        self._counts[person] = before._replace(looks=before.looks + 1)
        return False

    def _expect(self, person: Person, more: int) -> None:
        """Note that so many more tasks are no surprise."""
        known = self._counts.get(person)
        if known is not None and known.numbers:
            tasks, *rest = known.numbers
            self._counts[person] = known._replace(numbers=(tasks + more, *rest))

    def _count(self) -> dict[int, tuple[int, ...]]:
        """Return the numbers of all projects."""
        listed = self._api.pages("/api/projects/", "results", include=",".join(("id", *_COUNTS)))
        return {
            int(each["id"]): tuple(int(each.get(name) or 0) for name in _COUNTS) for each in listed
        }

    def _known_tasks(self, person: Person) -> list[_Task]:
        """Return the tasks that are known to be open; forget those that somebody deleted.

        A whole task costs Label Studio several times as much as what was done there, and has the
        drafts of nobody but the caller.
        """
        tasks = []
        for key, (number, data, meta, _) in list(self._open[person].items()):
            given = self._given(number)
            if given is None:
                del self._open[person][key]
                continue
            drafts = None if given else self._api.call("GET", f"/api/tasks/{number}/drafts")
            done = {"annotations": given, "drafts": drafts}
            tasks.append({"id": number, "data": data, "meta": meta, **done})
        return tasks

    def _given(self, number: int) -> list[dict[str, Any]] | None:
        """Return the annotations of a task; None if there is no such task any more."""
        found = self._api.call("GET", f"/api/tasks/{number}/annotations/", missing=True)
        return found if found is None else list(found)

    def push(self, person: Person, sheet: Sheet) -> None:
        """Import a task, with the crowd's labels as a prediction where there are any."""
        task = _task(sheet)
        path = f"/api/projects/{self._projects[person]}/import"
        made = self._api.call("POST", path, json=[task], params={"return_task_ids": "true"})
        numbers = made.get("task_ids") if isinstance(made, dict) else None
        if not numbers:
            raise ToolError("Label Studio does not say which task it has made of a sentence")
        untouched = Filled(sheet.key, "untouched")
        known = _Known(int(numbers[0]), task["data"], task["meta"], untouched)
        self._open[person][sheet.key] = known
        self._expect(person, 1)

    def withdraw(self, person: Person, key: str) -> None:
        """Delete a task, unless somebody has answered it just now."""
        number = self._open[person][key].number
        given = self._given(number)
        if given:
            return
        if given is not None:
            self._api.call("DELETE", f"/api/tasks/{number}/", missing=True)
            self._expect(person, -1)
        del self._open[person][key]

    def take(self, person: Person, filled: Filled) -> None:
        """Write down in the task what of it was taken."""
        known = self._open[person][filled.key]
        meta = {**known.meta, _OURS: {**known.meta[_OURS], "taken": filled.mark}}
        path = f"/api/tasks/{known.number}/"
        self._api.call("PATCH", path, json={"meta": meta}, missing=True)
        del self._open[person][filled.key]


def label_config(labels: Sequence[str]) -> str:
    """Return how the pages of a project look.

    >>> label_config(["PER"])[:70]
    '<View><Labels name="label" toName="text"><Label value="PER"/></Labels>'
    """
    listed = "".join(f"<Label value={quoteattr(label)}/>" for label in labels)
    return (
        f'<View><Labels name="label" toName="text">{listed}</Labels>'
        '<Text name="text" value="$text"/></View>'
    )


def _task(sheet: Sheet) -> _Task:
    sentence = sheet.sentence
    ours = {"key": sheet.key, "tokens": [list(each) for each in sentence.bounds]}
    task: _Task = {"data": {"text": sentence.text, "id": sentence.id}, "meta": {_OURS: ours}}
    if sheet.suggestion is not None:
        result = label_studio_regions(sentence, sheet.suggestion)
        task["predictions"] = [{"model_version": "spancrew crowd", "result": result}]
    return task


def _ours(task: _Task) -> dict[str, Any] | None:
    """Return what was noted about a sheet; None for a task that somebody else has made."""
    meta = task.get("meta")
    ours = meta.get(_OURS) if isinstance(meta, dict) else None
    return ours if isinstance(ours, dict) and "key" in ours else None


def _filled(task: _Task, ours: dict[str, Any]) -> Filled:
    key, annotations = str(ours["key"]), task.get("annotations") or []
    given = sorted(annotations, key=lambda each: int(each["id"]))
    answers = [each for each in given if not each.get("was_cancelled")]
    if answers:
        return _answered(key, task, answers[0], ours)
    if given:
        return Filled(key, "skipped")
    drafts = [str(each.get("updated_at")) for each in task.get("drafts") or []]
    return Filled(key, "begun", draft=max(drafts)) if drafts else Filled(key, "untouched")


def _answered(key: str, task: _Task, answer: dict[str, Any], ours: dict[str, Any]) -> Filled:
    place = Place(f"task {task['id']} of Label Studio")
    seconds = answer.get("lead_time")
    try:
        spans = _spans(task, answer, ours, place)
    except SpancrewError as error:
        return Filled(key, "answered", problem=str(error))
    return Filled(key, "answered", spans, None if seconds is None else max(0.0, float(seconds)))


def _spans(
    task: _Task, answer: dict[str, Any], ours: dict[str, Any], place: Place
) -> tuple[Span, ...]:
    data = task["data"]
    bounds = tuple((int(start), int(end)) for start, end in ours["tokens"])
    sentence = Sentence(str(data["id"]), str(data["text"]), bounds)
    return label_studio_spans(sentence, answer.get("result") or [], place)
