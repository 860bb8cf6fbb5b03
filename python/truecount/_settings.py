"""Settings of a fit, from Python's arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import OptionError
from truecount._names import Family, Methods, Rates, Transform
from truecount._options import choice, to_float

__all__ = ["FitKwargs", "split_fit_kwargs", "settings"]


class FitKwargs(TypedDict, total=False):
    """Keyword arguments of `Model.fit`, without `method`."""

    family: Family | None
    transform: Transform | None
    rates: Rates | None
    threshold: float | str
    cutoff: float | None
    positive: Any
    train_probabilities: Any
    train_weights: Any
    train_clusters: Any
    train_strata: Any


def split_fit_kwargs(kwargs: Any) -> tuple[FitKwargs, Any]:
    """Return the keyword arguments of `Model.fit`, and the others."""
    fit: Any = {name: kwargs.pop(name) for name in FitKwargs.__annotations__.keys() & kwargs.keys()}
    return fit, kwargs


def _methods(method: str | Iterable[str]) -> list[str]:
    """Return the names of methods; a text may have several names with commas."""
    known = "it must be names of truecount.methods(), in a list or between commas"
    if not isinstance(method, Iterable):
        raise OptionError(f"method is {short_repr(method)}; {known}", "option-invalid", name="method", value=method)
    names = method.split(",") if isinstance(method, str) else list(method)
    if not names:
        raise OptionError("no method is named; name at least one method", "no-methods")
    for name in names:
        if not isinstance(name, str):
            raise OptionError(
                f"method: {short_repr(name)} is no name; {known}", "option-invalid", name="method", value=name
            )
        if not name.strip():
            raise OptionError(
                f"method: {short_repr(method)} has an empty name; leave it out",
                "option-invalid",
                name="method",
                value=method,
            )
    return [name.strip() for name in names]


def settings(
    method: Methods | None,
    family: Family | None,
    transform: Transform | None,
    rates: Rates | None,
    threshold: float | str,
    cutoff: float | None,
) -> _core.Settings:
    """Check the types of the settings, and return those for the library; None is its default."""
    must = "it must be 'optimal' or a number between 0 and 1"
    return {
        "methods": [] if method is None else _methods(method),
        "threshold": None
        if isinstance(threshold, str) and threshold == "optimal"
        else to_float(threshold, "threshold", must),
        "family": None if family is None else choice(family, "family", "families"),
        "transform": None if transform is None else choice(transform, "transform", "transforms"),
        "rates": None if rates is None else choice(rates, "rates", "rates"),
        "cutoff": None if cutoff is None else to_float(cutoff, "cutoff"),
    }
