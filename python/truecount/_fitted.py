"""What models and tallies of them have in common."""

from __future__ import annotations

from truecount import _core

__all__ = ["Fitted"]


class Fitted:
    """What was fitted."""

    _core: _core.Model

    def _accounts(self, resamples: int | None = None) -> dict[str, str | None]:
        """The methods, with what their standard errors and intervals account for."""
        return dict(zip(self._core.methods, self._core.variances(resamples)))
