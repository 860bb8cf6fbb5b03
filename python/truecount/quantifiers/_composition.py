"""Shares of several classes, which add up to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats
from truecount._conditions import Caveat
from truecount._groups import natural
from truecount._table import Table, number, p_is, percent, visible, worded
from truecount._warned import said
from truecount.quantifiers._mixing import Covariance
from truecount.quantifiers._simplex import bounded, summing_to_one

__all__ = ["Composition"]


class Composition(Table):
    """The shares of several classes among the same rows, a row for each class; made by `OneVersusRest.estimate`.

    Its columns are ``class``, ``n``, ``prevalence``, ``raw``, ``se``, ``lower``, ``upper`` and ``level``; `to_dict`, `to_pandas`,
    `to_polars` and `to_arrow` give the whole table.

    Attributes
    ----------
    covariance : ndarray, shape (K, K)
        Of the estimates, errors of the labelled rows included; its rows add up to 0, as the shares have a constant sum.
    method : str
        The method of the functions that are averaged.
    warnings : tuple of Caveat
        What to beware of.

    Notes
    -----
    `raw` is the solution of the K equations, class by class; its sum is 1 but for error. `se` and `covariance` are those of the nearest
    shares whose sum is 1. Where one of them is below 0, `prevalence` is the nearest without. The interval holds all shares p from which
    `prevalence` is no further away than z standard errors, those that it would have if p were the share (as Wilson's does). See
    `OneVersusRest`.
    """

    def __init__(
        self,
        classes: Sequence[Any],
        n: int,
        raw: Floats,
        covariance: Covariance,
        level: float,
        method: str,
        warnings: tuple[Caveat, ...],
    ) -> None:
        positive = np.clip(raw, 0.0, None)
        near = positive / positive.sum()
        alone = covariance(near)
        shares, of_errors = summing_to_one(raw, alone)
        self.covariance: Floats = of_errors @ alone @ of_errors.T
        self.covariance.flags.writeable = False
        self.method = method
        self.warnings = (*_of_sum(float(raw.sum() - 1.0), float(alone.sum()), float(np.trace(alone))), *warnings)
        self._level = level
        prevalence = bounded(shares, self.covariance)

        def variance(place: int, share: float) -> float:
            """Of the class in that place, if its share is this and the others keep their proportions."""
            others = np.delete(near, place)
            others = others / others.sum() if others.any() else np.full(len(others), 1.0 / len(others))
            supposed = covariance(np.insert((1.0 - share) * others, place, share))
            return float(of_errors[place] @ supposed @ of_errors[place])

        ends = np.array([_interval(found, level, partial(variance, place)) for place, found in enumerate(prevalence)])
        self._columns = {
            "class": natural(classes),
            "n": np.full(len(raw), n),
            "prevalence": prevalence,
            "raw": raw,
            "se": np.sqrt(np.clip(np.diag(self.covariance), 0.0, None)),
            "lower": ends[:, 0],
            "upper": ends[:, 1],
            "level": np.full(len(raw), level),
        }

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
        """The shares of the classes: none below 0, with the sum 1."""
        return self._column("prevalence")

    @property
    def raw(self) -> NDArray[np.float64]:
        """The estimates without these bounds."""
        return self._column("raw")

    @property
    def se(self) -> NDArray[np.float64]:
        """Their standard errors, given that their sum is 1."""
        return self._column("se")

    @property
    def interval(self) -> NDArray[np.float64]:
        """The confidence interval of each share, shape (K, 2), inside [0, 1]: each holds its own share with the probability `level`."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))

    @property
    def level(self) -> float:
        """The nominal coverage of each interval."""
        return self._level

    def _header(self) -> tuple[list[str], int]:
        return ["class", "prevalence", "se", f"{percent(self._level)} % interval"], 1

    def _cells(self, row: int) -> list[str]:
        of = {name: column[row] for name, column in self._columns.items()}
        return [
            visible(worded(of["class"])),
            number(of["prevalence"]),
            number(of["se"]),
            f"{of['lower']:.4f} – {of['upper']:.4f}",
        ]

    def _notes(self) -> list[str]:
        return [f"method: {self.method}, n = {self.n}", *said(self.warnings)]


def _interval(found: float, level: float, variance: Callable[[float], float]) -> tuple[float, float]:
    """All shares p with (p − found)² ≤ z² variance(p), the variance a quadratic in p: Wilson's interval (1927) where it is p(1 − p)/n."""
    start, middle, end = variance(0.0), variance(0.5), variance(1.0)
    square = NormalDist().inv_cdf(0.5 + level / 2.0) ** 2
    c0, c1, c2 = (
        square * start,
        square * (4.0 * middle - 3.0 * start - end),
        square * 2.0 * (start + end - 2.0 * middle),
    )
    if c2 >= 1.0:
        return 0.0, 1.0
    centre, room = found + 0.5 * c1, (1.0 - c2) * (c0 - found * found)
    half = max(centre * centre + room, 0.0) ** 0.5
    lower, upper = ((centre + side) / (1.0 - c2) for side in (-half, half))
    return max(lower, 0.0), min(upper, 1.0)


def _of_sum(excess: float, variance: float, scale: float) -> tuple[Caveat, ...]:
    """A warning where the sum of the estimates is so far from 1 as chance brings it in one of a hundred cases."""
    if variance <= 1e-12 * scale:
        return ()
    p_value = 2.0 * NormalDist().cdf(-abs(excess) / variance**0.5)
    if p_value >= 0.01:
        return ()
    text = (
        f"the rows are no mixture of the labelled classes: estimated one by one, the shares add up to {1.0 + excess:.4g} "
        f"({p_is(p_value)}); rows of a class score otherwise than labelled ones, or there are rows of no labelled class"
    )
    return (Caveat(text, "prior-shift-rejected", "unreliable", {"p_value": p_value}),)
