"""From a pilot to the sizes that a precision needs."""

from __future__ import annotations

import warnings as python_warnings
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import shown
from truecount._conditions import Caveat, OptionError, PrevalenceWarning, TruecountError
from truecount._described import Described
from truecount._fitted import Fitted
from truecount._names import Target
from truecount._options import real, refuse_bootstrap, reporting, whole
from truecount._table import percent
from truecount._warned import warned

__all__ = ["OfPlan", "Plans", "plan"]

_BITS = 53
"""Numbers of scores are exact as doubles."""


class OfPlan(TypedDict, total=False):
    """What may be asked of a plan: arguments of `Model.plan`."""

    se: float | None
    half_width: float | None
    prevalence: float | None
    unlabelled: int | None
    labelled: int | tuple[int, int] | None
    level: float
    target: Target
    interval: Literal["wilson", "wald"]


class Plans(Described):
    """Sizes that a precision needs, or the precision that sizes give, a row for each; made by `Model.plan`.

    Its columns are those of the command: ``method``; ``split``, how the labelled scores are divided between the classes ("best", "as pilot", "at
    random", "given"); ``unlabelled``, ``labelled``, ``positive`` and ``negative``, numbers of scores, infinite where there is no limit;
    ``se`` and ``half_width`` to be expected, at their worst, with the prevalences where they are that large, ``se_worst_prevalence`` and
    ``half_width_at``; ``level``; and ``goal_met``, whether the goal is reached, None without one.

    Attributes
    ----------
    warnings : tuple of (str, Caveat)
        What to beware of, with the method that it is about.
    """

    def __init__(self, found: _core.Plans, goal: str) -> None:
        super().__init__(found)
        self._goal, self._meanings, self._pilot = goal, found["splits"], found["pilot"]
        self.warnings: tuple[tuple[str, Caveat], ...] = tuple(found["warnings"])

    @property
    def method(self) -> NDArray[np.object_]:
        """The methods planned for."""
        return self._column("method")

    @property
    def split(self) -> NDArray[np.object_]:
        """How the labelled scores fall into the classes."""
        return self._column("split")

    @property
    def unlabelled(self) -> NDArray[np.float64]:
        """Numbers of unlabelled scores; infinite where there is no limit."""
        return self._column("unlabelled")

    @property
    def labelled(self) -> NDArray[np.float64]:
        """Numbers of labelled scores; infinite where there is no limit."""
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
        """Standard errors to be expected, at their worst."""
        return self._column("se")

    @property
    def half_width(self) -> NDArray[np.float64]:
        """Halves of the intervals to be expected, at their worst."""
        return self._column("half_width")

    @property
    def goal_met(self) -> NDArray[Any]:
        """Whether the goal is reached; None without a goal."""
        return self._column("goal_met")

    def _notes(self) -> list[str]:
        splits = [f"{name}: {meaning}" for name, meaning in self._meanings] if "split" in self._heading else []
        of: dict[str, list[Caveat]] = {}
        for method, warning in self.warnings:
            of.setdefault(method, []).append(warning)
        return [*self._explained, self._goal, *splits, *self._pilot, *warned([*of.items()])]


def _question(
    se: Any, half_width: Any, unlabelled: Any, labelled: Any
) -> tuple[float | None, float | None, int | None, Any]:
    """What is asked, of the type that it must be."""
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
            "labelled and unlabelled leave nothing to plan: leave out one of them, or leave out se and half_width to see what to expect",
            "option-conflict",
            name="labelled",
        )
    if isinstance(labelled, (tuple, list)):
        if len(labelled) != 2:
            raise OptionError(
                f"labelled is {shown(labelled)}; it must be a number, or those of positives and of negatives",
                "option-invalid",
                name="labelled",
                value=labelled,
            )
        counts: Any = tuple(whole(number, "labelled", 0, _BITS - 1) for number in labelled)
    else:
        counts = None if labelled is None else whole(labelled, "labelled", 0, _BITS - 1)
    return (
        None if se is None else real(se, "se"),
        None if half_width is None else real(half_width, "half_width"),
        None if unlabelled is None else whole(unlabelled, "unlabelled", 1, _BITS),
        counts,
    )


def _naming(name: str, error: TruecountError) -> TruecountError:
    """The error with what it is of, unless it says so itself."""
    return error if "method" in error.fields else error.at(name)


def plan(
    model: Fitted,
    *,
    se: float | None = None,
    half_width: float | None = None,
    prevalence: float | None = None,
    unlabelled: int | None = None,
    labelled: int | tuple[int, int] | None = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Literal["wilson", "wald"] = "wilson",
) -> Plans:
    """What `Model.plan` gives."""
    refuse_bootstrap(interval, "a plan has no bootstrap; leave out interval")
    most, half, scores, counts = _question(se, half_width, unlabelled, labelled)
    at = None if prevalence is None else real(prevalence, "prevalence")
    found = _core.plan(model._core, (most, half, at, scores, counts), reporting(level, target, interval))
    reasons = [_naming(name, error) for name, error in found["left_out"]]
    if not found["columns"]["method"]:
        raise reasons[0]
    for reason in reasons:
        python_warnings.warn(f"left out, {reason}", PrevalenceWarning, stacklevel=3)
    place = "at the worst prevalence (prevalence=… names one)" if at is None else f"at prevalence {at:g}"
    measure, value = ("se", most) if most is not None else ("half-width", half)
    goal = f"to be expected {place}" if value is None else f"goal: {measure} at most {value:g} {place}"
    return Plans(found, f"{goal}; half-width: half of the {percent(float(level))} % interval")
