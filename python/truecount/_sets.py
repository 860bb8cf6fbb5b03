"""Test sets from the caller's arguments: one, several, or one for each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import (
    Floats,
    are_doubles,
    column_hint,
    is_arrow,
    is_pandas,
    is_table,
    numbers,
    only_column,
    same_index,
    short_repr,
)
from truecount._conditions import OptionError, ScoreError, TruecountError, located
from truecount._groups import Groups, groups

__all__ = ["TestSets", "parse_test_sets"]

_ARGUMENTS = ("test_scores", "test_probabilities", "weights")
_NAMES = dict(zip(("scores", "probabilities", "weights"), _ARGUMENTS))


@dataclass(frozen=True)
class TestSets:
    """Test sets in the form that the library takes."""

    columns: _core.Columns
    values: dict[str, list[Any]]
    """The values that identify each set, a list for each column."""
    groups: Groups | None
    several: bool

    @property
    def whole(self) -> _core.Columns:
        """The columns of all groups together."""
        return {**self.columns, "starts": None, "groups": None}

    def explain(self, error: TruecountError) -> TruecountError:
        """Add the argument, and the group or the set, to an error of the library."""
        number = error.fields.pop("set", None)
        if number is None or not self.values:
            return located(error, *_ARGUMENTS)
        if self.groups is not None:
            group = {name: values[number] for name, values in self.values.items()}
            error.fields["group"] = group
            explained = located(error, *_ARGUMENTS)
            names = ", ".join(map(short_repr, group.values()))
            return error.at(f"group {names}") if explained is error else explained
        scores, probabilities, weights = (f"{name}[{number}]" for name in _ARGUMENTS)
        error.fields["set"] = number
        explained = located(error, scores, probabilities, weights)
        return error.at(scores) if explained is error else explained


def _is_column(values: Any) -> bool:
    if isinstance(values, (str, bytes)):
        return False
    return is_arrow(values) or (hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0)


def _unpack(values: Any, name: str) -> Any:
    """Return several test sets as a two-dimensional array or a list, and a single set as it is."""
    values = list(values) if isinstance(values, Iterator) else only_column(values)
    if is_pandas(values, "Series") and values.dtype == object and len(values) > 0 and _is_column(values.iloc[0]):
        hint = "give all scores in one column, and their groups as by"
        raise ScoreError(
            f"{name} is a Series of lists, whose index would be lost; {hint}",
            "column-invalid",
            column=name,
        )
    nested = isinstance(values, (list, tuple)) or (
        isinstance(values, np.ndarray) and values.dtype == object and values.ndim == 1
    )
    if nested and len(values) > 0 and _is_column(values[0]):
        return list(values)
    return values


def _are_several(values: Any) -> bool:
    if isinstance(values, list):
        return len(values) > 0 and _is_column(values[0])
    return len(getattr(values, "shape", ())) == 2 and not is_table(values)


def _refuse_columns(values: Any) -> None:
    """Raise an error if the sets look like rows of one score, or of two classes' probabilities."""
    if isinstance(values, list):
        # Arrays are meant as columns; the rows of a database are lists or tuples.
        are_rows = all(_is_column(row) and not hasattr(row, "__array__") and not is_arrow(row) for row in values)
        widths = set(map(len, values)) if are_rows else set()
        sets, scores = len(values), widths.pop() if len(widths) == 1 else 0
        min_sets, instead = 3, "a list of arrays"
    else:
        sets, scores = values.shape
        min_sets, instead = scores + 1, "a list of columns"
    if sets >= min_sets and scores in (1, 2):
        hint = column_hint("test_scores", values, scores)
        raise ScoreError(
            f"test_scores have the shape {(sets, scores)}, {sets} test sets of {scores}; if it is one test set, "
            f"{hint}; if not, give {instead}",
            "column-invalid",
            column="test_scores",
        )


def _read_one(values: Any, name: str) -> tuple[list[Floats], None]:
    return [numbers(values, name)], None


def _read_several(values: Any, name: str) -> tuple[list[Floats], NDArray[np.int64] | None]:
    """Return the columns of several test sets, and where they start if they are one array."""
    if isinstance(values, (list, tuple)):
        return [numbers(column, f"{name}[{index}]") for index, column in enumerate(values)], None
    table = numbers(values, name, ndim=2)
    sets, scores = table.shape
    return [table.reshape(-1)], np.arange(sets + 1, dtype=np.int64) * scores


