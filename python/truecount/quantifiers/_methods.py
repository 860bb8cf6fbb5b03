"""The quantifiers of two classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount._errors import option_error
from truecount._options import unknown_choice_error
from truecount.quantifiers._base import FittedQuantifier, PosteriorQuantifier, Quantifier


@dataclass(eq=False, repr=False, kw_only=True)
class ContinuousSweep(FittedQuantifier, method="cs"):
    """Continuous Sweep: the mean of Adjusted Count over thresholds where the rates differ enough.

    Parameters
    ----------
    family, score_transform
        As in `FittedQuantifier`.
    rates : {"family", "labels"}, optional
        Source of the rates: the fitted family (the default) or the labelled scores.
    threshold : "optimal" or float
        The least difference of the rates, in [0, 1]; by default the threshold with the least variance.

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
    >>> quantifier = tc.ContinuousSweep(family="student-t").fit(X[:1000], y[:1000])
    >>> import numpy as np
    >>> positive, negative = X[1000:][y[1000:] == 1], X[1000:][y[1000:] == 0]
    >>> new = np.vstack([positive[:40], negative[:360]])  # one in ten
    >>> quantifier.predict(new).round(3)
    array([0.903, 0.097])
    >>> quantifier.predict_interval(new).round(3)
    array([[0.858, 0.952],
           [0.048, 0.142]])
    >>> quantifier.estimate(new, by=np.arange(400) % 2).n
    array([200, 200])
    """

    rates: str | None = None
    threshold: float | str = "optimal"


@dataclass(eq=False, repr=False, kw_only=True)
class EfficientSweep(FittedQuantifier, method="es"):
    """Efficient Sweep: the mean of Adjusted Counts with the least variance; recommended.

    Parameters
    ----------
    rates : {"labels", "family"}, optional
        Source of the rates: the labelled scores (the default, without a family) or a fitted family.
    family, score_transform
        As in `FittedQuantifier`, for ``rates="family"``.
    """

    rates: str | None = None


@dataclass(eq=False, repr=False, kw_only=True)
class MedianSweep(FittedQuantifier):
    """Median Sweep: the median of Adjusted Count over thresholds where the rates differ enough.

    Parameters
    ----------
    threshold : 0.25, "optimal" or 0
        The least difference of the rates: Forman's 1/4, the optimum of Continuous Sweep, or any
        difference as in QuaPy's ``MS``.
    definition : {"forman", "quapy"}
        The median over the test scores (thresholds 0.25 and "optimal"), or QuaPy's definition: the median of Adjusted
        Counts, clipped to [0, 1], over the labelled scores (threshold 0 for its ``MS``, and 0.25 for its ``MS2``).
    family, score_transform
        As in `FittedQuantifier`, for the optimal threshold.

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
            raise option_error(
                "definition",
                f"Median Sweep has no definition {chosen}; it has {', '.join(possible)}",
                value=self.definition,
            )
        return {"method": method, "family": self.family, "transform": self.score_transform}


@dataclass(eq=False, repr=False, kw_only=True)
class ClassifyAndCount(Quantifier, method="cc"):
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

    cutoff: float | None = None

    def _settings(self) -> Mapping[str, Any]:
        default = {"predict_proba": 0.5, "decision_function": 0.0}.get(self.response_method_)
        return {"method": self._method, "cutoff": default if self.cutoff is None else self.cutoff}


class AdjustedCount(ClassifyAndCount, method="ac"):
    """Adjusted Count: Classify & Count corrected by the true and false positive rates, with the same parameters.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005; Kuha and Skinner 1997.
    """


class BayesianCC(ClassifyAndCount, method="bcc"):
    """Bayesian Classify & Count: the exact posterior given counts at the cutoff of `ClassifyAndCount`.

    Notes
    -----
    Ziegler and Czyż, *Bayesian quantification with black-box estimators*, 2023. The interval is a credible interval.
    """


class PQ(Quantifier, method="pq"):
    """Precise Quantifier: the posterior of the prevalence given counts between quartiles.

    Notes
    -----
    arXiv:2507.06061, as in QuaPy, but computed exactly. The interval is a credible interval.
    """


class ThresholdMax(Quantifier, method="max"):
    """Adjusted Count at the score with the largest difference of the rates (MAX, Forman 2008)."""


class ThresholdT50(Quantifier, method="t50"):
    """Adjusted Count at the score with a true positive rate near 1/2 (T50, Forman 2008)."""


class ThresholdX(Quantifier, method="x"):
    """Adjusted Count at the score with the most similar error rates (X, Forman 2008)."""


