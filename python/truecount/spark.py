"""Tallies of a Spark data frame: the scores stay on the executors, which return tallies.

PySpark 3.3 or newer; truecount must be installed on the executors too.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truecount._errors import OptionError, ScoreError, TruecountError, option_error
from truecount._model import Model
from truecount._tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["tally"]

_PARTS = ("score", "probability", "weight")

_MAX_TALLIES = 64
"""Number of batches that an executor tallies before it adds their tallies."""


def tally(
    model: Model,
    frame: DataFrame,
    score: str = "score",
    *,
    by: str | Sequence[str] = (),
    probability: str | None = None,
    weight: str | None = None,
) -> Tally:
    """Tally the scores of a Spark data frame on its executors.

    Every partition is tallied by itself, and the tallies are added here. The scores are read once,
    batch by batch. For most methods the size of a tally does not depend on the number of scores.

    Parameters
    ----------
    model : Model
        The model of the tally.
    frame : pyspark.sql.DataFrame
        The data frame with the scores.
    score : str
        The column with the scores.
    by : str or sequence of str
        Grouping columns; each combination of their values has its own tally.
    probability : str, optional
        The column with a classifier's probabilities, for a model that was fitted with probabilities.
    weight : str, optional
        The column with survey weights.

    Returns
    -------
    Tally
        The sum of all partitions; `truecount.Tally.estimate` and `truecount.Tally.estimate_each` return its estimates.

    Examples
    --------
    ``tally(model, spark.table("messages"), by="week").estimate_each()``
    """
    names = (by,) if isinstance(by, str) else tuple(by)
    parts = {part: name for part, name in zip(_PARTS, (score, probability, weight)) if name is not None}
    missing = [name for name in (*names, *parts.values()) if name not in frame.columns]
    if missing:
        raise option_error(
            missing[0], f"the data frame has no column '{missing[0]}'; its columns are {', '.join(frame.columns)}"
        )
    if len(set(names)) < len(names):
        raise OptionError(
            f"by has a column twice: {', '.join(names)}",
            "column-twice",
            column=next(name for name in names if names.count(name) > 1),
        )
    # Aliases, so that the names of columns cannot conflict.
    groups = [f"{_quote(name)} as `group {index}`" for index, name in enumerate(names)]
    chosen = frame.selectExpr(*groups, *(f"{_quote(name)} as {part}" for part, name in parts.items()))
    rows = chosen.mapInArrow(_PartitionTally(model, names, parts), "tally binary, error binary").collect()
    for _, pickled in rows:
        if pickled is not None:
            error: TruecountError = pickle.loads(pickled)
            raise error
    if not rows:
        raise ScoreError("the data frame has no rows: there is nothing to count", "no-test-scores")
    return Tally._sum([Tally._unpack(model, names, *pickle.loads(packed)) for packed, _ in rows])


def _quote(name: str) -> str:
    """Return a column's name in Spark's SQL."""
    return "`" + name.replace("`", "``") + "`"


@dataclass(frozen=True)
class _PartitionTally:
    """The function for a partition, whose result is one row: a tally or an error."""

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
                if len(tallies) == _MAX_TALLIES:
                    tallies = [Tally._sum(tallies)]
        except TruecountError as error:
            # As a value, because Spark repeats a failed task several times and hides the error.
            row = {"tally": None, "error": pickle.dumps(error)}
        else:
            if not tallies:
                return
            row = {"tally": pickle.dumps(Tally._sum(tallies)._pack()), "error": None}
        schema = pyarrow.schema([("tally", pyarrow.binary()), ("error", pyarrow.binary())])
        yield pyarrow.RecordBatch.from_pylist([row], schema)

    def _tally(self, batch: Any) -> Tally:
        """Tally a batch."""
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
