"""Rows of arrays, data frames, lists and sparse matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import is_arrow
from truecount._conditions import ScoreError

__all__ = ["number_of_rows", "take_rows"]


def number_of_rows(X: Any) -> int:
    """Return the number of rows."""
    shape = getattr(X, "shape", None)
    if isinstance(shape, tuple) and shape:
        return int(shape[0])
    try:
        return len(X)
    except TypeError:
        hint = "; collect() it" if hasattr(X, "collect") else ""
        raise ScoreError(
            f"X is a {type(X).__name__}, of which no rows can be taken{hint}",
            "column-invalid",
            column="X",
        ) from None


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return these rows as an object of the same type."""
    if hasattr(X, "iloc"):  # pandas
        return X.iloc[rows]
    if isinstance(X, (list, tuple)):
        return [X[row] for row in rows.tolist()]
    if is_arrow(X) and hasattr(X, "take"):  # pyarrow
        return X.take(rows)
    return X[rows]
