"""Compute what was asked for of the paper, on all cores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from joblib import Parallel, delayed

from spancrew.errors import FormatError
from spancrew.experiments._bound import BoundPoint, bound_points, bound_rows
from spancrew.experiments._data import (
    TABLE_METRICS,
    VARIANTS,
    ExperimentData,
    conll_data,
    data_folder,
    demo_data,
    oei_data,
)
from spancrew.experiments._findings import Findings, Measured
from spancrew.experiments._jobs import ALL_VARIANTS, AUTHORS, ExperimentJob, Part, work
from spancrew.experiments._paper import notes_of
from spancrew.experiments._simulator import simulator
from spancrew.experiments._table_2 import Table2, table_2, table_2_numbers
from spancrew.experiments._table_6 import Table6Order, tables_6

What = Literal[
    "table-2",
    "table-3",
    "table-4",
    "figure-regret",
    "figure-tau",
    "simulator",
    "bound",
    "table-6",
    "all",
]
ALL: tuple[What, ...] = get_args(What)[:-2]
"""What is computed in minutes; Table 6 trains models."""
Which = Literal["authors", "paper", "both"]
Progress = Callable[[int, int], None]

_PART: dict[What, Part] = {
    "table-3": "table",
    "table-4": "table",
    "figure-regret": "regret",
    "figure-tau": "tau",
}
_ABOUT = {"table-3": ("conll", "demo"), "table-4": ("oei", "demo")}
"""The data sets of a table that is not about all of them."""

_TITLES: dict[What, str] = {
    "simulator": "Table 5, feedback simulator",
    "bound": "Appendix B, majority bound",
}
_NAMES = {"conll": "CoNLL", "oei": "OEI"}
_DRAWS = 10_000
"""Crowds that are tossed for every point of the bound."""


class Order(NamedTuple):
    """What is wanted; ``folder`` None means the usual places.

    ``rules`` are feedback rules that tables 3 and 4 have beside those of the paper. ``table_6``
    says which models are trained for Table 6; None: ``all`` is without it.
    """

    what: What
    folder: Path | None = None
    protocol: Which = "both"
    runs: int = 10
    seed: int = 0
    processes: int = -1
    rules: tuple[str, ...] = ()
    table_6: Table6Order | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A table or a figure of the paper on one data set, with what we find."""

    what: What
    data: str
    title: str
    findings: Findings
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """Everything that was asked for; ``is_demo`` says that the paper's data were not there."""

    sections: list[Section]
    comparisons: list[Table2] = field(default_factory=list)
    bound: list[BoundPoint] = field(default_factory=list)
    is_demo: bool = False

    def as_json(self) -> list[dict[str, Any]]:
        """Return all numbers as records, each with its table or figure and its data set."""
        return [
            {"what": section.what, "data": section.data, **number.as_json()}
            for section in self.sections
            for number in section.findings.numbers
        ]


def reproduce(order: Order, progress: Progress) -> Reproduction:
    """Compute tables and figures; without the paper's data, on the bundled data set."""
    wanted = ALL if order.what == "all" else (order.what,)
    data_sets, is_demo = _data_sets(order.folder)
    jobs = _jobs(order, wanted, data_sets)
    compared = list(reversed(data_sets)) if "table-2" in wanted else []
    calls = [delayed(work)(job) for job in jobs]
    calls += [delayed(_table_2)(data) for data in compared]
    if "simulator" in wanted:
        calls.append(delayed(_simulator)(data_sets[-1], order.runs, order.seed))
    if "bound" in wanted:
        calls.append(delayed(bound_points)(order.seed, _DRAWS))
    results = iter(_computed(calls, order.processes, progress))
    found = [(job, next(results)) for job in jobs]
    tables: list[Table2] = [next(results) for _ in compared]
    sections = [
        _section("table-2", t.name.lower(), t.name, table_2_numbers(t), has_paper=not is_demo)
        for t in tables
    ]
    for what in wanted:
        if what in _PART:
            about = [data for data in data_sets if _is_about(what, data)]
            sections += [_gathered(what, data, found) for data in about]
    if "simulator" in wanted:
        sections.append(
            _section("simulator", data_sets[-1].name, "", next(results), has_paper=not is_demo)
        )
    bound: list[BoundPoint] = next(results, [])
    sections += _models(order, data_sets, progress, has_paper=not is_demo)
    if bound:
        sections.append(_section("bound", "none", "", bound_rows(bound)))
    return Reproduction(sections, tables, bound, is_demo)


