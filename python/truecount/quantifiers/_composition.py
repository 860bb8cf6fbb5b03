"""Compositions: shares of several classes, which add up to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import EstimateWarning
from truecount._groups import to_array
from truecount._table import (
    Table,
    escape_untrusted,
    format_number,
    format_value,
    join_columns,
    p_value_phrase,
    percent,
)
from truecount._warnings import grouped_warning_lines, warning_lines
from truecount.quantifiers._mixture_equations import Covariance
from truecount.quantifiers._simplex import adjust_sum, project_to_simplex

__all__ = ["Composition", "Compositions"]


class Composition(Table):
    """A table of the shares of several classes, a row for each; made by `OneVersusRest.estimate`.

    Its columns are ``class``, ``n``, ``prevalence``, ``raw``, ``se``, ``lower``, ``upper`` and
    ``level``. `to_dict`, `to_pandas`, `to_polars` and `to_arrow` convert the whole table.

    Attributes
    ----------
    covariance : ndarray, shape (K, K)
        Covariance of the estimates, including the sampling of the labelled rows. Its rows add up to
        0, because the sum of the shares is constant.
    method : str
        Name of the method.
    warnings : tuple of EstimateWarning
        Warnings about the estimates.

    Notes
    -----
    `raw` is the solution of the K equations in `OneVersusRest`; its sum is 1 except for sampling
    error. `se` and `covariance` are those of the nearest shares with the sum 1. If one of these is
    negative, `prevalence` are the nearest shares that are not. The interval contains all shares p
    that are at most z standard errors from `prevalence`, with the standard error that p implies, as
    in Wilson's interval.
    """

    def __init__(
        self,
        classes: Sequence[Any],
        n: int,
        raw: Floats,
        covariance: Covariance,
        level: float,
        method: str,
        warnings: tuple[EstimateWarning, ...],
    ) -> None:
        positive = np.clip(raw, 0.0, None)
        near = positive / positive.sum()
        unadjusted = covariance(near)
        shares, error_matrix = adjust_sum(raw, unadjusted)
        self.covariance: Floats = error_matrix @ unadjusted @ error_matrix.T
        self.covariance.flags.writeable = False
        self.method = method
        self.warnings = (
            *_sum_warning(float(raw.sum() - 1.0), float(unadjusted.sum()), float(np.trace(unadjusted))),
            *warnings,
        )
        self._level = level
        prevalence = project_to_simplex(shares, self.covariance)

        def variance(index: int, share: float) -> float:
            """Return the variance if the class has this share, and the others the same ratios."""
            others = np.delete(near, index)
            others = others / others.sum() if others.any() else np.full(len(others), 1.0 / len(others))
            implied = covariance(np.insert((1.0 - share) * others, index, share))
            return float(error_matrix[index] @ implied @ error_matrix[index])

        ends = np.array([_interval(share, level, partial(variance, index)) for index, share in enumerate(prevalence)])
        self._columns = {
            "class": to_array(classes),
            "n": np.full(len(raw), n),
            "prevalence": prevalence,
            "raw": raw,
            "se": np.sqrt(np.clip(np.diag(self.covariance), 0.0, None)),
            "lower": ends[:, 0],
            "upper": ends[:, 1],
            "level": np.full(len(raw), level),
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column with this name, read-only, as in `to_dict`."""
        if name not in self._columns and name in self._columns["class"]:
            row = self.classes.tolist().index(name)
            raise KeyError(f"{name!r} is a class, not a column; its share is prevalence[{row}]")
        return super().__getitem__(name)

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted."""
        return self._column("class")

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self._columns["n"][0])

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """Estimated shares of the classes, which are not negative and have the sum 1."""
        return self._column("prevalence")

    @property
    def raw(self) -> NDArray[np.float64]:
        """The estimates without these constraints."""
        return self._column("raw")

    @property
    def se(self) -> NDArray[np.float64]:
        """Standard errors of the shares with the sum 1."""
        return self._column("se")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Confidence intervals in [0, 1], shape (K, 2), each with the coverage `level`."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))

    @property
    def level(self) -> float:
        """Nominal coverage of each interval."""
        return self._level

    def _header(self) -> tuple[list[str], int]:
        return ["class", "prevalence", "se", f"{percent(self._level)} % interval"], 1

    def _cells(self, row: int) -> list[str]:
        values = {name: column[row] for name, column in self._columns.items()}
        return [
            escape_untrusted(format_value(values["class"])),
            format_number(values["prevalence"]),
            format_number(values["se"]),
            f"{values['lower']:.4f} – {values['upper']:.4f}",
        ]

    def _notes(self) -> list[str]:
        return [f"method: {self.method}, n = {self.n}", *warning_lines(self.warnings)]


class Compositions(Table):
    """A table of the shares of several classes in groups; made by `OneVersusRest.estimate`.

    It has a row for each group and class, with the columns of the groups followed by those of
    `Composition`.

    Attributes
    ----------
    parts : tuple of Composition
        The composition of each group, in the order of the rows.
    """

    def __init__(self, groups: Mapping[str, Sequence[Any]], parts: Sequence[Composition]) -> None:
        self.parts = tuple(parts)
        self._names = [*groups]
        repeats = [len(part) for part in parts]
        keys = {name: np.repeat(to_array(values), repeats) for name, values in groups.items()}
        stacked = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns}
        self._columns = join_columns(keys, stacked)

    def _header(self) -> tuple[list[str], int]:
        header, left = self.parts[0]._header()
        return [*map(escape_untrusted, self._names), *header], len(self._names) + left

    def _cells(self, row: int) -> list[str]:
        part, row_of_part = divmod(row, len(self.parts[0]))
        keys = (escape_untrusted(format_value(self._columns[name][row])) for name in self._names)
        return [*keys, *self.parts[part]._cells(row_of_part)]

    def _notes(self) -> list[str]:
        starts = range(0, len(self), len(self.parts[0]))
        names = (", ".join(format_value(self._columns[name][row]) for name in self._names) for row in starts)
        warnings = [(name, part.warnings) for name, part in zip(names, self.parts)]
        return [f"method: {self.parts[0].method}", *grouped_warning_lines(warnings)]


def _interval(estimate: float, level: float, variance: Callable[[float], float]) -> tuple[float, float]:
    """Return the interval of all shares p with (p − estimate)² ≤ z² variance(p).

    The variance is quadratic in p; if it is p(1 − p)/n, the interval is Wilson's (1927).
    """
    start, middle, end = variance(0.0), variance(0.5), variance(1.0)
    square = NormalDist().inv_cdf(0.5 + level / 2.0) ** 2
    c0, c1, c2 = (
        square * start,
        square * (4.0 * middle - 3.0 * start - end),
        square * 2.0 * (start + end - 2.0 * middle),
    )
    if c2 >= 1.0:
        return 0.0, 1.0
    centre, constant = estimate + 0.5 * c1, (1.0 - c2) * (c0 - estimate * estimate)
    half = max(centre * centre + constant, 0.0) ** 0.5
    lower, upper = ((centre + side) / (1.0 - c2) for side in (-half, half))
    return max(lower, 0.0), min(upper, 1.0)


def _sum_warning(excess: float, variance: float, scale: float) -> tuple[EstimateWarning, ...]:
    """Return a warning if the sum of the estimates differs from 1 at p < 0.01."""
    if variance <= 1e-12 * scale:
        return ()
    p_value = 2.0 * NormalDist().cdf(-abs(excess) / variance**0.5)
    if p_value >= 0.01:
        return ()
    text = (
        "do not rely on this estimate: the rows do not fit any mix of the labelled classes (estimated one by one, the "
        f"shares add up to {1.0 + excess:.4g}, {p_value_phrase(p_value)}); rows of a class score otherwise than "
        "labelled ones, or there are rows of no labelled class"
    )
    return (EstimateWarning(text, "prior-shift-rejected", "unreliable", {"p_value": p_value}),)
