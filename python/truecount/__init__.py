"""How many positives are there in this pile of unlabelled data?

truecount takes a classifier's scores of a small labelled sample and of unlabelled data, and
estimates the prevalence of positives with a standard error.

- `estimate` does it in one call; `Model` fits once and estimates often.
- `check` tests the assumption of prior probability shift.
- `plan` computes how many labels a precision needs.
- `audit` estimates from a labelled random sample of the test rows.
- `counts` corrects counts of positive tests by published error rates.
- `EfficientSweep` and the other scikit-learn estimators go from features to prevalences.
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
    from truecount.quantifiers import PQ as PQ
    from truecount.quantifiers import SLD as SLD
    from truecount.quantifiers import SLDBCTS as SLDBCTS
    from truecount.quantifiers import AdjustedCount as AdjustedCount
    from truecount.quantifiers import BayesianCC as BayesianCC
    from truecount.quantifiers import ClassifyAndCount as ClassifyAndCount
    from truecount.quantifiers import Composition as Composition
    from truecount.quantifiers import Compositions as Compositions
    from truecount.quantifiers import ContinuousSweep as ContinuousSweep
    from truecount.quantifiers import DyS as DyS
    from truecount.quantifiers import EDy as EDy
    from truecount.quantifiers import EfficientSweep as EfficientSweep
    from truecount.quantifiers import Friedman as Friedman
    from truecount.quantifiers import HDy as HDy
    from truecount.quantifiers import KDEyML as KDEyML
    from truecount.quantifiers import MaximumLikelihood as MaximumLikelihood
    from truecount.quantifiers import MedianSweep as MedianSweep
    from truecount.quantifiers import MixtureModel as MixtureModel
    from truecount.quantifiers import OneVersusRest as OneVersusRest
    from truecount.quantifiers import ProbabilisticAdjustedCount as ProbabilisticAdjustedCount
    from truecount.quantifiers import ProbabilisticClassifyAndCount as ProbabilisticClassifyAndCount
    from truecount.quantifiers import ProtocolScorer as ProtocolScorer
    from truecount.quantifiers import SampleMeanMatching as SampleMeanMatching
    from truecount.quantifiers import ThresholdMax as ThresholdMax
    from truecount.quantifiers import ThresholdT50 as ThresholdT50
    from truecount.quantifiers import ThresholdX as ThresholdX

_LAZY = dict.fromkeys(
    (
        "ThresholdMax",
        "PQ",
        "SLD",
        "SLDBCTS",
        "ThresholdT50",
        "AdjustedCount",
        "BayesianCC",
        "ClassifyAndCount",
        "Composition",
        "Compositions",
        "ContinuousSweep",
        "DyS",
        "EDy",
        "EfficientSweep",
        "Friedman",
        "HDy",
        "KDEyML",
        "MaximumLikelihood",
        "MedianSweep",
        "MixtureModel",
        "OneVersusRest",
        "ProbabilisticAdjustedCount",
        "ProbabilisticClassifyAndCount",
        "ProtocolScorer",
        "SampleMeanMatching",
        "ThresholdX",
    ),
    "truecount.quantifiers",
)
"""The modules of the names that need optional libraries."""

_MODULES = ("plot", "quantifiers", "quapy", "spark")
"""The modules that need optional libraries."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"truecount.{name}")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    if name in ("__all__", "__version__") or not name.startswith("_"):
        # Not before, because the command is in this package too, and numpy takes longer than most
        # commands.
        public = import_module("truecount._public")
        globals().update({each: getattr(public, each) for each in ("__all__", *public.__all__)})
        if name in globals():
            return globals()[name]
        method = getattr(public.Model, name, None)
        if callable(method):
            raise AttributeError(
                f"module 'truecount' has no function {name!r}; it is a method of a model: truecount.Model.{name}"
            )
    raise AttributeError(f"module 'truecount' has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    # Without names that cannot be imported, because help() and inspect.getmembers() access all
    # names.
    estimators = ["quantifiers", *_LAZY] if find_spec("sklearn") else []
    plots = ["plot"] if find_spec("matplotlib") else []
    return sorted([*__getattr__("__all__"), *estimators, *plots])