class MixtureModel(Quantifier, method="mm"):
    """Forman's mixture model: the mixture of labelled scores with the least area in a P-P plot.

    Notes
    -----
    Forman, *Counting positives accurately despite inaccurate classification*, 2005. The estimate is
    the median of the Adjusted Counts at all cuts, weighted by the difference of the classes' rates.
    """


@dataclass(eq=False, repr=False, kw_only=True)
class SampleMeanMatching(Quantifier, method="smm"):
    """Sample Mean Matching: Adjusted Count with mean scores instead of rates.

    Parameters
    ----------
    score_transform : {"none", "logit", "rank"}, optional
        Transform of the scores before they are averaged, by default none.

    Notes
    -----
    Hassan, Maletzke, Batista, *Accurately quantifying a billion instances per second*, 2020.
    """

    score_transform: str | None = None


class ProbabilisticClassifyAndCount(PosteriorQuantifier, method="pcc"):
    """Probabilistic Classify & Count: the uncorrected mean posterior (Bella et al. 2010)."""


class ProbabilisticAdjustedCount(PosteriorQuantifier, method="pacc"):
    """Probabilistic Adjusted Count: the corrected mean posterior (Bella et al. 2010)."""


class Friedman(PosteriorQuantifier, method="friedman"):
    """Adjusted Count with the labelled prevalence as the cutoff for posteriors (Friedman 2014)."""


class EDy(PosteriorQuantifier, method="edy"):
    """The mixture of labelled posteriors with the least energy distance to the new posteriors.

    Notes
    -----
    Kawakubo, du Plessis, Sugiyama, *Computationally efficient class-prior estimation under class balance change using
    energy distance*, 2016. The estimate is a mean of one function of the posterior, and therefore has an interval.
    """


class SLD(PosteriorQuantifier, method="sld"):
    """Expectation maximisation for the prevalence (EMQ), with QuaPy's stopping rule.

    Notes
    -----
    Saerens, Latinne, Decaestecker, *Adjusting the outputs of a classifier to new a priori probabilities*, 2002. The
    method assumes calibrated posterior probabilities. A classifier without them needs a
    ``CalibratedClassifierCV(classifier, ensemble=False)`` (an average of calibrated probabilities is too close to the
    mean), or the fitted family's probabilities, ``response_method="decision_function"``. Calibration is tested by a
    regression of the labels on the logits of their held-out probabilities (Cox 1958): estimates have a warning if a
    likelihood-ratio test rejects slope 1 and intercept 0 (p < 0.01). The absence of a warning does not prove
    calibration: nonlinear log odds, as of a logistic regression that lacks a term, can pass the test.
    """


class SLDBCTS(PosteriorQuantifier, method="sld-bcts"):
    """`SLD` after recalibration of the posteriors by bias-corrected temperature scaling.

    Notes
    -----
    Alexandari, Kundaje, Shrikumar, *Maximum likelihood with bias-corrected calibration is hard-to-beat at label shift
    adaptation*, 2020. The logits of the held-out posteriors are transformed by the line that maximises the likelihood
    of the labels; the interval accounts for the uncertainty of that line.
    """


class MaximumLikelihood(PosteriorQuantifier, method="ml"):
    """The exact maximum of the likelihood that `SLD` maximises by iteration.

    Notes
    -----
    Like `SLD`, the method assumes calibrated posterior probabilities, and its estimates have a
    warning if the probabilities are not calibrated.
    """


class KDEyML(PosteriorQuantifier, method="kdey-ml"):
    """Maximum likelihood with kernel densities of posteriors (Moreo, González, del Coz 2024)."""


class HDy(PosteriorQuantifier, method="hdy"):
    """The mixture of histograms with the least Hellinger distance, median over 10, …, 110 bins.

    Notes
    -----
    González-Castro, Alaiz-Rodríguez, Alegre, *Class distribution estimation based on the Hellinger distance*, 2013.
    """


@dataclass(eq=False, repr=False, kw_only=True)
class DyS(PosteriorQuantifier):
    """The mixture of class histograms (8 bins) with the least divergence from that of the new rows.

    Parameters
    ----------
    divergence : {"hellinger", "topsoe"}
        The divergence between two histograms.

    Notes
    -----
    Maletzke, dos Reis, Cherman, Batista, *DyS: a framework for mixture models in quantification*, 2019.
    """

    divergence: str = "hellinger"

    def _settings(self) -> Mapping[str, Any]:
        known = {"hellinger": "dys", "topsoe": "dys-topsoe"}
        if self.divergence not in known:
            raise unknown_choice_error("divergence", self.divergence, known)
        return {"method": known[self.divergence], "family": self.family, "transform": self.score_transform}
