"""A prevalence watched over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import shown
from truecount._conditions import Caveat, OptionError
from truecount._described import Described, of_groups
from truecount._fitted import Fitted
from truecount._names import Misfit, Target
from truecount._options import Reporting, real
from truecount._table import worded
from truecount._warned import warned

__all__ = ["Monitored", "OfMonitor", "monitor"]


class OfMonitor(TypedDict, total=False):
    """What may be asked of periods: arguments of `Model.monitor`."""

    above: float | None
    below: float | None
    baseline: Any
    level: float
    target: Target
    interval: Literal["wilson", "wald"]
    misfit: Misfit


class Monitored(Described):
    """Periods in the order of time, a row for each; made by `Model.monitor` or `Tally.monitor`.

    Beside the column of the dates its columns are those of the command: the estimate (``n``, ``prevalence``, ``raw``, ``se``, ``lower``,
    ``upper``, ``misfit``, ``level``, ``severity``, ``warnings``); the difference from the period before (``change``, ``change_se``,
    ``change_lower``, ``change_upper``, ``change_p``) and from the baseline (``from_baseline`` and so on); a smooth line through all periods
    (``smoothed``) with its standard errors by test scores and by labels (``smoothed_se_noise``, ``smoothed_se_labels``) and its band
    (``smoothed_lower``, ``smoothed_upper``); the share so far with a band for all looks together (``running_mean``, ``running_mean_lower``,
    ``running_mean_upper``); and with a bound ``bound``, ``e_value``, ``alarm`` (whether it has been raised by then) and ``change_point``.

    Attributes
    ----------
    alarm : str or None
        The alarm in words; None where none was raised.
    alarm_at : date or None
        The period at which it was raised, as `by` has it.
    alarm_threshold : float
        The e-value from which on an alarm is raised, 2 / (1 - level).
    baseline : tuple of str
        The first and the last date of the baseline.
    drift : float
        The variance that the level gains in a `unit` of time.
    unit : str
        "day", "week", "month" or "quarter".
    """

    def __init__(self, found: _core.Monitored, groups: dict[str, NDArray[Any]]) -> None:
        super().__init__(found, groups)
        self.alarm: str | None = found["alarm"]
        (dates,) = groups.values()
        self.alarm_at: Any = None if found["alarm_at"] is None else dates[found["alarm_at"]]
        self.alarm_threshold: float = found["alarm_threshold"]
        first, last = found["baseline"]
        self.baseline = (first, last)
        self.drift: float = found["drift"]
        self.unit: str = found["unit"]
        self._remarks = [*found["notes"], *found["left_out"]]

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """`raw` kept inside [0, 1]."""
        return self._column("prevalence")

    @property
    def smoothed(self) -> NDArray[np.float64]:
        """The line through all periods; NaN where no period is reliable."""
        return self._column("smoothed")

    @property
    def e_value(self) -> NDArray[np.float64]:
        """Evidence so far that the bound was passed: at most 1 on average if it never was; NaN without one."""
        return self._column("e_value")

    @property
    def warnings(self) -> list[tuple[Caveat, ...]]:
        """What to beware of, row by row."""
        return list(self._columns["warnings"])

    def _notes(self) -> list[str]:
        alarm = [] if self.alarm is None else [f"alarm: {self.alarm}"]
        (column,) = self._groups
        rows = [(worded(self._columns[column][row]), caveats) for row, caveats in enumerate(self.warnings)]
        return [*alarm, *self._explained, *self._remarks, *warned(rows)]


def _dates(baseline: Any) -> str | None:
    """One date or two, as the library reads them."""
    if baseline is None:
        return None
    if isinstance(baseline, Sequence) and not isinstance(baseline, str):
        if len(baseline) != 2:
            raise OptionError(
                f"baseline is {shown(baseline)}; it must be a date, or the first and the last",
                "option-invalid",
                name="baseline",
                value=baseline,
            )
        return "..".join(worded(date) for date in baseline)
    return worded(baseline)


def monitor(
    model: Fitted,
    tally: tuple[_core.Tally, tuple[str, ...], list[tuple[Any, ...]]],
    asked: Reporting,
    above: float | None,
    below: float | None,
    baseline: Any,
) -> Monitored:
    """The periods of a tally, which comes with the columns of its groups and their values."""
    of, names, keys = tally
    if above is not None and below is not None:
        raise OptionError("above and below are two bounds; leave out one of them", "option-conflict", name="below")
    if len(names) != 1:
        have = f"by {', '.join(names)}" if names else "of one group"
        raise OptionError(
            f"a series has one column of dates, and this is {have}: give by, one column", "option-conflict", name="by"
        )
    if len(model._methods) > 1:
        raise OptionError(
            f"there are {len(model._methods)} methods, {', '.join(model._methods)}: a series is watched by one",
            "option-conflict",
            name="method",
        )
    (name,) = names
    values = [value for (value,) in keys]
    texts = ["" if value is None else worded(value) for value in values]
    bounds = None if above is None else real(above, "above"), None if below is None else real(below, "below")
    found = _core.monitor(model._core, of, (name, texts), (*bounds, _dates(baseline)), asked)
    return Monitored(found, of_groups({name: values}, np.array(found["groups"], dtype=np.int64)))
