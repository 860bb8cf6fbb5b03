"""What models and tallies of them have in common."""

from __future__ import annotations

from typing import Any

from truecount import _core
from truecount._results import Terms

__all__ = ["Fitted"]


class Fitted:
    """What was fitted."""

    _core: _core.Model
    _positive: Any
    _methods: dict[str, str | None]
    """With what their standard errors account for."""

    def _terms(self, level: float, resamples: int | None = None) -> Terms:
        methods = self._methods if resamples is None else dict(zip(self._methods, self._core.variances(resamples)))
        return Terms(methods, level, self._positive)
