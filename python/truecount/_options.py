"""Options: named choices, conversions to the library's types, and signatures that pass options on."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from operator import index
from types import MappingProxyType
from typing import Any, Literal, TypedDict, TypeVar, Union

from truecount import _core
from truecount._errors import OptionError, invalid_option, option_conflict, option_error, short_repr

__all__ = ["families", "methods"]


Method = Literal[
    "es", "cs", "o-cs", "t-cs", "o-ms", "t-ms", "ms-quapy", "ms2", "cc", "ac", "max", "t50", "x", "pcc", "pacc",
    "friedman", "smm", "edy", "sld", "sld-bcts", "ml", "kdey-ml", "dys", "dys-topsoe", "mm", "hdy", "bcc", "pq",
]  # fmt: skip
Methods = Union[Method, Literal["all"], str, Iterable[Method]]
"""Names of methods: one, "all", several in a list, or several between commas."""
Family = Literal["normal", "skew-normal", "logistic", "student-t", "beta", "kernel", "auto"]
Transform = Literal["none", "logit", "rank"]
Rates = Literal["family", "labels"]
Target = Literal["sample", "population"]
Interval = Literal["wilson", "wald", "bootstrap"]
RateInterval = Literal["lang-reiczigel", "wilson", "exact-rates"]
Misfit = Literal["widen", "warn"]

Period = Literal["hour", "day", "week", "month", "quarter", "year"]
Dialect = Literal["ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"]
Severity = Literal["note", "caution", "unreliable"]


def methods() -> dict[str, str]:
    """Return the names of all methods with descriptions.

    The method ``cs``, Continuous Sweep with a threshold of your choice, is not in the table.
    """
    return dict(_core.names("methods"))


def families() -> dict[str, str]:
    """Return the names of all families of distributions with descriptions."""
    return dict(_core.names("families"))


READ_POSTERIORS = frozenset(_core.methods_with("reads_posteriors"))
"""The methods that read posterior probabilities."""


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
    raise invalid_option(name, value, f"{must}")


def to_int(value: Any, name: str, minimum: int, bits: int = 63) -> int:
    """Return a whole number in [minimum, 2^bits)."""
    try:
        number = index(value)
    except TypeError:
        raise invalid_option(name, value, "it must be a whole number") from None
    if not minimum <= number < 2**bits:
        raise option_error(
            name,
            f"{name} is {number}; it must be {minimum} or more" + (f" and below 2^{bits}" if number > 0 else ""),
            value=number,
        )
    return number


def _flag(value: Any, name: str) -> bool:
    return bool(value)


_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("audit_outside_test", "separate_labels", "total", "uniform"), _flag),
    "target": lambda value, name: choice(value, name, "targets"),
    "interval": lambda value, name: choice(value, name, "intervals", "bootstrap"),
    "misfit": lambda value, name: choice(value, name, "misfits"),
    "transform": lambda value, name: choice(value, name, "transforms"),
    "publish": lambda rule, name: str(rule),
    "number": lambda value, name: to_int(value, name, 1),
    "resamples": lambda value, name: to_int(value, name, 1),
    "seed": lambda value, name: to_int(value, name, 0, 64),
}
"""The checks of the types of options that are not numbers."""


def request_options(
    options: Mapping[str, Any],
    optional: Mapping[str, Any] = MappingProxyType({}),
    checks: Mapping[str, Callable[[Any, str], Any]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Check the types of options, and return those for the library, without optional ones that are None."""
    given = {**options, **{name: value for name, value in optional.items() if value is not None}}
    return {name: (checks.get(name) or _CHECKS.get(name, to_float))(value, name) for name, value in given.items()}


def formula_options(
    refusal: str, *, level: float = 0.95, target: str = "sample", interval: str = "wilson", misfit: str = "widen"
) -> dict[str, Any]:
    """Return options without the bootstrap, which is an error with this message."""
    if interval == "bootstrap":
        raise option_conflict("interval", refusal)
    return request_options({"level": level, "target": target, "interval": interval, "misfit": misfit})


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
        raise invalid_option("method", method, f"{known}")
    names = method.split(",") if isinstance(method, str) else list(method)
    if not names:
        raise OptionError("no method is named; name at least one method", "no-methods")
    for name in names:
        if not isinstance(name, str):
            raise option_error("method", f"method: {short_repr(name)} is no name; {known}", value=name)
        if not name.strip():
            raise option_error("method", f"method: {short_repr(method)} has an empty name; leave it out", value=method)
    return [name.strip() for name in names]


def settings(
    method: Methods | None,
    family: Family | None,
    transform: Transform | None,
    rates: Rates | None,
    threshold: float | str,
    cutoff: float | None,
) -> dict[str, Any]:
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


_F = TypeVar("_F", bound=Callable[..., Any])

_OTHER_NAMES = {"alpha": "level", "confidence": "level", "group": "by", "groupby": "by", "groups": "by"}
"""Names of arguments in other packages, and here."""


def takes_options_of(*functions: Callable[..., Any]) -> Callable[[_F], _F]:
    """Show the keyword-only parameters of other functions in place of ``**kwargs``, and refuse other names.

    ``help`` and notebooks read this signature; type checkers and editors read the annotations.
    """

    def decorate(function: _F) -> _F:
        signature = inspect.signature(function)
        parameters = {name: each for name, each in signature.parameters.items() if each.kind != each.VAR_KEYWORD}
        for other in functions:
            for name, each in inspect.signature(other).parameters.items():
                if each.kind == each.KEYWORD_ONLY:
                    parameters.setdefault(name, each)

        @wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name in kwargs:
                if name not in parameters:
                    raise _unknown_option_error(function.__name__, name, kwargs[name], parameters)
            return function(*args, **kwargs)

        checked.__signature__ = signature.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
        return checked  # type: ignore[return-value]

    return decorate


def _unknown_option_error(function: str, name: str, value: Any, known: Collection[str]) -> TypeError:
    similar = [_OTHER_NAMES.get(name), *get_close_matches(name, known, 1)]
    hint = next((f"; did you mean '{each}'?" for each in similar if each in known), "")
    if name == "alpha" and "level" in known:
        hint = f"; say level={1 - value:g}" if isinstance(value, float) else "; say level=1 - alpha"
    if not hint and (name == "method" or name in FitKwargs.__annotations__):
        hint = "; it is an argument of Model.fit"
    return TypeError(f"{function}() got an unexpected keyword argument '{name}'{hint}")
