"""Estimates as they are published."""

from __future__ import annotations

import html
import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from truecount._columns import plain
from truecount._conditions import Caveat, OptionError
from truecount._differences import Compared, Differences
from truecount._groups import natural, order
from truecount._table import Table, beside, number, paragraphs, percent, taken, visible, worded
from truecount._warned import gravest, marks, said, warned

__all__ = ["Estimate", "Estimates", "Terms"]


_OF_MISFIT = ("misfit", "unexplained", "widening")
_NUMBERS = ("n_eff", "prevalence", "raw", "se", "lower", "upper", *_OF_MISFIT)

_ALL_OF_IT = "sampling of the new and the labelled rows"
"""What a standard error should account for."""


@dataclass(frozen=True)
class Terms:
    """What estimates that were made together have in common."""

    methods: dict[str, str | None]
    """The methods, with what their standard errors and intervals account for."""
    level: float
    positive: Any
    """The label of the class that is counted; None where it has no name."""


@dataclass(frozen=True, repr=False)
class Estimate:
    """An estimated prevalence. All shares lie between 0 and 1, but for `raw`.

    Attributes
    ----------
    method : str
        The method's name.
    positive : label or None
        The class whose share it is, as the labels have it; None where it has no name.
    n : int
        Number of test scores; of weighted ones, of those with a weight above 0.
    n_eff : float or None
        Kish's effective number of weighted scores, (Σw)²/Σw²; None without weights.
    prevalence : float
        `raw` kept inside [0, 1].
    raw : float
        The estimator as defined, never clipped.
    se : float or None
        Its standard error; None of a method that has no formula for it (``interval="bootstrap"`` is for all).
    interval : tuple of float or None
        Both ends of the confidence interval, inside [0, 1].
    misfit : float or None
        How far the test scores are from any mixture of the labelled classes: how many times as large as chance explains; 1 for
        chance alone, None where it was not checked.
    unexplained : float or None
        The share of the test share of the scores that no mix of the labelled classes explains, beyond chance; None where it was not checked.
    widening : float or None
        By how much the interval is wider at each end because of that, on average; 0 where it is not, None where it was not checked.
    level : float
        The interval's nominal coverage.
    accounts_for : str or None
        What the standard error and interval account for: sampling of the new and the labelled rows where all is well; of an uncorrected count
        they are "about a biased expectation", and not to be read as those of a prevalence.
    warnings : tuple of Caveat
        What to beware of: texts, each with a code, a severity and fields.
    group : dict
        The values of the columns that make the group, as Python has them; empty without `by`.
    lower, upper : float or None
        The ends of the interval.
    """

    method: str
    positive: Any
    n: int
    n_eff: float | None
    prevalence: float
    raw: float
    se: float | None
    interval: tuple[float, float] | None
    misfit: float | None
    unexplained: float | None
    widening: float | None
    level: float
    accounts_for: str | None
    warnings: tuple[Caveat, ...]
    group: dict[str, Any]

    @classmethod
    def _of(cls, found: dict[str, Any], method: str, terms: Terms, group: dict[str, Any]) -> Estimate:
        """What the library found, where None is what there is not."""
        lower, upper = found.pop("lower"), found.pop("upper")
        made = object.__new__(cls)
        # At once: of a small set, to set one frozen field after the other takes longer than the estimate.
        vars(made).update(
            found,
            method=method,
            positive=terms.positive,
            interval=None if lower is None or upper is None else (lower, upper),
            level=terms.level,
            accounts_for=terms.methods[method],
            group=group,
        )
        return made

    @classmethod
    def _of_row(cls, columns: dict[str, Any], row: int, method: str, terms: Terms, group: dict[str, Any]) -> Estimate:
        """A row of the library's columns, where NaN stands for what there is not."""
        found: dict[str, Any] = {name: float(columns[name][row]) for name in _NUMBERS}
        found = {name: value if value == value else None for name, value in found.items()}
        found["n"], found["warnings"] = int(columns["n"][row]), columns["warnings"][row]
        return cls._of(found, method, terms, group)

    @property
    def lower(self) -> float | None:
        """The lower end of the interval."""
        return None if self.interval is None else self.interval[0]

    @property
    def upper(self) -> float | None:
        """The upper end of the interval."""
        return None if self.interval is None else self.interval[1]

    def __hash__(self) -> int:
        # A dict has no hash of its own; what is equal has the same values all the same.
        return hash((self.method, self.n, self.raw, self.interval, frozenset(self.group.items())))

    def __float__(self) -> float:
        return self.prevalence

    def __format__(self, spec: str) -> str:
        return format(self.prevalence, spec) if spec else str(self)

    def _sentence(self) -> str:
        of = f" ({', '.join(f'{name} = {worded(value)}' for name, value in self.group.items())})" if self.group else ""
        text = f"{self.prevalence:.4f}"
        if self.se is not None and self.interval is not None:
            text += (
                f" ± {self.se:.4f}, {percent(self.level)} % interval {self.interval[0]:.4f} – {self.interval[1]:.4f}"
            )
        of += "" if self.positive in (None, 1) else f", share of {worded(self.positive)}"
        of += f"; {self.accounts_for}" if self.accounts_for not in (None, _ALL_OF_IT) else ""
        return visible(f"{text}, {self.method}, n = {self.n}{of}")

    def __repr__(self) -> str:
        return "\n".join(
            [f"Estimate: {self._sentence()}", *(f"  {visible(warning)}" for warning in said(self.warnings))]
        )

    def _repr_html_(self) -> str:
        return (
            f"<p><b>{self.prevalence:.4f}</b>{html.escape(self._sentence()[6:])}</p>{paragraphs(said(self.warnings))}"
        )


