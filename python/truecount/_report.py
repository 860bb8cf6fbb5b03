"""The report: one self-contained HTML page."""

from __future__ import annotations

import os
from typing import IO, Any, TypedDict

import numpy as np

from truecount import _core
from truecount._audit import audited_codes, audited_rows
from truecount._columns import short_repr
from truecount._conditions import OptionError, TallyError, TruecountError
from truecount._fitted_model import FittedModel
from truecount._keys import Column, write_column
from truecount._names import Interval, Misfit, Target
from truecount._options import bootstrap_options, interval_options
from truecount._sets import parse_test_sets
from truecount._table import format_value

__all__ = ["ReportKwargs", "report"]


class ReportKwargs(TypedDict, total=False):
    """Keyword arguments of `Model.report`."""

    by: Any
    sort: bool
    test_probabilities: Any
    weights: Any
    items: str
    positive_name: str
    level: float
    target: Target
    interval: Interval
    misfit: Misfit
    resamples: int
    seed: int
    audited_scores: Any
    audited_labels: Any
    audited_by: Any
    audited_weights: Any
    audit_outside_test: bool
    positive: Any


def _column(name: str, values: list[Any]) -> Column:
    """Return the values of groups as a column of their own type if possible, else of texts."""
    try:
        return write_column(name, values)
    except TallyError:
        return "text", [None if value is None else format_value(value) for value in values], None


def _word(value: Any, name: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise OptionError(
        f"{name} is {short_repr(value)}; it must be a word for the sentences", "option-invalid", name=name, value=value
    )


def report(
    model: FittedModel,
    path: str | os.PathLike[str] | IO[str] | IO[bytes],
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
    interval: Interval = "wilson",
    misfit: Misfit = "widen",
    resamples: int = 1000,
    seed: int = 1,
    audited_scores: Any = None,
    audited_labels: Any = None,
    audited_by: Any = None,
    audited_weights: Any = None,
    audit_outside_test: bool = False,
    positive: Any = None,
) -> None:
    """Write the report of `Model.report`."""
    if not isinstance(path, (str, os.PathLike)) and not hasattr(path, "write"):
        raise OptionError(
            f"path is {short_repr(path)}; it must be a path or an open file, and comes before the scores",
            "option-invalid",
            name="path",
            value=path,
        )
    words = (_word(items, "items"), _word(positive_name, "positive_name"))
    options = interval_options(level, target, interval, misfit)
    resampling = bootstrap_options(resamples, seed) if interval == "bootstrap" else None
    sets = parse_test_sets(test_scores, test_probabilities, weights, by)
    audited = None
    if audited_scores is not None or audited_labels is not None:
        for name, excluded in (("weights", weights is not None), ('interval="bootstrap"', resampling is not None)):
            if excluded:
                raise OptionError(
                    f"a report of an audit cannot be used with {name}; leave out one of them",
                    "option-conflict",
                    name="audited_scores",
                )
        rows = audited_rows(audited_scores, audited_labels, audited_weights, positive)
        codes = np.zeros(len(rows[0]), np.uint32) if by is None else audited_codes(sets, audited_by, len(rows[0]))
        audited = ((*rows, codes), bool(audit_outside_test))
    keys = [(name, *_column(name, values)) for name, values in sets.values.items()]
    try:
        # The errors of a tally name the score or group.
        model._core.tally(sets.columns, 0)
        page = _core.report(model._core, sets.columns, keys, bool(sort), (options, resampling), words, audited)
    except TruecountError as error:
        raise sets.explain(error) from None
    if isinstance(path, (str, os.PathLike)):
        _core.write_file(path, page.encode())
        return
    write: Any = path.write
    try:
        write(page.encode())
    except TypeError:  # a file of text
        write(page)
