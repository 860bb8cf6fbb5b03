"""Quantifiers that count, or average, what the classifier says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount.quantifiers._base import Quantifier

__all__ = [
    "MAX",
    "PQ",
    "T50",
    "AdjustedCount",
    "BayesianCC",
    "ClassifyAndCount",
    "MixtureModel",
    "SampleMeanMatching",
    "X",
]


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifyAndCount(Quantifier):
    """Classify & Count: the share of rows that the classifier calls positive, uncorrected.

    Parameters
    ----------
    cutoff : float, optional
        The score at or above which a row is called positive; by default 1/2 for ``predict_proba``, 0 for ``decision_function``, and
        for scores of your own as in `truecount.Model.fit`.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005. A score at the cutoff counts as positive; at
    such a tie, as forests' probabilities of exactly 1/2, the classifier's ``predict`` may say negative.
    """

    _method = "cc"

    cutoff: float | None = None

    def _settings(self) -> Mapping[str, Any]:
        default = {"predict_proba": 0.5, "decision_function": 0.0}.get(self.response_method_)
        return {"method": self._method, "cutoff": default if self.cutoff is None else self.cutoff}


class AdjustedCount(ClassifyAndCount):
    """Adjusted Count: Classify & Count corrected by the true and the false positive rate of the labelled rows.

    Parameters
    ----------
    cutoff
        As in `ClassifyAndCount`.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005; Kuha and Skinner 1997.
    """

    _method = "ac"


class BayesianCC(ClassifyAndCount):
    """Bayesian Classify & Count: the posterior of the prevalence given the counts on both sides of the cutoff, computed exactly.

    Parameters
    ----------
    cutoff
        As in `ClassifyAndCount`.

    Notes
    -----
    Ziegler and Czyż, *Bayesian quantification with black-box estimators*, 2023. The interval is a credible one.
    """

    _method = "bcc"


class PQ(Quantifier):
    """Precise Quantifier: the posterior of the share of positives given the counts between the quartiles of the labelled scores.

    Notes
    -----
    arXiv:2507.06061, as QuaPy has it; computed exactly. The interval is a credible one.
    """

    _method = "pq"


class MAX(Quantifier):
    """Adjusted Count at the labelled score where the true and the false positive rate differ most (Forman 2008)."""

    _method = "max"


class T50(Quantifier):
    """Adjusted Count at the labelled score where the true positive rate is nearest to one half (Forman 2008)."""

    _method = "t50"


class X(Quantifier):
    """Adjusted Count at the labelled score where both classes' error rates are nearest to each other (Forman 2008)."""

    _method = "x"


class MixtureModel(Quantifier):
    """Forman's mixture model: the share at which labelled scores have the least area in a P-P plot against the new ones.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005. The median of the Adjusted Counts at all cuts,
    weighted by how much the classes' rates differ there.
    """

    _method = "mm"


@dataclass(eq=False, repr=False, kw_only=True)
class SampleMeanMatching(Quantifier):
    """Sample Mean Matching: Adjusted Count with means of scores for rates.

    Parameters
    ----------
    transformation : {"none", "logit", "rank"}, optional
        What to do to the scores before they are averaged, by default nothing.

    Notes
    -----
    Hassan, Maletzke, Batista, *Accurately quantifying a billion instances per second*, 2020.
    """

    _method = "smm"

    transformation: str | None = None

    def _settings(self) -> Mapping[str, Any]:
        return {"method": self._method, "transformation": self.transformation}
