"""Plans: the sample sizes that a precision needs."""

from __future__ import annotations

import warnings as python_warnings
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import EstimateWarning, OptionError, PrevalenceWarning, TruecountError
from truecount._fitted_model import FittedModel
from truecount._names import Target
from truecount._options import interval_options, refuse_bootstrap, to_float, to_int
from truecount._result_table import ResultTable
from truecount._table import percent
from truecount._warnings import grouped_warning_lines

__all__ = ["PlanKwargs", "Plans", "plan_sizes"]

_BITS = 53
"""Bits of the numbers of scores, which are exact as doubles."""


class PlanKwargs(TypedDict, total=False):
    """Keyword arguments of `Model.plan`."""

    se: float | None
    half_width: float | None
    prevalence: float | None
    unlabelled: int | None
    labelled: int | tuple[int, int] | None
    design_effect: float
    level: float
    target: Target
    interval: Literal["wilson", "wald"]


class Plans(ResultTable):
    """A table of plans: sample sizes and their precision; made by `Model.plan`.

    Its columns are those of the command: ``method``; ``split``, how the labelled scores are divided
    between the classes ("best", "as pilot", "at random", "given"); ``unlabelled``, ``labelled``,
    ``positive`` and ``negative``, numbers of scores, which are infinite if unlimited; the expected
    ``se`` and ``half_width`` at the worst prevalence, and these prevalences,
    ``se_worst_prevalence`` and ``half_width_worst_prevalence``; ``level``; and ``goal_met``, which is
    None without a goal.

    Attributes
    ----------
    warnings : tuple of (str, EstimateWarning)
        Warnings, each with the method that it is about.
    """

    def __init__(self, result: _core.Plans, goal: str) -> None:
        super().__init__(result)
        self._goal, self._meanings, self._pilot = goal, result["splits"], result["pilot"]
        self.warnings: tuple[tuple[str, EstimateWarning], ...] = tuple(result["warnings"])

    @property
    def method(self) -> NDArray[np.object_]:
        """The method of each plan."""
        return self._column("method")

    @property
    def split(self) -> NDArray[np.object_]:
        """How the labelled scores are divided between the classes."""
        return self._column("split")

    @property
    def unlabelled(self) -> NDArray[np.float64]:
        """Numbers of unlabelled scores; infinite if unlimited."""
        return self._column("unlabelled")

    @property
    def labelled(self) -> NDArray[np.float64]:
        """Numbers of labelled scores; infinite if unlimited."""
        return self._column("labelled")

    @property
    def positive(self) -> NDArray[np.float64]:
        """Numbers of labelled positives."""
        return self._column("positive")

    @property
    def negative(self) -> NDArray[np.float64]:
        """Numbers of labelled negatives."""
        return self._column("negative")

    @property
    def se(self) -> NDArray[np.float64]:
        """Expected standard errors, at the worst prevalence."""
        return self._column("se")

    @property
    def half_width(self) -> NDArray[np.float64]:
        """Expected half-widths of the intervals, at the worst prevalence."""
        return self._column("half_width")

    @property
    def goal_met(self) -> NDArray[Any]:
        """Whether each plan reaches the goal; None without a goal."""
        return self._column("goal_met")

    def _notes(self) -> list[str]:
        splits = [f"{name}: {meaning}" for name, meaning in self._meanings] if "split" in self._heading else []
        by_method: dict[str, list[EstimateWarning]] = {}
        for method, warning in self.warnings:
            by_method.setdefault(method, []).append(warning)
        return [*self._explained, self._goal, *splits, *self._pilot, *grouped_warning_lines([*by_method.items()])]


def _parse_request(
    se: Any, half_width: Any, unlabelled: Any, labelled: Any
) -> tuple[float | None, float | None, int | None, Any]:
    """Check the goal and the sizes, and convert them to the types that the library takes."""
    if se is not None and half_width is not None:
        raise OptionError(
            "se and half_width are two goals; leave out one of them", "option-conflict", name="half_width"
        )
    if se is None and half_width is None and (unlabelled is None or labelled is None):
        raise OptionError(
            "what is to be reached? Give se or half_width, or labelled and unlabelled to see what to expect of them",
            "option-invalid",
            name="se",
            value=None,
        )
    if (se is not None or half_width is not None) and unlabelled is not None and labelled is not None:
        raise OptionError(
            "labelled and unlabelled leave nothing to plan: leave out one of them, or leave out se and "
            "half_width to see what to expect",
            "option-conflict",
            name="labelled",
        )
    if isinstance(labelled, (tuple, list)):
        if len(labelled) != 2:
            raise OptionError(
                f"labelled is {short_repr(labelled)}; it must be a number, or those of positives and of negatives",
                "option-invalid",
                name="labelled",
                value=labelled,
            )
        counts: Any = tuple(to_int(number, "labelled", 0, _BITS - 1) for number in labelled)
    else:
        counts = None if labelled is None else to_int(labelled, "labelled", 0, _BITS - 1)
    return (
        None if se is None else to_float(se, "se"),
        None if half_width is None else to_float(half_width, "half_width"),
        None if unlabelled is None else to_int(unlabelled, "unlabelled", 1, _BITS),
        counts,
    )


def _with_name(name: str, error: TruecountError) -> TruecountError:
    """Add the name of a method or split to an error that does not name its method."""
    return error if "method" in error.fields else error.at(name)


def plan_sizes(
    model: FittedModel,
    *,
    se: float | None = None,
    half_width: float | None = None,
    prevalence: float | None = None,
    unlabelled: int | None = None,
    labelled: int | tuple[int, int] | None = None,
    design_effect: float = 1.0,
    level: float = 0.95,
    target: Target = "sample",
    interval: Literal["wilson", "wald"] = "wilson",
) -> Plans:
    """Return the result of `Model.plan`."""
    refuse_bootstrap(interval, "a plan has no bootstrap; leave out interval")
    max_se, max_half, scores, counts = _parse_request(se, half_width, unlabelled, labelled)
    at = None if prevalence is None else to_float(prevalence, "prevalence")
    request = (max_se, max_half, at, scores, counts, to_float(design_effect, "design_effect"))
    result = _core.plan(model._core, request, interval_options(level, target, interval))
    reasons = [_with_name(name, error) for name, error in result["left_out"]]
    if not result["columns"]["method"]:
        raise reasons[0]
    for reason in reasons:
        python_warnings.warn(f"left out, {reason}", PrevalenceWarning, stacklevel=3)
    place = "at the worst prevalence (prevalence=… names one)" if at is None else f"at prevalence {at:g}"
    measure, value = ("se", max_se) if max_se is not None else ("half-width", max_half)
    goal = f"to be expected {place}" if value is None else f"goal: {measure} at most {value:g} {place}"
    return Plans(result, f"{goal}; half-width: half of the {percent(float(level))} % interval")
