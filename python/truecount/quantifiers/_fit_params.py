"""The weights of labelled rows as parameters for a classifier's ``fit``."""

from __future__ import annotations

import warnings as python_warnings
from typing import Any

from sklearn import get_config
from sklearn.frozen import FrozenEstimator
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from truecount._columns import Floats
from truecount._conditions import PrevalenceWarning
from truecount.quantifiers._estimator import Estimator

__all__ = ["fit_params", "routes_metadata"]


def routes_metadata() -> bool:
    """Return whether scikit-learn routes metadata, so that estimators declare what they take."""
    return bool(get_config()["enable_metadata_routing"])


def fit_params(quantifier: Estimator, classifier: Any, weights: Floats | None) -> dict[str, Floats]:
    """Return the parameters of the classifier's ``fit`` in addition to the labels.

    A classifier that takes no weights causes a warning, not an error: it ranks rows slightly worse
    than it could, but the rates are weighted.
    """
    if weights is None or isinstance(classifier, FrozenEstimator):
        return {}
    if routes_metadata():
        return dict(process_routing(quantifier, "fit", sample_weight=weights).estimator.fit)
    if has_fit_parameter(classifier, "sample_weight"):
        return {"sample_weight": weights}
    remedy = "to weigh what it learns too, take a classifier that does"
    if hasattr(classifier, "set_params") and hasattr(classifier, "steps"):
        remedy += (
            ", or sklearn.set_config(enable_metadata_routing=True) and set_fit_request(sample_weight=True) of its steps"
        )
    python_warnings.warn(
        f"{type(classifier).__name__} takes no sample_weight: it learns from rows that count alike, while the "
        f"rates are weighted; {remedy}",
        PrevalenceWarning,
        stacklevel=5,
    )
    return {}
