"""From labelled scores to plans in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truecount._model import Model
from truecount._names import Methods
from truecount._planning import OfPlan, Plans
from truecount._settings import OfLabelled

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["plan"]


class PlanInOne(OfLabelled, OfPlan, total=False):
    """What may be said of labelled scores, and asked of plans."""


def plan(train_scores: Any, train_labels: Any, *, method: Methods | None = None, **asked: Unpack[PlanInOne]) -> Plans:
    """How many labelled and unlabelled scores a standard error or an interval needs.

    The labelled scores at hand are the pilot; a plan is as good as that.

    Parameters
    ----------
    train_scores, train_labels
        As in `truecount.estimate`.
    method : str or iterable of str, default "es"
        Methods whose variance has a formula, several of them in a list or between commas.
    se, half_width, prevalence, unlabelled, labelled, level, target, interval
        As in `Model.plan`.
    family, transformation, rates, threshold, cutoff, positive, train_probabilities, train_weights, train_clusters
        As in `Model.fit`.

    Returns
    -------
    Plans

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> train, labels = np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200)
    >>> plans = tc.plan(train, labels, half_width=0.03, unlabelled=2000, prevalence=0.2)
    >>> dict(zip(plans.split, plans.labelled.tolist()))
    {'best': 687.0, 'as pilot': 761.0, 'at random': 775.0}
    """
    of_model: OfLabelled = {name: asked.pop(name) for name in OfLabelled.__annotations__ if name in asked}  # type: ignore[misc, assignment]
    return Model.fit(train_scores, train_labels, method=method, **of_model).plan(**asked)  # type: ignore[misc]
