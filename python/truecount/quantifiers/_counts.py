"""Quantifiers that count or average a classifier's scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount.quantifiers._base import Quantifier

__all__ = [
    "PQ",
    "AdjustedCount",
    "BayesianCC",
    "ClassifyAndCount",
    "MixtureModel",
    "SampleMeanMatching",
    "ThresholdMax",
    "ThresholdT50",
    "ThresholdX",
]


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifyAndCount(Quantifier):
    """Classify & Count: the share of rows that are classified as positive, without correction.

    Parameters
    ----------
    cutoff : float, optional
        The lowest score that counts as positive. The default is 1/2 for ``predict_proba`` and 0 for
        ``decision_function``; with ``estimator="scores"`` it is as in `truecount.Model.fit`.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005. A score at the
    cutoff counts as positive; the classifier's ``predict`` may differ for such ties, for example
    for a forest's probability of exactly 1/2.
    """

    _method = "cc"

    cutoff: float | None = None

    def _settings(self) -> Mapping[str, Any]:
        default = {"predict_proba": 0.5, "decision_function": 0.0}.get(self.response_method_)
        return {"method": self._method, "cutoff": default if self.cutoff is None else self.cutoff}


class AdjustedCount(ClassifyAndCount):
    """Adjusted Count: Classify & Count corrected by the true and false positive rates.

    Parameters
    ----------
    cutoff
        As in `ClassifyAndCount`.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005; Kuha and
    Skinner 1997.
    """

    _method = "ac"


class BayesianCC(ClassifyAndCount):
    """Bayesian Classify & Count: the exact posterior of the prevalence given counts at a cutoff.

    Parameters
    ----------
    cutoff
        As in `ClassifyAndCount`.

    Notes
    -----
    Ziegler and Czyż, *Bayesian quantification with black-box estimators*, 2023. The interval is a
    credible interval.
    """

    _method = "bcc"


class PQ(Quantifier):
    """Precise Quantifier: the posterior of the prevalence given counts between quartiles.

    Notes
    -----
    arXiv:2507.06061, as in QuaPy, but computed exactly. The interval is a credible interval.
    """

    _method = "pq"


class ThresholdMax(Quantifier):
    """Adjusted Count at the score with the largest difference of the rates (MAX, Forman 2008)."""

    _method = "max"


class ThresholdT50(Quantifier):
    """Adjusted Count at the score with a true positive rate near 1/2 (T50, Forman 2008)."""

    _method = "t50"


class ThresholdX(Quantifier):
    """Adjusted Count at the score with the most similar error rates (X, Forman 2008)."""

    _method = "x"


class MixtureModel(Quantifier):
    """Forman's mixture model: the mixture of labelled scores with the least area in a P-P plot.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005. The estimate is
    the median of the Adjusted Counts at all cuts, weighted by the difference of the classes' rates.
    """

    _method = "mm"


@dataclass(eq=False, repr=False, kw_only=True)
class SampleMeanMatching(Quantifier):
    """Sample Mean Matching: Adjusted Count with mean scores instead of rates.

    Parameters
    ----------
    score_transform : {"none", "logit", "rank"}, optional
        Transform of the scores before they are averaged, by default none.

    Notes
    -----
    Hassan, Maletzke, Batista, *Accurately quantifying a billion instances per second*, 2020.
    """

    _method = "smm"

    score_transform: str | None = None

    def _settings(self) -> Mapping[str, Any]:
        return {"method": self._method, "transform": self.score_transform}
