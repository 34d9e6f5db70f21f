"""Numbers about answers: scores against gold, agreement between workers, kinds of error.

May import core and errors.
"""

from spancrew.metrics._agreement import (
    AGREEMENTS,
    AgreementName,
    agreement,
    agreement_number,
    agreement_of,
    overall_agreement,
)
from spancrew.metrics._agreement_kernels import agreement_on
from spancrew.metrics._errors import ERROR_KINDS, ErrorTable, error_name, error_table
from spancrew.metrics._ordinal import ordinal_alpha, weighted_kappa
from spancrew.metrics._pairing import NOBODY, Pairing, pair_spans
from spancrew.metrics._position import PositionBias, position_bias
from spancrew.metrics._scores import (
    Average,
    Metric,
    MetricName,
    Scores,
    answer_scores,
    score,
    worker_scores,
)
from spancrew.metrics._spread import Spread, answers_per_worker, spread
from spancrew.metrics._tally import MetricNumbers, score_on

__all__ = [
    "AGREEMENTS",
    "ERROR_KINDS",
    "NOBODY",
    "AgreementName",
    "Average",
    "ErrorTable",
    "Metric",
    "MetricName",
    "MetricNumbers",
    "Pairing",
    "PositionBias",
    "Scores",
    "Spread",
    "agreement",
    "agreement_number",
    "agreement_of",
    "agreement_on",
    "answer_scores",
    "answers_per_worker",
    "error_name",
    "error_table",
    "ordinal_alpha",
    "overall_agreement",
    "pair_spans",
    "position_bias",
    "score",
    "score_on",
    "spread",
    "weighted_kappa",
    "worker_scores",
]
