"""Options, of the type and within the choices that there are."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, Optional

from truecount import _core
from truecount._columns import shown
from truecount._conditions import OptionError

__all__ = ["Reporting", "choice", "real", "refuse_bootstrap", "reporting", "unknown_choice", "whole"]

Reporting = tuple[float, str, str, str, Optional[float]]
"""Level, target and interval, what misfit does to it, and how large the population is, where it is finite."""


def choice(value: Any, name: str, table: str, *more: str) -> str:
    """A name; whether it is one of the library's table the library tells, but for what is no text."""
    if isinstance(value, str):
        return value
    known = [known for known, _ in _core.names(table)]
    raise unknown_choice(name, value, [*known, *more])


def unknown_choice(name: str, value: Any, known: Iterable[str]) -> OptionError:
    """The error about a value that is not among the known ones."""
    known = list(known)
    message = f"{name} is {shown(value)}; it must be one of {', '.join(known)}"
    return OptionError(message, "choice-unknown", name=name, value=value, known=known)


def real(value: Any, name: str, must: str = "it must be a number") -> float:
    """A number, which a text is not."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise OptionError(f"{name} is {shown(value)}; {must}", "option-invalid", name=name, value=value)


def whole(value: Any, name: str, least: int, bits: int = 63) -> int:
    """A whole number that is at least so large, and has so many bits."""
    try:
        number = index(value)
    except TypeError:
        raise OptionError(
            f"{name} is {shown(value)}; it must be a whole number",
            "option-invalid",
            name=name,
            value=value,
        ) from None
    if not least <= number < 2**bits:
        raise OptionError(
            f"{name} is {number}; it must be {least} or more" + (f" and below 2^{bits}" if number > 0 else ""),
            "option-invalid",
            name=name,
            value=number,
        )
    return number


def refuse_bootstrap(interval: str, why: str) -> None:
    """Refuses it, for that reason, where there are only formulas; types alone do not keep it away."""
    if interval == "bootstrap":
        raise OptionError(why, "option-conflict", name="interval")


def reporting(
    level: Any, target: Any, interval: Any, misfit: Any = "widen", population: float | None = None
) -> Reporting:
    """Which interval, of what; what misfit does to it; and how large the population is, where it is finite."""
    return (
        real(level, "level"),
        choice(target, "target", "targets"),
        choice(interval, "interval", "intervals", "bootstrap"),
        choice(misfit, "misfit", "misfits"),
        population,
    )
