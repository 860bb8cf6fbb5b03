"""Tables of an evaluation: errors and intervals of methods, and comparisons of methods."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats
from truecount._table import Table, format_number, format_p_value, percent
from truecount.evaluation._samples import Samples

__all__ = ["Comparison", "Summary"]

_MEASURES = [name for name, _ in _core.names("measures")]


def _mean(values: NDArray[Any]) -> tuple[float, float]:
    """Return the mean and its standard error, NaN if missing."""
    mean, se = _core.mean(np.ascontiguousarray(values, dtype=np.float64))
    return float(mean), np.nan if se is None else float(se)


def _root(mean: float, se: float) -> tuple[float, float]:
    """Return the root of a mean of squares, and its standard error by the delta method."""
    root = mean**0.5
    return root, se * (0.5 / root) if root > 0.0 else 0.0 * se


def _errors(evaluation: Samples, measure: str, method: str) -> Floats:
    columns = evaluation.for_method(method)
    errors: Floats = _core.measure_errors(measure, columns["truth"], columns["prevalence"], columns["n"])
    return errors


def _signed(value: float) -> str:
    """Return a number with four decimals and its sign."""
    text = format_number(value)
    return f"+{text}" if value > 0.0 and text.strip("0.") else text


class Summary(Table):
    """A table of errors, a row for each method; made by `truecount.Evaluation.summary`.

    Its columns are ``method`` and ``samples``; the measures of `truecount.measures`; ``rmse``, the
    root of ``mse``; ``coverage``, the share of the intervals that contain the true prevalence; and
    ``width``, their mean width. Columns such as ``mae_se`` have the Monte Carlo standard errors of
    these means: those of drawing samples, given the labelled scores and the pool. Values are NaN if
    a method has no intervals.

    Errors are those of the prevalences clipped to [0, 1].
    """

    def __init__(self, evaluation: Samples) -> None:
        self._samples = len(evaluation.truth)
        self._size = evaluation._size
        self._level = evaluation.level
        self._protocol_description = dict(_core.names("protocols"))[evaluation.protocol]
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
        columns = evaluation.for_method(method)
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
            format_number(mae) if se != se else f"{format_number(mae)} ± {format_number(se)}",
            format_number(columns["rmse"][row]),
            format_number(columns["mrae"][row]),
            _signed(columns["bias"][row]),
            "–" if coverage != coverage else f"{100 * coverage:.1f} %",
            format_number(columns["width"][row]),
        ]

    def _notes(self) -> list[str]:
        samples = f"{self._samples} samples of {self._size}" if self._samples > 1 else f"one sample of {self._size}"
        grid = ", taking prevalences for random that the grid fixes, and so too large" if self._grid else ""
        notes = [
            f"{samples}: {self._protocol_description}",
            "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error; bias: mean error",
            f"coverage, width: share of the {percent(self._level)} % intervals that contain the true prevalence, "
            "and their mean width",
            f"±: Monte Carlo standard error, from sample to sample, given the labelled scores and the pool{grid}; "
            "the columns of to_pandas() have those of all measures",
        ]
        return [line for note in notes for line in _core.wrap(note, "")]


class Comparison(Table):
    """A table that compares one method with each other method on the same samples.

    Its columns are ``method`` and ``other``; ``wins``, ``losses`` and ``ties``, the numbers of
    samples for which the method is closer to the truth than the other, less close, or equally
    close; ``difference``, the mean absolute error of the other minus that of the method, with its
    standard error ``difference_se``; ``p_value`` of Wilcoxon's signed-rank test of the differences,
    NaN if all are 0; and ``p_value_holm``, adjusted for the number of comparisons (Holm 1979).
    """

    _nullable = ("difference_se", "p_value", "p_value_holm")

    def __init__(self, evaluation: Samples, reference: str) -> None:
        self._reference = reference
        others = [method for method in evaluation.methods if method != reference]
        own = _errors(evaluation, "mae", reference)
        results = [_core.compare_errors(own, _errors(evaluation, "mae", other)) for other in others]
        wins, losses, ties, differences, ses, p_values = zip(*results)

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
            format_number(columns["difference_se"][row]),
            format_p_value(columns["p_value_holm"][row]),
        ]

    def _notes(self) -> list[str]:
        name = self._reference
        note = (
            f"wins, losses: samples on which {name} is closer to the truth, or farther; difference: the other's "
            f"mean absolute error less that of {name}, and its standard error; p: Wilcoxon's signed-rank test of the "
            "differences, adjusted for the number of comparisons"
        )
        return _core.wrap(note, "")


def holm(p_values: Floats) -> Floats:
    """Return Holm's (1979) adjusted p-values; NaN is a missing p-value and does not count."""
    known = ~np.isnan(p_values)
    adjusted: Floats = p_values.copy()
    adjusted[known] = _core.holm(p_values[known])
    return adjusted
