"""Contributions of test scores to an estimate, as numbers and as an expression of polars."""

from __future__ import annotations

from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats
from truecount._conditions import OptionError, ScoreError, TruecountError
from truecount._fitted_model import FittedModel
from truecount._sets import parse_test_sets

__all__ = ["influence", "influence_expr"]


def influence(model: FittedModel, test_scores: Any, test_probabilities: Any, method: str | None) -> Floats:
    """Return the result of `Model.influence`."""
    sets = parse_test_sets(test_scores, test_probabilities, None, None)
    if sets.several:
        raise ScoreError("test_scores are several test sets; give one column", "column-invalid", column="test_scores")
    try:
        return model._core.influence(_method_index(model, method), sets.columns)
    except TruecountError as error:
        raise sets.explain(error) from None


def _method_index(model: FittedModel, method: str | None) -> int:
    known = list(model._methods)
    if method is None:
        return 0
    if method not in known:
        raise OptionError(
            f"the model has no method '{method}'; it has {', '.join(known)}",
            "method-unknown",
            name=method,
            known=known,
        )
    return known.index(method)


def influence_expr(model: FittedModel, scores: Any, method: str | None) -> Any:
    """Return the result of `Model.influence_expr`."""
    import polars

    index = _method_index(model, method)

    # Polars' own expressions (the bins as a tree, `cut` or `search_sorted`) could not raise an
    # error for a null. For a million scores they take more than ten times as long in one group,
    # several times as long in 100 groups, and half as long only in 50,000 groups.
    def contributions(column: Any) -> Any:
        # For a small group, reading it through Arrow would take longer than the rest.
        values = column if column.has_nulls() else column.to_numpy()
        return polars.Series(column.name, influence(model, values, None, method))

    # Raises the error for a method without influence now instead of in the query.
    influence(model, np.array([0.5]), None, method)
    # With a choice among means, the contribution of a score depends on its group.
    elementwise = list(model._methods)[index] not in _core.methods_that("choose among means")
    column = polars.col(scores) if isinstance(scores, str) else scores
    if not isinstance(column, polars.Expr):
        raise OptionError(
            f"scores is a {type(scores).__name__}; give a polars expression, or the name of a column",
            "option-invalid",
            name="scores",
        )
    return column.map_batches(contributions, return_dtype=polars.Float64, is_elementwise=elementwise)
