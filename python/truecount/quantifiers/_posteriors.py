"""Quantifiers that use posterior probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount._options import unknown_choice_error
from truecount.quantifiers._base import PosteriorQuantifier

__all__ = [
    "SLD",
    "SLDBCTS",
    "DyS",
    "EDy",
    "Friedman",
    "HDy",
    "KDEyML",
    "MaximumLikelihood",
    "ProbabilisticAdjustedCount",
    "ProbabilisticClassifyAndCount",
]


class ProbabilisticClassifyAndCount(PosteriorQuantifier):
    """Probabilistic Classify & Count: the uncorrected mean posterior (Bella et al. 2010)."""

    _method = "pcc"


class ProbabilisticAdjustedCount(PosteriorQuantifier):
    """Probabilistic Adjusted Count: the corrected mean posterior (Bella et al. 2010)."""

    _method = "pacc"


class Friedman(PosteriorQuantifier):
    """Adjusted Count with the labelled prevalence as the cutoff for posteriors (Friedman 2014)."""

    _method = "friedman"


class EDy(PosteriorQuantifier):
    """The mixture of labelled posteriors with the least energy distance to the new posteriors.

    Notes
    -----
    Kawakubo, du Plessis, Sugiyama, *Computationally efficient class-prior estimation under class
    balance change using energy distance*, 2016. The estimate is a mean of one function of the
    posterior, and therefore has an interval.
    """

    _method = "edy"


class SLD(PosteriorQuantifier):
    """Expectation maximisation for the prevalence (EMQ), with QuaPy's stopping rule.

    Notes
    -----
    Saerens, Latinne, Decaestecker, *Adjusting the outputs of a classifier to new a priori
    probabilities*, 2002. The method assumes calibrated posterior probabilities. A classifier
    without them needs a ``CalibratedClassifierCV(classifier, ensemble=False)`` (an average of
    calibrated probabilities is too close to the mean), or the fitted family's probabilities,
    ``response_method="decision_function"``. Calibration is tested by a regression of the labels on
    the logits of their held-out probabilities (Cox 1958): estimates have a warning if a
    likelihood-ratio test rejects slope 1 and intercept 0 (p < 0.01). The absence of a warning does
    not prove calibration: nonlinear log odds, as of a logistic regression that lacks a term, can
    pass the test.
    """

    _method = "sld"


class SLDBCTS(PosteriorQuantifier):
    """`SLD` after recalibration of the posteriors by bias-corrected temperature scaling.

    Notes
    -----
    Alexandari, Kundaje, Shrikumar, *Maximum likelihood with bias-corrected calibration is
    hard-to-beat at label shift adaptation*, 2020. The logits of the held-out posteriors are
    transformed by the line that maximises the likelihood of the labels; the interval accounts for
    the uncertainty of that line.
    """

    _method = "sld-bcts"


class MaximumLikelihood(PosteriorQuantifier):
    """The exact maximum of the likelihood that `SLD` maximises by iteration.

    Notes
    -----
    Like `SLD`, the method assumes calibrated posterior probabilities, and its estimates have a
    warning if the probabilities are not calibrated.
    """

    _method = "ml"


class KDEyML(PosteriorQuantifier):
    """Maximum likelihood with kernel densities of posteriors (Moreo, González, del Coz 2024)."""

    _method = "kdey-ml"


class HDy(PosteriorQuantifier):
    """The mixture of histograms with the least Hellinger distance, median over 10, …, 110 bins.

    Notes
    -----
    González-Castro, Alaiz-Rodríguez, Alegre, *Class distribution estimation based on the Hellinger
    distance*, 2013.
    """

    _method = "hdy"


@dataclass(eq=False, repr=False, kw_only=True)
class DyS(PosteriorQuantifier):
    """The mixture of class histograms (8 bins) with the least divergence from that of the new rows.

    Parameters
    ----------
    divergence : {"hellinger", "topsoe"}
        The divergence between two histograms.

    Notes
    -----
    Maletzke, dos Reis, Cherman, Batista, *DyS: a framework for mixture models in quantification*,
    2019.
    """

    divergence: str = "hellinger"

    def _settings(self) -> Mapping[str, Any]:
        known = {"hellinger": "dys", "topsoe": "dys-topsoe"}
        if self.divergence not in known:
            raise unknown_choice_error("divergence", self.divergence, known)
        return {"method": known[self.divergence], "family": self.family, "transform": self.score_transform}
