"""The caller's rows: labels, test sets and sizes of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import (
    Floats, Groups, are_doubles, check_lengths, column_hint, factorize, frame_columns, groups, is_arrow, is_pandas,
    is_table, numbers, only_column, python_value, same_index, sort_order,
)  # fmt: skip
from truecount._errors import (
    LabelError, OptionError, ScoreError, TruecountError, invalid_column, invalid_option, length_error, located,
    option_conflict, short_repr,
)  # fmt: skip
from truecount._options import to_float

_P = ParamSpec("_P")
_T = TypeVar("_T")

_MAX_LABELS = 5
"""The number of labels that a message names."""

_MAX_CLASSES = 20
"""More different numbers are probably scores."""


def sampling_design(
    train_scores: Any, train_weights: Any, train_clusters: Any, train_strata: Any
) -> tuple[Floats | None, NDArray[np.uint32] | None, NDArray[np.uint32] | None]:
    """Return the weights of labelled rows, and the numbers of their clusters and strata."""
    columns = {"train_weights": train_weights, "train_clusters": train_clusters, "train_strata": train_strata}
    for name, column in columns.items():
        same_index(name, column, "train_scores", train_scores)
    weights = None if train_weights is None else numbers(train_weights, "train_weights")
    return weights, _units(train_clusters, "train_clusters"), _units(train_strata, "train_strata")


def _units(values: Any, name: str) -> NDArray[np.uint32] | None:
    """Return the numbers of the clusters or strata of labelled rows."""
    if values is None:
        return None
    codes, _, missing = unit_codes(values, name)
    if missing is not None:
        raise LabelError(missing_unit(name, missing), "unit-missing", column=name, row=missing)
    return codes


def unit_codes(values: Any, name: str) -> tuple[NDArray[np.uint32], list[Any], int | None]:
    """Number the clusters or strata of rows, and return their names and the first row without one."""
    codes, units = factorize(values, name)
    return codes, units, int(np.argmax(codes == units.index(None))) if None in units else None


def missing_unit(name: str, row: int) -> str:
    """Return the message about a row without a cluster or stratum."""
    return f"{name}: value {row} is missing; name it or leave out the row"


def positive_flags(labels: Any, positive: Any, name: str) -> tuple[NDArray[np.bool_], Any, Any]:
    """Return which labels are positive, the positive label, and the other label.

    By default the positive label is True, or 1 if the other label is 0 or -1.
    """
    return _positive_flags(*factorize(labels, name), positive, name)


def _positive_flags(
    codes: NDArray[np.uint32], labels: list[Any], positive: Any, name: str
) -> tuple[NDArray[np.bool_], Any, Any]:
    """Return the same as `positive_flags`, from factorized labels."""
    if not labels:
        raise LabelError(f"{name}: there are none", "labels-not-two", column=name, labels=[])
    if None in labels:
        row = int(np.argmax(codes == labels.index(None)))
        raise LabelError(
            f"{name}: label {row} is missing; label it or leave out the row", "label-missing", column=name, row=row
        )

    def describe_labels() -> str:
        parts = []
        for code, label in enumerate(labels[:_MAX_LABELS]):
            rows = np.flatnonzero(codes == code)
            count = f"{len(rows)} {'row' if len(rows) == 1 else 'rows'}"
            parts.append(f"{short_repr(label)} ({count}, first in row {rows[0]})")
        return ", ".join(parts) + (f" and {len(labels) - _MAX_LABELS} more" if len(labels) > _MAX_LABELS else "")

    if len(labels) != 2:
        description, remedy = describe_labels(), "correct the others or leave out their rows"
        if len(labels) == 1:
            remedy = "label some of the other class too"
        elif len(labels) > _MAX_CLASSES and all(isinstance(label, (int, float)) for label in labels):
            description, remedy = f"{len(labels)} different numbers", "check that these are the labels, not the scores"
        else:
            remedy += "; truecount.MulticlassQuantifier estimates the shares of several classes"
        raise LabelError(
            f"{name}: two labels are needed, found {description}; {remedy}",
            "labels-not-two",
            column=name,
            labels=labels,
        )
    if positive is None:
        if set(labels) not in ({0, 1}, {-1, 1}):
            question = f"which label is the positive one? Found {describe_labels()}"
            raise LabelError(
                f"{name}: {question}; name it: {_naming(labels)}", "positive-unnamed", column=name, labels=labels
            )
        positive = 1
    if positive not in labels:
        raise LabelError(
            f"{name}: no label is {short_repr(positive)}; found {describe_labels()}; name the positive label: "
            f"{_naming(labels)}",
            "positive-unknown",
            column=name,
            labels=labels,
            value=positive,
        )
    code = labels.index(positive)
    return codes == code, labels[code], labels[1 - code]


def _naming(labels: list[Any]) -> str:
    """Return how to name either of two labels as the positive one."""
    return " or ".join(f"positive={short_repr(label)}" for label in labels)


def people_labels(labels: Any, positive: Any, name: str) -> NDArray[np.int8]:
    """Return the labels of each person as a row: 1 for a positive, -1 for a missing label.

    `labels` are those of one person, or a table, a mapping or an array of shape (m, k) with the labels of
    several people, which may be missing.
    """
    if isinstance(labels, Mapping):
        columns = [*labels.values()]
    elif (named := frame_columns(labels)) is not None:
        columns = [column for _, column in named]
    elif isinstance(labels, np.ndarray) and labels.ndim == 2:
        columns = [*labels.T]
    else:
        columns = [labels]
    if len(columns) == 1:
        return _audited_flags(*factorize(columns[0], name), positive, name).astype(np.int8)[np.newaxis]
    parts = [factorize(column, name) for column in columns]
    if len({len(codes) for codes, _ in parts}) != 1:
        raise invalid_column(name, f"{name}: the columns have different lengths")
    distinct = [*dict.fromkeys(value for _, values in parts for value in values)]
    codes = np.stack([np.array([distinct.index(value) for value in values] or [0])[rows] for rows, values in parts])
    known = codes != distinct.index(None) if None in distinct else np.ones(codes.shape, dtype=np.bool_)
    unlabelled = np.flatnonzero(~known.any(axis=0))
    if len(unlabelled) > 0:
        row = int(unlabelled[0])
        raise LabelError(
            f"{name}: row {row} has no label; label it or leave out the row", "label-missing", column=name, row=row
        )
    without_none = [value for value in distinct if value is not None]
    order = np.array([-1 if value is None else without_none.index(value) for value in distinct])
    flags = np.full(codes.shape, -1, dtype=np.int8)
    flags[known] = _audited_flags(order[codes[known]].astype(np.uint32), without_none, positive, name)
    return flags


def _audited_flags(codes: NDArray[np.uint32], distinct: list[Any], positive: Any, name: str) -> NDArray[np.bool_]:
    """Return which audited labels are positive, from factorized labels; all may be the same."""
    if len(distinct) != 1 or distinct[0] is None:
        return _positive_flags(codes, distinct, positive, name)[0]
    (label,) = distinct
    if positive is None and label not in (0, 1, -1):
        raise LabelError(
            f"{name}: is {short_repr(label)} the positive label? All rows have it; name the positive label, as in "
            f"positive={short_repr(label)}",
            "positive-unnamed",
            column=name,
            labels=distinct,
        )
    return np.full(len(codes), label == (1 if positive is None else positive))


def storable_label(label: Any) -> bool | int | float | str | None:
    """Return the positive label if a model's file can store it, else None."""
    value = python_value(label)
    return value if isinstance(value, (bool, float, str)) or (isinstance(value, int) and abs(value) < 2**63) else None


