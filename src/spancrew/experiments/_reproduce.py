"""Compute what was asked for of the paper, on all cores."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple

from joblib import Parallel, delayed

from spancrew.errors import FormatError
from spancrew.experiments._bound import BoundPoint, bound_points, bound_rows
from spancrew.experiments._findings import AUTHORS, Job, Part, all_variants, jobs_of, work
from spancrew.experiments._folder import data_folder
from spancrew.experiments._jobs import Findings
from spancrew.experiments._measured import Measured
from spancrew.experiments._notes import notes_of
from spancrew.experiments._reproduction import ALL, Reproduction, Section, What
from spancrew.experiments._simulator import simulator
from spancrew.experiments._stages import Stage, conll_stage, demo_stage, oei_stage
from spancrew.experiments._table_2 import Comparison, compare, table_2_numbers

Which = Literal["authors", "paper", "both"]
Progress = Callable[[int, int], None]

_PART: dict[What, Part] = {
    "table-3": "table",
    "table-4": "table",
    "figure-regret": "regret",
    "figure-tau": "tau",
}
_DRAWS = 10_000
"""Crowds that are tossed for every point of the bound."""


class Order(NamedTuple):
    """What is wanted; ``folder`` None means the usual places.

    ``rules`` are feedback rules that tables 3 and 4 have beside those of the paper.
    """

    what: What
    folder: Path | None = None
    protocol: Which = "both"
    runs: int = 10
    seed: int = 0
    processes: int = -1
    rules: tuple[str, ...] = ()


class Piece(NamedTuple):
    """Work for one process: a function and what it is given."""

    key: tuple[Any, ...]
    function: Callable[..., Any]
    given: tuple[Any, ...]


def reproduce(order: Order, progress: Progress) -> Reproduction:
    """Compute tables and figures; without the paper's data, on the bundled data set."""
    wanted = ALL if order.what == "all" else (order.what,)
    stages, is_demo = _stages(order.folder)
    pieces = _pieces(order, wanted, stages)
    parallel = Parallel(n_jobs=order.processes, return_as="generator_unordered", batch_size=1)
    found: dict[tuple[Any, ...], Any] = {}
    progress(0, len(pieces))
    for key, result in parallel(delayed(_do)(piece) for piece in pieces):
        found[key] = result
        progress(len(found), len(pieces))
    return _reproduction(wanted, stages, found, is_demo=is_demo)


def _do(piece: Piece) -> tuple[tuple[Any, ...], Any]:
    return piece.key, piece.function(*piece.given)


def _stages(folder: Path | None) -> tuple[list[Stage], bool]:
    """Return the paper's data sets; the bundled one if they are not there and none was named."""
    try:
        found = data_folder(folder)
    except FormatError:
        if folder is not None:
            raise
        return [demo_stage()], True
    return [conll_stage(found), oei_stage(found)], False


def _of(what: What, stages: Iterable[Stage]) -> list[Stage]:
    """Return the data sets that a table or figure is about."""
    about = {"table-3": ("conll", "demo"), "table-4": ("oei", "demo")}.get(what)
    return [stage for stage in stages if about is None or stage.name in about]


def _pieces(order: Order, wanted: tuple[What, ...], stages: list[Stage]) -> list[Piece]:
    """Return the work, the longest first."""
    pieces = [
        Piece(("job", job.stage.name, job.variant, job.metrics), work, (job,))
        for job in _jobs(order, wanted, stages)
    ]
    if "table-2" in wanted:
        pieces += [
            Piece(("table-2", stage.name), _compared, (stage,)) for stage in reversed(stages)
        ]
    if "simulator" in wanted:
        pieces.append(Piece(("simulator",), _tossed, (stages[-1], order.runs, order.seed)))
    if "bound" in wanted:
        pieces.append(Piece(("bound",), bound_points, (order.seed, _DRAWS)))
    return pieces


def _jobs(order: Order, wanted: tuple[What, ...], stages: list[Stage]) -> list[Job]:
    variants = {
        "authors": (AUTHORS,),
        "paper": all_variants()[1:],
        "both": all_variants(),
    }[order.protocol]
    jobs: list[Job] = []
    for stage in stages:
        parts = tuple(
            dict.fromkeys(_PART[w] for w in wanted if w in _PART and stage in _of(w, stages))
        )
        if parts:
            found = jobs_of([stage], parts, variants, order.runs, order.seed)
            jobs += [job._replace(rules=order.rules) for job in found]
    return sorted(jobs, key=lambda job: -len(job.stage.dataset) * len(job.metrics))


def _compared(stage: Stage) -> Comparison:
    name = {"conll": "CoNLL", "oei": "OEI"}.get(stage.name, stage.name)
    return compare(name, stage.dataset, stage.skills)


def _tossed(stage: Stage, runs: int, seed: int) -> list[Measured]:
    found = simulator(stage.pilot, sentences=len(stage.dataset), runs=runs, seed=seed)
    return found if stage.has_paper else [number._replace(paper=None) for number in found]


def _reproduction(
    wanted: tuple[What, ...],
    stages: list[Stage],
    found: dict[tuple[Any, ...], Any],
    *,
    is_demo: bool,
) -> Reproduction:
    sections = []
    for what in wanted:
        if what in _PART:
            sections += [_section(what, stage, found) for stage in _of(what, stages)]
    comparisons = [
        found["table-2", s.name] for s in reversed(stages) if ("table-2", s.name) in found
    ]
    sections = [
        Section(
            "table-2",
            c.name.lower(),
            f"Table 2, {c.name}",
            Findings(table_2_numbers(c)),
            notes_of("table-2", has_paper=not is_demo),
        )
        for c in comparisons
    ] + sections
    if ("simulator",) in found:
        numbers = Findings(found["simulator",])
        sections.append(
            Section(
                "simulator",
                stages[-1].name,
                "Table 5, feedback simulator",
                numbers,
                notes_of("simulator", has_paper=not is_demo),
            )
        )
    bound: list[BoundPoint] = found.get(("bound",), [])
    if bound:
        rows = [
            Measured(r["row"], r["column"], r["paper"], r["ours"], r["sd"], "bound")
            for r in bound_rows(bound)
        ]
        sections.append(
            Section(
                "bound", "none", "Appendix B, majority bound", Findings(rows), notes_of("bound")
            )
        )
    return Reproduction(sections, comparisons, bound, is_demo)


def _section(what: What, stage: Stage, found: dict[tuple[Any, ...], Any]) -> Section:
    """Gather what all jobs found for one part on one data set, in the order of the variants."""
    findings = Findings()
    for variant in all_variants():
        for key, result in sorted(found.items(), key=lambda pair: str(pair[0])):
            if key[:3] == ("job", stage.name, variant):
                findings += result[_PART[what]]
    title = f"{what.replace('-', ' ').capitalize()}, {stage.title}"
    notes = notes_of(what, has_paper=stage.has_paper)
    return Section(what, stage.name, title, findings, notes)
