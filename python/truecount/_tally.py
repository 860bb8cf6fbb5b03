"""Tallies: small summaries of test scores that can be added and sent elsewhere."""

from __future__ import annotations

import os
import warnings as python_warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from truecount import _core
from truecount._columns import is_missing
from truecount._conditions import OptionError, PrevalenceWarning, TallyError, TruecountError
from truecount._differences import Compared
from truecount._fitted import Fitted
from truecount._keys import read, written
from truecount._monitor import Monitored, monitor
from truecount._names import Misfit, Target
from truecount._options import Reporting, refuse_bootstrap, reporting
from truecount._results import Estimate, Estimates
from truecount._sizes import NOTHING

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Tally"]


class OfTally(TypedDict, total=False):
    """What may be asked of a tally."""

    level: float
    target: Target
    interval: Literal["wilson", "wald"]
    misfit: Misfit
    check: bool


_Tallied = _core.Tally


class Tally:
    """What a model keeps of test scores, by group or of all: made by `Model.tally`, added with ``+``, finished into estimates.

    Adding tallies of parts gives that of the whole, whatever the parts and their order. It can be pickled, and `write` and
    `read` take it to other programs: the command ``truecount finish`` reads the files, and what ``truecount tally`` writes can
    be read here. For most methods it has constant size.
    """

    _model: Fitted
    _names: tuple[str, ...]
    _places: dict[tuple[Any, ...], int]
    """The values of each group, with its number."""
    _tally: _Tallied

    def __init__(self) -> None:
        raise TypeError("make a tally with model.tally(test_scores)")

    @classmethod
    def _of(cls, model: Fitted, names: tuple[str, ...], keys: Iterable[tuple[Any, ...]], tally: _Tallied) -> Tally:
        """The tally of groups with these values; those of the same group are added."""
        places: dict[tuple[Any, ...], int] = {}
        numbers = _numbered(places, (tuple(None if is_missing(value) else value for value in key) for key in keys))
        return cls._at(model, names, places, tally if len(places) == len(numbers) else _Tallied.sum([(tally, numbers)]))

    @classmethod
    def _at(cls, model: Fitted, names: tuple[str, ...], places: dict[tuple[Any, ...], int], tally: _Tallied) -> Tally:
        found = object.__new__(cls)
        found._model, found._names, found._places, found._tally = model, names, places, tally
        return found

    @classmethod
    def _sum(cls, tallies: list[Tally]) -> Tally:
        """The sum of tallies by the same columns; there is at least one."""
        places: dict[tuple[Any, ...], int] = {}
        parts = [(tally._tally, _numbered(places, tally._places)) for tally in tallies]
        return cls._at(tallies[0]._model, tallies[0]._names, places, _Tallied.sum(parts))

    @classmethod
    def read(cls, model: Fitted, path: str | os.PathLike[str]) -> Tally:
        """The tally of a file that `write` or the command ``truecount tally`` wrote.

        Parameters
        ----------
        model : Model
            The model that the tally was made with, or an equal one.
        path : str or path

        Raises
        ------
        TruecountError
            For a file that is no tally, damaged, or of another model.
        OSError
            For one that cannot be read.
        """
        try:
            return cls._parsed(model, Path(path).read_bytes())
        except TruecountError as error:
            raise error.at(str(path), path=str(path)) from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the tally to a file, whole or not at all: a Parquet file with a row for each group.

        The values of a column that makes groups must be of one type: texts, numbers, flags, dates or times.

        Raises
        ------
        TruecountError
            For groups of other values.
        OSError
            Where it cannot be written.
        """
        _core.write_file(path, self.to_bytes())

    @classmethod
    def from_bytes(cls, model: Fitted, content: bytes) -> Tally:
        """The same as `read`, of the content of a file."""
        try:
            return cls._parsed(model, content)
        except TruecountError as error:
            raise error.at("content") from None

    def to_bytes(self) -> bytes:
        """The content of the file that `write` writes."""
        if "tally" in self._names:
            what = "by: a tally file has a column 'tally' of its own; rename that column"
            raise OptionError(what, "column-twice", column="tally")
        columns = [
            (name, *written(name, [key[place] for key in self._places])) for place, name in enumerate(self._names)
        ]
        return self._model._core.write_tally(self._tally, columns)

    @classmethod
    def _parsed(cls, model: Fitted, content: bytes) -> Tally:
        columns, tally = model._core.read_tally(content)
        names = tuple(name for name, *_ in columns)
        keys = zip(*(read(kind, values, zone) for _, kind, values, zone in columns)) if columns else [()]
        return cls._of(model, names, keys, tally)

    def _packed(self) -> tuple[list[tuple[Any, ...]], bytes]:
        """The values of the groups, whatever they are, and a tally file of their numbers."""
        numbers = ("number", "whole", [*self._places.values()], None)
        return [*self._places], self._model._core.write_tally(self._tally, [numbers])

    @classmethod
    def _unpacked(cls, model: Fitted, names: tuple[str, ...], keys: list[tuple[Any, ...]], content: bytes) -> Tally:
        return cls._of(model, names, keys, model._core.read_tally(content)[1])

    def __reduce__(self) -> tuple[Any, ...]:
        return Tally._unpacked, (self._model, self._names, *self._packed())

    @property
    def n(self) -> int:
        """The number of scores."""
        return self._tally.n

    def __len__(self) -> int:
        """The number of groups."""
        return len(self._places)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if self._names != other._names:
            raise TallyError(
                f"one tally is by {list(self._names)}, the other by {list(other._names)}",
                "tallies-differ",
                columns=list(self._names),
                others=list(other._names),
            )
        return Tally._sum([self, other])

    def __radd__(self, other: Any) -> Tally:
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def finish(self, **asked: Unpack[OfTally]) -> Estimate:
        """The estimate of all scores, by one method.

        Parameters
        ----------
        level, target, interval, misfit, check
            As in `truecount.estimate`, without the bootstrap; `check` is by default True.

        Returns
        -------
        Estimate

        Raises
        ------
        TruecountError
            For a tally of groups or by several methods, of which there is `finish_each`.
        """
        if self._names or len(self._model._methods) > 1:
            several = f"by {', '.join(self._names)}" if self._names else f"of {len(self._model._methods)} methods"
            raise OptionError(
                f"the tally is {several}: finish_each gives a row for each",
                "option-conflict",
                name="by" if self._names else "method",
            )
        return self.finish_each(**asked)[0]

    def finish_each(self, *, sort: bool = True, **asked: Unpack[OfTally]) -> Estimates:
        """The estimates of each group by each method.

        Parameters
        ----------
        sort : bool, default True
            As in `truecount.estimate`.
        level, target, interval, misfit, check
            As in `finish`.

        Returns
        -------
        Estimates

        Warns
        -----
        PrevalenceWarning
            Where a file of more than 20,000 groups was read, of which all are checked together, if they are no mixture of the
            labelled classes.
        """
        reporting, check = _asked(**asked)
        keys = list(self._places)
        columns, _, warning = self._model._core.finish(self._tally, reporting, check, NOTHING)
        if warning is not None:
            python_warnings.warn(f"all groups together: {warning}", PrevalenceWarning, stacklevel=2)
        values = {name: [key[place] for key in keys] for place, name in enumerate(self._names)}
        terms = self._model._terms(reporting[0])
        if not values:
            return Estimates(columns, {}, terms)
        compared = Compared(self._model._core, self._tally, values, reporting, check, NOTHING)
        return Estimates._of_groups(columns, values, terms, sort)._together(None, compared)

    def monitor(
        self,
        *,
        above: float | None = None,
        below: float | None = None,
        baseline: Any = None,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
        misfit: Misfit = "widen",
    ) -> Monitored:
        """Watch the groups over time, which are dates; as `Model.monitor`, without going back to the scores.

        Parameters are those of `Model.monitor`.

        Returns
        -------
        Monitored

        Examples
        --------
        ``sum(tc.Tally.read(model, path) for path in paths).monitor(above=0.05).alarm``
        """
        reporting, _ = _asked(level, target, interval, misfit)
        groups = self._tally, self._names, [*self._places]
        return monitor(self._model, groups, reporting, above, below, baseline)

    def __repr__(self) -> str:
        by = f", {len(self)} groups by {', '.join(self._names)}" if self._names else ""
        return f"Tally({self.n} scores{by})"


def _asked(
    level: float = 0.95,
    target: Target = "sample",
    interval: str = "wilson",
    misfit: Misfit = "widen",
    check: bool = True,
) -> tuple[Reporting, bool]:
    refuse_bootstrap(interval, "a tally has no bootstrap, which needs the scores; leave out interval")
    return reporting(level, target, interval, misfit), bool(check)


def _numbered(places: dict[tuple[Any, ...], int], keys: Iterable[tuple[Any, ...]]) -> list[int]:
    """The numbers of groups with these values; new ones are added to those known."""
    return [places.setdefault(key, len(places)) for key in keys]