def _models(
    order: Order, data_sets: Sequence[ExperimentData], progress: Progress, *, has_paper: bool
) -> list[Section]:
    """Train the models of Table 6, if they are wanted; they share no core with anything else."""
    if order.what not in {"all", "table-6"} or (order.what == "all" and order.table_6 is None):
        return []
    folder = data_folder(order.folder) if has_paper else None
    wanted, told = order.table_6 or Table6Order(), _Told(progress)
    tables = tables_6(data_sets, folder, wanted, told)
    return [
        _with_missing(
            _section("table-6", data.name, data.title, found.findings, has_paper=has_paper),
            found.missing,
        )
        for data, found in zip(data_sets, tables, strict=True)
        if found.findings.numbers or found.missing
    ]


def _with_missing(section: Section, missing: Sequence[str]) -> Section:
    """Say first what was not trained."""
    if not missing:
        return section
    said = (
        f"NOT COMPLETE. Trainings that are missing: {'; '.join(missing)}. Means are over the "
        "seeds that are there; start the command again with the same --keep to go on."
    )
    return replace(section, notes=(said, *section.notes))


class _Told:
    """Passes on how much is done; what is done, if somebody wants to know."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def phase(self, name: str) -> None:
        """Begin something else."""
        phase = getattr(self._progress, "phase", None)
        if phase is not None:
            phase(name)

    def __call__(self, done: int, total: int) -> None:
        """Say how much is done."""
        self._progress(done, total)


def _data_sets(folder: Path | None) -> tuple[list[ExperimentData], bool]:
    """Return the paper's data sets; the bundled one if they are not there and none was named."""
    try:
        found = data_folder(folder)
    except FormatError:
        if folder is not None:
            raise
        return [demo_data()], True
    return [conll_data(found), oei_data(found)], False


def _is_about(what: What, data: ExperimentData) -> bool:
    """Tell whether a table or figure is about a data set."""
    return data.name in _ABOUT.get(what, (data.name,))


def _jobs(
    order: Order, wanted: Sequence[What], data_sets: Sequence[ExperimentData]
) -> list[ExperimentJob]:
    """Return the jobs, the longest first, so that no core is left with a long one in the end."""
    variants = {"authors": (AUTHORS,), "paper": VARIANTS, "both": ALL_VARIANTS}[order.protocol]
    jobs = []
    for data in data_sets:
        whats = [what for what in wanted if what in _PART and _is_about(what, data)]
        parts = tuple(dict.fromkeys(_PART[what] for what in whats))
        metrics = tuple(TABLE_METRICS) if "table" in parts else ("proportional",)
        for variant in variants if parts else ():
            # The authors' protocol makes other answers for each metric.
            groups = [(metric,) for metric in metrics] if variant == AUTHORS else [metrics]
            jobs += [
                ExperimentJob(data, variant, parts, group, order.runs, order.seed, order.rules)
                for group in groups
            ]
    return sorted(jobs, key=lambda job: -len(job.data.dataset) * len(job.metrics))


def _computed(calls: Sequence[Any], processes: int, progress: Progress) -> list[Any]:
    """Make delayed calls, several at a time; return their results in the same order."""
    parallel = Parallel(n_jobs=processes, return_as="generator_unordered", batch_size=1)
    numbered = (delayed(_numbered)(k, *call) for k, call in enumerate(calls))
    results: dict[int, Any] = {}
    progress(0, len(calls))
    for position, result in parallel(numbered):
        results[position] = result
        progress(len(results), len(calls))
    return [results[position] for position in range(len(calls))]


def _numbered(
    position: int, function: Callable[..., Any], arguments: Any, named: Any
) -> tuple[int, Any]:
    return position, function(*arguments, **named)


def _table_2(data: ExperimentData) -> Table2:
    return table_2(_NAMES.get(data.name, data.name), data.dataset, data.skills)


def _simulator(data: ExperimentData, runs: int, seed: int) -> list[Measured]:
    found = simulator(data.pilot, sentences=len(data.dataset), runs=runs, seed=seed)
    return found if data.has_paper else [number._replace(paper=None) for number in found]


def _gathered(
    what: What, data: ExperimentData, found: Sequence[tuple[ExperimentJob, dict[Part, Findings]]]
) -> Section:
    """Gather what all jobs found for one table or figure on one data set."""
    own = [(job, result) for job, result in found if job.data is data]
    own.sort(key=lambda pair: (ALL_VARIANTS.index(pair[0].variant), pair[0].metrics))
    findings = sum((result[_PART[what]] for _, result in own), Findings())
    return _section(what, data.name, data.title, findings, has_paper=data.has_paper)


def _section(
    what: What, data: str, about: str, found: Findings | list[Measured], *, has_paper: bool = True
) -> Section:
    title = _TITLES.get(what) or f"{what.replace('-', ' ').capitalize()}, {about}"
    findings = found if isinstance(found, Findings) else Findings(found)
    return Section(what, data, title, findings, notes_of(what, has_paper=has_paper))
