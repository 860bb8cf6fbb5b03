"""Tallies: small summaries of test scores that can be added and sent elsewhere."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from datetime import date, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from truecount import _core
from truecount._columns import is_missing
from truecount._conditions import OptionError, TallyError
from truecount._groups import natural
from truecount._options import reporting
from truecount._results import Estimate, Estimates

if TYPE_CHECKING:
    from truecount._model import Model

__all__ = ["Tally"]


class Tally:
    """What a model keeps of test scores, by group or of all: made by `Model.tally`, added with ``+``, finished into estimates.

    Adding tallies of parts gives that of the whole, whatever the parts and their order. It can be pickled, and `to_json` and
    `from_json` take it to other programs; for most methods it has constant size.
    """

    _model: Model
    _names: tuple[str, ...]
    _tallies: dict[tuple[Any, ...], _core.Tally]

    def __init__(self) -> None:
        raise TypeError("make a tally with model.tally(test_scores)")

    @classmethod
    def _of(cls, model: Model, names: tuple[str, ...], tallies: Iterable[tuple[tuple[Any, ...], _core.Tally]]) -> Tally:
        """Tallies of groups, those of the same group added."""
        merged: dict[tuple[Any, ...], _core.Tally] = {}
        for values, tally in tallies:
            key = tuple(None if is_missing(value) else value for value in values)
            merged[key] = merged[key].merged(tally) if key in merged else tally
        found = object.__new__(cls)
        found._model, found._names, found._tallies = model, names, merged
        return found

    @classmethod
    def from_json(cls, model: Model, text: str | bytes) -> Tally:
        """The tally that `to_json` wrote, of this model.

        Raises
        ------
        TruecountError
            For text that is no tally, or of another model.
        """
        try:
            content = json.loads(text)
            names = tuple(content["by"])
            groups = [(tuple(map(_read, group["key"])), group["tally"]) for group in content["groups"]]
            whole = all(len(key) == len(names) for key, _ in groups)
        except (ValueError, LookupError, TypeError):
            whole = False
        if not whole:
            raise TallyError("not a tally: it must be text that Tally.to_json wrote", "not-a-tally")
        return cls._of(model, names, ((key, model._core.read_tally(json.dumps(tally))) for key, tally in groups))

    def to_json(self) -> str:
        """All there is to it, as text; the values of the groups may be texts, numbers, dates and times.

        Raises
        ------
        TruecountError
            For groups of other values.
        """
        keys = (json.dumps([*map(_written, key)]) for key in self._tallies)
        groups = (f'{{"key": {key}, "tally": {tally.to_json()}}}' for key, tally in zip(keys, self._tallies.values()))
        return f'{{"by": {json.dumps(list(self._names))}, "groups": [{", ".join(groups)}]}}'

    def __reduce__(self) -> tuple[Any, ...]:
        plain = {key: tally.to_json() for key, tally in self._tallies.items()}
        return _unpickled, (self._model, self._names, plain)

    @property
    def n(self) -> int:
        """The number of scores."""
        return sum(tally.n for tally in self._tallies.values())

    def __len__(self) -> int:
        """The number of groups."""
        return len(self._tallies)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        if self._names != other._names:
            raise TallyError(
                f"one tally is by {list(self._names)}, the other by {list(other._names)}",
                "tallies-differ", columns=list(self._names), others=list(other._names),
            )
        return Tally._of(self._model, self._names, chain(self._tallies.items(), other._tallies.items()))

    def __radd__(self, other: Any) -> Tally:
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def finish(
        self, *, level: float = 0.95, target: str = "sample", interval: str = "wilson", check: bool = True
    ) -> Estimate | Estimates:
        """The estimates; the arguments are those of `truecount.estimate`, without the bootstrap.

        Returns
        -------
        Estimate or Estimates
            One estimate; a table for several methods or groups, in order of first appearance.
        """
        if interval == "bootstrap":
            raise OptionError(
                "a tally has no bootstrap, which needs the scores; leave out interval",
                "option-conflict", name="interval",
            )
        keys = list(self._tallies)
        asked = reporting(level, target, interval)
        columns = self._model._core.finish(list(self._tallies.values()), asked, bool(check))
        names = {name: natural([key[place] for key in keys]) for place, name in enumerate(self._names)}
        found = Estimates(columns, names, self._model._accounts(), asked[0])
        return found if self._names or len(found) > 1 else found[0]

    def __repr__(self) -> str:
        by = f", {len(self)} groups by {', '.join(self._names)}" if self._names else ""
        return f"Tally({self.n} scores{by})"


_READERS: dict[str, Callable[[str], Any]] = {
    "float": float,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "datetime64": np.datetime64,
}
"""How to read what JSON has no type for."""


def _written(value: Any) -> Any:
    """A group's value as JSON has it."""
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    kind = type(value).__name__
    if kind not in _READERS:
        raise TallyError(
            f"the group {value!r} has a type that JSON does not know; make text of it",
            "group-not-writable", value=value,
        )
    return {kind: value.isoformat() if isinstance(value, date) else str(value)}


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, text),) = value.items()
    return _READERS[kind](text)


def _unpickled(model: Model, names: tuple[str, ...], plain: dict[tuple[Any, ...], str]) -> Tally:
    return Tally._of(model, names, ((key, model._core.read_tally(text)) for key, text in plain.items()))
