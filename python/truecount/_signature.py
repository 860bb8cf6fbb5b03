"""Signatures of functions that pass their keyword arguments on to other functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["show_options_of"]

_F = TypeVar("_F", bound=Callable[..., Any])


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
