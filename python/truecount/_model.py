"""Models: labelled scores and the methods that were fitted to them."""

from __future__ import annotations

import json
import os
import secrets
import warnings as python_warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from truecount import _core
from truecount._audits import AuditDraw, AuditPlans, draw_audit, plan_audit
from truecount._check import Check, Learnt, OfCheck, checked, drawing
from truecount._columns import Floats, shown
from truecount._comparing import compare
from truecount._conditions import OptionError, PrevalenceWarning, ScoreError, TruecountError, located
from truecount._differences import Differences
from truecount._estimating import OfAll, OfGroups, estimate
from truecount._fitted import Fitted
from truecount._influence import influence, influence_expr
from truecount._labels import drawn, labelled, named
from truecount._monitor import Monitored, OfMonitor
from truecount._names import Rates, Dialect, Family, Method, Methods, Misfit, Target, Transformation
from truecount._options import choice, refuse_bootstrap, reporting
from truecount._planning import Plans, plan
from truecount._report import OfReport, report
from truecount._results import Estimate, Estimates
from truecount._settings import settings
from truecount._sets import test_sets
from truecount._tally import Tally

if TYPE_CHECKING:
    from typing_extensions import Unpack

    _of_the_class = classmethod
else:

    class _of_the_class(classmethod):
        """What makes a model, and has nothing to do with one that there is: it would return another one."""

        def __get__(self, model, owner=None):
            if model is not None:
                raise AttributeError(
                    f"a model that is fitted stays as it is: Model.{self.__func__.__name__}(…) returns another one"
                )
            return super().__get__(model, owner)


