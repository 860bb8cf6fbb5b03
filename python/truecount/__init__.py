"""How many positives are there in this pile of unlabelled data?

truecount takes a classifier's scores on a small labelled sample and on the unlabelled data, and returns the prevalence with a
standard error. `estimate` does it in one go; `Model` fits once and estimates often; `check` tests the assumption behind it. The
scikit-learn estimators (`ContinuousSweep` and the like) go from features to prevalences.
"""

from truecount._check import Check, check
from truecount._core import __version__
from truecount._model import Model, PrevalenceWarning, estimate
from truecount._names import families, methods
from truecount._results import Estimate, Estimates
from truecount._tally import Tally

__all__ = [
    "Check",
    "Estimate",
    "Estimates",
    "Model",
    "PrevalenceWarning",
    "Tally",
    "__version__",
    "check",
    "estimate",
    "families",
    "methods",
]
