"""The base of `Model`, which tallies and tables use too."""

from __future__ import annotations

from typing import Any

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import OptionError
from truecount._results import EstimateMetadata

__all__ = ["FittedModel", "check_model"]


class FittedModel:
    """A fitted model without its public methods."""

    _core: _core.Model
    _positive: Any
    _methods: dict[str, str | None]
    """The methods, with what their standard errors account for."""

    def _metadata(self, level: float, target: str, resamples: int | None = None) -> EstimateMetadata:
        methods = self._methods if resamples is None else dict(zip(self._methods, self._core.variances(resamples)))
        return EstimateMetadata(methods, level, target, self._positive)


def check_model(model: Any, name: str) -> None:
    """Raise an error unless the argument with this name is a model or None."""
    if model is not None and not isinstance(model, FittedModel):
        hint = f"; take its {name}.model_" if hasattr(model, "model_") else ""
        raise OptionError(
            f"{name} is {short_repr(model)}; it must be a truecount.Model{hint}",
            "option-invalid",
            name=name,
            value=model,
        )
