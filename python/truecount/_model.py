"""Models: labelled scores and the methods fitted to them."""

from __future__ import annotations

import json
import os
import secrets
import warnings as python_warnings
from collections.abc import Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, overload

from truecount import _core
from truecount._audit import AuditDraw, AuditPlans, draw_audit, plan_audit
from truecount._check import Check, CheckKwargs, LabelledData, check_sets, resampling_options
from truecount._columns import Floats, short_repr
from truecount._comparison import CompareKwargs, compare
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError, located
from truecount._differences import Differences
from truecount._estimation import EstimateEachKwargs, EstimateKwargs, estimate_sets
from truecount._fitted_model import FittedModel
from truecount._influence import influence, influence_expr
from truecount._labels import labelled_columns, sampling_design, storable_label
from truecount._monitor import MonitorKwargs, MonitorResult
from truecount._names import Dialect, Family, Method, Methods, Period, Rates, Target, Transform
from truecount._options import choice, interval_options, refuse_bootstrap
from truecount._plans import PlanKwargs, Plans, plan_sizes
from truecount._report import ReportKwargs, report
from truecount._results import Estimate, Estimates
from truecount._sets import parse_test_sets
from truecount._settings import settings
from truecount._signature import refuse_unknown_options, show_options_of
from truecount._tally import Tally

if TYPE_CHECKING:
    from typing_extensions import Unpack

    _constructor = classmethod
else:

    class _constructor(classmethod):
        """A class method that creates a model; calling it on a model is an error."""

        def __get__(self, model, owner=None):
            if model is not None:
                raise AttributeError(
                    f"a model that is fitted stays as it is: Model.{self.__func__.__name__}(…) returns another one"
                )
            return super().__get__(model, owner)


__all__ = ["Model"]


