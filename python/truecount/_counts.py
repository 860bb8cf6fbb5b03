"""From counts and a published sensitivity and specificity to a prevalence."""

from __future__ import annotations

from typing import Any, Union, overload

import numpy as np

from truecount import _core
from truecount._columns import Floats, is_missing, numbers, shown
from truecount._conditions import OptionError, ScoreError
from truecount._groups import groups
from truecount._names import RateInterval, Target
from truecount._options import choice, real
from truecount._results import Estimate, Estimates, Terms

__all__ = ["counts"]

_METHOD = "rogan-gladen"
_MOST = 2.0**53


_Share = Union[float, tuple[int, int]]
"""Of one test: a share, or so many of so many."""


@overload
def counts(
    positives: int,
    tested: int,
    sensitivity: _Share,
    specificity: _Share,
    *,
    by: None = None,
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
    level: float = 0.95,
    interval: RateInterval = "lang-reiczigel",
    target: Target = "population",
) -> Estimates: ...


def counts(
    positives: Any,
    tested: Any,
    sensitivity: Any,
    specificity: Any,
    *,
    by: Any = None,
    level: float = 0.95,
    interval: RateInterval = "lang-reiczigel",
    target: Target = "population",
) -> Estimate | Estimates:
    """Correct counts of positive tests for the test's sensitivity and specificity.

    Where there are no scores, but so many positives among so many tested, and rates that others have published (Rogan and Gladen 1978).

    Parameters
    ----------
    positives, tested : int, or array-like of int, shape (n,)
        How many tests are positive, and how many there are.
    sensitivity, specificity : float, or tuple of int, or array-like of float, shape (n,), or tuple of these
        A share that is taken for exact, or so many of so many as a tuple: ``(90, 100)``. Either may have a value for each row.
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        What tells the rows apart, a group each, which come in the order of these values.
    level : float, default 0.95
        Nominal coverage of the intervals.
    interval : {"lang-reiczigel", "wilson", "exact-rates"}
        Lang and Reiczigel's (2014), which accounts for the denominators of both rates; the Wilson-type interval of Adjusted Count; or
        Wilson's of the share of positives, with both rates taken for exact.
    target : {"population", "sample"}
        Whose prevalence the standard error and interval are for: that of the population that was tested, or of the tested themselves,
        which only the interval "wilson" is for.

    Returns
    -------
    Estimate or Estimates
        One estimate for numbers; a table for columns, and with `by`.

    Raises
    ------
    TruecountError
        For counts and rates that cannot be; for a sensitivity and a specificity that add up to 1 or less.

    Examples
    --------
    >>> import truecount as tc
    >>> tc.counts(35, 800, sensitivity=(90, 100), specificity=(97, 100), interval="wilson")
    Estimate: 0.0158 ± 0.0211, 95 % interval 0.0000 – 0.0471, rogan-gladen, n = 800; sampling of the tested and of rates with a denominator
    >>> tc.counts([8, 12], [210, 189], (80, 100), 0.97, by=["a", "b"]).raw.round(3)
    array([0.011, 0.043])
    """
    given = [(positives, "positives"), (tested, "tested")]
    for rate, name in (sensitivity, "sensitivity"), (specificity, "specificity"):
        if isinstance(rate, tuple) and len(rate) != 2:
            raise OptionError(
                f"{name} is {shown(rate)}; so many of so many are two, as in (90, 100)",
                "option-invalid",
                name=name,
                value=rate,
            )
        given += [(part, name) for part in rate] if isinstance(rate, tuple) else [(rate, name)]
    one = all(_is_number(value) for value, _ in given)
    lengths = [(name, len(numbers(value, name))) for value, name in given if not _is_number(value)]
    first, rows = next(iter(lengths), ("", 1))
    for name, length in lengths:
        if length != rows:
            raise ScoreError(
                f"{name} has {length} values but {first} has {rows}; give one for each row",
                "length-mismatch",
                column=name,
                values=length,
                others=rows,
            )
    if rows == 0:
        raise ScoreError(f"{first} has no values; give one for each row", "column-invalid", column=first)
    asked = (real(level, "level"), choice(target, "target", "targets"), choice(interval, "interval", "rate intervals"))
    found, accounts_for = _core.counts(
        (_whole(positives, "positives", rows), _whole(tested, "tested", rows)),
        (_rate(sensitivity, "sensitivity", rows), _rate(specificity, "specificity", rows)),
        asked,
    )
    terms = Terms({_METHOD: accounts_for}, asked[0], None)
    if one and by is None:
        return Estimate._of_row(found, 0, _METHOD, terms, {})
    if by is None:
        return Estimates(found, {}, terms)
    apart = groups(by, rows)
    if apart.number < rows:
        twice = int(np.flatnonzero(np.bincount(apart.rows) > 1)[0])
        group = {name: values[twice] for name, values in apart.values.items()}
        raise ScoreError(
            f"by: the group {', '.join(shown(value) for value in group.values())} has more than one row; add them up, or add a column "
            "that tells them apart",
            "group-twice",
            group=group,
        )
    return Estimates._of_groups(found, apart.values, terms, True)


def _is_number(value: Any) -> bool:
    """Whether it is one value, not a column."""
    return np.ndim(value) == 0 and not hasattr(value, "__len__") and not hasattr(value, "__arrow_c_stream__")


def _column(values: Any, name: str, rows: int) -> Floats:
    if not _is_number(values):
        return numbers(values, name)
    if is_missing(values) or isinstance(values, bool):
        raise ScoreError(f"{name} is {shown(values)}, not a number", "value-not-number", column=name, value=values)
    return np.full(rows, real(values, name))


def _whole(values: Any, name: str, rows: int) -> Floats:
    """Whole numbers, as doubles hold them."""
    column = _column(values, name, rows)
    wrong = np.flatnonzero(~((column >= 0) & (column <= _MOST) & (column == np.floor(column))))
    if len(wrong):
        row, value = int(wrong[0]), float(column[wrong[0]])
        raise ScoreError(
            f"{name}: value {row} is {shown(value)}, not a whole number from 0; correct it or leave out its row",
            "value-not-whole",
            column=name,
            row=row,
            value=value,
        )
    return column


def _rate(rate: Any, name: str, rows: int) -> tuple[Floats, Floats | None]:
    """Shares, or counts with their denominators."""
    if isinstance(rate, tuple):
        count, of = rate
        return _whole(count, name, rows), _whole(of, name, rows)
    return _column(rate, name, rows), None
