"""Quantifiers that use posterior probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from truecount._options import unknown_choice
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
    """Probabilistic Classify & Count: the mean posterior, uncorrected (Bella et al. 2010)."""

    _method = "pcc"


class ProbabilisticAdjustedCount(PosteriorQuantifier):
    """Probabilistic Adjusted Count: the mean posterior, corrected by those of the labelled classes (Bella et al. 2010)."""

    _method = "pacc"


class Friedman(PosteriorQuantifier):
    """Friedman's method: Adjusted Count of the posteriors at or above the labelled share of positives (Friedman 2014)."""

    _method = "friedman"


class EDy(PosteriorQuantifier):
    """The mixture of the labelled classes' posteriors with the least energy distance to the new rows'.

    Notes
    -----
    Kawakubo, du Plessis, Sugiyama, *Computationally efficient class-prior estimation under class balance change using energy
    distance*, 2016. It is a mean of one function of the posterior, and so has an interval.
    """

    _method = "edy"


class SLD(PosteriorQuantifier):
    """Expectation maximisation for the prevalence (EMQ), stopped as QuaPy does.

    Notes
    -----
    Saerens, Latinne, Decaestecker, *Adjusting the outputs of a classifier to new a priori probabilities*, 2002. It takes the
    posterior probabilities at their word: a classifier whose probabilities are not calibrated needs a
    ``CalibratedClassifierCV(classifier, ensemble=False)`` (an average of calibrated probabilities is too near to the mean), or
    the fitted family's probabilities, ``response_method="decision_function"``. The labels are regressed on the logits of their
    held-out probabilities (Cox 1958), and estimates have a warning where a likelihood-ratio test rejects slope 1 and intercept 0
    (p < 0.01).
    No warning is no proof: log odds that are not linear, as of a logistic regression that lacks a term, can pass the test.
    """

    _method = "sld"


class SLDBCTS(PosteriorQuantifier):
    """`SLD` after a recalibration of the posterior probabilities by bias-corrected temperature scaling.

    Notes
    -----
    Alexandari, Kundaje, Shrikumar, *Maximum likelihood with bias-corrected calibration is hard-to-beat at label shift adaptation*,
    2020. The logits of the labelled rows' held-out posteriors are put through the line under which their labels are most likely;
    the interval accounts for its uncertainty.
    """

    _method = "sld-bcts"


class MaximumLikelihood(PosteriorQuantifier):
    """The exact maximum of the likelihood that `SLD` climbs.

    Notes
    -----
    Like `SLD` it takes the posterior probabilities at their word, and its estimates have a warning where they are not calibrated.
    """

    _method = "ml"


class KDEyML(PosteriorQuantifier):
    """Maximum likelihood with kernel densities of the posterior probabilities (Moreo, González, del Coz 2024)."""

    _method = "kdey-ml"


class HDy(PosteriorQuantifier):
    """The mixture of class histograms nearest to the new rows' by Hellinger distance, median over 10, 20, …, 110 bins.

    Notes
    -----
    González-Castro, Alaiz-Rodríguez, Alegre, *Class distribution estimation based on the Hellinger distance*, 2013.
    """

    _method = "hdy"


@dataclass(eq=False, repr=False, kw_only=True)
class DyS(PosteriorQuantifier):
    """The mixture of class histograms (8 bins) nearest to the new rows'.

    Parameters
    ----------
    divergence : {"hellinger", "topsoe"}
        How far apart two histograms are.

    Notes
    -----
    Maletzke, dos Reis, Cherman, Batista, *DyS: a framework for mixture models in quantification*, 2019.
    """

    divergence: str = "hellinger"

    def _settings(self) -> Mapping[str, Any]:
        known = {"hellinger": "dys", "topsoe": "dys-topsoe"}
        if self.divergence not in known:
            raise unknown_choice("divergence", self.divergence, known)
        return {"method": known[self.divergence], "family": self.family, "transformation": self.transformation}