class Model(FittedModel):
    """A fitted model, which estimates prevalences; made by `Model.fit` or `Model.load`.

    Several threads may use a model at once, and models can be pickled.

    Examples
    --------
    >>> import truecount as tc
    >>> model = tc.Model.fit([2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0])
    >>> round(model.estimate([1.7, 0.2, -0.5, 2.2, 0.8]).prevalence, 3)
    0.634
    """

    def __init__(self) -> None:
        raise TypeError("make a model with Model.fit(train_scores, train_labels) or Model.load(path)")

    @classmethod
    def _from_core(cls, core: _core.Model) -> Model:
        model = object.__new__(cls)
        model._core, model._positive = core, core.positive
        model._methods = dict(zip(core.methods, core.variances(None)))
        return model

    @_constructor
    def fit(
        cls,
        train_scores: Any,
        train_labels: Any,
        *,
        method: Methods | None = None,
        family: Family | None = None,
        transform: Transform | None = None,
        rates: Rates | None = None,
        threshold: float | str = "optimal",
        cutoff: float | None = None,
        train_probabilities: Any = None,
        train_weights: Any = None,
        train_clusters: Any = None,
        train_strata: Any = None,
        positive: Any = None,
    ) -> Model:
        """Fit methods to labelled scores.

        Parameters
        ----------
        train_scores : array-like of float, shape (n_labelled,)
            Scores of a labelled sample; a higher score means more likely positive.
        train_labels : array-like, shape (n_labelled,)
            The labels of these scores, two different values.
        method : str or iterable of str, default "es"
            Methods of ``truecount.methods()``: names in a list, or in a text with commas. ``"all"``
            stands for all methods that the labelled scores allow.
        family : str, optional
            Family of both classes' score distributions, for methods that fit one:
            ``truecount.families()``; by default normal. A family is an error if no method fits one,
            as ``es`` does not by default.
        transform : {"none", "logit", "rank"}, optional
            Transform of the scores before a family is fitted, by default none. It is an error if no
            method uses it.
        rates : {"family", "labels"}, optional
            Source of the sweeps' rates. By default Continuous Sweep takes them from the fitted
            family, and Efficient Sweep from the labelled scores.
        threshold : "optimal" or float
            Threshold of the method ``cs``; a number between 0 and 1 makes ``cs`` the default
            method.
        cutoff : float, optional
            The lowest score that ``cc`` and ``ac`` count as positive. The default is ½ if 95 % of
            the labelled scores lie in [0, 1], as probabilities do, and otherwise 0; `parameters` has its
            value.
        train_probabilities : array-like of float, shape (n_labelled,), optional
            A classifier's probabilities of the positive class, for methods of posterior
            probabilities. By default they follow from the fitted family by Bayes' rule.
        train_weights : array-like of float, shape (n_labelled,), optional
            Survey weights of the labelled rows, for example if they were drawn by score. Only
            ratios of weights within a class matter, and rows of weight 0 do not count. Possible for
            ``es``, ``cc``, ``ac`` and ``smm``, and for ``pcc`` and ``pacc`` with
            `train_probabilities`.
        train_clusters : array-like, shape (n_labelled,), optional
            The sampling units, such as persons or days: rows with equal values are a cluster, and
            standard errors are cluster-robust. Possible for the same methods.
        train_strata : array-like, shape (n_labelled,), optional
            The strata, such as intervals of the score, if a fixed number of rows, or of clusters,
            was drawn in each. `train_weights` then has the number of rows that each row stands for.
            Possible for the same methods.
        positive : label, optional
            The positive label; by default True, or 1 if the other label is 0 or -1.

        Returns
        -------
        Model

        Raises
        ------
        TruecountError
            If the labelled scores or the settings cannot be used.

        Warns
        -----
        PrevalenceWarning
            For methods of ``"all"`` that the labelled scores do not allow, which are left out.
        """
        rows = labelled_columns(train_scores, train_labels, train_probabilities, positive)
        design = sampling_design(train_scores, train_weights, train_clusters, train_strata)
        options = settings(method, family, transform, rates, threshold, cutoff)
        try:
            core, failed = _core.Model.fit(
                rows.scores, rows.flags, rows.probabilities, design, options, storable_label(rows.positive)
            )
        except TruecountError as error:
            explained = located(error, "train_scores", "train_probabilities", "train_weights")
            if explained.code == "classes-inverted":
                explained = explained.advising(f" (positive={short_repr(rows.negative)})")
            raise explained from None
        for name, reason in failed:
            python_warnings.warn(f"left out, {name}: {reason}", PrevalenceWarning, stacklevel=2)
        return cls._from_core(core)

    @_constructor
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Read a model from a file of `save` or of the command ``truecount fit``.

        Its estimates are equal to those of the saved model, to the last bit.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        Model

        Raises
        ------
        TruecountError
            If the file is damaged or not a model.
        OSError
            If the file cannot be read.
        """
        try:
            return cls._from_core(_core.Model.from_json(Path(path).read_text(encoding="utf-8", errors="replace")))
        except TruecountError as error:
            raise error.at(str(path), path=str(path)) from None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model, with its labelled scores, to a file: completely, or not at all.

        An existing file keeps its permissions, and a link stays a link.

        Parameters
        ----------
        path : str or path

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        _core.write_file(path, self._core.to_json().encode())

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self._core.to_json(),)

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of their estimates."""
        return list(self._methods)

    @property
    def positive(self) -> Any:
        """The positive label; None unless it is a text, number or flag."""
        return self._positive

    @property
    def parameters(self) -> dict[str, Any]:
        """Fitted parameters, thresholds and rates, and what standard errors account for."""
        parameters: dict[str, Any] = json.loads(self._core.parameters)
        return parameters

    @property
    def fingerprint(self) -> str:
        """A checksum of the settings and the labelled scores, 16 hexadecimal digits."""
        return self._core.fingerprint

    @overload
    def estimate(self, test_scores: Any, *, by: None = None, **kwargs: Unpack[EstimateKwargs]) -> Estimate: ...

    @overload
    def estimate(self, test_scores: Any, *, by: Any, **kwargs: Unpack[EstimateEachKwargs]) -> Estimates: ...

    @show_options_of(estimate_sets)
    def estimate(self, test_scores: Any, *, by: Any = None, **kwargs: Any) -> Estimate | Estimates:
        """Estimate the prevalence of test scores.

        Parameters
        ----------
        test_scores, by, total, total_weights, population, sort
            As in `truecount.estimate`.
        test_probabilities, weights, clusters, strata, replicate_weights, replicate_kind
            As in `truecount.estimate`.
        level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        Estimate
            The estimate of one test set by one method; with `by`, an `Estimates` table.

        Raises
        ------
        TruecountError
            If an argument cannot be used. Several test sets, or several methods without `by`, need
            `estimate_each`.
        """
        refuse_unknown_options(Model.estimate, kwargs)
        result: Estimate | Estimates = estimate_sets(self, False, test_scores, by, **kwargs)
        return result

    @show_options_of(estimate_sets)
    def estimate_each(self, test_scores: Any, *, by: Any = None, **kwargs: Unpack[EstimateEachKwargs]) -> Estimates:
        """Estimate a prevalence for each test set by each of the model's methods.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
            One test set, or several as rows of an array or in a list, which are estimated in
            parallel.
        by, total, total_weights, population, sort
            As in `truecount.estimate`.
        test_probabilities, weights, clusters, strata, replicate_weights, replicate_kind
            As in `truecount.estimate`.
        level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        Estimates
            A row for each test set or group, and method.
        """
        refuse_unknown_options(Model.estimate_each, kwargs)
        result: Estimates = estimate_sets(self, True, test_scores, by, **kwargs)
        return result

    @show_options_of(compare)
    def compare(self, test_scores: Any, other_scores: Any = None, **kwargs: Unpack[CompareKwargs]) -> Differences:
        """Compare prevalences of two samples, or estimates of two models or several methods.

        - ``model.compare(scores, other_scores)`` compares two samples of different items.
        - ``model.compare(scores)`` compares the model's other methods with its first.
        - ``model.compare(scores, other_scores, other=…, labelled=…, items=…)`` compares models.

        `Estimates.compare` compares the groups of one sample. The standard errors of differences
        account for the correlation of estimates from the same labelled scores or the same test
        scores.

        Parameters
        ----------
        test_scores, other_scores : array-like of float, shape (n,)
            The scores of both samples. With `other`, the default of `other_scores` is
            `test_scores`.
        other : Model, optional
            The model of the other estimates, which must have the same methods.
        labelled : {"paired", "independent"}
            With `other`: whether both models were fitted to scores of the same labelled items in
            the same order ("paired"), as of two classifiers, or of independent samples
            ("independent").
        items : {"same", "different"}
            With `other` and `other_scores`: whether both are scores of the same items in the same
            order, or of different items.
        by, other_by : array-like, shape (n,), or several columns, optional
            The groups of both samples, which are compared group by group. If the items are the
            same, `by` is for both samples.
        test_probabilities, other_probabilities, weights, other_weights
            As in `estimate`. If the items are the same, `weights` are for both samples.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Returns
        -------
        Differences

        Warns
        -----
        PrevalenceWarning
            For groups that only one sample has, which are left out, and for warnings about the
            estimates.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> now = np.r_[rng.normal(2, 1, 90), rng.normal(0, 1, 210)]
        >>> before = np.r_[rng.normal(2, 1, 30), rng.normal(0, 1, 270)]
        >>> differences = model.compare(now, before)
        >>> differences.difference.round(2), differences.se.round(2)
        (array([0.26]), array([0.03]))
        """
        refuse_unknown_options(Model.compare, kwargs)
        return compare(self, test_scores, other_scores, **kwargs)

    @show_options_of(check_sets)
    def check(
        self, test_scores: Any, *, resamples: int | None = None, seed: int = 1, **kwargs: Unpack[CheckKwargs]
    ) -> Check:
        """Test whether the test scores are a mixture of the two labelled classes.

        They are such a mixture if only the prevalence has changed (prior probability shift).

        Parameters
        ----------
        test_scores, by, sort, weights, contamination, resamples, seed
            As in `truecount.check`, with this model's labelled scores and transform.

        Returns
        -------
        Check

        Raises
        ------
        TruecountError
            If an argument cannot be used.
        """
        refuse_unknown_options(Model.check, kwargs)
        labelled = LabelledData(self._core, self.parameters["transform"], resampling_options(resamples, seed))
        return check_sets(labelled, test_scores, **kwargs)

    def plan_audit(
        self,
        test_scores: Any,
        *,
        half_width: float,
        prevalence: float | None = None,
        design_effect: float = 1.0,
        by: Any = None,
        sort: bool = True,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> AuditPlans:
        """Plan how many of these items to audit for an interval of a given half-width.

        The plans are for labels alone, for labels with scores (PPI++), and for items drawn by
        score.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
            The scores of all items.
        half_width : float
            Half the width of the interval, above 0.
        prevalence : float, optional
            The prevalence to plan for; by default the one in the interval of the external estimate
            that is closest to one half, where intervals are widest.
        design_effect : float, default 1
            If clusters are drawn: the variance divided by that of items drawn one by one.
        by : array-like, shape (n,), or several columns, optional
            Groups, each of which has its own plans.
        sort, level, target, interval
            As in `estimate`, without the bootstrap.

        Returns
        -------
        AuditPlans

        Raises
        ------
        TruecountError
            If the model's method does not use bins; only ``es`` does.
        """
        goal = half_width, prevalence, design_effect
        return plan_audit(self, test_scores, goal, by, sort, level, target, interval)

    def draw_audit(
        self, test_scores: Any, number: int, *, by: Any = None, sort: bool = True, uniform: bool = False, seed: int = 1
    ) -> AuditDraw:
        """Draw items to label for `truecount.audit`.

        Items are drawn more often if their score says little about their label (Neyman allocation).

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
            The scores of all items.
        number : int
            Number of items to draw, from each group if there are groups.
        by : array-like, shape (n,), or several columns, optional
            Groups, from each of which items are drawn.
        sort : bool, default True
            As in `estimate`.
        uniform : bool, default False
            Whether all items have the same probability of being drawn.
        seed : int, default 1
            Seed of the draw; the command draws the same items with the same seed.

        Returns
        -------
        AuditDraw

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> right = rng.random(3000) < 0.3
        >>> scores = rng.normal(2.0 * right)
        >>> draw = model.draw_audit(scores, 100)
        >>> audited = scores[draw.row], right[draw.row]
        >>> audit = tc.audit(scores, *audited, audited_weights=draw.audit_weight, model=model)
        >>> audit.n, audit.audited
        (3000, 100)
        """
        return draw_audit(self, test_scores, number, by, sort, uniform, seed)

    @show_options_of(plan_sizes)
    def plan(self, **kwargs: Unpack[PlanKwargs]) -> Plans:
        """Plan how many labelled and unlabelled scores a standard error or an interval needs.

        This model's labelled scores are the pilot. With a goal alone, the plans are pairs of
        numbers of scores that reach the goal. With a goal and one number, the plans complete the
        pair. With both numbers and no goal, the plans state the expected precision.

        Parameters
        ----------
        se, half_width : float, optional
            The goal: the largest standard error, or the largest half-width of the interval.
        prevalence : float, optional
            The prevalence to plan for; by default the worst prevalence.
        unlabelled : int, optional
            Number of unlabelled scores.
        labelled : int, or tuple of two, optional
            Number of labelled scores: in all, or of positives and of negatives.
        design_effect : float, default 1
            The variance with the clusters or weights of the unlabelled scores, over that of as many
            independent scores: ``deff`` of an estimate.
        level, target, interval
            As in `truecount.estimate`, without the bootstrap.

        Returns
        -------
        Plans

        Raises
        ------
        TruecountError
            If the goal lies outside its range, or if no method's variance has a formula.

        Warns
        -----
        PrevalenceWarning
            For methods without a plan, which are left out.
        """
        refuse_unknown_options(Model.plan, kwargs)
        return plan_sizes(self, **kwargs)

    def tally(self, test_scores: Any, *, by: Any = None, test_probabilities: Any = None, weights: Any = None) -> Tally:
        """Summarise test scores in a small tally, which can be added to others and estimated later.

        Parameters
        ----------
        test_scores, by, test_probabilities, weights
            As in `estimate`.

        Returns
        -------
        Tally

        Raises
        ------
        TruecountError
            If an argument cannot be used; or if there are several test sets.

        Examples
        --------
        >>> import truecount as tc
        >>> model = tc.Model.fit([2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0])
        >>> monday, tuesday = model.tally([1.7, 0.2]), model.tally([-0.5, 2.2, 0.8])
        >>> (monday + tuesday).estimate().n
        5
        """
        sets = parse_test_sets(test_scores, test_probabilities, weights, by)
        if sets.several and sets.groups is None:
            raise ScoreError(
                "several test sets have no names to be added by: give one column of scores, and by",
                "column-invalid",
                column="test_scores",
            )
        try:
            tally = self._core.tally(sets.columns, secrets.randbits(64))
        except TruecountError as error:
            raise sets.explain(error) from None
        keys = zip(*sets.values.values()) if sets.values else [()]
        return Tally._from_keys(self, tuple(sets.values), keys, tally)

    @show_options_of(Tally.monitor)
    def monitor(
        self,
        test_scores: Any,
        *,
        by: Any,
        test_probabilities: Any = None,
        weights: Any = None,
        **kwargs: Unpack[MonitorKwargs],
    ) -> MonitorResult:
        """Monitor a prevalence over time: changes, a smooth trend, and alarms.

        Alarms and the bands of the running mean are valid for any number of looks, and at any time
        that one stops.

        Parameters
        ----------
        test_scores, test_probabilities, weights
            As in `estimate`.
        by : array-like, shape (n,), or one column
            The periods: dates, points in time, or texts such as 2026-01-31, 2026-W05, 2026-01 and
            2026-Q1. Scores without a period are left out.
        above, below : float, optional
            The bound, only one of the two: an alarm is raised if the prevalence is above it, or
            below it. At most a share of 1 - level of all series has a false alarm, whatever the
            number of looks.
        baseline : date, or tuple of two, optional
            The period, or the first and the last period, that all others are compared with; by
            default the first reliable period.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Returns
        -------
        MonitorResult

        Raises
        ------
        TruecountError
            If the periods are not dates, if no period is in the baseline, or if the model has
            several methods or one without covariances.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> weeks = np.repeat(["2026-W01", "2026-W02", "2026-W03"], 300)
        >>> scores = rng.normal(2.0 * (rng.random(900) < np.repeat([0.1, 0.1, 0.4], 300)))
        >>> result = model.monitor(scores, by=weeks, above=0.2)
        >>> result.prevalence.round(2)
        array([0.12, 0.15, 0.42])
        >>> result.alarm.date, result.alarm.since
        ('2026-W03', '2026-W03')
        """
        refuse_unknown_options(Model.monitor, kwargs)
        return self.tally(test_scores, by=by, test_probabilities=test_probabilities, weights=weights).monitor(**kwargs)

    @show_options_of(report)
    def report(
        self, path: str | os.PathLike[str] | IO[str] | IO[bytes], test_scores: Any, **kwargs: Unpack[ReportKwargs]
    ) -> None:
        """Write a report: one HTML page without external files.

        The page has the result as a sentence, its reliability, a chart and a table of the groups,
        and the assumptions. Folded sections have the scores, the check and the estimates of other
        methods.

        Parameters
        ----------
        path : str, path or open file
            The file, which is written completely or not at all; or an open file or buffer, of text
            or bytes.
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

        Raises
        ------
        TruecountError
            If an argument cannot be used.
        OSError
            If the file cannot be written.

        Examples
        --------
        ``model.report("spam.html", scores, by={"week": weeks}, items="messages",
        positive_name="spam")``
        """
        refuse_unknown_options(Model.report, kwargs)
        report(self, path, test_scores, **kwargs)

    def influence(self, test_scores: Any, *, method: Method | None = None, test_probabilities: Any = None) -> Floats:
        """Return the contribution of each test score: numbers whose mean is the estimate ``raw``.

        For Efficient Sweep the contribution of a score depends on the other test scores.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
        method : str, optional
            One of the model's methods; by default the first.
        test_probabilities : array-like of float, shape (n,), optional
            As in `estimate`.

        Returns
        -------
        ndarray of float, shape (n,)

        Raises
        ------
        TruecountError
            If the method's estimate is not the mean of one function of the score.
        """
        return influence(self, test_scores, test_probabilities, method)

    def influence_expr(self, scores: Any, *, method: Method | None = None) -> Any:
        """Return a polars expression of each score's contribution, whose mean is the estimate.

        The expression works in ``select`` and ``group_by(…).agg``, and in lazy and streaming
        frames.

        Parameters
        ----------
        scores : polars.Expr or str
            An expression such as ``pl.col("score")``, or the name of the column. A null or NaN is
            an error.
        method : str, optional
            As in `influence`.

        Returns
        -------
        polars.Expr

        Raises
        ------
        TruecountError
            If the method's estimate is not the mean of one function of the score.

        Examples
        --------
        ``frame.group_by("week").agg(model.influence_expr(pl.col("score")).mean())``
        """
        return influence_expr(self, scores, method)

    def sql(
        self,
        table: str | Sequence[str],
        *,
        score: str = "score",
        probability: str | None = None,
        by: str | Sequence[str] = (),
        every: Period | None = None,
        dialect: Dialect = "ansi",
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> str:
        """Return a query that computes the estimates in a database.

        Parameters
        ----------
        table : str or sequence of str
            The table's name, or its parts as in ``("schema", "table")``.
        score, probability : str
            The column with the scores, and for a model with probabilities the column with these.
        by : str or sequence of str
            Grouping columns; each combination of their values has its own estimate.
        every : {"hour", "day", "week", "month", "quarter", "year"}, optional
            The period that replaces each date of the last grouping column, as in `periods`. Values
            other than dates and times stay as they are.
        dialect : {"ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"}
            "ansi" for DuckDB, SQLite, PostgreSQL, ClickHouse, DataFusion and others.
        level, target, interval
            As in `truecount.estimate`, without the bootstrap.

        Returns
        -------
        str
            A query whose rows have the columns of `by`, and then method, n, missing, prevalence,
            raw, se, lower, upper, level and target. For methods that use bins, the query returns their
            tally instead.

        Raises
        ------
        TruecountError
            If an argument cannot be used, or if a method has no query.
        """
        refuse_bootstrap(interval, "a query has no bootstrap; leave out interval")

        def names(value: Any, argument: str) -> list[str]:
            parts = list(value) if isinstance(value, (list, tuple)) else [value]
            for name in parts:
                if not isinstance(name, str):
                    raise OptionError(
                        f"{argument}: {short_repr(name)} is no name; it must be a text, a name in the database",
                        "option-invalid",
                        name=argument,
                        value=name,
                    )
            return parts

        (score,) = names([score], "score")
        if probability is not None:
            (probability,) = names([probability], "probability")
        period = None if every is None else choice(every, "every", "periods")
        source = names(table, "table"), score, probability, names(by, "by"), period
        try:
            return self._core.sql(
                source, choice(dialect, "dialect", "dialects"), interval_options(level, target, interval)
            )
        except OptionError as error:
            if error.fields.get("name") != "dialect":
                raise
            raise error.advising(" ('ansi' for DuckDB, SQLite, PostgreSQL, ClickHouse and others)") from None

    def __repr__(self) -> str:
        parameters = self.parameters
        sizes = f"{parameters['n_pos']} positive and {parameters['n_neg']} negative scores"
        return f"Model({', '.join(self.methods)}; {sizes})"


def _from_json(text: str) -> Model:
    return Model._from_core(_core.Model.from_json(text))
