"""Labels: which of two values is the positive one; and the columns of labelled scores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats, factorised, numbers, plain, same_index, shown
from truecount._conditions import LabelError, ScoreError

__all__ = ["Labelled", "audited", "drawn", "labelled", "named", "positives"]

_MOST = 5


def drawn(
    train_scores: Any, train_weights: Any, train_clusters: Any
) -> tuple[Floats | None, NDArray[np.uint32] | None]:
    """How labelled rows were drawn: their weights, and numbers of the clusters that they belong to."""
    for name, beside in (("train_weights", train_weights), ("train_clusters", train_clusters)):
        same_index(name, beside, "train_scores", train_scores)
    weights = None if train_weights is None else numbers(train_weights, "train_weights")
    if train_clusters is None:
        return weights, None
    codes, found = factorised(train_clusters, "train_clusters")
    if None in found:
        row = int(np.argmax(codes == found.index(None)))
        raise LabelError(
            f"train_clusters: cluster {row} is missing; name it or leave out the row",
            "cluster-missing",
            column="train_clusters",
            row=row,
        )
    return weights, codes


def positives(labels: Any, positive: Any, name: str) -> tuple[NDArray[np.bool_], Any, Any]:
    """Which labels are the positive one; that label, and the other.

    Without a name for it the positive label is True, or 1 beside 0 or -1.
    """
    return _positives(*factorised(labels, name), positive, name)


def _positives(
    codes: NDArray[np.uint32], found: list[Any], positive: Any, name: str
) -> tuple[NDArray[np.bool_], Any, Any]:
    """The same of labels by the number of each one's value, and the values."""
    if not found:
        raise LabelError(f"{name}: there are none", "labels-not-two", column=name, labels=[])
    if None in found:
        row = int(np.argmax(codes == found.index(None)))
        raise LabelError(
            f"{name}: label {row} is missing; label it or leave out the row",
            "label-missing",
            column=name,
            row=row,
        )

    def listed() -> str:
        each = []
        for code, value in enumerate(found[:_MOST]):
            rows = np.flatnonzero(codes == code)
            each.append(f"{shown(value)} ({len(rows)} {'row' if len(rows) == 1 else 'rows'}, first in row {rows[0]})")
        return ", ".join(each) + (f" and {len(found) - _MOST} more" if len(found) > _MOST else "")

    if len(found) != 2:
        remedy = (
            "label some of the other class too" if len(found) == 1 else "correct the others or leave out their rows"
        )
        raise LabelError(
            f"{name}: two labels are needed, found {listed()}; {remedy}",
            "labels-not-two",
            column=name,
            labels=found,
        )
    if positive is None:
        if set(found) not in ({0, 1}, {-1, 1}):
            question = f"which label is the positive one? Found {listed()}"
            raise LabelError(
                f"{name}: {question}; name it, as in positive={shown(found[1])}",
                "positive-unnamed",
                column=name,
                labels=found,
            )
        positive = 1
    if positive not in found:
        raise LabelError(
            f"{name}: no label is {shown(positive)}; found {listed()}; name the positive label, as in positive={shown(found[1])}",
            "positive-unknown",
            column=name,
            labels=found,
            value=positive,
        )
    code = found.index(positive)
    return codes == code, found[code], found[1 - code]


def audited(labels: Any, positive: Any, name: str, *, alone: bool) -> NDArray[np.bool_]:
    """Which labels are the positive one, of rows that may all have the same label, unless they are alone."""
    codes, found = factorised(labels, name)
    if alone or len(found) != 1 or found[0] is None:
        return _positives(codes, found, positive, name)[0]
    (label,) = found
    if positive is None and label not in (0, 1, -1):
        raise LabelError(
            f"{name}: is {shown(label)} the positive label? All rows have it; name the positive label, as in positive={shown(label)}",
            "positive-unnamed",
            column=name,
            labels=found,
        )
    return np.full(len(codes), label == (1 if positive is None else positive))


def named(label: Any) -> bool | int | float | str | None:
    """What a model keeps of the positive label: plain values, which its file can hold."""
    value = plain(label)
    return value if isinstance(value, (bool, float, str)) or (isinstance(value, int) and abs(value) < 2**63) else None


class Labelled(NamedTuple):
    """Columns of labelled scores, which of them are positive, and what both labels are."""

    scores: Floats
    flags: NDArray[np.bool_]
    probabilities: Floats | None
    positive: Any
    negative: Any


def labelled(train_scores: Any, train_labels: Any, train_probabilities: Any, positive: Any) -> Labelled:
    """Columns of labelled scores of whatever the caller has."""
    for name, beside in (("train_labels", train_labels), ("train_probabilities", train_probabilities)):
        same_index(name, beside, "train_scores", train_scores)
    scores = numbers(train_scores, "train_scores")
    flags, found, negative = positives(train_labels, positive, "train_labels")
    probabilities = None if train_probabilities is None else numbers(train_probabilities, "train_probabilities")
    for name, column in (("train_labels", flags), ("train_probabilities", probabilities)):
        if column is not None and len(column) != len(scores):
            raise ScoreError(
                f"there are {len(scores)} train_scores but {len(column)} {name}; give one for each score",
                "length-mismatch",
                column=name,
                values=len(column),
                others=len(scores),
            )
    return Labelled(scores, flags, probabilities, found, negative)
