"""Tallies: small summaries of test scores that can be added and sent elsewhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Union

from truecount import _core
from truecount._results import Estimate, Estimates
from truecount._table import _array

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
    def _of(cls, model: Model, names: tuple[str, ...], tallies: dict[tuple[Any, ...], _core.Tally]) -> Tally:
        tally = object.__new__(cls)
        tally._model, tally._names, tally._tallies = model, names, tallies
        return tally

    @classmethod
    def from_json(cls, model: Model, text: str | bytes) -> Tally:
        """The tally that `to_json` wrote, of this model.

        Raises
        ------
        ValueError
            For text that is no tally, or of another model.
        """
        try:
            content = json.loads(text)
            names, groups = tuple(content["by"]), [(tuple(group["key"]), group["tally"]) for group in content["groups"]]
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"not a tally: {error!r}") from None
        return cls._of(model, names, {key: model._core.read_tally(json.dumps(tally)) for key, tally in groups})

    def to_json(self) -> str:
        """All there is to it, as text; the values of the groups must be texts or numbers."""
        groups = [{"key": list(key), "tally": json.loads(tally.to_json())} for key, tally in self._tallies.items()]
        return json.dumps({"by": list(self._names), "groups": groups})

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
            raise ValueError(f"one tally is by {list(self._names)}, the other by {list(other._names)}")
        merged = dict(self._tallies)
        for key, tally in other._tallies.items():
            merged[key] = merged[key].merged(tally) if key in merged else tally
        return Tally._of(self._model, self._names, merged)

    def __radd__(self, other: Any) -> Tally:
        # sum() begins with 0.
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def finish(
        self, *, level: float = 0.95, target: str = "sample", interval: str = "wilson", check: bool = True
    ) -> Union[Estimate, Estimates]:
        """The estimates; the arguments are those of `truecount.estimate`, without the bootstrap.

        Returns
        -------
        Estimate or Estimates
            One estimate; a table for several methods or groups, in order of first appearance.
        """
        if interval == "bootstrap":
            raise ValueError("a tally has no bootstrap, which needs the scores; leave out interval")
        keys = list(self._tallies)
        try:
            columns = self._model._core.finish(list(self._tallies.values()), (float(level), target, interval), check)
        except ValueError as error:
            raise ValueError(error.args[0]) from None
        names = {name: _array([key[place] for key in keys]) for place, name in enumerate(self._names)}
        found = Estimates(columns, names, self._model.methods, float(level))
        return found if self._names or len(found) > 1 else found[0]

    def __repr__(self) -> str:
        by = f", {len(self)} groups by {', '.join(self._names)}" if self._names else ""
        return f"Tally({self.n} scores{by})"


def _unpickled(model: Model, names: tuple[str, ...], plain: dict[tuple[Any, ...], str]) -> Tally:
    return Tally._of(model, names, {key: model._core.read_tally(text) for key, text in plain.items()})
