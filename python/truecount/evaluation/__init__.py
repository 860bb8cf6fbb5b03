"""Evaluation of methods on samples of known prevalence from a labelled pool."""

from truecount.evaluation._evaluation import Evaluation, evaluate
from truecount.evaluation._protocols import APP, NPP, UPP
from truecount.evaluation._reports import Comparison, Summary

__all__ = ["APP", "NPP", "UPP", "Comparison", "Evaluation", "Summary", "evaluate"]
