"""Tallies: small mergeable summaries of test scores."""

from __future__ import annotations

import os
import secrets
import warnings as python_warnings
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truecount import _core
from truecount._columns import is_missing, read_column, write_column
from truecount._compare import GroupComparison
from truecount._errors import OptionError, PrevalenceWarning, TallyError, TruecountError, option_conflict
from truecount._fit import FittedModel
from truecount._inputs import parse_one_column
from truecount._monitor import NO_BOOTSTRAP, MonitorKwargs, MonitorResult, monitor
from truecount._options import FormulaKwargs, formula_options, request_options, takes_options_of
from truecount._results import Estimate, Estimates

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Tally"]


class TallyKwargs(FormulaKwargs, total=False):
    """Keyword arguments of `Tally.estimate`."""

    check: bool
    publish: str | None


@takes_options_of(formula_options)
def _tally_request(*, check: bool = True, publish: str | None = None, **kwargs: Unpack[FormulaKwargs]) -> _core.Request:
    options = formula_options(NO_BOOTSTRAP, **kwargs) | request_options({}, {"publish": publish})
    return {"options": options, "check": bool(check)}


_CoreTally = _core.Tally


class Tally:
    """A summary of test scores, by group or of all scores together; made by `Model.tally`.

    Tallies are added with ``+``, and the sum of the tallies of parts is the tally of the whole, whatever the parts and
    their order. Tallies can be pickled. The commands ``truecount tally`` and ``truecount finish`` write and read the
    same files as `write` and `read`. For most methods the size of a tally does not depend on the number of scores.
    """

    _model: FittedModel
    _names: tuple[str, ...]
    _numbers: dict[tuple[Any, ...], int]
    """The number of each group, by its values."""
    _tally: _CoreTally

    def __init__(self) -> None:
        raise TypeError("make a tally with model.tally(test_scores)")

    @classmethod
    def _from_keys(
        cls, model: FittedModel, names: tuple[str, ...], keys: Iterable[tuple[Any, ...]], tally: _CoreTally
    ) -> Tally:
        """Return the tally of groups with these values; groups with equal values are added."""
        known: dict[tuple[Any, ...], int] = {}
        numbers = _number_groups(known, (tuple(None if is_missing(value) else value for value in key) for key in keys))
        return cls._new(
            model, names, known, tally if len(known) == len(numbers) else _CoreTally.sum([(tally, numbers)])
        )

    @classmethod
    def _new(
        cls, model: FittedModel, names: tuple[str, ...], numbers: dict[tuple[Any, ...], int], tally: _CoreTally
    ) -> Tally:
        new = object.__new__(cls)
        new._model, new._names, new._numbers, new._tally = model, names, numbers, tally
        return new

    @classmethod
    def _sum(cls, tallies: list[Tally]) -> Tally:
        """Return the sum of one or more tallies by the same columns."""
        numbers: dict[tuple[Any, ...], int] = {}
        parts = [(tally._tally, _number_groups(numbers, tally._numbers)) for tally in tallies]
        return cls._new(tallies[0]._model, tallies[0]._names, numbers, _CoreTally.sum(parts))

    @classmethod
    def read(cls, model: FittedModel, path: str | os.PathLike[str]) -> Tally:
        """Read a tally from a file of `write` or of the command ``truecount tally``.

        Parameters
        ----------
        model : Model
            The model of the tally, or an equal model.
        path : str or path

        Raises
        ------
        TruecountError
            If the file is damaged, not a tally, or belongs to another model.
        """
        try:
            return cls._parse(model, Path(path).read_bytes())
        except TruecountError as error:
            raise error.at(str(path), path=str(path)) from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the tally to a Parquet file with a row for each group: completely, or not at all.

        The values of a grouping column must have one type: texts, numbers, flags, dates or times.
        """
        _core.write_file(path, self.to_bytes())

    @classmethod
    def from_bytes(cls, model: FittedModel, content: bytes) -> Tally:
        """Return a tally from the content of a file, as `read` does from the file.

        Parameters
        ----------
        model : Model
            The model of the tally, or an equal model.
        content : bytes
        """
        try:
            return cls._parse(model, content)
        except TruecountError as error:
            raise error.at("content") from None

    def to_bytes(self) -> bytes:
        """Return the content of the file that `write` writes."""
        if "tally" in self._names:
            message = "by: a tally file has a column 'tally' of its own; rename that column"
            raise OptionError(message, "column-twice", column="tally")
        columns = [
            (name, *write_column(name, [key[index] for key in self._numbers])) for index, name in enumerate(self._names)
        ]
        return self._model._core.write_tally(self._tally, columns)

    @classmethod
    def _parse(cls, model: FittedModel, content: bytes) -> Tally:
        columns, tally = model._core.read_tally(content)
        names = tuple(name for name, *_ in columns)
        keys = zip(*(read_column(kind, values, zone) for _, kind, values, zone in columns)) if columns else [()]
        return cls._from_keys(model, names, keys, tally)

    def _pack(self) -> tuple[list[tuple[Any, ...]], bytes]:
        """Return the values of the groups, of any type, and a tally file with their numbers."""
        numbers = ("number", "whole", [*self._numbers.values()], None)
        return [*self._numbers], self._model._core.write_tally(self._tally, [numbers])

    @classmethod
    def _unpack(cls, model: FittedModel, names: tuple[str, ...], keys: list[tuple[Any, ...]], content: bytes) -> Tally:
        return cls._from_keys(model, names, keys, model._core.read_tally(content)[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return Tally._unpack, (self._model, self._names, *self._pack())

    @property
    def n(self) -> int:
        """Number of scores."""
        return self._tally.n

    def __len__(self) -> int:
        """Return the number of groups."""
        return len(self._numbers)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if other is self:
            raise TallyError("the tally is added to itself, so its scores would count twice", "tally-twice")
        if self._names != other._names:
            raise TallyError(
                f"one tally is {_grouping(self._names)}, the other {_grouping(other._names)}; tally both with the same "
                "by",
                "tallies-differ",
                columns=list(self._names),
                others=list(other._names),
            )
        return Tally._sum([self, other])

    def __radd__(self, other: Any) -> Tally:
        # sum() starts with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    @takes_options_of(_tally_request)
    def estimate(self, **kwargs: Unpack[TallyKwargs]) -> Estimate:
        """Estimate the prevalence of all scores by the model's only method, without groups.

        Parameters
        ----------
        level, target, interval, misfit, check
            As in `truecount.estimate`, without the bootstrap; the default of `check` is True.
        """
        if self._names or len(self._model._methods) > 1:
            several = f"by {', '.join(self._names)}" if self._names else f"of {len(self._model._methods)} methods"
            raise option_conflict(
                "by" if self._names else "method", f"the tally is {several}: estimate_each gives a row for each"
            )
        return self.estimate_each(**kwargs).iloc[0]

    @takes_options_of(_tally_request)
    def estimate_each(self, *, sort: bool = True, **kwargs: Unpack[TallyKwargs]) -> Estimates:
        """Estimate the prevalence of each group by each of the model's methods.

        Parameters
        ----------
        sort, level, target, interval, misfit, check, publish
            As in `truecount.estimate`, without the bootstrap; the default of `check` is True.

        Returns
        -------
        Estimates
            A row for each group and method.

        Warns
        -----
        PrevalenceWarning
            If all groups together are not a mixture of the labelled classes. They are checked
            together in a tally from a file of more than 20,000 groups, and otherwise one by one.
        """
        request, core, keys = _tally_request(**kwargs), self._model._core, list(self._numbers)
        columns, _, warning = core.estimate(self._tally, request)
        if warning is not None:
            python_warnings.warn(f"all groups together: {warning}", PrevalenceWarning, stacklevel=2)
        values = {name: [key[index] for key in keys] for index, name in enumerate(self._names)}
        level = request["options"]["level"]
        metadata = self._model._metadata(level, columns["target"])
        if not values:
            return Estimates(columns, {}, metadata)
        request["options"]["by"] = ["by"]
        comparison = GroupComparison(partial(_core.compare_groups, core, self._tally, request), values, level)
        return Estimates._from_groups(columns, values, metadata, sort)._with_total(None, comparison)

    @takes_options_of(monitor)
    def monitor(self, **kwargs: Unpack[MonitorKwargs]) -> MonitorResult:
        """Monitor the groups, which are periods, over time, as `Model.monitor` does from scores.

        Parameters
        ----------
        above, below, baseline, level, target, interval, misfit
            As in `Model.monitor`.

        Examples
        --------
        ``sum(tc.Tally.read(model, path) for path in paths).monitor(above=0.05).alarm``
        """
        return monitor(self._model, (self._tally, self._names, [*self._numbers]), **kwargs)

    def __repr__(self) -> str:
        by = f", {len(self)} groups by {', '.join(self._names)}" if self._names else ""
        return f"Tally({self.n} scores{by})"


def _grouping(names: Sequence[str]) -> str:
    return f"by {', '.join(names)}" if names else "without groups"


def _number_groups(known: dict[tuple[Any, ...], int], keys: Iterable[tuple[Any, ...]]) -> list[int]:
    """Return the numbers of groups with these values, and add new groups to the known ones."""
    return [known.setdefault(key, len(known)) for key in keys]


class TallyingModel(FittedModel):
    """A model that tallies and monitors."""

    def tally(self, test_scores: Any, *, by: Any = None, test_probabilities: Any = None, weights: Any = None) -> Tally:
        """Summarise test scores in a small tally, which can be added to others and estimated later.

        Parameters
        ----------
        test_scores, by, test_probabilities, weights
            As in `estimate`.

        Examples
        --------
        >>> import truecount as tc
        >>> model = tc.Model.fit([2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0])
        >>> monday, tuesday = model.tally([1.7, 0.2]), model.tally([-0.5, 2.2, 0.8])
        >>> (monday + tuesday).estimate().n
        5
        """
        sets = parse_one_column(test_scores, test_probabilities, weights, by)
        tally = sets.call(self._core.tally, sets.columns, secrets.randbits(64))
        keys = zip(*sets.values.values()) if sets.values else [()]
        return Tally._from_keys(self, tuple(sets.values), keys, tally)

    @takes_options_of(Tally.monitor)
    def monitor(
        self,
        test_scores: Any,
        *,
        by: Any,
        test_probabilities: Any = None,
        weights: Any = None,
        **kwargs: Unpack[MonitorKwargs],
    ) -> MonitorResult:
        """Monitor a prevalence over time: changes, a smooth trend, and alarms.

        Alarms and the bands of the running mean are valid for any number of looks, and at any time that one stops.

        Parameters
        ----------
        test_scores, test_probabilities, weights
            As in `estimate`.
        by : array-like, shape (n,), or one column
            The periods: dates, points in time, or texts such as 2026-01-31, 2026-W05, 2026-01 and
            2026-Q1. Scores without a period are left out.
        above, below : float, optional
            The bound, only one of the two: an alarm is raised if the prevalence is above it, or below it. At most a
            share of 1 - level of all series has a false alarm, whatever the number of looks.
        baseline : date, or tuple of two, optional
            The period, or the first and the last period, that all others are compared with; by
            default the first reliable period.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> weeks = np.repeat(["2026-W01", "2026-W02", "2026-W03"], 300)
        >>> scores = rng.normal(2.0 * (rng.random(900) < np.repeat([0.1, 0.1, 0.4], 300)))
        >>> result = model.monitor(scores, by=weeks, above=0.2)
        >>> result.prevalence.round(2)
        array([0.12, 0.15, 0.42])
        >>> result.alarm.date, result.alarm.since
        ('2026-W03', '2026-W03')
        """
        return self.tally(test_scores, by=by, test_probabilities=test_probabilities, weights=weights).monitor(**kwargs)
