"""The plan of sample sizes in one call."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from truecount import _core
from truecount._counts import PublishedRate
from truecount._errors import EstimateWarning, PrevalenceWarning, TruecountError, grouped_warning_lines, invalid_option
from truecount._fit import FittedModel
from truecount._options import FitKwargs, Methods, Target, request_options, split_fit_kwargs, takes_options_of, to_int
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
    difference: float | None
    power: float | None
    separate_labels: bool
    above: float | None
    below: float | None
    prevalence: float | None
    unlabelled: int | None
    labelled: int | tuple[int, int] | None
    assurance: float | None
    design_effect: float
    level: float
    target: Target | None
    interval: Literal["wilson", "wald"]


class Plans(ResultTable):
    """A table of plans: sample sizes and their precision; made by `Model.plan` and for several classes.

    Its columns are those of the command: ``class``, if there are several; ``method``; ``split``, how the labelled
    scores are divided between the classes ("best", "as pilot", "at random", "given"); ``unlabelled``, ``labelled``,
    ``positive`` and ``negative``, numbers of scores, which are infinite if unlimited; ``low`` and ``high``, the tenth
    and ninetieth percentile of the planned number by resamples of the pilot; the expected ``se`` and ``half_width`` at
    the worst prevalence, and these
    prevalences, ``se_worst_prevalence`` and ``half_width_worst_prevalence``; ``periods``, ``power`` and ``false_alarm``
    of differences and alarms; ``level``; and ``goal_met``, which is None without a goal.

    Attributes
    ----------
    warnings : tuple of (str, EstimateWarning)
        Warnings, each with the method or class that it is about.
    """

    def __init__(self, result: _core.Plans, model: FittedModel | None, options: dict[str, Any]) -> None:
        super().__init__(result)
        self._model, self._options = model, options
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
    power = Column[np.float64]("Probabilities of finding the difference, or of an alarm within the periods.")
    periods = Column[np.float64]("Numbers of periods.")
    false_alarm = Column[np.float64]("Probabilities of an alarm while the prevalence stays at the bound.")
    goal_met = Column[Any]("Whether each plan reaches the goal; None without a goal.")

    @cached_property
    def _curves(self) -> list[tuple[str, tuple[list[float], list[float]]]]:
        """Numbers of unlabelled and labelled scores that reach the goal, by method."""
        return [] if self._model is None else _core.plan_curves(self._model._core, self._options)

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
        difference: float | None = None,
        power: float | None = None,
        separate_labels: bool = False,
        above: float | None = None,
        below: float | None = None,
        prevalence: float | None = None,
        unlabelled: int | None = None,
        labelled: int | tuple[int, int] | None = None,
        assurance: float | None = None,
        design_effect: float = 1.0,
        level: float = 0.95,
        target: Target | None = None,
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> Plans:
        """Plan how many labelled and unlabelled scores a precision or a power needs.

        This model's labelled scores are the pilot. With a goal alone, the plans are pairs of
        numbers of scores that reach the goal. With a goal and one number, the plans complete the
        pair. With both numbers and no goal, the plans state the expected precision.

        Parameters
        ----------
        se, half_width : float, optional
            The goal: the largest standard error, or the largest half-width of the interval.
        difference : float, optional
            The difference to find between two groups, the lower one at `prevalence`: plans the unlabelled
            scores of each, or with `unlabelled` the power. The labels are those of the pilot by default.
        power : float, default 0.8
            The probability of finding the difference.
        separate_labels : bool, default False
            Whether each group has labels of its own.
        above, below : float, optional
            The share beyond which `Model.monitor` raises an alarm: plans the probability of an alarm within 1
            to 64 periods of `unlabelled` scores.
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
        options = locals()
        return make_plans(options.pop("self"), **options)


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "sensitivity": lambda rate, _: "/".join(map(str, rate)) if isinstance(rate, tuple) else str(rate),
    "unlabelled": lambda number, name: to_int(number, name, 1, _BITS),
    "labelled": lambda counts, _: _label_counts(counts),
}
_CHECKS["specificity"] = _CHECKS["sensitivity"]


def make_plans(pilot: PlanningModel | _core.MulticlassModel | None, **options: Any) -> Plans:
    """Plan with a model, for several classes, or with published rates."""
    options = request_options({}, options, _CHECKS)
    model, core = (pilot, pilot._core) if isinstance(pilot, PlanningModel) else (None, pilot)
    result = _core.plan(core, options)
    reasons = [error if "method" in error.fields else error.at(name) for name, error in result["left_out"]]
    if not result["columns"]["method"]:
        raise reasons[0]
    for reason in reasons:
        python_warnings.warn(f"left out, {reason}", PrevalenceWarning, stacklevel=4)
    return Plans(result, model, options)


class FitPlanKwargs(FitKwargs, PlanKwargs, total=False):
    """Keyword arguments of `truecount.plan` that are passed on."""


@takes_options_of(PlanningModel.plan, FittedModel.fit)
def plan(
    train_scores: Any = None,
    train_labels: Any = None,
    *,
    method: Methods | None = None,
    sensitivity: PublishedRate | None = None,
    specificity: PublishedRate | None = None,
    **kwargs: Unpack[FitPlanKwargs],
) -> Plans:
    """Plan how many labelled and unlabelled scores a precision or a power needs.

    The labelled scores are the pilot, and the plan depends on how well they represent the classes.

    Parameters
    ----------
    train_scores, train_labels
        As in `truecount.estimate`; left out with a published `sensitivity` and `specificity`.
    method : str or iterable of str, default "es"
        Methods whose variance has a formula: names in a list, or in a text with commas.
    sensitivity, specificity : float, str or tuple of int, optional
        Published rates, as in `truecount.counts`; `target` is then "population" by default.
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
    >>> tc.plan(sensitivity=0.9, specificity=0.95, prevalence=0.2, half_width=0.05).unlabelled
    array([365.])
    """
    fit, options = split_fit_kwargs(kwargs)
    has_scores = train_scores is not None or train_labels is not None
    model = PlanningModel.fit(train_scores, train_labels, method=method, **fit) if has_scores else None
    return make_plans(model, sensitivity=sensitivity, specificity=specificity, **options)
