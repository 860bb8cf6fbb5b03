"""What models and tallies of them have in common."""

from __future__ import annotations

from truecount import _core

__all__ = ["Fitted"]


class Fitted:
    """What was fitted."""

    _core: _core.Model

    def _accounts(self, resamples: int | None = None) -> dict[str, str | None]:
        """The methods, with what their standard errors and intervals account for."""
        formulas = dict(zip(self._core.methods, self._core.variances))
        if resamples is None:
            return formulas
        # An uncorrected count stays one.
        biased = ", about a biased expectation"
        return {
            name: f"bootstrap of both samples, {resamples} resamples{biased if biased in (text or '') else ''}"
            for name, text in formulas.items()
        }