class LabelledColumns(NamedTuple):
    """The columns of labelled scores, with both labels."""

    scores: Floats
    flags: NDArray[np.bool_]
    probabilities: Floats | None
    positive: Any
    negative: Any


def labelled_columns(train_scores: Any, train_labels: Any, train_probabilities: Any, positive: Any) -> LabelledColumns:
    """Return the columns of labelled scores from the caller's arguments."""
    for name, values in (("train_labels", train_labels), ("train_probabilities", train_probabilities)):
        same_index(name, values, "train_scores", train_scores)
    scores = numbers(train_scores, "train_scores")
    flags, positive, negative = positive_flags(train_labels, positive, "train_labels")
    probabilities = None if train_probabilities is None else numbers(train_probabilities, "train_probabilities")
    check_lengths({"train_labels": flags, "train_probabilities": probabilities}, "train_scores", len(scores))
    return LabelledColumns(scores, flags, probabilities, positive, negative)


def group_sizes(sizes: Any, name: str, groups: Groups, scores: Any) -> NDArray[np.float64]:
    """Return the size of each group, by its number."""
    if isinstance(sizes, (int, float, np.number, str, bytes)):
        raise invalid_option(name, sizes, "groups have a size each: give a dict or Series by group, or a column")
    rows = len(groups.rows)
    if isinstance(sizes, Mapping):
        return _sizes_by_group(sizes.items(), name, groups)
    if is_pandas(sizes, "Series"):
        index = scores.index if is_pandas(scores, "Series") else None
        if not (len(sizes) == rows if index is None else sizes.index.equals(index)):
            return _sizes_by_group(sizes.items(), name, groups)
    same_index(name, sizes, "test_scores", scores)
    column = numbers(sizes, name)
    if len(column) != rows:
        raise length_error(
            f"{name} has {len(column)} values but there are {rows} test scores; give one for each score, or a "
            "dict or Series by group",
            name,
            len(column),
            rows,
        )
    result = np.empty(groups.number)
    result[groups.rows] = column
    different = np.flatnonzero((result[groups.rows] != column) & (column == column))
    if len(different):
        row = int(different[0])
        group = int(groups.rows[row])
        raise OptionError(
            f"{name} has both {column[row]:g} and {result[group]:g} in the group {_group_repr(groups, group)}; a "
            "group has one size",
            "sizes-differ",
            name=name,
            group=_group_dict(groups, group),
        )
    return np.array([_to_size(size, name, groups, group) for group, size in enumerate(result)])


