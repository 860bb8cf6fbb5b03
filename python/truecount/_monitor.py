"""Monitoring of a prevalence over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import python_value
from truecount._compare import group_texts
from truecount._errors import EstimateWarning, grouped_warning_lines, invalid_option, option_conflict
from truecount._fit import FittedModel
from truecount._options import FormulaKwargs, formula_options, request_options, takes_options_of
from truecount._table import Column, ResultTable, format_value, group_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Alarm", "MonitorResult"]


NO_BOOTSTRAP = "a tally has no bootstrap, which needs the scores; leave out interval"


class MonitorKwargs(FormulaKwargs, total=False):
    """Keyword arguments of `Model.monitor`."""

    above: float | None
    below: float | None
    baseline: Any


@dataclass(frozen=True)
class Alarm:
    """An alarm of a monitored series: the prevalence crossed the bound. ``str(alarm)`` is a sentence.

    Attributes
    ----------
    date : date or text
        The period in which the alarm was raised, as in `by`.
    since : date or text
        The period in which the strongest evidence begins, an estimate of when the bound was crossed.
    e_value : float
        The evidence; an alarm needs ``MonitorResult.alarm_threshold``.
    """

    date: Any
    since: Any
    e_value: float
    _text: str = field(repr=False)

    def __str__(self) -> str:
        return self._text


class MonitorResult(ResultTable):
    """A table of periods in the order of time; made by `Model.monitor` or `Tally.monitor`.

    After the column of the periods, its columns are those of the command:

    - the estimate: ``n``, ``prevalence``, ``raw``, ``se``, ``lower``, ``upper``, ``misfit``,
      ``level``, ``target``, ``severity`` and ``warnings``;
    - the difference from the previous period: ``change``, ``change_se``, ``change_lower``,
      ``change_upper`` and ``change_p``; and from the baseline: ``from_baseline`` and so on;
    - a smooth line through all periods: ``smoothed``, with its standard errors from test scores
      and from labels (``smoothed_se_noise``, ``smoothed_se_labels``) and its band
      (``smoothed_lower``, ``smoothed_upper``);
    - the running mean, with a band that is valid at all looks together: ``running_mean``,
      ``running_mean_lower`` and ``running_mean_upper``;
    - with a bound: ``bound``, ``e_value``, ``alarm`` (whether an alarm has been raised by then),
      ``change_point``, and the steady share that would have raised an alarm by then with a
      probability of 80 % (``detectable_share``; NaN if no share would).

    Attributes
    ----------
    alarm : Alarm or None
        The alarm, with its date and evidence; None without an alarm.
    conclusion : str
        The result in a sentence: alarm, no alarm, or cannot tell, with the reason.
    alarm_threshold : float
        The lowest e-value that raises an alarm, 2 / (1 - level).
    baseline : tuple of str
        The first and the last date of the baseline.
    drift : float
        The variance that the prevalence gains in a `unit` of time.
    unit : str
        "day", "week", "month", "quarter" or "year".
    """

    def __init__(self, result: _core.MonitorResult, groups: dict[str, NDArray[Any]]) -> None:
        super().__init__(result, groups)
        self.alarm = self._alarm(result["alarm_at"], result["alarm"])
        self.conclusion: str = result["conclusion"]
        self.alarm_threshold: float = result["alarm_threshold"]
        first, last = result["baseline"]
        self.baseline = (first, last)
        self.drift: float = result["drift"]
        self.unit: str = result["unit"]
        self._smooths = result["smooths"]
        self._series_notes = [*result["notes"], *result["left_out"]]

    def _alarm(self, row: int | None, text: str | None) -> Alarm | None:
        if row is None or text is None:
            return None
        dates = [python_value(date) for date in self._columns[self._groups[0]]]
        since = [format_value(date) for date in dates].index(self._columns["change_point"][row])
        return Alarm(dates[row], dates[since], float(self.e_value[row]), text)

    prevalence = Column[np.float64]("Estimated prevalences, clipped to [0, 1].")
    smoothed = Column[np.float64]("The smooth line through all periods; NaN if no period is reliable.")
    e_value = Column[np.float64]("Evidence up to each period that the bound was crossed; NaN without a bound.")

    @property
    def warnings(self) -> list[tuple[EstimateWarning, ...]]:
        """The warnings of each row."""
        return list(self._columns["warnings"])

    def _notes(self) -> list[str]:
        (column,) = self._groups
        rows = [(format_value(self._columns[column][row]), warnings) for row, warnings in enumerate(self.warnings)]
        return [self.conclusion, *self._explained, *self._series_notes, *grouped_warning_lines(rows)]


def _baseline_text(baseline: Any) -> str | None:
    """Return a baseline, one date or the first and the last, as a text for the library."""
    if baseline is None:
        return None
    if isinstance(baseline, Sequence) and not isinstance(baseline, str):
        if len(baseline) != 2:
            raise invalid_option("baseline", baseline, "it must be a date, or the first and the last")
        return "..".join(format_value(date) for date in baseline)
    return format_value(baseline)


@takes_options_of(formula_options)
def monitor(
    model: FittedModel,
    tally: tuple[_core.Tally, tuple[str, ...], list[tuple[Any, ...]]],
    *,
    above: float | None = None,
    below: float | None = None,
    baseline: Any = None,
    **kwargs: Unpack[FormulaKwargs],
) -> MonitorResult:
    """Monitor a tally, given with the names and the values of its groups."""
    options = formula_options(NO_BOOTSTRAP, **kwargs)
    core_tally, names, keys = tally
    if above is not None and below is not None:
        raise option_conflict("below", "above and below are two bounds; leave out one of them")
    if len(names) != 1:
        have = f"by {', '.join(names)}" if names else "of one group"
        raise option_conflict("by", f"a series has one column of dates, and this is {have}: give by, one column")
    if len(model._methods) > 1:
        raise option_conflict(
            "method",
            f"there are {len(model._methods)} methods, {', '.join(model._methods)}: a series is watched by one",
        )
    (name,) = names
    values = {name: [value for (value,) in keys]}
    options |= request_options({}, {"above": above, "below": below})
    request: _core.Request = {"options": {**options, "baseline": _baseline_text(baseline)}, "check": True}
    result = _core.monitor(model._core, core_tally, group_texts(values), request)
    return MonitorResult(result, group_columns(values, np.array(result["groups"], dtype=np.int64)))
