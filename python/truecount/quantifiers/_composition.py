"""Compositions: shares of several classes, which add up to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount._columns import Floats, to_array
from truecount._errors import EstimateWarning, LabelError, grouped_warning_lines, warning_lines
from truecount._table import (
    Column,
    IntervalTable,
    Table,
    escape_untrusted,
    format_number,
    format_value,
    join_columns,
    p_value_phrase,
    percent,
)


def adjust_sum(shares: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return the nearest shares with the sum 1, and the matrix A with AVA' their covariance."""
    toward = covariance.sum(axis=1)
    variance = toward.sum()
    if variance <= 1e-12 * np.trace(covariance):
        # They add up to 1 except for rounding, as the shares of two classes do.
        toward, variance = np.zeros(len(shares)), 1.0
    share = toward / variance
    return shares - share * (shares.sum() - 1.0), np.eye(len(shares)) - share[:, np.newaxis]


def project_to_simplex(shares: Floats, covariance: Floats) -> Floats:
    """Return the nearest shares of which none is below 0, for shares with the sum 1."""
    multipliers = np.zeros(len(shares))
    active = np.zeros(len(shares), dtype=np.bool_)
    projected = shares
    # Rounding may leave a share of -1e-17, which no multiplier corrects.
    while (projected[~active] < -1e-12).any():
        active[np.flatnonzero(~active)[projected[~active].argmin()]] = True
        while True:
            target = np.zeros(len(shares))
            target[active] = np.linalg.solve(covariance[np.ix_(active, active)], -shares[active])
            falling = active & (target <= 0.0)
            if not falling.any():
                multipliers = target
                break
            step = np.min(multipliers[falling] / (multipliers[falling] - target[falling]))
            multipliers = multipliers + step * (target - multipliers)
            active &= multipliers > 0.0
        projected = shares + covariance @ multipliers
    return np.clip(np.where(active, 0.0, projected), 0.0, None)


Covariance = Callable[[Floats], Floats]
"""The covariance of estimated shares as a function of the true shares."""


@dataclass(frozen=True)
class LabelledClasses:
    """The classes, weights and clusters of labelled rows."""

    codes: NDArray[np.intp]
    """The index of each row's class."""
    shares: Floats
    """The weight of each row as a share of its class."""
    clusters: NDArray[np.intp] | None

    @classmethod
    def from_weights(
        cls, codes: NDArray[np.intp], weights: Floats | None, clusters: NDArray[np.uint32] | None
    ) -> LabelledClasses:
        """Create the classes from weights, of which only ratios matter."""
        weights = np.ones(len(codes)) if weights is None else weights
        numbers = None if clusters is None else np.unique(clusters, return_inverse=True)[1].reshape(-1)
        return cls(codes, weights / np.bincount(codes, weights)[codes], numbers)

    def solve_shares(
        self, functions: Floats, new: Floats, weights: Floats, classifier_shares: Floats, population: bool
    ) -> tuple[Floats, Covariance]:
        """Return the unbounded shares of the classes, and their covariance as a function of shares.

        Parameters
        ----------
        functions : ndarray of float, shape (n_labelled, K)
            The functions' values for the labelled rows.
        new : ndarray of float, shape (n_classifiers, n, K)
            The functions' values for new rows, by each classifier.
        weights : ndarray of float, shape (n,)
            The weights of new rows, with the sum 1.
        classifier_shares : ndarray of float, shape (n_classifiers,)
            The shares of the classifiers, with the sum 1.
        population : bool
            Whether the covariance is for the shares of the population.
        """
        rates = functions.T @ (np.eye(new.shape[-1])[self.codes] * self.shares[:, np.newaxis])
        try:
            inverse = np.linalg.inv(rates)
        except np.linalg.LinAlgError:
            raise LabelError(
                "the classifier's scores do not tell all classes apart: some have the same means; give it more "
                "labelled rows or better features, or take such classes for one",
                "classifier-learns-nothing",
            ) from None
        # In units of shares.
        deviations = (functions - rates.T[self.codes]) @ inverse.T
        row_means = np.tensordot(classifier_shares, new, 1)
        estimate, squares = inverse @ (weights @ row_means), weights**2
        shift = inverse @ (squares @ row_means) / squares.sum() - estimate
        share_of_row = np.multiply.outer(classifier_shares, squares / squares.sum())[..., np.newaxis]
        deviations_in_row = ((new - row_means) @ inverse.T * np.sqrt(share_of_row)).reshape(-1, new.shape[-1])
        within = deviations_in_row.T @ deviations_in_row
        factors = _bessel_factor(1.0 / np.bincount(self.codes, self.shares**2))[self.codes]

        def covariance(shares: Floats) -> Floats:
            by_squares = np.clip(shares + shift, 0.0, None)
            sampling = deviations.T @ (deviations * (by_squares[self.codes] * self.shares * factors)[:, np.newaxis])
            sampling = _subtract_covariance(sampling, within, float(np.sum(classifier_shares**2)))
            if population:
                crossed = np.outer(by_squares, shares)
                sampling += np.diag(by_squares) - crossed - crossed.T + np.outer(shares, shares)
            errors = deviations * (shares[self.codes] * self.shares)[:, np.newaxis]
            return np.asarray(squares.sum() * sampling + self._labelled_covariance(errors))

        return estimate, covariance

    def _labelled_covariance(self, errors: Floats) -> Floats:
        """Return the covariance of the sum of the labelled rows' contributions to the error."""
        if self.clusters is None:
            return np.asarray(errors.T @ (errors * _bessel_factor(np.bincount(self.codes))[self.codes, np.newaxis]))
        sums = np.zeros((self.clusters.max() + 1, errors.shape[1]))
        np.add.at(sums, self.clusters, errors)
        return np.asarray(sums.T @ sums * _bessel_factor(np.array(len(sums))))


def _bessel_factor(numbers: NDArray[Any]) -> Floats:
    """Return Bessel's correction n/(n − 1); 1 for a single row."""
    return np.asarray(np.divide(numbers, numbers - 1.0, out=np.ones(np.shape(numbers)), where=numbers > 1.0))


def _subtract_covariance(covariance: Floats, part: Floats, smallest_ratio: float) -> Floats:
    """Subtract the covariance within rows, or a part of it, so that each variance keeps at least this ratio."""
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * values[-1]
    if not kept.any():
        return covariance
    root = vectors[:, kept] / np.sqrt(values[kept])
    largest = np.linalg.eigvalsh(root.T @ part @ root)[-1]
    factor = min(1.0, (1.0 - smallest_ratio) / max(largest, 1e-300))
    return np.asarray(covariance - factor * part)


class Composition(IntervalTable):
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
    `raw` is the solution of the K equations in `OneVersusRest`; its sum is 1 except for sampling error. `se` and
    `covariance` are those of the nearest shares with the sum 1. If one of these is negative, `prevalence` are the
    nearest shares that are not. The interval contains all shares p that are at most z standard errors from
    `prevalence`, with the standard error that p implies, as in Wilson's interval.
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

    prevalence = Column[np.float64]("Estimated shares of the classes, which are not negative and have the sum 1.")
    raw = Column[np.float64]("The estimates without these constraints.")

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

    It has a row for each group and class, with the columns of the groups followed by those of `Composition`.

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
