"""scikit-learn's `BaseEstimator` with types.

scikit-learn has no types, and type checkers would accept any argument of a quantifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

__all__ = ["Estimator"]

if TYPE_CHECKING:
    _E = TypeVar("_E", bound="Estimator")

    class Estimator:
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self: _E, **params: Any) -> _E: ...
        def set_fit_request(self: _E, *, sample_weight: Any = ..., groups: Any = ...) -> _E: ...
        def get_metadata_routing(self) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...

else:
    from sklearn.base import BaseEstimator as Estimator