def _check_shapes(arguments: dict[str, Any], columns: dict[str, Any], starts: dict[str, Any]) -> None:
    """Raise an error if a column is not as long as the scores."""
    scores = columns["scores"]
    for part, column in columns.items():
        name = _NAMES[part]
        if (starts[part] is None) != (starts["scores"] is None):
            raise ScoreError(
                f"{name} must be given as test_scores are: both as a table, or both as a list",
                "column-invalid",
                column=name,
            )
        if starts[part] is not None and np.shape(arguments[part]) != np.shape(arguments["scores"]):
            raise ScoreError(
                f"{name} have the shape {np.shape(arguments[part])}, but test_scores {np.shape(arguments['scores'])}",
                "column-invalid",
                column=name,
            )
        if len(column) != len(scores):
            raise ScoreError(
                f"{name} are of {len(column)} test sets, but there are {len(scores)}",
                "length-mismatch",
                column=name,
                values=len(column),
                others=len(scores),
            )
        if part != "scores" and isinstance(arguments[part], list) and len(scores) > 1:
            for index, (values, set_scores) in enumerate(zip(arguments[part], arguments["scores"])):
                same_index(f"{name}[{index}]", values, f"test_scores[{index}]", set_scores)
        for index, (values, set_scores) in enumerate(zip(column, scores)):
            if len(values) != len(set_scores):
                at = f"[{index}]" if len(scores) > 1 else ""
                raise ScoreError(
                    f"there are {len(set_scores)} test_scores{at} but {len(values)} {name}{at}; give one for each "
                    "score",
                    "length-mismatch",
                    column=f"{name}{at}",
                    values=len(values),
                    others=len(set_scores),
                )


def _test_columns(
    columns: dict[str, list[Floats]], starts: NDArray[np.int64] | None = None, rows: NDArray[np.uint32] | None = None
) -> _core.Columns:
    return {
        "scores": columns["scores"],
        "probabilities": columns.get("probabilities"),
        "weights": columns.get("weights"),
        "starts": starts,
        "groups": rows,
    }


def _are_ready(scores: Any, *others: Any) -> bool:
    """Return whether the columns are one test set in the form that the library takes."""
    if not are_doubles(scores):
        return False
    return all(values is None or (are_doubles(values) and len(values) == len(scores)) for values in others)


def parse_test_sets(scores: Any, probabilities: Any, weights: Any, by: Any) -> TestSets:
    """Return the test sets of the caller's arguments."""
    parts = {"scores": scores, "probabilities": probabilities, "weights": weights}
    if by is None and _are_ready(scores, probabilities, weights):
        return TestSets(
            _test_columns({part: [values] for part, values in parts.items() if values is not None}), {}, None, False
        )
    arguments = {
        part: _unpack(values, _NAMES[part]) for part, values in parts.items() if values is not None or part == "scores"
    }
    if is_pandas(scores, "Series"):  # no other type for one column has an index
        others = {_NAMES[part]: values for part, values in arguments.items()}
        others |= {f"by['{name}']": column for name, column in by.items()} if isinstance(by, Mapping) else {"by": by}
        for name, column in others.items():
            same_index(name, column, "test_scores", scores)
    several = _are_several(arguments["scores"])
    if several and by is not None:
        raise OptionError(
            "by is for one column of test scores; several test sets are groups already",
            "option-conflict",
            name="by",
        )
    if several:
        _refuse_columns(arguments["scores"])
    read_column = _read_several if several else _read_one
    read = {part: read_column(values, _NAMES[part]) for part, values in arguments.items()}
    columns = {part: column for part, (column, _) in read.items()}
    _check_shapes(arguments, columns, {part: starts for part, (_, starts) in read.items()})
    starts = read["scores"][1]
    if several:
        number = len(columns["scores"]) if starts is None else len(starts) - 1
        if number == 0:
            raise ScoreError("there are no test sets", "no-test-scores")
        return TestSets(_test_columns(columns, starts), {"set": list(range(number))}, None, True)
    if by is None:
        return TestSets(_test_columns(columns), {}, None, False)
    row_groups = groups(by, len(columns["scores"][0]))
    if row_groups.number == 0:
        raise ScoreError("there are no test scores", "no-test-scores")
    unsorted = [column for (column,) in columns.values()]
    in_order, starts = _core.sort_by_group(unsorted, row_groups.rows, row_groups.number)
    columns = {part: [column] for part, column in zip(columns, in_order)}
    return TestSets(_test_columns(columns, starts, row_groups.rows), row_groups.values, row_groups, True)
