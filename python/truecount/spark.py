"""Tallies of a Spark data frame: the scores stay on the executors, one small tally of each group comes back.

PySpark 3.3 or newer; truecount must be installed on the executors too.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truecount._conditions import OptionError, ScoreError, TruecountError
from truecount._model import Model
from truecount._tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["tally"]

_PARTS = ("score", "probability", "weight")

_MOST_TALLIES = 64
"""Batches that an executor tallies before it adds them up: to add takes as long as there are groups."""


def tally(
    model: Model,
    frame: DataFrame,
    score: str = "score",
    *,
    by: str | Sequence[str] = (),
    probability: str | None = None,
    weight: str | None = None,
) -> Tally:
    """Tally the scores of a Spark data frame where they are.

    Every partition becomes one tally of each of its groups; they are added here. The scores are read once, batch by batch, and
    for most methods a tally has constant size, however many there are.

    Parameters
    ----------
    model : Model
    frame : pyspark.sql.DataFrame
    score : str
        The column with the scores.
    by : str or sequence of str
        One tally for every combination of values of these columns.
    probability : str, optional
        The column with a classifier's probabilities, for a model that was fitted with some.
    weight : str, optional
        The column with survey weights.

    Returns
    -------
    Tally
        ``.finish()`` has the estimates.

    Raises
    ------
    TruecountError
        For a column that is not there; for a value that cannot be used, such as a null score.

    Examples
    --------
    ``tally(model, spark.table("messages"), by="week").finish_each()``
    """
    names = (by,) if isinstance(by, str) else tuple(by)
    parts = {part: name for part, name in zip(_PARTS, (score, probability, weight)) if name is not None}
    missing = [name for name in (*names, *parts.values()) if name not in frame.columns]
    if missing:
        raise OptionError(
            f"the data frame has no column '{missing[0]}'; its columns are {', '.join(frame.columns)}",
            "option-invalid",
            name=missing[0],
        )
    if len(set(names)) < len(names):
        raise OptionError(
            f"by has a column twice: {', '.join(names)}",
            "column-twice",
            column=next(name for name in names if names.count(name) > 1),
        )
    # Names that no column of the data frame can stand in the way of.
    groups = [f"{_quoted(name)} as `group {place}`" for place, name in enumerate(names)]
    chosen = frame.selectExpr(*groups, *(f"{_quoted(name)} as {part}" for part, name in parts.items()))
    rows = chosen.mapInArrow(_Partition(model, names, parts), "tally binary, problem binary").collect()
    for _, problem in rows:
        if problem is not None:
            error: TruecountError = pickle.loads(problem)
            raise error
    if not rows:
        raise ScoreError("the data frame has no rows: there is nothing to count", "no-test-scores")
    return Tally._sum([Tally._unpacked(model, names, *pickle.loads(packed)) for packed, _ in rows])


def _quoted(name: str) -> str:
    """A column's name in Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"


@dataclass(frozen=True)
class _Partition:
    """What an executor does with a partition: one row, with the tally of its groups or with a problem."""

    model: Model
    names: tuple[str, ...]
    parts: dict[str, str]

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        tallies: list[Tally] = []
        try:
            for batch in batches:
                if batch.num_rows:
                    tallies.append(self._tally(batch))
                if len(tallies) == _MOST_TALLIES:
                    tallies = [Tally._sum(tallies)]
        except TruecountError as error:
            # As a value: Spark tries a task that fails again and again, and buries the reason.
            row = {"tally": None, "problem": pickle.dumps(error)}
        else:
            if not tallies:
                return
            row = {"tally": pickle.dumps(Tally._sum(tallies)._packed()), "problem": None}
        schema = pyarrow.schema([("tally", pyarrow.binary()), ("problem", pyarrow.binary())])
        yield pyarrow.RecordBatch.from_pylist([row], schema)

    def _tally(self, batch: Any) -> Tally:
        """The tally of a batch."""
        by = dict(zip(self.names, batch.columns))
        columns = dict(zip(self.parts, batch.columns[len(self.names) :]))
        for part, column in columns.items():
            if column.null_count:
                row = column.is_null().index(True).as_py()
                where = "".join(f", {name} = {values[row].as_py()!r}" for name, values in by.items())
                raise ScoreError(
                    f"column '{self.parts[part]}'{where}: a {part} is null; fill it in or leave out its row",
                    "value-not-number",
                    column=self.parts[part],
                    row=row,
                    value=None,
                )
        return self.model.tally(
            columns["score"],
            by=by or None,
            test_probabilities=columns.get("probability"),
            weights=columns.get("weight"),
        )
