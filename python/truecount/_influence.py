"""What each test score adds to an estimate, as numbers and as an expression of polars."""

from __future__ import annotations

from typing import Any

import numpy as np

from truecount import _core
from truecount._columns import Floats
from truecount._conditions import OptionError, ScoreError, TruecountError
from truecount._fitted import Fitted
from truecount._sets import test_sets

__all__ = ["influence", "influence_expr"]


def influence(model: Fitted, test_scores: Any, test_probabilities: Any, method: str | None) -> Floats:
    """What `Model.influence` gives."""
    sets = test_sets(test_scores, test_probabilities, None, None)
    if sets.several:
        raise ScoreError("test_scores are several test sets; give one column", "column-invalid", column="test_scores")
    try:
        return model._core.influence(_place(model, method), sets.columns)
    except TruecountError as error:
        raise sets.explain(error) from None


def _place(model: Fitted, method: str | None) -> int:
    known = list(model._methods)
    if method is None:
        return 0
    if method not in known:
        raise OptionError(
            f"the model has no method '{method}'; its methods are {', '.join(known)}",
            "method-unknown",
            name=method,
            known=known,
        )
    return known.index(method)


def influence_expr(model: Fitted, scores: Any, method: str | None) -> Any:
    """What `Model.influence_expr` gives."""
    import polars

    place = _place(model, method)

    # Expressions of polars' own, with the bins as a tree, `cut` or `search_sorted`, could not refuse a null. Of a million scores they take
    # more than ten times as long together, several times as long in 100 groups, and half as long only in 50 000.
    def of(column: Any) -> Any:
        # By way of Arrow, to read a small group takes longer than all else.
        held = column if column.has_nulls() else column.to_numpy()
        return polars.Series(column.name, influence(model, held, None, method))

    # A method that has no such function is refused now.
    influence(model, np.array([0.5]), None, method)
    # What a score adds may depend on the others of its group, which polars must then give together.
    alone = list(model._methods)[place] not in _core.methods_that("choose among means")
    column = polars.col(scores) if isinstance(scores, str) else scores
    if not isinstance(column, polars.Expr):
        raise OptionError(
            f"scores is a {type(scores).__name__}; give a polars expression, or the name of a column",
            "option-invalid",
            name="scores",
        )
    return column.map_batches(of, return_dtype=polars.Float64, is_elementwise=alone)
