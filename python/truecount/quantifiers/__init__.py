"""Quantifiers as scikit-learn estimators: from features and labels to the prevalence of each class.

They need scikit-learn, ``pip install truecount[sklearn]``, and are in the namespace of `truecount`
too: ``truecount.ContinuousSweep``.
"""

try:
    import sklearn as sklearn
except ImportError as error:
    raise ImportError("the quantifiers need scikit-learn: pip install truecount[sklearn]") from error

from truecount.quantifiers._base import FittedQuantifier, PosteriorQuantifier, Quantifier
from truecount.quantifiers._methods import (
    PQ, SLD, SLDBCTS, AdjustedCount, BayesianCC, ClassifyAndCount, ContinuousSweep, DyS, EDy, EfficientSweep,
    Friedman, HDy, KDEyML, MaximumLikelihood, MedianSweep, MixtureModel, ProbabilisticAdjustedCount,
    ProbabilisticClassifyAndCount, SampleMeanMatching, ThresholdMax, ThresholdT50, ThresholdX,
)  # fmt: skip
from truecount.quantifiers._multiclass import Composition, Compositions, MulticlassQuantifier
from truecount.quantifiers._scorer import ProtocolScorer

__all__ = [
    "PQ", "SLD", "SLDBCTS", "AdjustedCount", "BayesianCC", "ClassifyAndCount", "Composition", "Compositions",
    "ContinuousSweep", "DyS", "EDy", "EfficientSweep", "FittedQuantifier", "Friedman", "HDy", "KDEyML",
    "MaximumLikelihood", "MedianSweep", "MixtureModel", "MulticlassQuantifier", "PosteriorQuantifier",
    "ProbabilisticAdjustedCount", "ProbabilisticClassifyAndCount", "ProtocolScorer", "Quantifier",
    "SampleMeanMatching", "ThresholdMax", "ThresholdT50", "ThresholdX",
]  # fmt: skip
