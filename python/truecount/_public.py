"""The public names of `truecount` that need numpy only, imported at the first access to one."""

from __future__ import annotations

from truecount import measures
from truecount._audit import Audit, AuditDraw, AuditPlans, AuditTable, Audits, Evidence, audit
from truecount._check import Check, Contamination, Families, Folds, check
from truecount._conditions import (
    EstimateWarning,
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
from truecount._experiment import Experiment, ExperimentTable, experiment
from truecount._model import Model
from truecount._monitor import Alarm, MonitorResult
from truecount._names import families, methods
from truecount._periods import periods
from truecount._plan import plan
from truecount._plans import Plans
from truecount._results import Estimate, Estimates
from truecount._tally import Tally
from truecount.evaluation import APP, NPP, UPP, Evaluation, evaluate

__all__ = [
    "APP",
    "NPP",
    "UPP",
    "Alarm",
    "Audit",
    "AuditDraw",
    "AuditPlans",
    "AuditTable",
    "Audits",
    "Check",
    "Contamination",
    "Differences",
    "Estimate",
    "EstimateWarning",
    "Estimates",
    "Evaluation",
    "Evidence",
    "Experiment",
    "ExperimentTable",
    "Families",
    "Folds",
    "LabelError",
    "Model",
    "ModelError",
    "MonitorResult",
    "OptionError",
    "Plans",
    "PrevalenceWarning",
    "ScoreError",
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
    "experiment",
    "families",
    "measures",
    "methods",
    "periods",
    "plan",
]
