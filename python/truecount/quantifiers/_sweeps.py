"""Quantifiers that combine Adjusted Counts over many thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount._conditions import OptionError
from truecount.quantifiers._base import FittedQuantifier

__all__ = ["ContinuousSweep", "EfficientSweep", "MedianSweep"]


@dataclass(eq=False, repr=False, kw_only=True)
class ContinuousSweep(FittedQuantifier):
    """Continuous Sweep: the mean of Adjusted Count over thresholds where the rates differ enough.

    Parameters
    ----------
    family : str, optional
        Family of both classes' score distributions, by default normal: ``truecount.families()``.
    score_transform : {"none", "logit", "rank"}, optional
        Transform of the scores before the family is fitted, by default none.
    rates : {"family", "labels"}, optional
        Source of the rates: the fitted family (the default) or the labelled scores.
    threshold : "optimal" or float
        The least difference of the rates, in [0, 1]; by default the threshold with the least
        variance.

    Notes
    -----
    Kloos, Karch, Meertens, Scholtus, de Rooij, *Continuous Sweep for Binary Quantification
    Learning*. Put a pipeline inside the quantifier: the scaler in
    ``ContinuousSweep(make_pipeline(scaler, classifier))`` is fitted without the held-out rows.

    Scores in [0, 1], such as a forest's probabilities, are rarely normal within the classes, and
    the intervals of a family that does not fit have too little coverage. For such scores
    `EfficientSweep`, or ``family="kernel", score_transform="rank"``, is the safe choice.

    Examples
    --------
    >>> import truecount as tc
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, class_sep=0.7, random_state=1)
    >>> quantifier = tc.ContinuousSweep().fit(X[:1000], y[:1000])
    >>> positive, negative = X[1000:][y[1000:] == 1], X[1000:][y[1000:] == 0]
    >>> import numpy as np
    >>> new = np.vstack([positive[:40], negative[:360]])  # one in ten
    >>> quantifier.predict(new).round(3)
    array([0.909, 0.091])
    >>> quantifier.predict_interval(new).round(3)
    array([[0.861, 0.955],
           [0.045, 0.139]])
    >>> quantifier.estimate(new, by=np.arange(400) % 2).n
    array([200, 200])
    """

    _method = "cs"

    rates: str | None = None
    threshold: float | str = "optimal"

    def _settings(self) -> Mapping[str, Any]:
        return {**super()._settings(), "rates": self.rates, "threshold": self.threshold}


@dataclass(eq=False, repr=False, kw_only=True)
class EfficientSweep(FittedQuantifier):
    """Efficient Sweep: the mean of Adjusted Counts with the least variance; recommended.

    Parameters
    ----------
    rates : {"labels", "family"}, optional
        Source of the rates: the labelled scores (the default, without a family) or a fitted family.
    family, score_transform
        As in `ContinuousSweep`, for ``rates="family"``.

    Examples
    --------
    >>> import truecount as tc
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(2000, class_sep=0.7, random_state=1)
    >>> quantifier = tc.EfficientSweep().fit(X[:1000], y[:1000])
    >>> quantifier.predict(X[1000:]).round(2)
    array([0.49, 0.51])
    >>> float(y[1000:].mean())
    0.505
    """

    _method = "es"

    rates: str | None = None

    def _settings(self) -> Mapping[str, Any]:
        return {**super()._settings(), "rates": self.rates}


@dataclass(eq=False, repr=False, kw_only=True)
class MedianSweep(FittedQuantifier):
    """Median Sweep: the median of Adjusted Count over thresholds where the rates differ enough.

    Parameters
    ----------
    threshold : 0.25, "optimal" or 0
        The least difference of the rates: Forman's 1/4, the optimum of Continuous Sweep, or any
        difference as in QuaPy's ``MS``.
    definition : {"forman", "quapy"}
        The median over the test scores (thresholds 0.25 and "optimal"), or QuaPy's definition: the
        median of Adjusted Counts, clipped to [0, 1], over the labelled scores (threshold 0 for its
        ``MS``, and 0.25 for its ``MS2``).
    family, score_transform
        As in `ContinuousSweep`, for the optimal threshold.

    Notes
    -----
    Forman, *Quantifying counts and costs via classification*, 2008.
    """

    threshold: float | str = 0.25
    definition: str = "forman"

    def _settings(self) -> Mapping[str, Any]:
        known: dict[tuple[str, float | str], str] = {
            ("forman", 0.25): "t-ms",
            ("forman", "optimal"): "o-ms",
            ("quapy", 0.0): "ms-quapy",
            ("quapy", 0.25): "ms2",
        }
        method = known.get((self.definition, self.threshold))
        if method is None:
            pairs = ((self.definition, self.threshold), *known)
            chosen, *possible = (f"{definition!r} with threshold {threshold!r}" for definition, threshold in pairs)
            raise OptionError(
                f"Median Sweep has no definition {chosen}; it has {', '.join(possible)}",
                "option-invalid",
                name="definition",
                value=self.definition,
            )
        return {"method": method, "family": self.family, "transform": self.score_transform}
