"""The calls: each takes what is given, does one thing with it, and returns what shows itself."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from spancrew.augment import Recipe
from spancrew.campaign import WarmUp
from spancrew.certificates import certificate_of
from spancrew.consensus import Consensus, consensus_name, with_members
from spancrew.consensus import aggregate as join_answers
from spancrew.core import Unit
from spancrew.crowds import fidelity as compare_crowd
from spancrew.errors import KindError
from spancrew.formats import Discontinuous, Overlaps, Progress, Split
from spancrew.metrics import Metric, MetricName
from spancrew.report import certifiable, summarise
from spancrew.report import inspect as look_at
from spancrew.simulate import (
    SHARES,
    Attendance,
    CampaignSize,
    Grid,
    Prices,
    Setting,
    Silence,
    pairs_of,
)
from spancrew.simulate import frontier as measure_frontier
from spancrew.workbench._certified import Certified
from spancrew.workbench._fidelity import CrowdFidelity
from spancrew.workbench._frontier import ExpertFrontier
from spancrew.workbench._given import (
    Given,
    data_of,
    known_data_of,
    listed,
    method_of,
    names_of,
    whole_numbers,
)
from spancrew.workbench._grid import Stage, Where, rehearse_grid
from spancrew.workbench._inspected import Inspected
from spancrew.workbench._labels import FinalLabels
from spancrew.workbench._read_data import ReadData
from spancrew.workbench._rehearsals import Rehearsals

Names = str | Sequence[str] | None
"""One name or several; None leaves the choice to spancrew."""

Numbers = int | Sequence[int] | None
Crews = int | str | Sequence[int | str] | None


class ReadingOptions(TypedDict, total=False):
    """How data is read; see :class:`spancrew.formats.ReadOptions`."""

    overlaps: Overlaps | None
    unit: Unit | None
    labels: tuple[str, ...] | None
    progress: Progress
    columns: Mapping[str, str] | None
    split: Split | None
    discontinuous: Discontinuous | None
    skip_unequal: bool


class CampaignOptions(TypedDict, total=False):
    """What else a rehearsed campaign is like; see :class:`spancrew.simulate.Setting`."""

    cap: int | None
    attendance: Attendance
    delay: int
    revise: bool
    audit: float
    warm_up: WarmUp


def read(
    data: Given,
    format: str | None = None,  # noqa: A002  the word users know
    **options: Unpack[ReadingOptions],
) -> ReadData:
    """Read a file, a folder, a bundled data set by its name, or a pandas or polars DataFrame.

    The result is a data set and what had to be repaired: ``dataset, repairs = read("demo")``. A
    :class:`~spancrew.core.Dataset` is taken as it is.

    >>> read("demo")
    Dataset(600 sentences; gold on 600; 2,712 answers by 30 workers; labels ...), 0 repairs
    """
    given: dict[str, Any] = {**options, **({} if format is None else {"format": format})}
    found = data_of(data, **given)
    return ReadData(found.dataset, found.repairs)


def inspect(data: Given, **options: Unpack[ReadingOptions]) -> Inspected:
    """Say what there is, how good the workers are, how much they agree, and where they err."""
    name, dataset, repairs = data_of(data, **options)
    if dataset.kind == "choices":
        raise KindError("this data has choices: spancrew.report.inspect_choices looks at them")
    texts = [(repair.kind, f"{repair.place}: {repair.what}") for repair in repairs]
    return Inspected(look_at(name, dataset, texts))


def aggregate(
    data: Given,
    method: Consensus | str = "auto",
    experts: str | Sequence[str] = (),
    *,
    members: Names = None,
    trust_gold: bool = False,
    **options: Unpack[ReadingOptions],
) -> FinalLabels:
    """Join all answers into final labels with confidence, votes and who decided.

    ``method`` is the name of a consensus method, such as ``"bsc"``, or the method itself. The
    answers of ``experts``, and gold with ``trust_gold``, count as true. ``members`` answer beside
    the people: ``"tagger"`` learns from what they settle.
    """
    chosen = with_members(method_of(method), names_of(members, "members") or ())
    name, dataset, _ = data_of(data, **options)
    start = time.perf_counter()
    named = [experts] if isinstance(experts, str) else experts
    found = join_answers(dataset, chosen, named, trust_gold=trust_gold)
    seconds = time.perf_counter() - start
    by = consensus_name(chosen)
    summary = summarise(name, by, found, seconds, gold_is_trusted=trust_gold)
    return FinalLabels(found, summary)


def simulate(  # noqa: PLR0913  what is rehearsed, and how
    data: Given,
    policy: Names = None,
    feedback: Names = None,
    consensus: Names = None,
    *,
    members: Names = None,
    crowd: Names = None,
    crew: Crews = None,
    answers: Numbers = None,
    sentences: int | None = None,
    workers: int | None = None,
    runs: int = 10,
    seed: int = 0,
    score: MetricName = "exact",
    answer_price: float = 0.1,
    expert_price: float = 1.0,
    quality: float = 0.95,
    processes: int | None = 1,
    **options: Unpack[CampaignOptions],
) -> Rehearsals:
    """Rehearse a campaign many times, and compare cost and quality of each way to run it.

    Policies, feedback rules, consensus methods and crowds are given by name, one or several:
    every combination is rehearsed. Without any, the methods of the paper are, and those that
    beat them. The campaign has as many ``sentences`` and ``workers`` as the pilot unless told:
    fewer are drawn from it, more are new ones like them. ``quality`` is the F1 that a
    method should reach, and that rules aim at which can. With ``processes=None`` there is one for
    each core.
    """
    grid = Grid.of(
        names_of(crowd, "crowd"),
        names_of(policy, "policy"),
        names_of(feedback, "feedback"),
        names_of(consensus, "consensus"),
        listed(crew),
        whole_numbers(answers, "answers"),
        quality,
    ).with_members(names_of(members, "members") or ())
    prices = Prices(answer_price, expert_price)
    base = Setting(runs=runs, seed=seed, prices=prices, **options)
    name, dataset, _ = known_data_of(data)
    stage = Stage(name, dataset, Metric(score), CampaignSize(sentences, workers))
    return rehearse_grid(stage, grid, base, quality, Where(processes=processes), Silence())


def frontier(  # noqa: PLR0913  what is measured, and how
    data: Given,
    consensus: Names = None,
    gate: Names = None,
    *,
    members: Names = None,
    shares: Sequence[float] = SHARES,
    orders: int = 5,
    seed: int = 0,
    audit: float = 0.05,
    processes: int | None = 1,
) -> ExpertFrontier:
    """Say how good final labels become if experts label a share of the sentences.

    Consensus methods and gates are given by name, one or several; every combination is measured
    on the real answers. With ``processes=None`` there is one process for each core.
    """
    named = (
        names_of(consensus, "consensus") or (),
        names_of(gate, "gate") or (),
        names_of(members, "members") or (),
    )
    pairs_of(*named)
    name, dataset, _ = known_data_of(data)
    pairs = pairs_of(*named, dataset.kind)
    found = measure_frontier(
        dataset, pairs, shares, orders, seed, audit=audit, processes=processes
    )
    return ExpertFrontier(name, found)


def certify(
    data: Given,
    method: Consensus | str = "auto",
    *,
    level: float = 0.95,
    strict: bool = False,
    **options: Unpack[ReadingOptions],
) -> Certified:
    """Certify precision, recall and F1 of the labels that a method makes of the answers.

    The sentences with gold are the audit: they must be a random sample, labelled by an expert who
    did not see the answers. ``strict`` gives lower bounds that hold at any number of audits.
    """
    name, dataset, _ = data_of(data, **options)
    found = certifiable(name, dataset, method_of(method))
    return Certified(certificate_of(found.labels, level, strict=strict), found.provenance)


def fidelity(
    data: Given,
    crowd: Literal["calibrated", "ses"] = "calibrated",
    recipe: Recipe | None = None,
    *,
    in_sample: bool = False,
    seed: int = 0,
) -> CrowdFidelity:
    """Compare simulated workers with the real ones, and say whether to plan with them.

    The result has the comparison in two modes: ``known`` uses the other answers on a sentence,
    ``new`` uses none, as before a campaign.
    """
    name, dataset, _ = known_data_of(data)
    modes = compare_crowd(dataset, crowd, recipe, in_sample=in_sample, seed=seed)
    return CrowdFidelity(name, crowd, modes)
