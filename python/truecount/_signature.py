"""Signatures of functions that pass their keyword arguments on to other functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any, TypeVar

from truecount._settings import FitKwargs

__all__ = ["refuse_unknown_options", "show_options_of"]

_F = TypeVar("_F", bound=Callable[..., Any])

_OTHER_NAMES = {"alpha": "level", "confidence": "level", "group": "by", "groupby": "by", "groups": "by"}
"""Names of arguments in other packages, and here."""


def show_options_of(*functions: Callable[..., Any]) -> Callable[[_F], _F]:
    """Show the keyword-only parameters of other functions in place of ``**kwargs``.

    ``help`` and notebooks read this signature; type checkers and editors read the annotations.
    """

    def decorate(function: _F) -> _F:
        signature = inspect.signature(function)
        parameters = {name: each for name, each in signature.parameters.items() if each.kind != each.VAR_KEYWORD}
        for other in functions:
            for name, each in inspect.signature(other).parameters.items():
                if each.kind == each.KEYWORD_ONLY:
                    parameters.setdefault(name, each)
        function.__signature__ = signature.replace(parameters=[*parameters.values()])  # type: ignore[attr-defined]
        return function

    return decorate


def refuse_unknown_options(function: Callable[..., Any], options: Iterable[str]) -> None:
    """Raise an error for an argument that is not in the signature set by `show_options_of`.

    Otherwise the error would name the function that the arguments are passed on to.
    """
    known = function.__signature__.parameters  # type: ignore[attr-defined]
    for name in options:
        if name not in known:
            similar = [_OTHER_NAMES.get(name), *get_close_matches(name, known, 1)]
            hint = next((f"; did you mean '{each}'?" for each in similar if each in known), "")
            if not hint and (name == "method" or name in FitKwargs.__annotations__):
                hint = "; it is an argument of Model.fit"
            raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'{hint}")