__all__ = ["Model"]


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
        model._core, model._positive = core, core.positive
        model._methods = dict(zip(core.methods, core.variances(None)))
        return model

    @_of_the_class
    def fit(
        cls,
        train_scores: Any,
        train_labels: Any,
        *,
        method: Methods | None = None,
        family: Family | None = None,
        transformation: Transformation | None = None,
        rates: Rates | None = None,
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
        transformation : {"none", "logit", "rank"}, optional
            What to do to the scores before the family is fitted, by default nothing; an error where no method has any use for it.
        rates : {"family", "labels"}, optional
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
        rows = labelled(train_scores, train_labels, train_probabilities, positive)
        design = drawn(train_scores, train_weights, train_clusters)
        asked = settings(method, family, transformation, rates, threshold, cutoff)
        try:
            core, refused = _core.Model.fit(
                rows.scores, rows.flags, rows.probabilities, design, asked, named(rows.positive)
            )
        except TruecountError as error:
            explained = located(error, "train_scores", "train_probabilities", "train_weights")
            if explained.code == "classes-inverted":
                explained = explained.advising(f" (positive={shown(rows.negative)})")
            raise explained from None
        for name, reason in refused:
            python_warnings.warn(f"left out, {name}: {reason}", PrevalenceWarning, stacklevel=2)
        return cls._of(core)

    @_of_the_class
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
        _core.write_file(path, self._core.to_json().encode())

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._core.to_json(),)

    @property
    def methods(self) -> list[str]:
        """The methods, in the order of their estimates."""
        return list(self._methods)

    @property
    def positive(self) -> Any:
        """The label of the class that is counted; None where it has no name, or one that is neither text nor number."""
        return self._positive

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
    def estimate(self, test_scores: Any, *, by: None = None, **asked: Unpack[OfAll]) -> Estimate: ...

    @overload
    def estimate(self, test_scores: Any, *, by: Any, **asked: Unpack[OfGroups]) -> Estimates: ...

    def estimate(self, test_scores: Any, *, by: Any = None, **asked: Any) -> Estimate | Estimates:
        """Estimate the prevalence among test scores.

        Parameters
        ----------
        test_scores, by, total, total_weights, population, sort
            As in `truecount.estimate`.
        test_probabilities, weights, level, target, interval, misfit, resamples, seed, check
            As there.

        Returns
        -------
        Estimate; Estimates with `by`

        Raises
        ------
        TruecountError
            For input that cannot be used; for several test sets or methods without `by`, of which there is `estimate_each`.
        """
        found: Estimate | Estimates = estimate(self, False, test_scores, by, **asked)
        return found

    def estimate_each(self, test_scores: Any, *, by: Any = None, **asked: Unpack[OfGroups]) -> Estimates:
        """Estimate a prevalence for each test set and each of the model's methods.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,) or (n_sets, n); or a list of columns
            One test set, or several as rows of an array or in a list, which are estimated in parallel.
        by, total, total_weights, population, sort, test_probabilities, weights, level, target, interval, misfit, resamples, seed, check
            As in `truecount.estimate`.

        Returns
        -------
        Estimates
        """
        found: Estimates = estimate(self, True, test_scores, by, **asked)
        return found

    def compare(
        self,
        test_scores: Any,
        other_scores: Any = None,
        *,
        other: Model | None = None,
        labelled: Literal["paired", "apart"] | None = None,
        scores: Literal["same", "different"] | None = None,
        by: Any = None,
        other_by: Any = None,
        test_probabilities: Any = None,
        other_probabilities: Any = None,
        weights: Any = None,
        other_weights: Any = None,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
        misfit: Misfit = "widen",
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
        return compare(
            self,
            test_scores,
            other_scores,
            other=other,
            labelled=labelled,
            scores=scores,
            by=by,
            other_by=other_by,
            test_probabilities=test_probabilities,
            other_probabilities=other_probabilities,
            weights=weights,
            other_weights=other_weights,
            level=level,
            target=target,
            interval=interval,
            misfit=misfit,
        )

    def check(
        self, test_scores: Any, *, resamples: int | None = None, seed: int = 1, **asked: Unpack[OfCheck]
    ) -> Check:
        """Test whether test scores are a mixture of the two labelled classes, as they are when only the prevalence has changed.

        Parameters
        ----------
        test_scores, by, sort, weights, contamination, resamples, seed
            As in `truecount.check`, with this model's labelled scores and transformation.

        Returns
        -------
        Check

        Raises
        ------
        TruecountError
            For input that cannot be used.
        """
        learnt = Learnt(self._core, self.learnt["transform"], drawing(resamples, seed))
        return checked(learnt, test_scores, **asked)

    def plan_audit(
        self,
        test_scores: Any,
        *,
        half_width: float,
        by: Any = None,
        sort: bool = True,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> AuditPlans:
        """How many of these very items to audit for an interval: by labels alone, with what the scores say, and drawn by score.

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
            The scores of all items.
        half_width : float
            Half of the interval, above 0.
        by : array-like, shape (n,), or several columns, optional
            Plans for every combination of their values.
        sort, level, target, interval
            As in `estimate`, without the bootstrap.

        Returns
        -------
        AuditPlans

        Raises
        ------
        TruecountError
            For a model that does not count in bins, as only ``es`` does.
        """
        return plan_audit(self, test_scores, half_width, by, sort, level, target, interval)

    def draw_audit(
        self, test_scores: Any, number: int, *, by: Any = None, sort: bool = True, uniform: bool = False, seed: int = 1
    ) -> AuditDraw:
        """Draw items to be labelled for `truecount.audit`, those more often of which the score says little (Neyman's allocation).

        Parameters
        ----------
        test_scores : array-like of float, shape (n,)
            The scores of all items.
        number : int
            How many to draw, of each group if there are some.
        by : array-like, shape (n,), or several columns, optional
        sort : bool, default True
            As in `estimate`.
        uniform : bool, default False
            Whether all items have the same probability.
        seed : int, default 1
            The same seed draws the same items, here and by the command.

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
        >>> drawn = model.draw_audit(scores, 100)
        >>> found = tc.audit(scores, scores[drawn.row], right[drawn.row], audited_weights=drawn.audit_weight, model=model)
        >>> found.n, found.audited
        (3000, 100)
        """
        return draw_audit(self, test_scores, number, by, sort, uniform, seed)

    def plan(
        self,
        *,
        se: float | None = None,
        half_width: float | None = None,
        prevalence: float | None = None,
        unlabelled: int | None = None,
        labelled: int | tuple[int, int] | None = None,
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
    ) -> Plans:
        """How many labelled and unlabelled scores a standard error or an interval needs, with this model's labelled scores as a pilot.

        With a goal alone: pairs of sizes that reach it. With `unlabelled` or `labelled` besides: how many of the other are needed. With
        both, and no goal: what to expect of them.

        Parameters
        ----------
        se, half_width : float, optional
            The goal: the largest standard error, or half of the interval.
        prevalence : float, optional
            The prevalence to plan for; by default the worst there can be.
        unlabelled : int, optional
            Number of unlabelled scores.
        labelled : int, or tuple of two, optional
            Number of labelled scores, in all or of positives and of negatives.
        level, target, interval
            As in `truecount.estimate`, without the bootstrap.

        Returns
        -------
        Plans

        Raises
        ------
        TruecountError
            For a goal outside its range, and for methods of which none has a variance by formula.

        Warns
        -----
        PrevalenceWarning
            For methods that cannot be planned for, which are left out.
        """
        return plan(
            self,
            se=se,
            half_width=half_width,
            prevalence=prevalence,
            unlabelled=unlabelled,
            labelled=labelled,
            level=level,
            target=target,
            interval=interval,
        )

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
                "column-invalid",
                column="test_scores",
            )
        try:
            tally = self._core.tally(sets.columns, secrets.randbits(64))
        except TruecountError as error:
            raise sets.explain(error) from None
        keys = zip(*sets.values.values()) if sets.values else [()]
        return Tally._of(self, tuple(sets.values), keys, tally)

    def monitor(
        self,
        test_scores: Any,
        *,
        by: Any,
        test_probabilities: Any = None,
        weights: Any = None,
        **asked: Unpack[OfMonitor],
    ) -> Monitored:
        """Watch a prevalence over time: changes, a smoothed line, and what may be said however often one looks and whenever one stops.

        Parameters
        ----------
        test_scores, test_probabilities, weights
            As in `estimate`.
        by : array-like, shape (n,), or one column
            The periods: dates, points in time, or texts such as 2026-01-31, 2026-W05, 2026-01 and 2026-Q1. Scores without one are left
            out.
        above, below : float, optional
            The bound, of which there is one: an alarm is raised where the prevalence is above it, or below it. It is false in a share
            1 - level of all series at most, whatever the number of looks.
        baseline : date, or tuple of two, optional
            The period, or the first and the last, that all others are compared with; by default the first reliable one.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Returns
        -------
        Monitored

        Raises
        ------
        TruecountError
            For groups that are no dates; for a baseline without a period; for a model of several methods, or of one that has no
            covariances.

        Examples
        --------
        >>> import numpy as np, truecount as tc
        >>> rng = np.random.default_rng(1)
        >>> model = tc.Model.fit(np.r_[rng.normal(2, 1, 200), rng.normal(0, 1, 200)], np.repeat([1, 0], 200))
        >>> weeks = np.repeat(["2026-W01", "2026-W02", "2026-W03"], 300)
        >>> scores = rng.normal(2.0 * (rng.random(900) < np.repeat([0.1, 0.1, 0.4], 300)))
        >>> found = model.monitor(scores, by=weeks, above=0.2)
        >>> found.prevalence.round(2), found.alarm_at
        (array([0.14, 0.16, 0.44]), '2026-W03')
        """
        return self.tally(test_scores, by=by, test_probabilities=test_probabilities, weights=weights).monitor(**asked)

    def report(self, path: str | os.PathLike[str], test_scores: Any, **asked: Unpack[OfReport]) -> None:
        """Write one HTML page that needs nothing else to be read: the answer as a sentence, whether it can be relied on, a chart and a
        table of the groups, what the answer rests on; and, folded, the scores, the check and other methods.

        Parameters
        ----------
        path : str or path
            The file, which is written whole or not at all.
        test_scores, by, sort, test_probabilities, weights
            As in `estimate`. The page is about the model's first method.
        items : str, default "items"
            What a row is, in the plural, for the sentences.
        positive_name : str, default "positive"
            What positives are, for the sentences.
        level, target, interval, misfit
            As in `estimate`, without the bootstrap.

        Raises
        ------
        TruecountError
            For input that cannot be used.
        OSError
            Where the file cannot be written.

        Examples
        --------
        ``model.report("spam.html", scores, by={"week": weeks}, items="messages", positive_name="spam")``
        """
        report(self, path, test_scores, **asked)

    def influence(self, test_scores: Any, *, method: Method | None = None, test_probabilities: Any = None) -> Floats:
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
        return influence(self, test_scores, test_probabilities, method)

    def influence_expr(self, scores: Any, *, method: Method | None = None) -> Any:
        """The same as a polars expression, whose mean is the estimate: in ``select``, ``group_by(…).agg``, lazy frames, streams.

        Parameters
        ----------
        scores : polars.Expr or str
            As ``pl.col("score")``, or the name of the column. A null or NaN is an error, as it is everywhere.

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
        dialect: Dialect = "ansi",
        level: float = 0.95,
        target: Target = "sample",
        interval: Literal["wilson", "wald"] = "wilson",
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
            Its rows have the columns of `by`, then method, n, missing, prevalence, raw, se, lower, upper and level; for
            methods that count in bins those of their tallies.
        """
        refuse_bootstrap(interval, "a query has no bootstrap; leave out interval")

        def names(given: Any, argument: str) -> list[str]:
            found = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
            for name in found:
                if not isinstance(name, str):
                    raise OptionError(
                        f"{argument}: {shown(name)} is no name; it must be a text",
                        "option-invalid",
                        name=argument,
                        value=name,
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


def _unpickled(text: str) -> Model:
    return Model._of(_core.Model.from_json(text))