def _sizes_by_group(items: Any, name: str, groups: Groups) -> NDArray[np.float64]:
    several = len(groups.values) > 1
    known: dict[tuple[Any, ...], Any] = {}
    for key, size in items:
        values = tuple(map(python_value, key)) if several and isinstance(key, tuple) else (python_value(key),)
        if values in known:
            raise OptionError(
                f"{name} has two sizes of the group {short_repr(key)}; a group has one size",
                "sizes-differ",
                name=name,
                group=dict(zip(groups.values, values)),
            )
        known[values] = size
    result = np.empty(groups.number)
    for group, values in enumerate(zip(*groups.values.values())):
        if values not in known:
            raise OptionError(
                f"{name} has no size of the group {_group_repr(groups, group)}; add it",
                "size-missing",
                name=name,
                group=_group_dict(groups, group),
            )
        result[group] = _to_size(known.pop(values), name, groups, group)
    for values in known:
        raise OptionError(
            f"{name} has a size of {short_repr(values if several else values[0])}, a group without scores; leave "
            "it out if the whole is to be without it",
            "size-unused",
            name=name,
            group=dict(zip(groups.values, values)),
        )
    return result


def _to_size(size: Any, name: str, groups: Groups, group: int) -> float:
    must = f"the size of a group, as of {_group_repr(groups, group)}, is a number above 0"
    number = to_float(size, name, must)
    if not (number > 0 and isfinite(number)):
        raise invalid_option(name, size, f"{must}")
    return number


def _group_dict(groups: Groups, group: int) -> dict[str, Any]:
    return {name: values[group] for name, values in groups.values.items()}


