"""What is to be fitted, as the library takes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypedDict

from truecount import _core
from truecount._columns import shown
from truecount._conditions import OptionError
from truecount._names import Rates, Family, Methods, Transformation
from truecount._options import choice, real

__all__ = ["OfLabelled", "settings"]


class OfLabelled(TypedDict, total=False):
    """What may be said of labelled scores and how methods are fitted to them: arguments of `Model.fit`, but for `method`."""

    family: Family | None
    transformation: Transformation | None
    rates: Rates | None
    threshold: float | str
    cutoff: float | None
    positive: Any
    train_probabilities: Any
    train_weights: Any
    train_clusters: Any


def _methods(method: str | Iterable[str]) -> list[str]:
    """Names, of which a text may have several between commas."""
    known = "it must be names of truecount.methods(), in a list or between commas"
    if not isinstance(method, Iterable):
        raise OptionError(f"method is {shown(method)}; {known}", "option-invalid", name="method", value=method)
    names = method.split(",") if isinstance(method, str) else list(method)
    if not names:
        raise OptionError("no method was asked for", "no-methods")
    for name in names:
        if not isinstance(name, str):
            raise OptionError(f"method: {shown(name)} is no name; {known}", "option-invalid", name="method", value=name)
        if not name.strip():
            raise OptionError(
                f"method: {shown(method)} has an empty name; leave it out",
                "option-invalid",
                name="method",
                value=method,
            )
    return [name.strip() for name in names]


def settings(
    method: Methods | None,
    family: Family | None,
    transformation: Transformation | None,
    rates: Rates | None,
    threshold: float | str,
    cutoff: float | None,
) -> _core.Settings:
    """The same, checked as far as types go; None is the library's choice."""
    must = "it must be 'optimal' or a number between 0 and 1"
    return {
        "methods": [] if method is None else _methods(method),
        "threshold": None
        if isinstance(threshold, str) and threshold == "optimal"
        else real(threshold, "threshold", must),
        "family": None if family is None else choice(family, "family", "families"),
        "transform": None if transformation is None else choice(transformation, "transformation", "transforms"),
        "rates": None if rates is None else choice(rates, "rates", "rates"),
        "cutoff": None if cutoff is None else real(cutoff, "cutoff"),
    }
