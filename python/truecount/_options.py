"""Options: conversions to the types that the library takes, with errors that name the argument."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Literal, Optional, TypedDict

from truecount import _core
from truecount._columns import short_repr
from truecount._conditions import OptionError
from truecount._names import Misfit, Target

__all__ = [
    "bootstrap_options",
    "FormulaKwargs",
    "IntervalOptions",
    "choice",
    "formula_options",
    "interval_options",
    "refuse_bootstrap",
    "to_float",
    "to_int",
    "unknown_choice_error",
]

IntervalOptions = tuple[float, str, str, str, Optional[float]]
"""Level, target, kind of interval, effect of misfit, and the size of a finite population."""


class FormulaKwargs(TypedDict, total=False):
    """Keyword arguments about intervals that have a formula, without the bootstrap."""

    level: float
    target: Target
    interval: Literal["wilson", "wald"]
    misfit: Misfit


def choice(value: Any, name: str, table: str, *more: str) -> str:
    """Return a text; the library checks that it is a name in one of its tables.

    Any other value is an error with the names in `table` and `more`.
    """
    if isinstance(value, str):
        return value
    known = [known for known, _ in _core.names(table)]
    raise unknown_choice_error(name, value, [*known, *more])


def unknown_choice_error(name: str, value: Any, known: Iterable[str]) -> OptionError:
    """Return the error for a value that is not among the known values."""
    known = list(known)
    message = f"{name} is {short_repr(value)}; it must be one of {', '.join(known)}"
    return OptionError(message, "choice-unknown", name=name, value=value, known=known)


def to_float(value: Any, name: str, must: str = "it must be a number") -> float:
    """Return a float; a text is an error."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise OptionError(f"{name} is {short_repr(value)}; {must}", "option-invalid", name=name, value=value)


def to_int(value: Any, name: str, minimum: int, bits: int = 63) -> int:
    """Return a whole number in [minimum, 2^bits)."""
    try:
        number = index(value)
    except TypeError:
        raise OptionError(
            f"{name} is {short_repr(value)}; it must be a whole number",
            "option-invalid",
            name=name,
            value=value,
        ) from None
    if not minimum <= number < 2**bits:
        raise OptionError(
            f"{name} is {number}; it must be {minimum} or more" + (f" and below 2^{bits}" if number > 0 else ""),
            "option-invalid",
            name=name,
            value=number,
        )
    return number


def bootstrap_options(resamples: Any, seed: Any) -> tuple[int, int]:
    """Return the number of resamples and the seed of a bootstrap."""
    return to_int(resamples, "resamples", 1), to_int(seed, "seed", 0, 64)


def refuse_bootstrap(interval: str, message: str) -> None:
    """Raise an error with this message if the interval is a bootstrap."""
    if interval == "bootstrap":
        raise OptionError(message, "option-conflict", name="interval")


def interval_options(
    level: Any, target: Any, interval: Any, misfit: Any = "widen", population: float | None = None
) -> IntervalOptions:
    """Check the types of interval options, and return those for the library."""
    return (
        to_float(level, "level"),
        choice(target, "target", "targets"),
        choice(interval, "interval", "intervals", "bootstrap"),
        choice(misfit, "misfit", "misfits"),
        population,
    )


def formula_options(
    refusal: str, *, level: float = 0.95, target: str = "sample", interval: str = "wilson", misfit: str = "widen"
) -> IntervalOptions:
    """Return options without the bootstrap, which is an error with this message."""
    refuse_bootstrap(interval, refusal)
    return interval_options(level, target, interval, misfit)