def _group_repr(groups: Groups, group: int) -> str:
    values = tuple(_group_dict(groups, group).values())
    return short_repr(values if len(values) > 1 else values[0])


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
    unsorted: dict[str, list[Floats]]
    """The columns in the order of the caller's rows."""

    def order(self, sort: bool) -> NDArray[np.intp]:
        """Return the order of the sets in results; groups may be sorted by their values."""
        number = len(next(iter(self.values.values()))) if self.values else 1
        return sort_order(self.values) if sort and self.groups is not None else np.arange(number)

    def call(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a function of the library, and explain its errors."""
        try:
            return function(*args, **kwargs)
        except TruecountError as error:
            raise self.explain(error) from None

    def explain(self, error: TruecountError, design: _core.Design | None = None) -> TruecountError:
        """Add the argument, and the group or the set, to an error of the library."""
        if design is not None and "stratum_names" in design:
            error = at_stratum(error, design["stratum_names"])
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


def at_stratum(error: TruecountError, names: list[Any]) -> TruecountError:
    """Add the name of the stratum to an error about a stratum."""
    if "set" not in error.fields or error.code not in ("small-population", "small-stage", "single-unit-test-strata"):
        return error
    stratum = names[error.fields.pop("set")]
    return error.at(f"stratum {short_repr(stratum)}", group={"strata": stratum})


def _is_column(values: Any) -> bool:
    if isinstance(values, (str, bytes)):
        return False
    return is_arrow(values) or (hasattr(values, "__len__") and getattr(values, "ndim", 1) > 0)


def _unpack(values: Any, name: str) -> Any:
    """Return several test sets as a two-dimensional array or a list, and a single set as it is."""
    values = list(values) if isinstance(values, Iterator) else only_column(values)
    if is_pandas(values, "Series") and values.dtype == object and len(values) > 0 and _is_column(values.iloc[0]):
        hint = "give all scores in one column, and their groups as by"
        raise invalid_column(name, f"{name} is a Series of lists, whose index would be lost; {hint}")
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
        raise invalid_column(
            "test_scores",
            f"test_scores have the shape {(sets, scores)}, {sets} test sets of {scores}; if it is one test set, "
            f"{hint}; if not, give {instead}",
        )


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
            raise invalid_column(name, f"{name} must be given as test_scores are: both as a table, or both as a list")
        if starts[part] is not None and np.shape(arguments[part]) != np.shape(arguments["scores"]):
            raise invalid_column(
                name,
                f"{name} have the shape {np.shape(arguments[part])}, but test_scores {np.shape(arguments['scores'])}",
            )
        if len(column) != len(scores):
            raise length_error(
                f"{name} are of {len(column)} test sets, but there are {len(scores)}", name, len(column), len(scores)
            )
        if part != "scores" and isinstance(arguments[part], list) and len(scores) > 1:
            for index, (values, set_scores) in enumerate(zip(arguments[part], arguments["scores"])):
                same_index(f"{name}[{index}]", values, f"test_scores[{index}]", set_scores)
        for index, (values, set_scores) in enumerate(zip(column, scores)):
            at = f"[{index}]" if len(scores) > 1 else ""
            check_lengths({f"{name}{at}": values}, f"test_scores{at}", len(set_scores))


def sort_columns(
    columns: dict[str, list[Floats]], rows: NDArray[np.uint32], number: int, others: list[Floats]
) -> tuple[_core.Columns, list[Floats]]:
    """Sort the rows of columns by group, and those of other columns. `rows` has the group of each row."""
    in_order, starts = _core.sort_by_group([*(column for (column,) in columns.values()), *others], rows, number)
    named = {part: [column] for part, column in zip(columns, in_order)}
    return _test_columns(named, starts, rows), in_order[len(columns) :]


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


def parse_one_column(scores: Any, probabilities: Any, weights: Any, by: Any) -> TestSets:
    """Return the only test set, or the groups, of the caller's arguments."""
    sets = parse_test_sets(scores, probabilities, weights, by)
    if sets.several and sets.groups is None:
        raise invalid_column("test_scores", "test_scores are several test sets; give one column, and by")
    return sets


def parse_test_sets(scores: Any, probabilities: Any, weights: Any, by: Any) -> TestSets:
    """Return the test sets of the caller's arguments."""
    parts = {"scores": scores, "probabilities": probabilities, "weights": weights}
    if by is None and _are_ready(scores, probabilities, weights):
        ready = {part: [values] for part, values in parts.items() if values is not None}
        return TestSets(_test_columns(ready), {}, None, False, ready)
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
        raise option_conflict("by", "by is for one column of test scores; several test sets are groups already")
    if several:
        _refuse_columns(arguments["scores"])
    read_column = _read_several if several else lambda values, name: ([numbers(values, name)], None)
    read = {part: read_column(values, _NAMES[part]) for part, values in arguments.items()}
    columns = {part: column for part, (column, _) in read.items()}
    _check_shapes(arguments, columns, {part: starts for part, (_, starts) in read.items()})
    starts = read["scores"][1]
    if several:
        number = len(columns["scores"]) if starts is None else len(starts) - 1
        if number == 0:
            raise ScoreError("there are no test sets", "no-test-scores")
        return TestSets(_test_columns(columns, starts), {"set": list(range(number))}, None, True, columns)
    if by is None:
        return TestSets(_test_columns(columns), {}, None, False, columns)
    row_groups = groups(by, len(columns["scores"][0]))
    if row_groups.number == 0:
        raise ScoreError("there are no test scores", "no-test-scores")
    in_order, _ = sort_columns(columns, row_groups.rows, row_groups.number, [])
    return TestSets(in_order, row_groups.values, row_groups, True, columns)
