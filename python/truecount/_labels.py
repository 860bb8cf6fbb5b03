"""Labels: the positive one of two values, and the columns of labelled scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truecount._columns import (
    Floats,
    check_lengths,
    factorize,
    frame_columns,
    numbers,
    python_value,
    same_index,
    short_repr,
)
from truecount._conditions import LabelError, ScoreError

__all__ = [
    "LabelledColumns",
    "audited_flags",
    "labelled_columns",
    "missing_unit",
    "people_labels",
    "positive_flags",
    "sampling_design",
    "storable_label",
    "unit_codes",
]

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
            f"{name}: label {row} is missing; label it or leave out the row",
            "label-missing",
            column=name,
            row=row,
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
            remedy += "; truecount.OneVersusRest estimates the shares of several classes"
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
                f"{name}: {question}; name it: {_naming(labels)}",
                "positive-unnamed",
                column=name,
                labels=labels,
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


def audited_flags(labels: Any, positive: Any, name: str) -> NDArray[np.bool_]:
    """Return which audited labels are positive; all labels may be the same."""
    return _audited_flags(*factorize(labels, name), positive, name)


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
        return audited_flags(labels, positive, name).astype(np.int8)[np.newaxis]
    if len(columns) == 1:
        return audited_flags(columns[0], positive, name).astype(np.int8)[np.newaxis]
    parts = [factorize(column, name) for column in columns]
    if len({len(codes) for codes, _ in parts}) != 1:
        raise ScoreError(f"{name}: the columns have different lengths", "column-invalid", column=name)
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
    """Return the same as `audited_flags`, from factorized labels."""
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
