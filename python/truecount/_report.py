"""A page to hand on: one HTML file that needs nothing else to be read."""

from __future__ import annotations

import os
from typing import Any, Literal, TypedDict

from truecount import _core
from truecount._columns import shown
from truecount._conditions import OptionError, TallyError, TruecountError
from truecount._fitted import Fitted
from truecount._keys import Column, written
from truecount._names import Misfit, Target
from truecount._options import refuse_bootstrap, reporting
from truecount._sets import test_sets
from truecount._table import worded

__all__ = ["OfReport", "report"]


class OfReport(TypedDict, total=False):
    """What may be asked of a report: arguments of `Model.report`."""

    by: Any
    sort: bool
    test_probabilities: Any
    weights: Any
    items: str
    positive_name: str
    level: float
    target: Target
    interval: Literal["wilson", "wald"]
    misfit: Misfit


def _column(name: str, values: list[Any]) -> Column:
    """The values of groups as a page shows them: of their own type where they have one, and else as texts."""
    try:
        return written(name, values)
    except TallyError:
        return "text", [None if value is None else worded(value) for value in values], None


def _named(value: Any, name: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise OptionError(
        f"{name} is {shown(value)}; it must be a word for the sentences", "option-invalid", name=name, value=value
    )


def report(
    model: Fitted,
    path: str | os.PathLike[str],
    test_scores: Any,
    *,
    by: Any = None,
    sort: bool = True,
    test_probabilities: Any = None,
    weights: Any = None,
    items: str = "items",
    positive_name: str = "positive",
    level: float = 0.95,
    target: Target = "sample",
    interval: Literal["wilson", "wald"] = "wilson",
    misfit: Misfit = "widen",
) -> None:
    """What `Model.report` does."""
    refuse_bootstrap(interval, "a report in Python has no bootstrap; leave out interval")
    words, asked = (
        (_named(items, "items"), _named(positive_name, "positive_name")),
        reporting(level, target, interval, misfit),
    )
    sets = test_sets(test_scores, test_probabilities, weights, by)
    keys = [(name, *_column(name, values)) for name, values in sets.values.items()]
    try:
        # Says which score or group is wrong, if one is.
        model._core.tally(sets.columns, 0)
        page = _core.report(model._core, sets.columns, keys, bool(sort), asked, words)
    except TruecountError as error:
        raise sets.explain(error) from None
    _core.write_file(path, page.encode())
