"""The base of `Model`, which tallies and tables use too."""

from __future__ import annotations

from typing import Any

from truecount import _core
from truecount._results import EstimateMetadata

__all__ = ["FittedModel"]


class FittedModel:
    """A fitted model without its public methods."""

    _core: _core.Model
    _positive: Any
    _methods: dict[str, str | None]
    """The methods, with what their standard errors account for."""

    def _metadata(self, level: float, target: str, resamples: int | None = None) -> EstimateMetadata:
        methods = self._methods if resamples is None else dict(zip(self._methods, self._core.variances(resamples)))
        return EstimateMetadata(methods, level, target, self._positive)
