"""What is computed of the estimates: every measure, the intervals, and comparisons between methods."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats
from truecount._table import Table, number, p_value, percent
from truecount.evaluation._samples import Samples

__all__ = ["Comparison", "Summary"]

_MEASURES = [name for name, _ in _core.names("measures")]


def _mean(values: NDArray[Any]) -> tuple[float, float]:
    """Mean and standard error; NaN for what there is not."""
    mean, se = _core.mean(np.ascontiguousarray(values, dtype=np.float64))
    return float(mean), np.nan if se is None else float(se)


def _root(mean: float, se: float) -> tuple[float, float]:
    """Root of a mean of squares; its standard error by the delta method."""
    root = mean**0.5
    return root, se * (0.5 / root) if root > 0.0 else 0.0 * se


def _errors(evaluation: Samples, measure: str, method: str) -> Floats:
    columns = evaluation.of(method)
    found: Floats = _core.errors(measure, columns["truth"], columns["prevalence"], columns["n"])
    return found


def _signed(value: float) -> str:
    """Four decimals, with the sign of what is above 0 too."""
    text = number(value)
    return f"+{text}" if value > 0.0 and text.strip("0.") else text


class Summary(Table):
    """The errors of each method, a row each.

    Its columns are ``method`` and ``samples``, then for every measure of `truecount.measures`, ``rmse`` (the root of ``mse``),
    ``coverage`` (the share of the intervals that contain the true prevalence) and ``width`` (their mean width) the mean over the samples,
    and as ``mae_se`` and so on its Monte Carlo standard error: that of drawing samples, given the labelled scores and the pool.
    NaN where a method has no intervals.

    Errors are those of the prevalences as reported, inside [0, 1].
    """

    def __init__(self, evaluation: Samples) -> None:
        self._samples = len(evaluation.truth)
        self._size = evaluation._size
        self._level = evaluation.level
        self._what = dict(_core.names("protocols"))[evaluation.protocol]
        self._grid = evaluation.protocol == "grid"
        rows = [self._row(evaluation, method) for method in evaluation.methods]
        names = [part for name in rows[0] for part in (name, f"{name}_se")]
        self._nullable = tuple(names)
        self._columns = {
            "method": np.array(evaluation.methods, dtype=object),
            "samples": np.full(len(rows), self._samples, dtype=np.int64),
        }
        table = np.array([[part for mean in row.values() for part in mean] for row in rows])
        self._columns |= {name: np.ascontiguousarray(column) for name, column in zip(names, table.T)}

    @staticmethod
    def _row(evaluation: Samples, method: str) -> dict[str, tuple[float, float]]:
        row = {measure: _mean(_errors(evaluation, measure, method)) for measure in _MEASURES}
        row["rmse"] = _root(*row["mse"])
        columns = evaluation.of(method)
        lower, upper, truth = columns["lower"], columns["upper"], columns["truth"]
        known = not np.isnan(lower).any()
        row["coverage"] = _mean((lower <= truth) & (truth <= upper)) if known else (np.nan, np.nan)
        row["width"] = _mean(upper - lower) if known else (np.nan, np.nan)
        return row

    def _header(self) -> tuple[list[str], int]:
        return ["method", "MAE", "RMSE", "RAE", "bias", "coverage", "width"], 1

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        mae, se, coverage = (columns[name][row] for name in ("mae", "mae_se", "coverage"))
        return [
            columns["method"][row],
            number(mae) if se != se else f"{number(mae)} ± {number(se)}",
            number(columns["rmse"][row]),
            number(columns["mrae"][row]),
            _signed(columns["bias"][row]),
            "–" if coverage != coverage else f"{100 * coverage:.1f} %",
            number(columns["width"][row]),
        ]

    def _notes(self) -> list[str]:
        samples = f"{self._samples} samples of {self._size}" if self._samples > 1 else f"one sample of {self._size}"
        grid = ", taking prevalences for random that the grid fixes, and so too large" if self._grid else ""
        notes = [
            f"{samples}: {self._what}",
            "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error; bias: mean error",
            f"coverage, width: share of the {percent(self._level)} % intervals that contain the true prevalence, and their mean width",
            f"±: Monte Carlo standard error, from sample to sample, given the labelled scores and the pool{grid}; the columns of "
            "to_pandas() have those of all measures",
        ]
        return [line for note in notes for line in _core.wrap(note, "")]


class Comparison(Table):
    """One method beside each other one on the same samples, a row for each of the others.

    Its columns: ``method`` and ``other``; ``wins``, ``losses`` and ``ties``, the numbers of samples on which the method is
    closer to the truth than the other, farther, or as close; ``difference``, the other's mean absolute error less its own
    (positive where it is closer), with its standard error ``difference_se``; ``p_value`` of Wilcoxon's signed-rank test of the
    differences, NaN where all are 0, and ``p_value_holm``, adjusted for the number of comparisons (Holm 1979).
    """

    _nullable = ("difference_se", "p_value", "p_value_holm")

    def __init__(self, evaluation: Samples, reference: str) -> None:
        self._reference = reference
        others = [method for method in evaluation.methods if method != reference]
        own = _errors(evaluation, "mae", reference)
        found = [_core.compare(own, _errors(evaluation, "mae", other)) for other in others]
        wins, losses, ties, differences, ses, p_values = zip(*found)

        def doubles(values: Any) -> Floats:
            return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

        self._columns = {
            "method": np.array([reference] * len(others), dtype=object),
            "other": np.array(others, dtype=object),
            "wins": np.array(wins, dtype=np.int64),
            "losses": np.array(losses, dtype=np.int64),
            "ties": np.array(ties, dtype=np.int64),
            "difference": doubles(differences),
            "difference_se": doubles(ses),
            "p_value": doubles(p_values),
            "p_value_holm": holm(doubles(p_values)),
        }

    def _header(self) -> tuple[list[str], int]:
        return [f"{self._reference} against", "wins", "losses", "ties", "difference", "se", "p (Holm)"], 1

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        return [
            columns["other"][row],
            *(str(columns[name][row]) for name in ("wins", "losses", "ties")),
            _signed(columns["difference"][row]),
            number(columns["difference_se"][row]),
            p_value(columns["p_value_holm"][row]),
        ]

    def _notes(self) -> list[str]:
        name = self._reference
        note = (
            f"wins, losses: samples on which {name} is closer to the truth, or farther; difference: the other's mean absolute "
            f"error less that of {name}, and its standard error; p: Wilcoxon's signed-rank test of the differences, adjusted for "
            "the number of comparisons"
        )
        return _core.wrap(note, "")


def holm(p_values: Floats) -> Floats:
    """Holm's (1979) adjustment of several p-values; NaN is none, and does not count."""
    known = ~np.isnan(p_values)
    adjusted: Floats = p_values.copy()
    adjusted[known] = _core.holm(p_values[known])
    return adjusted
