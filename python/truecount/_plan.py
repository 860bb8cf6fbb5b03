"""The plan of sample sizes in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truecount._model import Model
from truecount._names import Methods
from truecount._plans import PlanKwargs, Plans, plan_sizes
from truecount._settings import FitKwargs, split_fit_kwargs
from truecount._signature import refuse_unknown_options, show_options_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["plan"]


class FitPlanKwargs(FitKwargs, PlanKwargs, total=False):
    """Keyword arguments of `truecount.plan`."""


@show_options_of(plan_sizes, Model.fit)
def plan(
    train_scores: Any, train_labels: Any, *, method: Methods | None = None, **kwargs: Unpack[FitPlanKwargs]
) -> Plans:
    """Plan how many labelled and unlabelled scores a standard error or an interval needs.

    The labelled scores are the pilot, and the plan depends on how well they represent the classes.

    Parameters
    ----------
    train_scores, train_labels
        As in `truecount.estimate`.
    method : str or iterable of str, default "es"
        Methods whose variance has a formula: names in a list, or in a text with commas.
    se, half_width, prevalence, unlabelled, labelled, design_effect, level, target, interval
        As in `Model.plan`.
    family, transform, rates, threshold, cutoff, positive
        As in `Model.fit`.
    train_probabilities, train_weights, train_clusters, train_strata
        As in `Model.fit`.

    Returns
    -------
    Plans
        A row for each method and split of the labelled scores.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> train, labels = np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200)
    >>> plans = tc.plan(train, labels, half_width=0.03, unlabelled=2000, prevalence=0.2)
    >>> dict(zip(plans.split, plans.labelled.tolist()))
    {'best': 726.0, 'as pilot': 747.0, 'at random': 852.0}
    """
    refuse_unknown_options(plan, kwargs)
    fit, options = split_fit_kwargs(kwargs)
    return Model.fit(train_scores, train_labels, method=method, **fit).plan(**options)
