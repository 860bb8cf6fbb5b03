"""Models: labelled scores and the methods fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from truecount._audit import AuditingModel
from truecount._check import CheckingModel
from truecount._compare import ComparingModel
from truecount._errors import OptionError, option_conflict, option_error, short_repr
from truecount._estimate import EstimatingModel
from truecount._options import Dialect, Period, Target, choice, request_options
from truecount._plan import PlanningModel
from truecount._report import ReportingModel
from truecount._tally import TallyingModel

__all__ = ["Model"]


class Model(
    EstimatingModel, ComparingModel, CheckingModel, AuditingModel, PlanningModel, TallyingModel, ReportingModel
):
    """A fitted model, which estimates prevalences; made by `Model.fit` or `Model.load`.

    Several threads may use a model at once, and models can be pickled.
    """

    def sql(
        self,
        table: str | Sequence[str],
        *,
        counts: bool = False,
        score: str = "score",
        probability: str | None = None,
        weight: str | None = None,
        by: str | Sequence[str] = (),
        every: Period | None = None,
        dialect: Dialect = "ansi",
        level: float = 0.95,
        target: Target = "sample",
    ) -> str:
        """Return a query of a table of scores in a database: counts that ``truecount finish`` completes, or estimates.

        Parameters
        ----------
        table : str or sequence of str
            The table's name, or its parts as in ``("schema", "table")``.
        counts : bool
            Whether the query returns counts of the scores in bins, from which the command ``truecount finish``
            computes all that `truecount.estimate` does. Otherwise it returns estimates by the method "es", without
            the check of the scores, the widening by misfit, and the warnings.
        score, probability : str
            The column with the scores, and for a model with probabilities the column with these.
        weight : str, optional
            The column with survey weights, for counts.
        by : str or sequence of str
            Grouping columns; each combination of their values has its own estimate.
        every : {"hour", "day", "week", "month", "quarter", "year"}, optional
            The period that replaces each date of the last grouping column, as in `periods`. Values
            other than dates and times stay as they are.
        dialect : {"ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"}
            "ansi" for DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion and others.
        level, target
            As in `truecount.estimate`, for estimates.

        Returns
        -------
        str
            A query whose rows have the columns of `by`, and then for counts method, bin and n, and with weights their
            sums; or method, n, missing, prevalence, raw, se, lower, upper, level, target and omits.
        """
        options = request_options({"level": level, "target": target})
        if weight is not None and not counts:
            raise option_conflict("weight", "weight needs counts=True; a query of estimates has no weights")

        def names(value: Any, argument: str) -> list[str]:
            parts = list(value) if isinstance(value, (list, tuple)) else [value]
            for name in parts:
                if not isinstance(name, str):
                    raise option_error(
                        argument,
                        f"{argument}: {short_repr(name)} is no name; it must be a text, a name in the database",
                        value=name,
                    )
            return parts

        (score,) = names([score], "score")
        if probability is not None:
            (probability,) = names([probability], "probability")
        if weight is not None:
            (weight,) = names([weight], "weight")
        period = None if every is None else choice(every, "every", "periods")
        source = names(table, "table"), score, probability, names(by, "by"), period
        try:
            return self._core.sql(source, choice(dialect, "dialect", "dialects"), None if counts else options, weight)
        except OptionError as error:
            if error.fields.get("name") != "dialect":
                raise
            raise error.advising(" ('ansi' for DuckDB, SQLite, PostgreSQL, ClickHouse and others)") from None
