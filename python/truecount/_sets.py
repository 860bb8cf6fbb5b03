"""Test sets: one, several, or one for each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, are_doubles, is_arrow, is_pandas, is_table, numbers, same_index, taken_from
from truecount._conditions import OptionError, ScoreError, TruecountError, located
from truecount._groups import Groups, groups

__all__ = ["Sets", "test_sets"]

_ARGUMENTS = ("test_scores", "test_probabilities", "weights")
_NAMES = dict(zip(("scores", "probabilities", "weights"), _ARGUMENTS))


@dataclass(frozen=True)
class Sets:
    """The columns of test sets, as the library takes them, and what tells the sets apart, a list of values for each name."""

    columns: _core.Columns
    values: dict[str, list[Any]]
    groups: Groups | None
    several: bool

    @property
    def whole(self) -> _core.Columns:
        """The columns of all sets together, of groups that are cut from one column."""
        return {**self.columns, "starts": None, "groups": None}

    def explain(self, error: TruecountError) -> TruecountError:
        """The library's error with the argument, and the group or the set that it is about, if it is about one."""
        number = error.fields.pop("set", None)
        if number is None or not self.values:
            return located(error, *_ARGUMENTS)
        if self.groups is not None:
            error.fields["group"] = {name: values[number] for name, values in self.values.items()}
            return located(error, *_ARGUMENTS)
        scores, probabilities, weights = (f"{name}[{number}]" for name in _ARGUMENTS)
        error.fields["set"] = number
        found = located(error, scores, probabilities, weights)
        return error.at(scores) if found is error else found


def _is_column(values: Any) -> bool:
    if isinstance(values, (str, bytes)):
        return False
    return is_arrow(values) or (hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0)


def _listed(values: Any, name: str) -> Any:
    """Several test sets as an array of two dimensions or a list of columns; a single one as it is."""
    if isinstance(values, Iterator):
        values = list(values)
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
    """Refuses what looks like columns rather than test sets: rows of one score, or of the probabilities of two classes."""
    if isinstance(values, list):
        # Arrays are meant as columns; what a database fetches is lists or tuples.
        fetched = all(_is_column(row) and not hasattr(row, "__array__") and not is_arrow(row) for row in values)
        widths = set(map(len, values)) if fetched else set()
        sets, scores = len(values), widths.pop() if len(widths) == 1 else 0
        least, instead = 3, "a list of arrays"
    else:
        sets, scores = values.shape
        least, instead = scores + 1, "a list of columns"
    if sets >= least and scores in (1, 2):
        hint = taken_from("test_scores", values, scores)
        raise ScoreError(
            f"test_scores have the shape {(sets, scores)}, {sets} test sets of {scores}; if it is one test set, {hint}; "
            f"if not, give {instead}",
            "column-invalid",
            column="test_scores",
        )


def _one(values: Any, name: str) -> tuple[list[Floats], None]:
    return [numbers(values, name)], None


def _many(values: Any, name: str) -> tuple[list[Floats], NDArray[np.int64] | None]:
    """The columns of several test sets, and where they begin, if they are one array."""
    if isinstance(values, (list, tuple)):
        return [numbers(column, f"{name}[{place}]") for place, column in enumerate(values)], None
    table = numbers(values, name, ndim=2)
    sets, scores = table.shape
    return [table.reshape(-1)], np.arange(sets + 1, dtype=np.int64) * scores


def _same_shape(given: dict[str, Any], columns: dict[str, Any], starts: dict[str, Any]) -> None:
    """Refuses columns that are not as long as the scores."""
    scores = columns["scores"]
    for part, column in columns.items():
        name = _NAMES[part]
        if (starts[part] is None) != (starts["scores"] is None):
            raise ScoreError(
                f"{name} must be given as test_scores are: both as a table, or both as a list",
                "column-invalid",
                column=name,
            )
        if starts[part] is not None and np.shape(given[part]) != np.shape(given["scores"]):
            raise ScoreError(
                f"{name} have the shape {np.shape(given[part])}, but test_scores {np.shape(given['scores'])}",
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
        if part != "scores" and isinstance(given[part], list) and len(scores) > 1:
            for place, (own, others) in enumerate(zip(given[part], given["scores"])):
                same_index(f"{name}[{place}]", own, f"test_scores[{place}]", others)
        for place, (values, beside) in enumerate(zip(column, scores)):
            if len(values) != len(beside):
                at = f"[{place}]" if len(scores) > 1 else ""
                raise ScoreError(
                    f"there are {len(beside)} test_scores{at} but {len(values)} {name}{at}; give one for each score",
                    "length-mismatch",
                    column=f"{name}{at}",
                    values=len(values),
                    others=len(beside),
                )


def _as_taken(
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
    """Whether they are one test set as the library takes it."""
    if not are_doubles(scores):
        return False
    return all(values is None or (are_doubles(values) and len(values) == len(scores)) for values in others)


def test_sets(scores: Any, probabilities: Any, weights: Any, by: Any) -> Sets:
    """Whatever the caller has as test sets."""
    asked = {"scores": scores, "probabilities": probabilities, "weights": weights}
    if by is None and _are_ready(scores, probabilities, weights):
        return Sets(
            _as_taken({part: [values] for part, values in asked.items() if values is not None}), {}, None, False
        )
    given = {
        part: _listed(values, _NAMES[part]) for part, values in asked.items() if values is not None or part == "scores"
    }
    if is_pandas(scores, "Series"):  # Nothing else of one column has an index.
        beside = {_NAMES[part]: values for part, values in given.items()}
        beside |= {f"by['{name}']": column for name, column in by.items()} if isinstance(by, Mapping) else {"by": by}
        for name, column in beside.items():
            same_index(name, column, "test_scores", scores)
    several = _are_several(given["scores"])
    if several and by is not None:
        raise OptionError(
            "by is for one column of test scores; several test sets are groups already",
            "option-conflict",
            name="by",
        )
    if several:
        _refuse_columns(given["scores"])
    read = {part: (_many if several else _one)(values, _NAMES[part]) for part, values in given.items()}
    columns = {part: column for part, (column, _) in read.items()}
    _same_shape(given, columns, {part: starts for part, (_, starts) in read.items()})
    starts = read["scores"][1]
    if several:
        number = len(columns["scores"]) if starts is None else len(starts) - 1
        if number == 0:
            raise ScoreError("there are no test sets", "no-test-scores")
        return Sets(_as_taken(columns, starts), {"set": list(range(number))}, None, True)
    if by is None:
        return Sets(_as_taken(columns), {}, None, False)
    found = groups(by, len(columns["scores"][0]))
    if found.number == 0:
        raise ScoreError("there are no test scores", "no-test-scores")
    in_order, starts = _core.sorted_by_group([column for (column,) in columns.values()], found.rows, found.number)
    columns = {part: [column] for part, column in zip(columns, in_order)}
    return Sets(_as_taken(columns, starts, found.rows), found.values, found, True)
