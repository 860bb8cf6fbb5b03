"""How many positives are there in this pile of unlabelled data?

truecount takes a classifier's scores on a small labelled sample and on the unlabelled data, and returns the prevalence with a
standard error. `estimate` does it in one go; `Model` fits once and estimates often; `check` tests the assumption behind it; `plan`
tells how many labels it takes; `counts` is for counts of positive tests and published error rates. The scikit-learn estimators (`EfficientSweep` and the like) go from
features to prevalences.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from truecount import measures
from truecount._audit import Audit, Evidence, audit
from truecount._check import Check, Families, Folds, Supposed, check
from truecount._conditions import (
    Caveat,
    LabelError,
    ModelError,
    OptionError,
    PrevalenceWarning,
    ScoreError,
    TallyError,
    TruecountError,
)
from truecount._core import __version__
from truecount._counts import counts
from truecount._differences import Differences
from truecount._estimate import estimate, estimate_each
from truecount._model import Model
from truecount._monitor import Monitored
from truecount._names import families, methods
from truecount._plan import plan
from truecount._planning import Plans
from truecount._results import Estimate, Estimates
from truecount._tally import Tally
from truecount.evaluation import APP, NPP, UPP, Evaluation, evaluate

if TYPE_CHECKING:
    from truecount import plot as plot
    from truecount.quantifiers import MAX as MAX
    from truecount.quantifiers import SLD as SLD
    from truecount.quantifiers import T50 as T50
    from truecount.quantifiers import AdjustedCount as AdjustedCount
    from truecount.quantifiers import ClassifyAndCount as ClassifyAndCount
    from truecount.quantifiers import Composition as Composition
    from truecount.quantifiers import ContinuousSweep as ContinuousSweep
    from truecount.quantifiers import DyS as DyS
    from truecount.quantifiers import EfficientSweep as EfficientSweep
    from truecount.quantifiers import HDy as HDy
    from truecount.quantifiers import KDEyML as KDEyML
    from truecount.quantifiers import MaximumLikelihood as MaximumLikelihood
    from truecount.quantifiers import MedianSweep as MedianSweep
    from truecount.quantifiers import OneVersusRest as OneVersusRest
    from truecount.quantifiers import ProbabilisticAdjustedCount as ProbabilisticAdjustedCount
    from truecount.quantifiers import ProbabilisticClassifyAndCount as ProbabilisticClassifyAndCount
    from truecount.quantifiers import ProtocolScorer as ProtocolScorer
    from truecount.quantifiers import SampleMeanMatching as SampleMeanMatching
    from truecount.quantifiers import X as X

__all__ = [
    "APP",
    "NPP",
    "UPP",
    "Audit",
    "Caveat",
    "Check",
    "Differences",
    "Estimate",
    "Estimates",
    "Evaluation",
    "Evidence",
    "Families",
    "Folds",
    "LabelError",
    "Model",
    "ModelError",
    "Monitored",
    "OptionError",
    "Plans",
    "PrevalenceWarning",
    "ScoreError",
    "Supposed",
    "Tally",
    "TallyError",
    "TruecountError",
    "__version__",
    "audit",
    "check",
    "counts",
    "estimate",
    "estimate_each",
    "evaluate",
    "families",
    "measures",
    "methods",
    "plan",
]

_LAZY = dict.fromkeys(
    (
        "MAX",
        "SLD",
        "T50",
        "AdjustedCount",
        "ClassifyAndCount",
        "Composition",
        "ContinuousSweep",
        "DyS",
        "EfficientSweep",
        "HDy",
        "KDEyML",
        "MaximumLikelihood",
        "MedianSweep",
        "OneVersusRest",
        "ProbabilisticAdjustedCount",
        "ProbabilisticClassifyAndCount",
        "ProtocolScorer",
        "SampleMeanMatching",
        "X",
    ),
    "truecount.quantifiers",
)
"""Names that need libraries which not everyone has, and the modules that have them."""


def __getattr__(name: str) -> Any:
    if name == "plot":
        return import_module("truecount.plot")
    if name not in _LAZY:
        raise AttributeError(f"module 'truecount' has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    # What cannot be had is not listed: help() and inspect.getmembers() ask for all that is.
    estimators = _LAZY if find_spec("sklearn") else ()
    pictures = ["plot"] if find_spec("matplotlib") else []
    return sorted([*__all__, *estimators, *pictures])
