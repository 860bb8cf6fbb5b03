"""Test sets: one, several, or one for each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats, is_arrow, is_pandas, located, numbers
from truecount._groups import Groups, groups

__all__ = ["Sets", "test_sets"]


@dataclass(frozen=True)
class Sets:
    """The columns of test sets, as the library takes them, and what tells the sets apart."""

    columns: dict[str, Any]
    names: dict[str, Any]
    groups: Groups | None
    several: bool

    def explain(self, error: ValueError) -> ValueError:
        """The library's error with the argument, the set and the row that it is about."""
        message = located(error, "test_scores", "test_probabilities")
        if len(error.args) < 2 or not self.several:
            return message
        place = self.groups.named(error.args[1]) if self.groups else f"test set {error.args[1]}"
        return ValueError(f"{place}: {message}")


def _is_several(scores: Any) -> bool:
    """Whether these are several test sets: a table of two dimensions, or a list of columns."""
    if isinstance(scores, (list, tuple)):
        return bool(scores) and not np.isscalar(scores[0]) and (hasattr(scores[0], "__len__") or is_arrow(scores[0]))
    return not is_pandas(scores, "Series", "Index") and getattr(scores, "ndim", 1) == 2 and not hasattr(scores, "columns")


def _many(values: Any, name: str) -> tuple[list[Floats], Any]:
    """The columns of several test sets, and where they begin, if they are one array."""
    if isinstance(values, (list, tuple)):
        return [numbers(column, f"{name}[{place}]") for place, column in enumerate(values)], None
    table = numbers(values, name, ndim=(2,))
    return [table.reshape(-1)], np.arange(0, table.size + 1, table.shape[1], dtype=np.int64) if table.size else np.zeros(1, np.int64)


def _same_lengths(columns: dict[str, Any], names: dict[str, str]) -> None:
    """Refuses columns that are not as long as the scores."""
    for part, name in names.items():
        if columns[part] is None:
            continue
        if len(columns[part]) != len(columns["scores"]):
            raise ValueError(f"{name} are of {len(columns[part])} test sets, but there are {len(columns['scores'])}")
        for place, (values, scores) in enumerate(zip(columns[part], columns["scores"])):
            if len(values) != len(scores):
                of = f" of test set {place}" if len(columns["scores"]) > 1 else ""
                raise ValueError(f"{name}{of}: {len(values)} values, but there are {len(scores)} test scores")


def test_sets(scores: Any, probabilities: Any, weights: Any, by: Any) -> Sets:
    """Whatever the caller has as test sets."""
    given = {"scores": scores, "probabilities": probabilities, "weights": weights}
    names = {"scores": "test_scores", "probabilities": "test_probabilities", "weights": "weights"}
    columns: dict[str, Any] = {"probabilities": None, "weights": None, "starts": None}
    if _is_several(scores):
        if by is not None:
            raise ValueError("by is for one column of test scores; several test sets are groups already")
        for part, values in given.items():
            if values is not None:
                columns[part], starts = _many(values, names[part])
                if part == "scores":
                    columns["starts"] = starts
                elif (starts is None) != (columns["starts"] is None):
                    raise ValueError(f"{names[part]} must be given as test_scores are: both as a table, or both as a list")
        _same_lengths(columns, {"probabilities": "test_probabilities", "weights": "weights"})
        number = len(columns["scores"]) if columns["starts"] is None else len(columns["starts"]) - 1
        if number == 0:
            raise ValueError("test_scores: there are no test sets")
        return Sets(columns, {"set": np.arange(number)}, None, True)
    for part, values in given.items():
        if values is not None:
            columns[part] = [numbers(values, names[part])]
    _same_lengths(columns, {"probabilities": "test_probabilities", "weights": "weights"})
    if by is None:
        return Sets(columns, {}, None, False)
    found = groups(by, len(columns["scores"][0]))
    if found.number == 0:
        raise ValueError("test_scores: there are no test scores")
    parts = [part for part in given if columns[part] is not None]
    problem = _core.unusable(columns)
    if problem is not None:
        # Here the row is still known.
        raise located(ValueError(problem), "test_scores", "test_probabilities")
    sorted_columns, columns["starts"] = _core.sorted_by_group([columns[part][0] for part in parts], found.rows, found.number)
    columns |= {part: [column] for part, column in zip(parts, sorted_columns)}
    return Sets(columns, found.values, found, True)
