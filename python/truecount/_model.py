"""Models: labelled scores and the methods that were fitted to them."""

from __future__ import annotations

import json
import os
import secrets
import warnings as python_warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, shown
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError, located
from truecount._differences import Compared, Differences, Source
from truecount._files import write_whole
from truecount._fitted import Fitted
from truecount._groups import natural
from truecount._labels import drawn, labelled
from truecount._options import Reporting, choice, real, reporting, whole
from truecount._results import Estimate, Estimates
from truecount._sets import Sets, test_sets
from truecount._sizes import NOTHING, Summed, sizes
from truecount._tally import Tally

__all__ = ["Model", "estimate"]


def method_names(method: str | Iterable[str]) -> list[str]:
    """Names, of which a text may have several between commas."""
    known = "it must be names of truecount.methods(), in a list or between commas"
    if not isinstance(method, Iterable):
        raise OptionError(f"method is {shown(method)}; {known}", "option-invalid", name="method", value=method)
    names = method.split(",") if isinstance(method, str) else list(method)
    if not names:
        raise OptionError("no method was asked for", "no-methods")
    for name in names:
        if not isinstance(name, str):
            raise OptionError(f"method: {shown(name)} is no name; {known}", "option-invalid", name="method", value=name)
        if not name.strip():
            raise OptionError(
                f"method: {shown(method)} has an empty name; leave it out",
                "option-invalid", name="method", value=method,
            )
    return [name.strip() for name in names]


def _settings(
    method: str | Iterable[str] | None,
    family: str | None,
    transform: str | None,
    anchor: str | None,
    threshold: float | str,
    cutoff: float | None,
) -> _core.Settings:
    must = "it must be 'optimal' or a number between 0 and 1"
    fixed = None if isinstance(threshold, str) and threshold == "optimal" else real(threshold, "threshold", must)
    return {
        "methods": [] if method is None else method_names(method),
        "threshold": fixed,
        "family": None if family is None else choice(family, "family", "families"),
        "transform": None if transform is None else choice(transform, "transform", "transforms"),
        "anchor": None if anchor is None else choice(anchor, "anchor", "anchors"),
        "cutoff": None if cutoff is None else real(cutoff, "cutoff"),
    }