class Estimates(Table):
    """A table of estimates, a row for each group or test set and method.

    Its attributes are columns, read-only numpy arrays of shape (number of rows,). ``estimates[i]`` is the `Estimate` of row i,
    and iterating gives one after the other; ``estimates["week"]`` is the column of that name. `to_dict`, `to_pandas`,
    `to_polars` and `to_arrow` give the whole table. A table of groups keeps their scores for as long as it lives, for `compare`;
    a pickled one does not.
    """

    _nullable = ("se", "lower", "upper", "n_eff", *_OF_MISFIT)
    _totals: Estimates | None = None
    _compared: Compared | None = None

    def __init__(self, columns: dict[str, Any], groups: dict[str, NDArray[Any]], terms: Terms) -> None:
        methods = terms.methods
        number_of_sets = len(columns["n"]) // len(methods)
        self._terms = terms
        self._groups = list(groups)
        self._found = columns
        table: dict[str, Any] = {"method": np.array([*methods] * number_of_sets, dtype=object)}
        table |= {name: columns[name] for name in ("n", *_NUMBERS)}
        for name in ("n_eff", *_OF_MISFIT):
            if not bool(np.any(columns[name] == columns[name])):
                del table[name]
        table["level"] = np.full(len(columns["n"]), terms.level)
        table["severity"] = np.array(
            [gravest(warnings) if warnings else None for warnings in columns["warnings"]], dtype=object
        )
        table["warnings"] = columns["warnings"]
        self._columns = beside({name: np.repeat(values, len(methods)) for name, values in groups.items()}, table)

    @classmethod
    def _of_groups(cls, columns: dict[str, Any], groups: dict[str, list[Any]], terms: Terms, sort: bool) -> Estimates:
        """A table of groups, in the order of their values if they are to be sorted."""
        values = {name: natural(column) for name, column in groups.items()}
        if not sort:
            return cls(columns, values, terms)
        places = order(groups)
        rows = (places[:, np.newaxis] * len(terms.methods) + np.arange(len(terms.methods))).reshape(-1)
        return cls(taken(columns, rows), taken(values, places), terms)

    @classmethod
    def _of_one(cls, estimate: Estimate) -> Estimates:
        """A table of one estimate."""
        values = {name: getattr(estimate, name) for name in _NUMBERS}
        columns: dict[str, Any] = {
            name: np.array([value], dtype=np.float64) for name, value in values.items()
        }  # None is NaN
        columns["n"] = np.array([estimate.n])
        groups = {name: natural([value]) for name, value in estimate.group.items()}
        terms = Terms({estimate.method: estimate.accounts_for}, estimate.level, estimate.positive)
        return cls(columns | {"warnings": [estimate.warnings]}, groups, terms)

    def _together(self, totals: Estimates | None, compared: Compared) -> Estimates:
        """The same with what is known of the groups together."""
        self._totals, self._compared = totals, compared
        return self

    def __getstate__(self) -> dict[str, Any]:
        # What is sent elsewhere is what was found, not the scores that it was found from.
        return {**self.__dict__, "_compared": None}

    @property
    def total(self) -> Estimate | None:
        """All groups together; None unless it was asked for (``total=True`` or ``total_weights``). It is no row of the table, as a
        sum over its rows would count every score twice. Of several methods there are `totals`."""
        if self._totals is None:
            return None
        if len(self._totals) > 1:
            raise OptionError(
                f"there are totals of {len(self._totals)} methods: take .totals, a row for each",
                "option-conflict",
                name="total",
            )
        return self._totals[0]

    @property
    def totals(self) -> Estimates | None:
        """All groups together, a row for each method; None unless it was asked for."""
        return self._totals

    def compare(self, reference: Any) -> Differences:
        """How far the groups are apart.

        Estimates that rest on the same labelled scores err together, which is taken into account. With several columns in `by` the
        groups of the last one are compared, while those before it stay the same. Where the misfit of a group has widened its
        interval, those of its differences allow for it too.

        Parameters
        ----------
        reference : {"previous", "total", "rest", "all"} or a value of the last column of `by`
            What each group is compared with: the one before it in the order of their values, all groups together, all others
            together, every other one, or the group with this value. Groups are added up by their scores, or with `total_weights`.

        Returns
        -------
        Differences

        Raises
        ------
        TruecountError
            For a group that there is not; for a single group; for a method that has no covariances.

        Examples
        --------
        >>> import truecount as tc
        >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
        >>> found = tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"])
        >>> found.compare("previous").difference.round(3)
        array([-0.265])
        """
        if self._compared is None:
            raise OptionError(
                "there are no groups with their scores to compare: estimate with by, and compare before the table is pickled",
                "option-conflict",
                name="reference",
            )
        return self._compared.with_reference(reference)

    @property
    def groups(self) -> dict[str, NDArray[Any]]:
        """The columns that tell the groups, or the test sets, apart."""
        return {name: self._column(name) for name in self._groups}

    @property
    def method(self) -> NDArray[np.object_]:
        """The methods' names."""
        return self._column("method")

    @property
    def n(self) -> NDArray[np.int64]:
        """Numbers of test scores."""
        return self._column("n")

    @property
    def n_eff(self) -> NDArray[np.float64] | None:
        """Kish's effective numbers of weighted scores; None without weights."""
        return self._if_known("n_eff")

    def _if_known(self, name: str) -> NDArray[np.float64] | None:
        return self._column(name) if name in self._columns else None

    @property
    def prevalence(self) -> NDArray[np.float64]:
        """`raw` kept inside [0, 1]."""
        return self._column("prevalence")

    @property
    def raw(self) -> NDArray[np.float64]:
        """The estimators as defined, never clipped."""
        return self._column("raw")

    @property
    def se(self) -> NDArray[np.float64]:
        """Standard errors; NaN where there is no formula."""
        return self._column("se")

    @property
    def lower(self) -> NDArray[np.float64]:
        """Lower ends of the intervals; NaN where there is no formula."""
        return self._column("lower")

    @property
    def upper(self) -> NDArray[np.float64]:
        """Upper ends of the intervals; NaN where there is no formula."""
        return self._column("upper")

    @property
    def interval(self) -> NDArray[np.float64]:
        """Lower and upper ends of the intervals, shape (number of rows, 2); NaN where there is no formula."""
        return np.column_stack((self._columns["lower"], self._columns["upper"]))

    @property
    def misfit(self) -> NDArray[np.float64] | None:
        """How far the test scores are from any mixture of the labelled classes: how many times as large as chance explains; 1 for
        chance alone. None where they were not checked."""
        return self._if_known("misfit")

    @property
    def unexplained(self) -> NDArray[np.float64] | None:
        """The shares of the test share of the scores that no mix of the labelled classes explains, beyond chance; None where they were not
        checked."""
        return self._if_known("unexplained")

    @property
    def widening(self) -> NDArray[np.float64] | None:
        """By how much the intervals are wider at each end because of that, on average; None where the scores were not checked."""
        return self._if_known("widening")

    @property
    def level(self) -> float:
        """The intervals' nominal coverage."""
        return self._terms.level

    @property
    def positive(self) -> Any:
        """The class whose shares they are, as the labels have it; None where it has no name."""
        return self._terms.positive

    @property
    def warnings(self) -> list[tuple[Caveat, ...]]:
        """What to beware of, row by row."""
        return list(self._columns["warnings"])

    @property
    def severity(self) -> NDArray[np.object_]:
        """How grave the gravest warning of each row is, "note", "caution" or "unreliable"; None where there is none."""
        return self._column("severity")

    @overload
    def __getitem__(self, row: str) -> NDArray[Any]: ...

    @overload
    def __getitem__(self, row: SupportsIndex) -> Estimate: ...

    def __getitem__(self, row: str | SupportsIndex) -> NDArray[Any] | Estimate:
        if isinstance(row, str):
            return super().__getitem__(row)
        columns = self._columns
        rows = range(len(self))
        try:
            row = operator.index(row)
        except TypeError:
            several = "several are in list(estimates), or in to_pandas()"
            raise TypeError(f"{row!r} is neither the number of a row nor the name of a column; {several}") from None
        if row not in rows and row + len(self) not in rows:
            raise IndexError(f"there is no row {row}; there are {len(self)}")
        row = rows[row]
        group = {name: plain(columns[name][row]) for name in self._groups}
        method = columns["method"][row]
        return Estimate._of_row(self._found, row, method, self._terms, group)

    def __iter__(self) -> Iterator[Estimate]:
        return (self[row] for row in range(len(self)))

    def _names(self) -> list[str]:
        return [*self._groups, *([] if len(self._terms.methods) == 1 else ["method"])]

    def _header(self) -> tuple[list[str], int]:
        names = [*map(visible, self._names())]
        return [*names, "n", "prevalence", "se", f"{percent(self.level)} % interval", ""], len(names)

    def _cells(self, row: int) -> list[str]:
        columns = self._columns
        known = columns["se"][row] == columns["se"][row]
        return [
            *(visible(worded(columns[name][row])) for name in self._names()),
            str(columns["n"][row]),
            number(columns["prevalence"][row]),
            number(columns["se"][row]),
            f"{columns['lower'][row]:.4f} – {columns['upper'][row]:.4f}" if known else "–",
            marks(columns["severity"][row]),
        ]

    def _shown(self) -> list[list[str]]:
        totals = self._totals
        if totals is None:
            return super()._shown()
        named = ["total", *[""] * (len(self._groups) - 1)]
        return [*super()._shown(), *([*named, *totals._cells(row)] for row in range(len(totals)))]

    def _named(self, row: int) -> str:
        return ", ".join(worded(self._columns[name][row]) for name in self._names())

    def _notes(self) -> list[str]:
        methods = self._terms.methods
        method = [f"method: {name}" for name in methods] if len(methods) == 1 else []
        rows = [(self._named(row), warnings) for row, warnings in enumerate(self._columns["warnings"])]
        totals = self._totals
        of_totals = (
            []
            if totals is None
            else [(f"total {totals._named(row)}".strip(), totals.warnings[row]) for row in range(len(totals))]
        )
        return [*method, *self._accounts(), *warned(rows + of_totals)]

    def _accounts(self) -> Iterator[str]:
        """What standard errors and intervals account for, with the methods where they differ."""
        methods = self._terms.methods
        for text in dict.fromkeys(methods.values()):
            names = [name for name, accounts_for in methods.items() if accounts_for == text]
            of = f" ({', '.join(names)})" if len(names) < len(methods) else ""
            formula = 'no standard error or interval: there is no formula (interval="bootstrap")'
            yield f"uncertainty: {text}{of}" if text else f"{formula}{of}"
