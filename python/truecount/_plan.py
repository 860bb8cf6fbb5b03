"""The plan of sample sizes in one call."""

from __future__ import annotations

import warnings as python_warnings
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from truecount import _core
from truecount._errors import EstimateWarning, PrevalenceWarning, TruecountError, grouped_warning_lines, invalid_option
from truecount._fit import FittedModel
from truecount._options import FitKwargs, Methods, Target, choice, split_fit_kwargs, takes_options_of, to_float, to_int
from truecount._table import Column, ResultTable

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Plans", "plan"]


_BITS = 53
"""Bits of the numbers of scores, which are exact as doubles."""


class PlanKwargs(TypedDict, total=False):
    """Keyword arguments of `Model.plan`."""

    se: float | None
    half_width: float | None
    prevalence: float | None
    unlabelled: int | None
    labelled: int | tuple[int, int] | None
    assurance: float | None
    design_effect: float
    level: float
    target: Target
    interval: Literal["wilson", "wald"]


class Plans(ResultTable):
    """A table of plans: sample sizes and their precision; made by `Model.plan`.

    Its columns are those of the command: ``method``; ``split``, how the labelled scores are divided between the classes
    ("best", "as pilot", "at random", "given"); ``unlabelled``, ``labelled``, ``positive`` and ``negative``, numbers of
    scores, which are infinite if unlimited; ``low`` and ``high``, the tenth and ninetieth percentile of the planned
    number by resamples of the pilot; the expected ``se`` and ``half_width`` at the worst prevalence, and these
    prevalences, ``se_worst_prevalence`` and ``half_width_worst_prevalence``; ``level``; and ``goal_met``, which is None
    without a goal.

    Attributes
    ----------
    warnings : tuple of (str, EstimateWarning)
        Warnings, each with the method that it is about.
    """

    def __init__(self, result: _core.Plans) -> None:
        super().__init__(result)
        self._sentences = result["notes"]
        self.warnings: tuple[tuple[str, EstimateWarning], ...] = tuple(result["warnings"])

    method = Column[np.object_]("The method of each plan.")
    split = Column[np.object_]("How the labelled scores are divided between the classes.")
    unlabelled = Column[np.float64]("Numbers of unlabelled scores; infinite if unlimited.")
    labelled = Column[np.float64]("Numbers of labelled scores; infinite if unlimited.")
    positive = Column[np.float64]("Numbers of labelled positives.")
    negative = Column[np.float64]("Numbers of labelled negatives.")
    low = Column[np.float64]("The planned number's tenth percentile by resamples of the pilot.")
    high = Column[np.float64]("Its ninetieth percentile.")
    se = Column[np.float64]("Expected standard errors, at the worst prevalence.")
    half_width = Column[np.float64]("Expected half-widths of the intervals, at the worst prevalence.")
    goal_met = Column[Any]("Whether each plan reaches the goal; None without a goal.")

    def _notes(self) -> list[str]:
        by_method: dict[str, list[EstimateWarning]] = {}
        for method, warning in self.warnings:
            by_method.setdefault(method, []).append(warning)
        return [*self._explained, *self._sentences, *grouped_warning_lines([*by_method.items()])]


def _label_counts(labelled: Any) -> int | tuple[int, ...]:
    """Check numbers of labelled scores."""
    if not isinstance(labelled, (tuple, list)):
        return to_int(labelled, "labelled", 0, _BITS - 1)
    if len(labelled) != 2:
        raise invalid_option("labelled", labelled, "it must be a number, or those of positives and of negatives")
    return tuple(to_int(number, "labelled", 0, _BITS - 1) for number in labelled)


class PlanningModel(FittedModel):
    """A model that plans sample sizes."""

    @takes_options_of()
    def plan(
        self,
        *,
        se: float | None = None,
        half_width: float | None = None,
        prevalence: float | None = None,
        unlabelled: int | None = None,
        labelled: int | tuple[int, int] | None = None,
        assurance: float | None = None,
        design_effect: float = 1.0,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> Plans:
        """Plan how many labelled and unlabelled scores a standard error or an interval needs.

        This model's labelled scores are the pilot. With a goal alone, the plans are pairs of
        numbers of scores that reach the goal. With a goal and one number, the plans complete the
        pair. With both numbers and no goal, the plans state the expected precision.

        Parameters
        ----------
        se, half_width : float, optional
            The goal: the largest standard error, or the largest half-width of the interval.
        prevalence : float, optional
            The prevalence to plan for; by default the worst prevalence.
        unlabelled : int, optional
            Number of unlabelled scores.
        labelled : int, or tuple of two, optional
            Number of labelled scores: in all, or of positives and of negatives.
        assurance : float, optional
            The probability with which the sizes suffice in spite of chance in the pilot, such as 0.8.
            By default they suffice if the pilot is exact.
        design_effect : float, default 1
            The variance with the clusters or weights of the unlabelled scores, over that of as many
            independent scores: ``deff`` of an estimate.
        level, target, interval
            As in `truecount.estimate`, without the bootstrap.

        Warns
        -----
        PrevalenceWarning
            For methods without a plan, which are left out.
        """
        numbers = {"se": se, "half_width": half_width, "prevalence": prevalence, "assurance": assurance}
        numbers |= {"design_effect": design_effect, "level": level}
        request: dict[str, Any] = {name: to_float(value, name) for name, value in numbers.items() if value is not None}
        request["target"] = choice(target, "target", "targets")
        request["interval"] = choice(interval, "interval", "intervals", "bootstrap")
        request["unlabelled"] = None if unlabelled is None else to_int(unlabelled, "unlabelled", 1, _BITS)
        request["labelled"] = None if labelled is None else _label_counts(labelled)
        result = _core.plan(self._core, request)
        reasons = [error if "method" in error.fields else error.at(name) for name, error in result["left_out"]]
        if not result["columns"]["method"]:
            raise reasons[0]
        for reason in reasons:
            python_warnings.warn(f"left out, {reason}", PrevalenceWarning, stacklevel=3)
        return Plans(result)


class FitPlanKwargs(FitKwargs, PlanKwargs, total=False):
    """Keyword arguments of `truecount.plan`."""


@takes_options_of(PlanningModel.plan, FittedModel.fit)
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
    **kwargs
        As in `Model.plan` and `Model.fit`.

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
    {'best': 737.0, 'as pilot': 761.0, 'at random': 856.0}
    """
    fit, options = split_fit_kwargs(kwargs)
    return PlanningModel.fit(train_scores, train_labels, method=method, **fit).plan(**options)
