"""How far off are the estimates? Samples of known prevalence from a labelled pool, and the errors of estimating them."""

from truecount.evaluation._evaluate import evaluate
from truecount.evaluation._evaluation import Evaluation
from truecount.evaluation._protocols import APP, NPP, UPP
from truecount.evaluation._reports import Comparison, Summary

__all__ = ["APP", "Comparison", "Evaluation", "NPP", "Summary", "UPP", "evaluate"]
