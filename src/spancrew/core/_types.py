"""Names for the array types that cross module borders."""

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

CodeArray: TypeAlias = npt.NDArray[np.unsignedinteger]
IntArray: TypeAlias = npt.NDArray[np.int64]
IndexArray: TypeAlias = npt.NDArray[np.int32]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]

Kind = Literal["spans", "choices"]
"""What answers are made of: spans, or a label for every token, which then is a question."""
