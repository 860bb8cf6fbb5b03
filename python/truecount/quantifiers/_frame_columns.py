"""Columns with groups and weights in a data frame of features."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from truecount._columns import is_pandas, is_table
from truecount._conditions import OptionError
from truecount._rows import number_of_rows

__all__ = ["select_columns"]


def select_columns(X: Any, by: Any, weights: Any, features: Collection[Any]) -> tuple[Any, Any, Any]:
    """Replace names of columns in `by` and `weights` by the columns of X.

    The columns are removed from X, except those that are among the classifier's `features`.
    """
    if not is_table(X):
        return X, by, weights
    columns = list(X.columns if is_pandas(X, "DataFrame") or not hasattr(X, "column_names") else X.column_names)
    groups = _names(X, by, columns)
    used = [*groups, *([weights] if isinstance(weights, str) else [])]
    unknown = [name for name in used if name not in columns]
    if unknown:
        argument = "by" if unknown[0] in groups else "weights"
        listed = ", ".join(map(str, columns))
        raise OptionError(
            f"{argument}: X has no column '{unknown[0]}'; its columns are {listed}",
            "option-invalid",
            name=argument,
            value=unknown[0],
        )
    by = {name: X[name] for name in groups} or by
    weights = X[weights] if isinstance(weights, str) else weights
    return _without(X, [name for name in dict.fromkeys(used) if name not in features]), by, weights


def _names(X: Any, by: Any, columns: Collection[Any]) -> list[str]:
    """Return the names of columns in `by`, or an empty list if `by` has values."""
    if isinstance(by, str):
        return [by]
    if not isinstance(by, (list, tuple)) or not by or not all(isinstance(name, str) for name in by):
        return []
    return list(by) if len(by) != number_of_rows(X) or set(by) <= set(columns) else []


def _without(X: Any, names: list[str]) -> Any:
    if not names:
        return X
    if is_pandas(X, "DataFrame"):
        return X.drop(columns=names)
    return X.drop_columns(names) if hasattr(X, "drop_columns") else X.drop(names)
