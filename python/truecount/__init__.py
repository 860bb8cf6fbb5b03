"""How many positives are there in this pile of unlabelled data?

truecount takes a classifier's scores of a small labelled sample and of unlabelled data, and
estimates the prevalence of positives with a standard error.

- `estimate` does it in one call; `Model` fits once and estimates often.
- `check` tests the assumption of prior probability shift.
- `plan` computes how many labels a precision needs.
- `audit` estimates from a labelled random sample of the test rows.
- `counts` corrects counts of positive tests by published error rates.
- `EfficientSweep` and the other scikit-learn estimators go from features to prevalences.

All functions raise a `TruecountError` for an argument that cannot be used; no rows are dropped silently.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truecount import plot as plot
    from truecount import quantifiers as quantifiers
    from truecount import quapy as quapy
    from truecount import spark as spark
    from truecount._public import *
    from truecount._public import __version__ as __version__
    from truecount.quantifiers import *

_ESTIMATORS = (
    "AdjustedCount BayesianCC ClassifyAndCount Composition Compositions ContinuousSweep DyS EDy EfficientSweep "
    "FittedQuantifier Friedman HDy KDEyML MaximumLikelihood MedianSweep MixtureModel MulticlassQuantifier PQ "
    "PosteriorQuantifier ProbabilisticAdjustedCount ProbabilisticClassifyAndCount ProtocolScorer Quantifier SLD SLDBCTS "
    "SampleMeanMatching ThresholdMax ThresholdT50 ThresholdX"
).split()
"""The names of `truecount.quantifiers`, which need scikit-learn."""

_MODULES = ("plot", "quantifiers", "quapy", "spark")
"""The modules that need optional libraries."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"truecount.{name}")
    if name in _ESTIMATORS:
        return getattr(import_module("truecount.quantifiers"), name)
    if name in ("__all__", "__version__") or not name.startswith("_"):
        # Not before, because the command is in this package too, and numpy takes longer than most commands.
        public = import_module("truecount._public")
        names = sorted(each for each in dir(public) if each == "__version__" or not each.startswith("_"))
        globals().update({each: getattr(public, each) for each in names}, __all__=names)
        if name in globals():
            return globals()[name]
        method = getattr(public.Model, name, None)
        if callable(method):
            raise AttributeError(
                f"module 'truecount' has no function {name!r}; it is a method of a model: truecount.Model.{name}"
            )
    raise AttributeError(f"module 'truecount' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    # Without names that cannot be imported, because help() and inspect.getmembers() access all names.
    estimators = ["quantifiers", *_ESTIMATORS] if find_spec("sklearn") else []
    plots = ["plot"] if find_spec("matplotlib") else []
    return sorted([*__getattr__("__all__"), *estimators, *plots])
