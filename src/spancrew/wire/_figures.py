"""How a campaign is doing: standings, agreement, the picture of a dashboard, the threshold."""

from typing import Literal

from spancrew.campaign import Ledger, Status
from spancrew.wire._base import Figure, Pseudonym, Wire
from spancrew.wire._campaigns import Phase
from spancrew.wire._plan import ExpectedFigure


class StandingView(Wire):
    """What is known of a worker's work; the fields of ``spancrew.campaign.WorkerStanding``."""

    worker: Pseudonym
    state: Literal["new", "ready", "paused", "banned"]
    scored: int
    mean: Figure
    low: Figure
    high: Figure
    by_crowd: Figure
    by_expert: Figure
    by_gold: Figure
    answers: int
    late: int
    skipped: int
    seconds: Figure
    earned: float
    cap: int | None
    price: float
    model: str | None = None
    version: str = ""
    weak: bool = False


class EstimateView(Wire):
    """A figure with its interval, null where nothing was audited."""

    estimate: float
    low: float | None
    high: float | None


class CertificateView(Wire):
    """How good the labels so far are: ``audited``, or the model's ``guess``.

    Of ``sentences`` that are settled, ``experts`` were decided by experts or known labels; of the
    others, ``audited`` were labelled by an expert who saw no answer. ``level`` is the confidence
    of the intervals.
    """

    kind: Literal["audited", "guess"]
    f1: EstimateView
    precision: EstimateView
    recall: EstimateView
    level: float | None
    audited: int
    experts: int
    sentences: int


class Bin(Wire):
    """How many sentences have a figure from ``low`` to below ``high``."""

    low: float
    high: float
    sentences: int


class AgreementView(Wire):
    """How much the answers agree: over all, on average, and by sentence."""

    method: Literal["fleiss"] = "fleiss"
    overall: Figure
    mean: Figure
    sentences: int
    answers: int
    histogram: tuple[Bin, ...]
    version: int


class PointView(Wire):
    """What was settled, spent and answered by a time."""

    at: float
    by_crowd: int
    by_expert: int
    spent: float
    answers: int = 0


class WorkerLately(Wire):
    """How a worker has been doing lately; ``rewards`` are the last ones, the oldest first.

    ``agreement`` is the mean exact F1 of their answers against the final labels of ``settled``
    sentences, ``seconds`` the median time of their last answers. ``trend`` is null where there are
    too few rewards.
    """

    worker: str
    rewards: tuple[float, ...]
    trend: Literal["rising", "steady", "falling"] | None
    agreement: float | None
    settled: int
    seconds: float | None


class LabelCount(Wire):
    """How often a label is among the final labels."""

    label: str
    spans: int


class PictureView(Wire):
    """A campaign over time, its final labels, and its workers lately."""

    progress: tuple[PointView, ...]
    labels: tuple[LabelCount, ...]
    workers: tuple[WorkerLately, ...]
    version: int


class PreviewView(Wire):
    """What another threshold would have done: ``more`` sentences to experts than now.

    ``feedback`` is the rule with that threshold; PATCH the campaign with it to apply it.
    """

    at: float
    experts: int
    more: int
    money: float
    feedback: str


class ThresholdView(Wire):
    """Where the rule in force draws the line between crowd and expert, and ``by`` what figure.

    Of the ``judged`` sentences, ``experts`` go to experts at ``value``; ``without`` have no such
    figure and go there anyway. ``value`` is null where the line is out of reach.
    """

    by: Literal["agreement", "errors", "nothing"]
    feedback: str
    asks: Literal["below", "above"] | None = None
    value: float | None = None
    moves: bool = False
    lowest: float = 0.0
    highest: float = 1.0
    judged: int = 0
    experts: int = 0
    without: int = 0
    histogram: tuple[Bin, ...] = ()
    preview: PreviewView | None = None
    version: int


class PaceView(Wire):
    """What is done in a day, if it goes on as in the last ``seconds``."""

    seconds: float
    answers: float
    settled: float


class ComparedView(Wire):
    """A figure of the forecast, what it is ``so_far``, and what is ``expected`` in the end.

    ``place`` says where that lies beside the interval; null while it is too early to tell.
    """

    forecast: ExpectedFigure
    so_far: float | None
    expected: float | None
    place: Literal["below", "within", "above"] | None


class ForecastComparedView(Wire):
    """The forecast of the plan for this campaign's size, beside what happened."""

    cost: ComparedView
    expert_share: ComparedView
    days: ComparedView
    f1: ExpectedFigure
    currency: str


class OutlookView(Wire):
    """When a campaign will be done, and whether it keeps to its forecast.

    ``done_at`` is null while there is too little to tell from, and while nobody may work.
    """

    started_at: float | None
    days: float | None
    pace: PaceView | None
    done_at: float | None
    forecast: ForecastComparedView | None
    version: int


class FiguresView(Wire):
    """How far a campaign is, in a few figures."""

    id: str
    phase: Phase
    sentences: int
    settled: int
    spent: float
    expected_quality: Figure


class AlertView(Wire):
    """Something that needs a look, since when, and what to do about it.

    ``campaign`` is null for the server as a whole; ``facts`` are the numbers of the message.
    """

    kind: Literal["budget", "stalled", "idle", "experts", "disk", "backup"]
    campaign: str | None
    name: str | None
    since: float
    message: str
    facts: dict[str, float]


class LiveFigures(Wire):
    """The event ``figures`` of a live stream."""

    status: Status
    ledger: Ledger
