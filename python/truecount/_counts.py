"""Prevalences from counts of positive tests and a published sensitivity and specificity."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Literal, Union, overload

import numpy as np

from truecount import _core
from truecount._columns import Floats, groups, is_missing, is_table, numbers
from truecount._compare import DifferenceColumns, GroupComparison, GroupTexts, Levels, Reference
from truecount._errors import ScoreError, invalid_column, invalid_option, length_error, short_repr
from truecount._fit import EstimateMetadata
from truecount._options import RateInterval, Target, choice, request_options, takes_options_of, to_float
from truecount._results import Estimate, Estimates

__all__ = ["counts"]


_METHOD = "rogan-gladen"
_MAX_COUNT = 2.0**53


PublishedRate = Union[float, str, tuple[int, int]]
"""The rate of one test: a share, a text such as "90/100", or a count with its denominator."""


@overload
def counts(
    positives: int,
    tested: int,
    sensitivity: PublishedRate,
    specificity: PublishedRate,
    *,
    by: None = None,
    total: Literal[False] = False,
    level: float = 0.95,
    interval: RateInterval = "lang-reiczigel",
    target: Target = "population",
) -> Estimate: ...


@overload
def counts(
    positives: Any,
    tested: Any,
    sensitivity: Any,
    specificity: Any,
    *,
    by: Any = None,
    total: bool = False,
    level: float = 0.95,
    interval: RateInterval = "lang-reiczigel",
    target: Target = "population",
) -> Estimates: ...


@takes_options_of()
def counts(
    positives: Any,
    tested: Any,
    sensitivity: Any,
    specificity: Any,
    *,
    by: Any = None,
    total: bool = False,
    level: float = 0.95,
    interval: RateInterval = "lang-reiczigel",
    target: Target = "population",
) -> Estimate | Estimates:
    """Correct counts of positive tests for the test's sensitivity and specificity.

    This is the estimator of Rogan and Gladen (1978). It needs no scores, only counts and published rates.

    Parameters
    ----------
    positives, tested : int, or array-like of int, shape (n,)
        Number of positive tests, and number of tests.
    sensitivity, specificity : float, str, tuple of int, array-like, shape (n,), or tuple of array-like
        A share, which is taken as exact, or a tuple of a count and its denominator: ``(90, 100)``.
        Texts are ``"90/100"``, ``"97%"``, or a share with its published 95 % interval, which gives
        the denominator: ``"66.8% (60.8-72.4)"``. All may have a value for each row.
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        The group of each row. Each group must have one row, and rows are sorted by group.
        `Estimates.compare` compares the groups.
    total : bool, default False
        With `by`: whether to estimate all groups together too, from the sums of their counts if they
        have the same rates, otherwise weighted by the number tested in each: `Estimates.total`.
    level : float, default 0.95
        Nominal coverage of the intervals.
    interval : {"lang-reiczigel", "wilson", "exact-rates"}
        Lang and Reiczigel's interval (2014), which accounts for the denominators of both rates; a
        Wilson-type interval, from the Wilson intervals of both rates; or Wilson's interval of the
        share of positives, with both rates taken as exact.
    target : {"population", "sample"}
        Whether the standard error and the interval are for the population that was sampled, or for
        the tested sample itself, which is possible with the interval "wilson" only.

    Returns
    -------
    Estimate or Estimates
        One estimate for numbers; a table for columns, and with `by`.

    Examples
    --------
    >>> import truecount as tc
    >>> tc.counts(35, 800, sensitivity=(90, 100), specificity=(97, 100), interval="wilson")
    Estimate: 0.0158 ± 0.0211, 95 % interval 0.0000 – 0.0465, rogan-gladen, n = 800; sampling of the tested, and of those behind each rate with a denominator
    >>> tc.counts([8, 12], [210, 189], (80, 100), 0.97, by=["a", "b"]).raw.round(3)
    array([0.011, 0.043])
    >>> herds = tc.counts([8, 12], [210, 189], (80, 100), (97, 100), by=["a", "b"], total=True)
    >>> print(f"{herds.total.raw:.3f}", herds.compare("previous").difference.round(3))
    0.026 [0.033]
    """
    arguments = [(positives, "positives"), (tested, "tested")]
    for rate, name in (sensitivity, "sensitivity"), (specificity, "specificity"):
        if isinstance(rate, tuple) and len(rate) != 2:
            raise invalid_option(name, rate, "so many of so many are two, as in (90, 100)")
        if not isinstance(rate, str):
            arguments += [(part, name) for part in rate] if isinstance(rate, tuple) else [(rate, name)]
    one = all(_is_number(value) for value, _ in arguments)
    lengths = [(name, len(_texts(value) or numbers(value, name))) for value, name in arguments if not _is_number(value)]
    first, rows = next(iter(lengths), ("", 1))
    for name, length in lengths:
        if length != rows:
            raise length_error(
                f"{name} has {length} values but {first} has {rows}; give one for each row", name, length, rows
            )
    if rows == 0:
        raise invalid_column(first, f"{first} has no values; give one for each row")
    options = request_options(
        {"level": level, "target": target, "interval": interval, "total": total},
        checks={"interval": lambda value, name: choice(value, name, "rate intervals")},
    )
    options["by"] = [] if by is None else ["by"]
    core_counts = (
        _whole(positives, "positives", rows),
        _whole(tested, "tested", rows),
        _rate(sensitivity, "sensitivity", rows),
        _rate(specificity, "specificity", rows),
    )
    columns, total_columns, accounts_for = _core.counts(core_counts, options)
    metadata = EstimateMetadata({_METHOD: accounts_for}, options["level"], options["target"], None)
    if one and by is None:
        return Estimate._from_row(columns, 0, _METHOD, metadata, {})
    if by is None:
        return Estimates(columns, {}, metadata)
    row_groups = groups(by, rows)
    if row_groups.number < rows:
        duplicate = int(np.flatnonzero(np.bincount(row_groups.rows) > 1)[0])
        group = {name: values[duplicate] for name, values in row_groups.values.items()}
        raise ScoreError(
            f"by: the group {', '.join(short_repr(value) for value in group.values())} has more than one row; add "
            "them up, or add a column that tells them apart",
            "group-twice",
            group=group,
        )

    def compare(levels: Levels, reference: Reference, texts: GroupTexts) -> DifferenceColumns:
        return _core.compare_counts(core_counts, options, levels, reference, texts)

    totals = None if total_columns is None else Estimates(total_columns, {}, metadata)
    comparison = GroupComparison(compare, row_groups.values, options["level"])
    return Estimates._from_groups(columns, row_groups.values, metadata, True)._with_total(totals, comparison)


def _is_number(value: Any) -> bool:
    """Return whether the argument is one value, not a column."""
    return np.ndim(value) == 0 and not hasattr(value, "__len__") and not hasattr(value, "__arrow_c_stream__")


def _column(values: Any, name: str, rows: int) -> Floats:
    if not _is_number(values):
        return numbers(values, name)
    if is_missing(values) or isinstance(values, bool):
        raise ScoreError(f"{name} is {short_repr(values)}, not a number", "value-not-number", column=name, value=values)
    return np.full(rows, to_float(values, name))


def _whole(values: Any, name: str, rows: int) -> Floats:
    """Return a column of whole numbers as doubles."""
    column = _column(values, name, rows)
    wrong = np.flatnonzero(~((column >= 0) & (column <= _MAX_COUNT) & (column == np.floor(column))))
    if len(wrong):
        row, value = int(wrong[0]), float(column[wrong[0]])
        message = (
            f"{name}: value {row} is {short_repr(value)}, not a whole number from 0; correct it or leave out its row"
        )
        raise ScoreError(message, "value-not-whole", column=name, row=row, value=value)
    return column


def _texts(values: Any) -> list[str] | None:
    """Return a column of texts as a list; None for other columns."""
    if isinstance(values, (Mapping, Set)) or is_table(values) or not hasattr(values, "__iter__"):
        return None
    texts = values.to_pylist() if hasattr(values, "to_pylist") else [*values]
    return texts if texts and all(isinstance(text, str) for text in texts) else None


def _rate(rate: Any, name: str, rows: int) -> tuple[Floats, Floats | None] | list[str]:
    """Return shares, counts with their denominators, or texts."""
    if isinstance(rate, str):
        return [rate] * rows
    if not _is_number(rate) and not isinstance(rate, tuple) and (texts := _texts(rate)):
        return texts
    if isinstance(rate, tuple):
        count, denominator = rate
        return _whole(count, name, rows), _whole(denominator, name, rows)
    return _column(rate, name, rows), None
