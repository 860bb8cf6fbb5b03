"""The report: one self-contained HTML page."""

from __future__ import annotations

import os
from typing import IO, Any

import numpy as np

from truecount import _core
from truecount._audit import audited_codes, audited_rows
from truecount._columns import FileColumn, write_column
from truecount._errors import TallyError, invalid_column, invalid_option, option_conflict
from truecount._fit import FittedModel
from truecount._inputs import parse_test_sets
from truecount._options import Interval, Misfit, Target, request_options, takes_options_of
from truecount._table import format_value


def _column(name: str, values: list[Any]) -> FileColumn:
    """Return the values of groups as a column of their own type if possible, else of texts."""
    try:
        return write_column(name, values)
    except TallyError:
        return "text", [None if value is None else format_value(value) for value in values], None


def _word(value: Any, name: str) -> str:
    if isinstance(value, str) and value:
        return value
    raise invalid_option(name, value, "it must be a word for the sentences")


class ReportingModel(FittedModel):
    """A model that writes reports."""

    @takes_options_of()
    def report(
        self,
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
        """Write a report: one HTML page without external files.

        The page has the result as a sentence, its reliability, a chart and a table of the groups, and the assumptions.
        Folded sections have the scores, the check and the estimates of other methods.

        Parameters
        ----------
        path : str, path or open file
            The file, which is written completely or not at all; or an open file or buffer, of text or bytes.
        test_scores, by, sort, test_probabilities, weights
            As in `estimate`. The page is about the model's first method.
        items : str, default "items"
            The word for the items, in the plural, in sentences.
        positive_name : str, default "positive"
            The word for positive items in sentences.
        level, target, interval, misfit, resamples, seed
            As in `estimate`.
        audited_scores, audited_labels, audited_by, audited_weights, audit_outside_test, positive
            Audited items, as in `truecount.audit`. The page then has the recommended estimates, and
            what each source says; without weights and without the bootstrap.

        Examples
        --------
        ``model.report("spam.html", scores, by={"week": weeks}, items="messages", positive_name="spam")``
        """
        if not isinstance(path, (str, os.PathLike)) and not hasattr(path, "write"):
            raise invalid_option("path", path, "it must be a path or an open file, and comes before the scores")
        words = (_word(items, "items"), _word(positive_name, "positive_name"))
        options = {"level": level, "target": target, "interval": interval, "misfit": misfit}
        if interval == "bootstrap":
            options |= {"resamples": resamples, "seed": seed}
        request: _core.Request = {"options": request_options(options), "check": True}
        sets = parse_test_sets(test_scores, test_probabilities, weights, by)
        audited = None
        if audited_scores is not None or audited_labels is not None:
            for name, excluded in (("weights", weights is not None), ('interval="bootstrap"', interval == "bootstrap")):
                if excluded:
                    raise option_conflict(
                        "audited_scores", f"a report of an audit cannot be used with {name}; leave out one of them"
                    )
            scores, labels, row_weights = audited_rows(audited_scores, audited_labels, audited_weights, positive)
            if len(labels) > 1:
                raise invalid_column("audited_labels", "audited_labels are of several people; give one column")
            codes = np.zeros(len(scores), np.uint32) if by is None else audited_codes(sets, audited_by, len(scores))
            rows = scores, labels, row_weights, None, codes, None, None
            audited = rows, bool(audit_outside_test)
        keys = [(name, *_column(name, values)) for name, values in sets.values.items()]
        # The errors of a tally name the score or group.
        sets.call(self._core.tally, sets.columns, 0)
        page = sets.call(_core.report, self._core, sets.columns, keys, bool(sort), request, words, audited)
        if isinstance(path, (str, os.PathLike)):
            _core.write_file(path, page.encode())
            return
        write: Any = path.write
        try:
            write(page.encode())
        except TypeError:  # a file of text
            write(page)
