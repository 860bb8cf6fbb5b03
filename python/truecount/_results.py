"""Results of estimation: `Estimate` and `Estimates`."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from truecount._columns import python_value, sort_order, to_array
from truecount._compare import Differences, GroupComparison
from truecount._errors import (
    EstimateWarning,
    grouped_warning_lines,
    max_severity,
    option_conflict,
    severity_mark,
    short_repr,
)
from truecount._fit import EstimateMetadata
from truecount._table import (
    Column,
    IntervalTable,
    OptionalColumn,
    SentenceResult,
    escape_untrusted,
    format_number,
    format_value,
    join_columns,
    percent,
    take_rows,
)

__all__ = ["Estimate", "Estimates"]


_MAX_GROUPS = 10
"""The number of groups that a message names."""

_MISFIT_NUMBERS = ("misfit", "unexplained", "widening")
_POSITIVES = ("positives", "positives_lower", "positives_upper")
_NUMBERS = (
    "n_eff", "population_size", "prevalence", "raw", "se", "lower", "upper",
    *_POSITIVES, *_MISFIT_NUMBERS, "se_widened",
)  # fmt: skip
_OPTIONAL = ("n_eff", "population_size", *_POSITIVES, *_MISFIT_NUMBERS)
"""The numbers that a table leaves out if no row has them."""

_VARIANCE_SOURCES = "sampling of the new and the labelled rows"
"""The text about uncertainty that is left out, because it holds for most methods."""


@dataclass(frozen=True, repr=False)
class Estimate(SentenceResult):
    """An estimated prevalence. All shares lie in [0, 1], except `raw`.

    Attributes
    ----------
    method : str
        Name of the method.
    positive : label or None
        Label of the positive class, whose share is estimated; None without a label.
    n : int
        Number of test scores, without scores of weight 0.
    n_eff : float or None
        The number of independent scores of equal weight with the same variance, if the scores have
        weights or a sampling design, or if several classifiers have scored each row; else None.
    population_size : float or None
        Number of items that the prevalence is a share of, if these are not the test scores: the size of
        the population, or the sum of the weights or of the groups' sizes; else None.
    prevalence : float
        `raw` clipped to [0, 1].
    raw : float
        The estimate before clipping.
    se : float
        Standard error of `raw`; NaN if the method has no formula for it (``interval="bootstrap"``
        works for all methods).
    interval : tuple of float
        Lower and upper end of the confidence interval, in [0, 1]; also ``lower`` and ``upper``.
        Both are NaN if `se` is.
    positives : float or None
        Number of positives: `prevalence` times `n` or `population_size`; None for a population of unknown size.
    positives_lower, positives_upper : float or None
        Lower and upper end of the interval of `positives`; None without one.
    misfit : float or None
        Birge's ratio: how many times the deviations of the test scores from the nearest mixture of
        the labelled classes exceed those of chance. 1 means chance alone; None without a check.
    unexplained : float or None
        Share of the test scores that no mixture of the labelled classes explains, beyond chance; None without a check.
    widening : float or None
        How much the misfit widens the interval at each end, on average; 0 if it does not, None without a check.
    se_widened : float
        Standard error with the misfit, where it widens the interval, for further calculations with the
        estimate; otherwise `se`.
    level : float
        Nominal coverage of the interval.
    target : str
        Whose share it is: "sample" for the rows themselves, "population" for the population that
        they were sampled from.
    accounts_for : str or None
        The sources of uncertainty in the standard error and the interval: for most methods the sampling of the new and
        the labelled rows. Those of an uncorrected count are "about a biased expectation", and not about the prevalence.
    warnings : tuple of EstimateWarning
        Warnings about the estimate: texts, each with a code, a severity and fields.
    group : dict
        Values of the group by the names of the columns of `by`; empty without `by`.
    """

    method: str
    positive: Any
    n: int
    n_eff: float | None
    population_size: float | None
    prevalence: float
    raw: float
    se: float
    interval: tuple[float, float]
    positives: float | None
    positives_lower: float | None
    positives_upper: float | None
    misfit: float | None
    unexplained: float | None
    widening: float | None
    se_widened: float
    level: float
    target: str
    accounts_for: str | None
    warnings: tuple[EstimateWarning, ...]
    group: dict[str, Any]

    @classmethod
    def _from_values(
        cls, values: dict[str, Any], method: str, metadata: EstimateMetadata, group: dict[str, Any]
    ) -> Estimate:
        """Create an estimate from the library's values, in which a missing value is None."""
        errors = values["se"], values["se_widened"], values.pop("lower"), values.pop("upper")
        se, se_widened, lower, upper = (math.nan if error is None else error for error in errors)
        estimate = object.__new__(cls)
        # All frozen fields at once: for a small test set, one by one would take longer than the estimate.
        vars(estimate).update(
            values,
            method=method,
            positive=metadata.positive,
            se=se,
            se_widened=se_widened,
            interval=(lower, upper),
            level=metadata.level,
            target=metadata.target,
            accounts_for=metadata.methods[method],
            group=group,
        )
        return estimate

    @classmethod
    def _from_row(
        cls, columns: dict[str, Any], row: int, method: str, metadata: EstimateMetadata, group: dict[str, Any]
    ) -> Estimate:
        """Create an estimate from a row of the library's columns, with NaN for missing values."""
        values: dict[str, Any] = {name: float(columns[name][row]) for name in _NUMBERS}
        values = {name: value if value == value else None for name, value in values.items()}
        values |= {name: float(columns[name][row]) for name in ("prevalence", "raw")}
        values["n"], values["warnings"] = int(columns["n"][row]), columns["warnings"][row]
        return cls._from_values(values, method, metadata, group)

    def to_dict(self) -> dict[str, Any]:
        """Return the values by name: those of the group, then the columns of `Estimates`."""
        return {
            **self.group,
            "method": self.method,
            "n": self.n,
            **{name: getattr(self, name) for name in _NUMBERS},
            "level": self.level,
            "target": self.target,
            "severity": max_severity(self.warnings) if self.warnings else None,
            "warnings": self.warnings,
        }

    def keys(self) -> list[str]:
        """Return the names of the values that are known; ``dict(estimate)`` has these values."""
        return [name for name, value in self.to_dict().items() if value is not None or name == "severity"]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, name: str) -> Any:
        return self.to_dict()[name]

    def __hash__(self) -> int:
        # The default hash fails for the dict in `group`.
        return hash((self.method, self.n, self.raw, frozenset(self.group.items())))

    def __format__(self, spec: str) -> str:
        return format(self.prevalence, spec) if spec else str(self)

    def _sentence(self) -> str:
        group = ", ".join(f"{name} = {format_value(value)}" for name, value in self.group.items())
        details = f" ({group})" if group else ""
        text = f"{self.prevalence:.4f}"
        if not math.isnan(self.se):
            lower, upper = self.interval
            text += f" ± {self.se_widened:.4f}, {percent(self.level)} % interval {lower:.4f} – {upper:.4f}"
        details += "" if self.positive in (None, 1) else f", share of {format_value(self.positive)}"
        details += f"; {self.accounts_for}" if self.accounts_for not in (None, _VARIANCE_SOURCES) else ""
        return escape_untrusted(f"{text}, {self.method}, n = {self.n}{details}")