class Model(Fitted):
    """A fitted model, ready for test scores; made by `Model.fit` or `Model.load`.

    It may be used by several threads at once, and pickled.

    Examples
    --------
    >>> import truecount as tc
    >>> model = tc.Model.fit([2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0])
    >>> round(model.estimate([1.7, 0.2, -0.5, 2.2, 0.8]).prevalence, 3)
    0.623
    """

    def __init__(self) -> None:
        raise TypeError("make a model with Model.fit(train_scores, train_labels) or Model.load(path)")

    @classmethod
    def _of(cls, core: _core.Model) -> Model:
        model = object.__new__(cls)
        model._core = core
        return model

    @classmethod
    def fit(
        cls,
        train_scores: Any,
        train_labels: Any,
        *,
        method: str | Iterable[str] | None = None,
        family: str | None = None,
        transform: str | None = None,
        anchor: str | None = None,
        threshold: float | str = "optimal",
        cutoff: float | None = None,
        train_probabilities: Any = None,
        train_weights: Any = None,
        train_clusters: Any = None,
        positive: Any = None,
    ) -> Model:
        """Fit methods to labelled scores.

        Parameters
        ----------
        train_scores : array-like of float, shape (n_labelled,)
            Scores of a labelled sample, higher meaning more positive.
        train_labels : array-like, shape (n_labelled,)
            Their labels, two different values.
        method : str or iterable of str, default "es"
            Methods, several of them in a list or between commas; ``truecount.methods()`` has them all. ``"all"`` stands for those
            that the labelled scores allow.
        family : str, optional
            Family of both classes' score distributions, for the methods that fit one, by default normal: ``truecount.families()``.
            Where none of the methods fits one, as ``es`` does not, a family is an error.
        transform : {"none", "logit", "rank"}, optional
            What to do to the scores before the family is fitted, by default nothing; an error where no method has any use for it.
        anchor : {"model", "sample"}, optional
            Where the sweeps take their rates from; by default Continuous Sweep from the fitted family, Efficient Sweep from the
            labelled scores. With ``"model"`` Efficient Sweep fits a family too.
        threshold : "optimal" or float
            Threshold of the method ``cs``; a number between 0 and 1 makes ``cs`` the default method.
        cutoff : float, optional
            The score at or above which ``cc`` and ``ac`` call a score positive; by default ½ where all labelled scores lie in
            [0, 1], as probabilities do, and otherwise 0. `learnt` tells which it was.
        train_probabilities : array-like of float, shape (n_labelled,), optional
            A classifier's probabilities of being positive, for the methods that need some; otherwise they follow from the fitted
            family by Bayes' rule.
        train_weights : array-like of float, shape (n_labelled,), optional
            Survey weights of the labelled rows, as where labels were drawn by score: each stands for so many of its class. Only their
            ratios count, and rows of weight 0 count for nothing. For ``es``, ``cc``, ``ac`` and ``smm``, and ``pcc`` and ``pacc`` with
            `train_probabilities`.
        train_clusters : array-like, shape (n_labelled,), optional
            What was drawn as one, such as persons or days: rows of the same value belong together, and standard errors are those of
            clusters. For the same methods.
        positive : label, optional
            The label of a positive; by default True, or 1 beside 0 or -1.

        Raises
        ------
        TruecountError
            Where the labelled scores, or what is asked for, cannot be: the message says what, where and what to do.
        """
        scores, flags, probabilities, other = labelled(train_scores, train_labels, train_probabilities, positive)
        design = drawn(train_scores, train_weights, train_clusters)
        settings = _settings(method, family, transform, anchor, threshold, cutoff)
        try:
            core, refused = _core.Model.fit(scores, flags, probabilities, design, settings)
        except TruecountError as error:
            explained = located(error, "train_scores", "train_probabilities", "train_weights")
            if explained.code == "classes-inverted":
                explained = explained.advising(f" (positive={shown(other)})")
            raise explained from None
        for name, reason in refused:
            python_warnings.warn(f"left out, {name}: {reason}", PrevalenceWarning, stacklevel=2)
        return cls._of(core)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """The model of a file that `save` or the command ``truecount fit`` wrote; its estimates are the same to the last bit.

        Raises
        ------
        TruecountError
            For a file that is no model, or damaged.
        OSError
            For one that cannot be read.
        """
        try:
            return cls._of(_core.Model.from_json(Path(path).read_text(encoding="utf-8", errors="replace")))
        except TruecountError as error:
            raise error.at(str(path), path=str(path)) from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file, whole or not at all. It holds the labelled scores.

        A file that is there keeps its permissions, and a link stays a link.

        Raises
        ------
        OSError
            Where it cannot be written.
        """
        write_whole(path, self._core.to_json().encode())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._core.to_json(),)

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of their estimates."""
        return self._core.methods

    @property
    def learnt(self) -> dict[str, Any]:
        """What was learnt: parameters of the fitted classes, thresholds, regions, rates, and what each standard error covers."""
        learnt: dict[str, Any] = json.loads(self._core.learnt)
        return learnt

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that tell models apart: a checksum of the settings and the labelled scores."""
        return self._core.fingerprint

    @overload
    def estimate(
        self,
        test_scores: Any,
        *,
        by: None = None,
        total: Literal[False] = False,
        total_weights: None = None,
        population: Any = None,
        sort: bool = True,
        test_probabilities: Any = None,
        weights: Any = None,
        level: float = 0.95,
        target: str = "sample",
        interval: str = "wilson",
        misfit: str = "widen",
        resamples: int = 1000,
        seed: int = 1,
        check: bool | None = None,
    ) -> Estimate | Estimates: ...

    @overload
    def estimate(
        self,
        test_scores: Any,
        *,
        by: Any,
        total: bool = False,
        total_weights: Any = None,
        population: Any = None,
        sort: bool = True,
        test_probabilities: Any = None,
        weights: Any = None,
        level: float = 0.95,
        target: str = "sample",
        interval: str = "wilson",
        misfit: str = "widen",
        resamples: int = 1000,
        seed: int = 1,
        check: bool | None = None,
    ) -> Estimates: ...

    def estimate(
        self,
        test_scores: Any,
        *,
        by: Any = None,
        total: bool = False,
        total_weights: Any = None,
        population: Any = None,
        sort: bool = True,
        test_probabilities: Any = None,
        weights: Any = None,
        level: float = 0.95,
        target: str = "sample",
        interval: str = "wilson",
        misfit: str = "widen",
        resamples: int = 1000,
        seed: int = 1,
        check: bool | None = None,
    ) -> Estimate | Estimates:
        """Estimate prevalences among test scores; the arguments are those of `truecount.estimate`.

        Returns
        -------
        Estimate or Estimates
            One estimate; a table for several methods, groups or test sets. Where types are checked, ``assert isinstance(found,
            tc.Estimate)`` tells which it is; with `by` it is always a table.
        """
        sets = test_sets(test_scores, test_probabilities, weights, by)
        summed, size = _summed(sets, test_scores, bool(total), total_weights, population, interval)
        asked = reporting(level, target, interval, misfit, size)
        checked = (sets.groups is not None or not sets.several) if check is None else bool(check)
        source: Source = sets.columns
        together = None
        try:
            if interval == "bootstrap":
                columns = self._bootstrap(sets.columns, asked, checked, resamples, seed)
                if summed[0]:
                    together = self._bootstrap(sets.whole, asked, checked, resamples, seed)
            elif summed is NOTHING:
                columns = self._core.estimate(sets.columns, asked, checked)
            else:
                source = self._core.tally(sets.columns, 0)
                columns, together, _ = self._core.finish(source, asked, checked, summed)
        except TruecountError as error:
            raise sets.explain(error) from None
        methods = self._accounts(resamples if interval == "bootstrap" else None)
        if not sets.several and len(methods) == 1:
            ((method, accounts_for),) = methods.items()
            return Estimate._of(columns, 0, method, accounts_for, asked[0], {})
        natural_values = {name: natural(values) for name, values in sets.values.items()}
        if sets.groups is None:
            return Estimates(columns, natural_values, methods, asked[0])
        table = (
            Estimates._sorted(columns, sets.values, methods, asked[0])
            if sort
            else Estimates(columns, natural_values, methods, asked[0])
        )
        whole_of = None if together is None else Estimates(together, {}, methods, asked[0])
        return table._together(whole_of, Compared(self._core, source, sets.values, asked, checked, summed))

    def _bootstrap(
        self, columns: _core.Columns, asked: Reporting, check: bool, resamples: int, seed: int
    ) -> dict[str, Any]:
        resamples, seed = whole(resamples, "resamples", 1), whole(seed, "seed", 0, 64)
        return self._core.bootstrap(columns, asked, check, resamples, seed)

    def compare(
        self,
        test_scores: Any,
        other_scores: Any = None,
        *,
        other: Model | None = None,
        labelled: str | None = None,
        scores: str | None = None,
        by: Any = None,
        other_by: Any = None,
        test_probabilities: Any = None,
        other_probabilities: Any = None,
        weights: Any = None,
        other_weights: Any = None,
        level: float = 0.95,
        target: str = "sample",
        interval: str = "wilson",
        misfit: str = "widen",
    ) -> Differences:
        """How far the prevalences of two samples are apart, or two models' or several methods' estimates of one.

        - ``model.compare(scores, other_scores)``: two samples, of other items.
        - ``model.compare(scores)``: each of the model's other methods beside the first, on the same scores.
        - ``model.compare(scores, other_scores, other=another, labelled=…, scores=…)``: two models, each with its scores.

        Groups of one sample are compared by `Estimates.compare`. Estimates that rest on the same labelled scores or the same test
        scores err together, which is taken into account.

        Parameters
        ----------
        test_scores, other_scores : array-like of float, shape (n,)
            What is compared, and what it is compared with. Another model without `other_scores` reads the same.
        other : Model, optional
            The model of the other estimates; it has this one's methods.
        labelled : {"paired", "apart"}
            With `other`: whether both models have learnt from the same labelled items in the same order, as two classifiers' scores of
            them, or from independent ones.
        scores : {"same", "different"}
            With `other` and `other_scores`: whether these are scores of the same items in the same order, or of different ones.
        by, other_by : array-like, shape (n,), or several columns, optional
            Compares group by group. Of the same items `by` is that of both.
        test_probabilities, other_probabilities, weights, other_weights
            As in `estimate`. Of the same items `weights` are those of both.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Returns
        -------
        Differences

        Warns
        -----
        PrevalenceWarning
            For groups that only one sample has, which are left out, and for what is to be said of the estimates.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> now, before = np.r_[rng.normal(2, 1, 90), rng.normal(0, 1, 210)], np.r_[rng.normal(2, 1, 30), rng.normal(0, 1, 270)]
        >>> found = model.compare(now, before)
        >>> found.difference.round(2), found.se.round(2)
        (array([0.26]), array([0.03]))
        """
        if interval == "bootstrap":
            raise OptionError('a comparison has formulas of its own; leave out interval="bootstrap"', "option-conflict", name="interval")
        paired, same = _kinship(other, other_scores is not None, labelled, scores)
        if other_scores is not None and not same and (by is None) != (other_by is None):
            raise OptionError("by and other_by: give the groups of both, or of none", "option-conflict", name="other_by")
        asked = reporting(level, target, interval, misfit)
        first = _Tallied.of(self, "test_scores", (test_scores, test_probabilities, weights, by), asked)
        if other is None and other_scores is None:
            if len(self.methods) == 1:
                raise OptionError(
                    "there is nothing to compare with: give other_scores or another model, or fit several methods",
                    "option-invalid", name="other_scores",
                )
            return Differences(_core.methods_apart(self._core, first.tally, asked), first.values, asked[0])
        if same:
            for name, given in (("other_by", other_by), ("other_weights", other_weights)):
                if given is not None:
                    raise OptionError(f"{name} is for other items; of the same ones leave it out", "option-conflict", name=name)
            other_by, other_weights = by, weights
            if other_scores is None:
                other_scores = test_scores
                other_probabilities = test_probabilities if other_probabilities is None else other_probabilities
        second = _Tallied.of(
            other or self, "other_scores", (other_scores, other_probabilities, other_weights, other_by), asked
        )
        if same and first.rows != second.rows:
            raise ScoreError(
                f"there are {first.rows} test_scores but {second.rows} other_scores, which are said to be of the same items",
                "length-mismatch", column="other_scores", values=second.rows, others=first.rows,
            )
        models = self._core, None if other is None else other._core
        sides = (models[0], first.tally), (models[1], second.tally)
        found = _core.samples_apart(*sides, _pairs(first, second), asked, (paired, same), "other")
        return Differences(found, first.values, asked[0])

    def tally(self, test_scores: Any, *, by: Any = None, test_probabilities: Any = None, weights: Any = None) -> Tally:
        """Tally test scores: a small summary, to be added to others and finished later, here or elsewhere.

        Parameters are those of `estimate`.

        Returns
        -------
        Tally

        Examples
        --------
        >>> import truecount as tc
        >>> model = tc.Model.fit([2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0])
        >>> monday, tuesday = model.tally([1.7, 0.2]), model.tally([-0.5, 2.2, 0.8])
        >>> (monday + tuesday).finish().n
        5
        """
        sets = test_sets(test_scores, test_probabilities, weights, by)
        if sets.several and sets.groups is None:
            raise ScoreError(
                "several test sets have no names to be added by: give one column of scores, and by",
                "column-invalid", column="test_scores",
            )
        try:
            tally = self._core.tally(sets.columns, secrets.randbits(64))
        except TruecountError as error:
            raise sets.explain(error) from None
        keys = zip(*sets.values.values()) if sets.values else [()]
        return Tally._of(self, tuple(sets.values), keys, tally)

    def influence(self, test_scores: Any, *, method: str | None = None, test_probabilities: Any = None) -> Floats:
        """What each test score adds: numbers whose mean is the estimate, ``raw``.

        What a score adds to an Efficient Sweep depends on the scores that it is estimated with: these.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
        method : str, optional
            Which of the model's methods; by default the first.
        test_probabilities : array-like of float, shape (n,), optional

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        TruecountError
            For a method that is not the mean of one function of the score.
        """
        sets = test_sets(test_scores, test_probabilities, None, None)
        if sets.several:
            raise ScoreError(
                "test_scores are several test sets; give one column",
                "column-invalid", column="test_scores",
            )
        try:
            return self._core.influence(self._place(method), sets.columns)
        except TruecountError as error:
            raise sets.explain(error) from None

    def _place(self, method: str | None) -> int:
        if method is None:
            return 0
        if method not in self.methods:
            raise OptionError(
                f"the model has no method '{method}'; its methods are {', '.join(self.methods)}",
                "method-unknown", name=method, known=self.methods,
            )
        return self.methods.index(method)

    def influence_expr(self, scores: Any, *, method: str | None = None) -> Any:
        """The same as a polars expression, whose mean is the estimate: in ``select``, ``group_by(…).agg``, lazy frames, streams.

        Parameters
        ----------
        scores : polars.Expr or str
            As ``pl.col("score")``, or the name of the column. A null or NaN is an error, as it is everywhere.

        Examples
        --------
        ``frame.group_by("week").agg(model.influence_expr(pl.col("score")).mean())``
        """
        import polars

        place = self._place(method)

        def influence(column: Any) -> Any:
            sets = test_sets(column, None, None, None)
            try:
                return polars.Series(column.name, self._core.influence(place, sets.columns))
            except TruecountError as error:
                raise sets.explain(error) from None

        # A method that has no such function is refused now.
        self._core.influence(place, test_sets(np.array([0.5]), None, None, None).columns)
        # What a score adds may depend on the others of its group, which polars must then give together.
        alone = self.methods[place] not in _core.methods_that("choose among means")
        column = polars.col(scores) if isinstance(scores, str) else scores
        if not isinstance(column, polars.Expr):
            raise OptionError(
                f"scores is a {type(scores).__name__}; give a polars expression, or the name of a column",
                "option-invalid", name="scores",
            )
        return column.map_batches(influence, return_dtype=polars.Float64, is_elementwise=alone)

    def sql(
        self,
        table: str | Sequence[str],
        *,
        score: str = "score",
        probability: str | None = None,
        by: str | Sequence[str] = (),
        dialect: str = "ansi",
        level: float = 0.95,
        target: str = "sample",
        interval: str = "wilson",
    ) -> str:
        """A query that computes the estimates in a database: DuckDB, SQLite, PostgreSQL, Spark and others.

        Parameters
        ----------
        table : str or sequence of str
            The table's name, or its parts as in ``("schema", "table")``.
        score, probability : str
            The columns with scores and, for a model that was fitted with some, probabilities.
        by : str or sequence of str
            One estimate for every combination of values of these columns.
        dialect : {"ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"}
            "ansi" for DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion and others.
        level, target, interval
            As in `truecount.estimate`, without the bootstrap.

        Returns
        -------
        str
            Its rows have the columns of `by`, then method, n, missing, prevalence, raw, se, lower, upper and level; for the
            histogram methods those of their tallies.
        """
        if interval == "bootstrap":
            raise OptionError("a query has no bootstrap; leave out interval", "option-conflict", name="interval")

        def names(given: Any, argument: str) -> list[str]:
            found = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
            for name in found:
                if not isinstance(name, str):
                    raise OptionError(
                        f"{argument}: {shown(name)} is no name; it must be a text",
                        "option-invalid", name=argument, value=name,
                    )
            return found

        (score,) = names([score], "score")
        if probability is not None:
            (probability,) = names([probability], "probability")
        read = names(table, "table"), score, probability, names(by, "by")
        return self._core.sql(read, choice(dialect, "dialect", "dialects"), reporting(level, target, interval))

    def __repr__(self) -> str:
        learnt = self.learnt
        return f"Model({', '.join(self.methods)}; {learnt['n_pos']} positive and {learnt['n_neg']} negative scores)"


def _summed(
    sets: Sets, scores: Any, total: bool, total_weights: Any, population: Any, interval: str
) -> tuple[Summed, float | None]:
    """What is asked of groups together; and of what is no groups, the size of the population."""
    groups = sets.groups
    if groups is None:
        for name, asked in (("total", total), ("total_weights", total_weights is not None)):
            if asked:
                raise OptionError(f"{name} adds up groups; give their column as by", "option-conflict", name=name)
        if population is None:
            return NOTHING, None
        if sets.several:
            raise OptionError(
                "population is for one column of test scores; give all scores in one column, and their groups as by",
                "option-conflict", name="population",
            )
        return NOTHING, float(whole(population, "population", 1, 53))
    if interval == "bootstrap":
        for name, given in (("total_weights", total_weights), ("population", population)):
            if given is not None:
                raise OptionError(
                    f'{name} of groups has formulas of its own; leave out interval="bootstrap"', "option-conflict", name=name
                )
    if not total and total_weights is None and population is None:
        return NOTHING, None
    weights = None if total_weights is None else sizes(total_weights, "total_weights", groups, scores)
    populations = None if population is None else sizes(population, "population", groups, scores)
    return (total or weights is not None, weights, populations), None


def _kinship(other: Model | None, has_scores: bool, labelled: str | None, scores: str | None) -> tuple[bool, bool]:
    """Whether the labelled items are the same, and whether the test items are."""
    choices = {"labelled": (labelled, ("paired", "apart")), "scores": (scores, ("same", "different"))}
    for name, (value, known) in choices.items():
        if value is not None and value not in known:
            raise OptionError(
                f"{name} is {shown(value)}; it must be one of {', '.join(known)}", "option-invalid", name=name, value=value
            )
        if other is None and value is not None:
            raise OptionError(f"{name} is for another model: give other, or leave it out", "option-conflict", name=name)
    if other is None:
        return True, False
    if labelled is None:
        raise OptionError(
            "say whether both models have learnt from the same labelled items (labelled='paired') or not (labelled='apart')",
            "option-invalid", name="labelled", value=None,
        )
    if has_scores and scores is None:
        raise OptionError(
            "say whether other_scores are of the same items (scores='same') or not (scores='different')",
            "option-invalid", name="scores", value=None,
        )
    if not has_scores and scores == "different":
        raise OptionError("scores are said to be different: give other_scores", "option-conflict", name="scores")
    return labelled == "paired", not has_scores or scores == "same"


@dataclass(frozen=True)
class _Tallied:
    """One side of a comparison."""

    name: str
    tally: _core.Tally
    values: dict[str, list[Any]]
    rows: int

    @classmethod
    def of(cls, model: Model, name: str, given: tuple[Any, Any, Any, Any], asked: Reporting) -> _Tallied:
        """A side, of which it is said what there is to beware of."""
        try:
            sets = test_sets(*given)
            if sets.several and sets.groups is None:
                raise ScoreError("test_scores are several test sets; give one column, and by", "column-invalid", column="test_scores")
            try:
                tally = model._core.tally(sets.columns, 0)
                columns, _, _ = model._core.finish(tally, asked, True, NOTHING)
            except TruecountError as error:
                raise sets.explain(error) from None
        except TruecountError as error:
            raise (error if name == "test_scores" else error.at(name)) from None
        found: dict[str, list[str]] = {}
        for warning in (warning for warnings in columns["warnings"] for warning in warnings):
            found.setdefault(warning.code, []).append(warning)
        for texts in found.values():
            of = "" if len(columns["warnings"]) == 1 else f" ({len(texts)} of {len(columns['warnings'])} estimates)"
            python_warnings.warn(f"{name}: {texts[0]}{of}", PrevalenceWarning, stacklevel=3)
        return cls(name, tally, sets.values, len(sets.columns["scores"][0]))

    def groups(self) -> dict[tuple[Any, ...], int]:
        """The number of each group."""
        return {values: number for number, values in enumerate(zip(*self.values.values()))} if self.values else {(): 0}


def _pairs(first: _Tallied, second: _Tallied) -> list[tuple[int, int]]:
    """The groups of the first that the second has too; the others are told of."""
    groups, others = first.groups(), second.groups()
    if not groups.keys() & others.keys():
        raise OptionError("by and other_by have no group in common", "option-conflict", name="other_by")
    for side, own, known in ((first, groups, others), (second, others, groups)):
        left_out = [values for values in own if values not in known]
        if left_out:
            named = ", ".join(shown(values if len(values) > 1 else values[0]) for values in left_out[:5])
            more = f" and {len(left_out) - 5} more" if len(left_out) > 5 else ""
            python_warnings.warn(f"left out, only in {side.name}: {named}{more}", PrevalenceWarning, stacklevel=3)
    return [(number, others[values]) for values, number in groups.items() if values in others]


def _unpickled(text: str) -> Model:
    return Model._of(_core.Model.from_json(text))


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: str | Iterable[str] | None = None,
    by: None = None,
    total: Literal[False] = False,
    total_weights: None = None,
    population: Any = None,
    sort: bool = True,
    family: str | None = None,
    transform: str | None = None,
    anchor: str | None = None,
    threshold: float | str = "optimal",
    cutoff: float | None = None,
    positive: Any = None,
    train_probabilities: Any = None,
    test_probabilities: Any = None,
    weights: Any = None,
    level: float = 0.95,
    target: str = "sample",
    interval: str = "wilson",
    misfit: str = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Estimate | Estimates: ...


@overload
def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: str | Iterable[str] | None = None,
    by: Any,
    total: bool = False,
    total_weights: Any = None,
    population: Any = None,
    sort: bool = True,
    family: str | None = None,
    transform: str | None = None,
    anchor: str | None = None,
    threshold: float | str = "optimal",
    cutoff: float | None = None,
    positive: Any = None,
    train_probabilities: Any = None,
    test_probabilities: Any = None,
    weights: Any = None,
    level: float = 0.95,
    target: str = "sample",
    interval: str = "wilson",
    misfit: str = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Estimates: ...


def estimate(
    train_scores: Any,
    train_labels: Any,
    test_scores: Any,
    *,
    method: str | Iterable[str] | None = None,
    by: Any = None,
    total: bool = False,
    total_weights: Any = None,
    population: Any = None,
    sort: bool = True,
    family: str | None = None,
    transform: str | None = None,
    anchor: str | None = None,
    threshold: float | str = "optimal",
    cutoff: float | None = None,
    positive: Any = None,
    train_probabilities: Any = None,
    test_probabilities: Any = None,
    weights: Any = None,
    level: float = 0.95,
    target: str = "sample",
    interval: str = "wilson",
    misfit: str = "widen",
    resamples: int = 1000,
    seed: int = 1,
    check: bool | None = None,
) -> Estimate | Estimates:
    """Estimate the prevalence of positives among test scores, with a standard error.

    Parameters
    ----------
    train_scores : array-like of float, shape (n_labelled,)
        Scores of a labelled sample, higher meaning more positive. Lists, numpy, pandas, polars and Arrow columns will do; a
        contiguous numpy array of doubles is not copied.
    train_labels : array-like, shape (n_labelled,)
        Their labels, two different values.
    test_scores : array-like of float, shape (n,); or shape (n_sets, n); or a list of columns
        The scores to be counted. Several test sets, as rows of an array or in a list, are estimated in parallel.
    method : str or iterable of str, default "es"
        Methods: ``truecount.methods()``.
    by : array-like, shape (n,), or several columns as a dict or data frame, optional
        One estimate for every combination of their values.
    total : bool, default False
        With `by`: whether all groups together are estimated too, from all their scores: `Estimates.total`.
    total_weights : mapping or Series by group, or like `test_scores`, optional
        With `by`: how much each group weighs in the total, such as its size in the population; of a column of sizes the value that
        is the same throughout the group. Of several columns the groups are tuples.
    population : int; with `by` a mapping or Series by group, or like `test_scores`; optional
        How many there are in the finite population that the test scores were drawn from; its prevalence is then meant, whatever
        `target` says.
    sort : bool, default True
        Whether groups come in the order of their values, those without a value last; else in order of appearance.
    family, transform, anchor, threshold, cutoff, positive, train_probabilities
        As in `Model.fit`.
    test_probabilities : like `test_scores`, optional
        A classifier's probabilities for the test scores, if there are some for the labelled ones.
    weights : like `test_scores`, optional
        Survey weights, of which only the ratios count.
    level : float, default 0.95
        Nominal coverage of the intervals.
    target : {"sample", "population"}
        Whose prevalence the standard error and interval are for: these very scores', or that of the population they come from.
    interval : {"wilson", "wald", "bootstrap"}
        Where standard errors and intervals come from; the bootstrap, of both samples, is for every method.
    misfit : {"widen", "warn"}
        What is done where the test scores are no mixture of the labelled classes: the interval allows for the systematic error that
        goes with so large a misfit, or is left as it is, with a warning.
    resamples, seed : int
        Of the bootstrap; the same seed gives the same bits with any number of threads.
    check : bool, optional
        Whether to look for test scores that are no mixture of the labelled classes, which `misfit` and a warning are about; by
        default for a single test set and for groups, not for a list or table of test sets.

    Returns
    -------
    Estimate or Estimates
        One estimate; a table for several methods, groups or test sets. Where types are checked, ``assert isinstance(found,
        tc.Estimate)`` tells which it is; with `by` it is always a table.

    Raises
    ------
    TruecountError
        For input that cannot be used; nothing is dropped silently.

    Notes
    -----
    Efficient Sweep is the mean of Adjusted Count over all thresholds with the weights that make its variance least, and so the mean
    of one function of the score, a step function on bins that is learnt from the labelled scores: no family of distributions is
    fitted. Continuous Sweep (``o-cs``; Kloos, Karch, Meertens, Scholtus, de Rooij, *Continuous Sweep for Binary Quantification
    Learning*) weighs all thresholds alike where the fitted classes' rates differ by more than a threshold. The standard errors of
    both account for the sampling of the test scores and of the labelled ones.

    Examples
    --------
    >>> import truecount as tc
    >>> train, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    >>> found = tc.estimate(train, labels, [1.7, 0.2, -0.5, 2.2, 0.8])
    >>> round(found.prevalence, 3), found.n
    (0.623, 5)
    >>> tc.estimate(train, labels, [1.7, 0.2, -0.5, 0.8], by=["a", "a", "b", "b"]).prevalence.round(3)
    array([0.633, 0.367])
    """
    model = Model.fit(
        train_scores,
        train_labels,
        method=method,
        family=family,
        transform=transform,
        anchor=anchor,
        threshold=threshold,
        cutoff=cutoff,
        train_probabilities=train_probabilities,
        positive=positive,
    )
    found: Estimate | Estimates = model.estimate(
        test_scores,
        by=by,
        total=total,
        total_weights=total_weights,
        population=population,
        sort=sort,
        test_probabilities=test_probabilities,
        weights=weights,
        level=level,
        target=target,
        interval=interval,
        misfit=misfit,
        resamples=resamples,
        seed=seed,
        check=check,
    )
    return found
