"""The values everything else is made of: spans, sentences, labels, answers, data sets, codes.

May import errors only.
"""

from spancrew.core._answers import Answer, Answers, PlacedAnswers
from spancrew.core._bio import (
    Scheme,
    TagRepair,
    decode,
    decode_tags,
    detect_scheme,
    encode,
    encode_tags,
    is_valid,
    parse_tag,
    spans_from_tags,
)
from spancrew.core._builder import DatasetBuilder
from spancrew.core._chain import (
    Chain,
    chain_for,
    chain_part,
    chain_step,
    go_on,
    run_ahead,
    run_both_ways,
    span_chance,
    span_ends,
)
from spancrew.core._chance import Chance
from spancrew.core._dataset import Dataset, Sentences, refuse_choices
from spancrew.core._final import AUDIT, EXPERT, Final, Finals, FinalSpan
from spancrew.core._kernel import is_compiling, kernel, kernel_part
from spancrew.core._known import KnownLabels, whole_data, with_known_labels
from spancrew.core._labels import OUTSIDE, LabelSet
from spancrew.core._members import MODEL_PREFIX, is_model, people_among
from spancrew.core._named import (
    from_spec,
    parse_spec,
    refuse_incomplete,
    refuse_unnamed,
    registered,
    spec_of,
)
from spancrew.core._parse import parse_json, refuse_deep
from spancrew.core._parts import parts_of
from spancrew.core._preferences import sides_of, turned_labels, winner
from spancrew.core._quantile import normal_quantile
from spancrew.core._ragged import (
    Ragged,
    checked_numbers,
    frozen,
    gather,
    offsets_of,
    refuse_wrong_codes,
    refuse_wrong_gold,
)
from spancrew.core._sentence import Located, Sentence, spaced
from spancrew.core._span import Span, in_order
from spancrew.core._stream import (
    next_normal,
    next_poisson,
    next_uniform,
    normal_cdf,
    stream,
    uniform,
)
from spancrew.core._table import SpanTable, span_table
from spancrew.core._tokenise import Unit, cut
from spancrew.core._types import BoolArray, CodeArray, FloatArray, IndexArray, IntArray, Kind

__all__ = [
    "AUDIT",
    "EXPERT",
    "MODEL_PREFIX",
    "OUTSIDE",
    "Answer",
    "Answers",
    "BoolArray",
    "Chain",
    "Chance",
    "CodeArray",
    "Dataset",
    "DatasetBuilder",
    "Final",
    "FinalSpan",
    "Finals",
    "FloatArray",
    "IndexArray",
    "IntArray",
    "Kind",
    "KnownLabels",
    "LabelSet",
    "Located",
    "PlacedAnswers",
    "Ragged",
    "Scheme",
    "Sentence",
    "Sentences",
    "Span",
    "SpanTable",
    "TagRepair",
    "Unit",
    "chain_for",
    "chain_part",
    "chain_step",
    "checked_numbers",
    "cut",
    "decode",
    "decode_tags",
    "detect_scheme",
    "encode",
    "encode_tags",
    "from_spec",
    "frozen",
    "gather",
    "go_on",
    "in_order",
    "is_compiling",
    "is_model",
    "is_valid",
    "kernel",
    "kernel_part",
    "next_normal",
    "next_poisson",
    "next_uniform",
    "normal_cdf",
    "normal_quantile",
    "offsets_of",
    "parse_json",
    "parse_spec",
    "parse_tag",
    "parts_of",
    "people_among",
    "refuse_choices",
    "refuse_deep",
    "refuse_incomplete",
    "refuse_unnamed",
    "refuse_wrong_codes",
    "refuse_wrong_gold",
    "registered",
    "run_ahead",
    "run_both_ways",
    "sides_of",
    "spaced",
    "span_chance",
    "span_ends",
    "span_table",
    "spans_from_tags",
    "spec_of",
    "stream",
    "turned_labels",
    "uniform",
    "whole_data",
    "winner",
    "with_known_labels",
]