# pandas makes a table of mappings, and of other dataclasses one with other columns.
Mapping.register(Estimate)


class Estimates(IntervalTable):
    """A table of estimates, a row for each group or test set and method.

    Its attributes are columns, read-only numpy arrays of shape (number of rows,). ``estimates["2026-W10"]`` is the
    `Estimate` of a group, or its rows if there are several methods; groups by several columns are tuples:
    ``estimates["north", 2026]``. ``estimates["week"]`` is the column with this name. ``estimates.iloc[i]`` is the
    `Estimate` of row i, ``estimates.iloc[:3]`` is a table of the first three rows, and iteration yields the rows in
    order. Without groups that are numbers, ``estimates[i]`` is row i too. `to_dict`, `to_pandas`, `to_polars` and
    `to_arrow` convert the whole table. A table of groups refers to their scores or counts for `compare`; a pickled
    table does not.
    """

    _nullable = ("prevalence", "raw", "se", "lower", "upper", *_OPTIONAL, "se_widened")
    _has_labels = False
    """Whether the groups have values of the caller, not only numbers of test sets."""
    _totals: Estimates | None = None
    _comparison: GroupComparison | None = None

    def __init__(self, columns: dict[str, Any], groups: dict[str, NDArray[Any]], metadata: EstimateMetadata) -> None:
        methods = metadata.methods
        number_of_sets = len(columns["n"]) // len(methods)
        self._metadata = metadata
        self._groups = list(groups)
        self._library_columns = columns
        table: dict[str, Any] = {"method": np.array([*methods] * number_of_sets, dtype=object)}
        table |= {name: columns[name] for name in ("n", *_NUMBERS)}
        for name in _OPTIONAL:
            if not bool(np.any(columns[name] == columns[name])):
                del table[name]
        if "publish" in columns:
            table["publish"] = np.array(columns["publish"], dtype=object)
        table["level"] = np.full(len(columns["n"]), metadata.level)
        table["target"] = np.full(len(columns["n"]), metadata.target, dtype=object)
        table["severity"] = np.array(
            [max_severity(warnings) if warnings else None for warnings in columns["warnings"]], dtype=object
        )
        table["warnings"] = columns["warnings"]
        self._columns = join_columns({name: np.repeat(values, len(methods)) for name, values in groups.items()}, table)

    @classmethod
    def _from_groups(
        cls, columns: dict[str, Any], groups: dict[str, list[Any]], metadata: EstimateMetadata, sort: bool
    ) -> Estimates:
        """Create a table of groups, sorted by their values if `sort` is set."""
        values = {name: to_array(column) for name, column in groups.items()}
        if sort:
            order = sort_order(groups)
            rows = (order[:, np.newaxis] * len(metadata.methods) + np.arange(len(metadata.methods))).reshape(-1)
            columns, values = take_rows(columns, rows), take_rows(values, order)
        table = cls(columns, values, metadata)
        table._has_labels = True
        return table

    @classmethod
    def _from_estimate(cls, estimate: Estimate) -> Estimates:
        """Create a table of one estimate."""
        values = {name: getattr(estimate, name) for name in _NUMBERS}
        columns: dict[str, Any] = {
            name: np.array([value], dtype=np.float64) for name, value in values.items()
        }  # None is NaN
        columns["n"] = np.array([estimate.n])
        groups = {name: to_array([value]) for name, value in estimate.group.items()}
        metadata = EstimateMetadata(
            {estimate.method: estimate.accounts_for}, estimate.level, estimate.target, estimate.positive
        )
        return cls(columns | {"warnings": [estimate.warnings]}, groups, metadata)

    def _with_total(self, totals: Estimates | None, comparison: GroupComparison) -> Estimates:
        """Set the totals and the data for `compare`, and return the table."""
        self._totals, self._comparison = totals, comparison
        return self

    def __getstate__(self) -> dict[str, Any]:
        # Without the scores or counts.
        return {**self.__dict__, "_comparison": None}

    @property
    def total(self) -> Estimate | None:
        """The estimate of all groups together with `total` or `standardise`, else None.

        The total is not a row of the table, so that sums over rows do not count scores twice. With
        several methods use `totals`.
        """
        if self._totals is None:
            return None
        if len(self._totals) > 1:
            raise option_conflict(
                "total", f"there are totals of {len(self._totals)} methods: take .totals, a row for each"
            )
        return self._totals.iloc[0]

    @property
    def totals(self) -> Estimates | None:
        """The estimates of all groups together, a row for each method, if requested, else None."""
        return self._totals

    def compare(self, reference: Any) -> Differences:
        """Compare the groups with a reference.

        Standard errors account for the correlation of estimates from the same labelled scores. Of
        counts, equal rates with equal denominators are taken to be from one study. With several
        columns in `by`, groups are compared if they differ in the last column only. If the misfit of
        a group widens its interval, the intervals of its differences are wider too.

        Parameters
        ----------
        reference : {"previous", "total", "rest", "all"} or a value of the last column of `by`
            The reference of each group: the previous group in the order of their values, all groups
            together, all other groups together, each other group, or the group with this value.
            Counts have no "total" and "rest". Groups are combined by their numbers of scores, or with `standardise`.

        Examples
        --------
        >>> import truecount as tc
        >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
        >>> estimates = tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"])
        >>> estimates.compare("previous").difference.round(3)
        array([-0.274])
        """
        if self._comparison is None:
            raise option_conflict(
                "reference",
                "there are no groups with their scores or counts to compare: estimate with by, and compare before "
                "the table is pickled",
            )
        return self._comparison.with_reference(reference)

    @property
    def groups(self) -> dict[str, NDArray[Any]]:
        """The columns that identify the groups or test sets."""
        return {name: self._column(name) for name in self._groups}

    method = Column[np.object_]("Names of the methods.")
    n = Column[np.int64]("Numbers of test scores.")
    n_eff = OptionalColumn("The effective sample sizes of weighted scores; None without weights.")
    population_size = OptionalColumn(
        "Numbers of items that prevalences are shares of; None if these are the test scores."
    )
    prevalence = Column[np.float64]("Estimated prevalences: `raw` clipped to [0, 1]; NaN if suppressed by `publish`.")
    raw = Column[np.float64]("The estimates before clipping.")
    positives = OptionalColumn("`prevalence` times `n` or `population_size`; None for populations of unknown size.")
    positives_lower = OptionalColumn("Lower ends of the intervals of `positives`; None without them.")
    positives_upper = OptionalColumn("Upper ends of the intervals of `positives`; None without them.")
    misfit = OptionalColumn(
        "Birge's ratios, 1 by chance alone, of deviations from the nearest mixture; None without a check."
    )
    unexplained = OptionalColumn("Shares of the test scores that no mixture explains; None without a check.")
    widening = OptionalColumn("How much misfit widens each interval at each end, on average; None without a check.")
    publish = OptionalColumn("Flags of the rule for publication; None without a rule.")
    se_widened = Column[np.float64]("Standard errors with the misfit, where it widens the interval; otherwise `se`.")

    @property
    def level(self) -> float:
        """Nominal coverage of the intervals."""
        return self._metadata.level

    @property
    def target(self) -> str:
        """The estimand: "sample" for the shares of the rows, "population" for those of their population."""
        return self._metadata.target

    @property
    def positive(self) -> Any:
        """Label of the positive class, whose share is estimated; None without a label."""
        return self._metadata.positive

    @property
    def warnings(self) -> list[tuple[EstimateWarning, ...]]:
        """The warnings of each row."""
        return list(self._columns["warnings"])

    @property
    def severity(self) -> NDArray[np.object_]:
        """The highest severity of warnings: "note", "caution" or "unreliable"; None without any."""
        return self._column("severity")

    @overload
    def __getitem__(self, row: slice) -> Estimates: ...

    @overload
    def __getitem__(self, row: SupportsIndex) -> Estimate: ...

    @overload
    def __getitem__(self, row: Any) -> Any: ...

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, str) and row in self._columns:
            return self._column(row)
        if isinstance(row, slice):
            return self.iloc[row]
        try:
            position = operator.index(row)
        except TypeError:
            return self._take_group(row)
        if self._label_types & {int, float, type(row)}:
            return self._take_group(row)
        if bool in self._label_types or str in self._label_types and (str(position),) in self._rows_of_groups:
            (label,) = next(iter(self._rows_of_groups)) if bool in self._label_types else (str(position),)
            raise KeyError(
                f"{row!r} may be a group or a row: take a group as in [{label!r}], the row by .iloc[{row!r}]"
            )
        return self.iloc[position]

    @property
    def iloc(self) -> RowIndexer:
        """Rows by position: ``estimates.iloc[i]`` is an `Estimate`, ``estimates.iloc[:3]`` a table."""
        return RowIndexer(self)

    def _ipython_key_completions_(self) -> list[Any]:
        return [*self._columns, *(key[0] if len(key) == 1 else key for key in self._rows_of_groups if key)]

    @cached_property
    def _label_types(self) -> set[type]:
        """The types of the groups' values in the only column of `by`, by which rows are taken."""
        return (
            {type(value) for (value,) in self._rows_of_groups} if self._has_labels and len(self._groups) == 1 else set()
        )

    @cached_property
    def _rows_of_groups(self) -> dict[tuple[Any, ...], list[int]]:
        rows: dict[tuple[Any, ...], list[int]] = {}
        for row, values in enumerate(zip(*(self._columns[name] for name in self._groups))):
            rows.setdefault(tuple(map(python_value, values)), []).append(row)
        return rows

    def _take_group(self, group: Any) -> Estimate | Estimates:
        """Return the estimate of a group, or its rows if there are several."""
        values = tuple(map(python_value, group if isinstance(group, tuple) else (group,)))
        try:
            rows = self._rows_of_groups[values]
        except (KeyError, TypeError):
            several = len(self._groups) > 1 and len(values) != len(self._groups)
            hint = f"groups are tuples of {', '.join(self._groups)}; " if several else ""
            is_row = isinstance(group, (int, np.integer)) and -len(self) <= group < len(self)
            by_position = f"; .iloc[{group!r}] is a row" if is_row else ""
            raise KeyError(
                f"there is no group or column {group!r}; {hint}columns are {', '.join(self._columns)}"
                f"{self._listed_groups(values)}{by_position}"
            ) from None
        return self.iloc[rows[0]] if len(rows) == 1 else self._take(np.array(rows))

    def _listed_groups(self, values: tuple[Any, ...]) -> str:
        """Return at most ten groups for a message, those with similar names first."""
        texts = [short_repr(key if len(key) > 1 else key[0]) for key in self._rows_of_groups if key]
        wanted = short_repr(values if len(values) > 1 else values[0])
        similar = get_close_matches(wanted, texts, _MAX_GROUPS)
        listed = [*dict.fromkeys([*similar, *texts])]
        more = f" and {len(listed) - _MAX_GROUPS} more" if len(listed) > _MAX_GROUPS else ""
        return f"; groups are {', '.join(listed[:_MAX_GROUPS])}{more}" if listed else ""

    def _take(self, rows: NDArray[np.intp]) -> Estimates:
        """Return a table of these rows, without the total, which is of all groups."""
        table = copy(self)
        for name in ("_rows_of_groups", "_label_types"):
            vars(table).pop(name, None)
        table._columns = take_rows(self._columns, rows)
        table._library_columns = take_rows(self._library_columns, rows)
        table._totals = table._comparison = None
        return table

    def __iter__(self) -> Iterator[Estimate]:
        return map(self.iloc.__getitem__, range(len(self)))

    def _names(self) -> list[str]:
        return [*self._groups, *([] if len(self._metadata.methods) == 1 else ["method"])]

    def _header(self) -> tuple[list[str], int]:
        names = [*map(escape_untrusted, self._names())]
        flag = "publish" if "publish" in self._columns else ""
        return [*names, "n", "prevalence", "se", f"{percent(self.level)} % interval", flag], len(names)

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        known, mark = columns["se"][row] == columns["se"][row], severity_mark(columns["severity"][row])
        return [
            *(escape_untrusted(format_value(columns[name][row])) for name in self._names()),
            str(columns["n"][row]),
            format_number(columns["prevalence"][row]),
            format_number(columns["se_widened"][row]),
            f"{columns['lower'][row]:.4f} – {columns['upper'][row]:.4f}" if known else "–",
            f"{columns['publish'][row] or '' if 'publish' in columns else ''} {mark}".strip(),
        ]

    def _formatted_rows(self) -> list[list[str]]:
        totals = self._totals
        if totals is None:
            return super()._formatted_rows()
        names = ["total", *[""] * (len(self._groups) - 1)]
        return [*super()._formatted_rows(), *([*names, *totals._cells(row)] for row in range(len(totals)))]

    def _row_name(self, row: int) -> str:
        names = self._names()
        if not names and len(self) > 1:
            return f"row {row}"
        return ", ".join(format_value(self._columns[name][row]) for name in names)

    def _notes(self) -> list[str]:
        methods = self._metadata.methods
        method = [f"method: {name}" for name in methods] if len(methods) == 1 else []
        rows = [(self._row_name(row), warnings) for row, warnings in enumerate(self._columns["warnings"])]
        totals = self._totals
        if totals is not None:
            names = (f"total {totals._row_name(row)}".strip() for row in range(len(totals)))
            rows += [*zip(names, totals.warnings)]
        citation = [f"publish: {text}"] if (text := self._library_columns.get("citation")) else []
        return [*method, self._target_note(), *citation, *self._uncertainty_notes(), *grouped_warning_lines(rows)]

    def _target_note(self) -> str:
        first_method = next(iter(self._metadata.methods))
        n = int(self._columns["n"][self._columns["method"] == first_method].sum())
        rows = f"these {n} rows"
        if self.target == "population":
            weighted = ", for which their weights stand" if self._metadata.is_weighted else ""
            return f"share: for the population that {rows} were sampled from{weighted}"
        return f"share: for {rows}"

    def _uncertainty_notes(self) -> Iterator[str]:
        """Yield what standard errors and intervals account for, with the methods if they differ."""
        methods = self._metadata.methods
        for text in dict.fromkeys(methods.values()):
            names = [name for name, accounts_for in methods.items() if accounts_for == text]
            suffix = f" ({', '.join(names)})" if len(names) < len(methods) else ""
            no_formula = 'no standard error or interval: there is no formula (interval="bootstrap")'
            yield f"uncertainty: {text}{suffix}" if text else f"{no_formula}{suffix}"


class RowIndexer:
    """The rows of a table by position."""

    def __init__(self, table: Estimates) -> None:
        self._table = table

    @overload
    def __getitem__(self, rows: int | np.integer[Any]) -> Estimate: ...

    @overload
    def __getitem__(self, rows: slice | Sequence[int] | NDArray[Any]) -> Estimates: ...

    def __getitem__(self, rows: Any) -> Any:
        table, positions = self._table, range(len(self._table))
        try:
            row = operator.index(rows)
        except TypeError:
            return table._take(np.arange(len(table))[rows])
        if row not in positions and row + len(table) not in positions:
            raise IndexError(f"there is no row {row}; there are {len(table)}")
        row = positions[row]
        group = {name: python_value(table._columns[name][row]) for name in table._groups}
        method = table._columns["method"][row]
        return Estimate._from_row(table._library_columns, row, method, table._metadata, group)
