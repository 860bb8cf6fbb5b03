"""A quantifier of several classes, and its tables of shares."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from truecount import _core
from truecount._columns import (
    Floats,
    Groups,
    check_lengths,
    factorize,
    groups,
    is_table,
    numbers,
    same_index,
    sort_order,
    to_array,
)
from truecount._compare import Differences, GroupComparison
from truecount._errors import (
    EstimateWarning,
    LabelError,
    PrevalenceWarning,
    TruecountError,
    grouped_warning_lines,
    option_conflict,
    short_repr,
    warning_lines,
)
from truecount._estimate import replicate_columns, unit_groups
from truecount._inputs import at_stratum, group_sizes, positive_flags
from truecount._options import Misfit, Target, request_options, takes_options_of, to_int
from truecount._plan import PlanKwargs, PlanningModel, Plans, make_plans
from truecount._table import (
    Column,
    IntervalTable,
    Table,
    escape_untrusted,
    format_number,
    format_value,
    join_columns,
    percent,
)
from truecount.quantifiers._base import CrossFitted, labelled_design
from truecount.quantifiers._classifiers import select_columns

if TYPE_CHECKING:
    from typing_extensions import Unpack

_M = TypeVar("_M", bound="MulticlassQuantifier")


class Composition(IntervalTable):
    """A table of the shares of several classes, a row for each; made by `MulticlassQuantifier.estimate`.

    Its columns are ``class``, ``n``, ``prevalence``, ``se``, ``lower``, ``upper`` and ``level``. `to_dict`,
    `to_pandas`, `to_polars` and `to_arrow` convert the whole table.

    Attributes
    ----------
    covariance : ndarray, shape (K, K)
        Covariance of the estimates, including the sampling of the labelled rows. Its rows add up to
        0, because the sum of the shares is constant.
    method : str
        Name of the method.
    warnings : tuple of EstimateWarning
        Warnings about the estimates.
    """

    def __init__(self, classes: Sequence[Any], result: _core.ClassShares, level: float, method: str) -> None:
        self.covariance: Floats = np.array(result["covariance"])
        self.covariance.flags.writeable = False
        self.method = method
        self.warnings: tuple[EstimateWarning, ...] = tuple(result["warnings"])
        self._level = level
        self._columns = {
            "class": to_array(classes),
            "n": np.full(len(classes), result["n"]),
            "prevalence": result["prevalence"],
            "se": np.sqrt(np.diag(self.covariance)),
            "lower": result["lower"],
            "upper": result["upper"],
            "level": np.full(len(classes), level),
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return the column with this name, read-only, as in `to_dict`."""
        if name not in self._columns and name in self._columns["class"]:
            row = self.classes.tolist().index(name)
            raise KeyError(f"{name!r} is a class, not a column; its share is prevalence[{row}]")
        return super().__getitem__(name)

    @property
    def classes(self) -> NDArray[Any]:
        """The labels, sorted."""
        return self._column("class")

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self._columns["n"][0])

    prevalence = Column[np.float64]("Estimated shares of the classes, which are not negative and have the sum 1.")

    @property
    def level(self) -> float:
        """Nominal coverage of each interval."""
        return self._level

    def _header(self) -> tuple[list[str], int]:
        return ["class", "prevalence", "se", f"{percent(self._level)} % interval"], 1

    def _cells(self, row: int) -> list[str]:
        values = {name: column[row] for name, column in self._columns.items()}
        return [
            escape_untrusted(format_value(values["class"])),
            format_number(values["prevalence"]),
            format_number(values["se"]),
            f"{values['lower']:.4f} – {values['upper']:.4f}",
        ]

    def _notes(self) -> list[str]:
        return [f"method: {self.method}, n = {self.n}", *warning_lines(self.warnings)]


class Compositions(Table):
    """A table of the shares of several classes in groups; made by `MulticlassQuantifier.estimate`.

    It has a row for each group and class, with the columns of the groups followed by those of `Composition`.

    Attributes
    ----------
    parts : tuple of Composition
        The composition of each group, in the order of the rows.
    total : Composition or None
        The composition of all groups together, standardised with `standardise`, else with `total`.
    """

    def __init__(
        self,
        groups: Mapping[str, Sequence[Any]],
        parts: Sequence[Composition],
        total: Composition | None = None,
        comparison: GroupComparison | None = None,
    ) -> None:
        self.parts, self.total, self._comparison = tuple(parts), total, comparison
        self._names = [*groups]
        repeats = [len(part) for part in parts]
        keys = {name: np.repeat(to_array(values), repeats) for name, values in groups.items()}
        stacked = {name: np.concatenate([part[name] for part in parts]) for name in parts[0].columns}
        self._columns = join_columns(keys, stacked)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_comparison": None}

    def compare(self, reference: Any) -> Differences:
        """Compare the share of each class with that in a reference, as `Estimates.compare` does."""
        if self._comparison is None:
            message = "compare is not available after pickling; estimate with by again, then compare"
            raise option_conflict("reference", message)
        return self._comparison.with_reference(reference)

    def _header(self) -> tuple[list[str], int]:
        header, left = self.parts[0]._header()
        return [*map(escape_untrusted, self._names), *header], len(self._names) + left

    def _cells(self, row: int) -> list[str]:
        part, row_of_part = divmod(row, len(self.parts[0]))
        keys = (escape_untrusted(format_value(self._columns[name][row])) for name in self._names)
        return [*keys, *self.parts[part]._cells(row_of_part)]

    def _notes(self) -> list[str]:
        starts = range(0, len(self), len(self.parts[0]))
        names = (", ".join(format_value(self._columns[name][row]) for name in self._names) for row in starts)
        warnings = [(name, part.warnings) for name, part in zip(names, self.parts)]
        return [f"method: {self.parts[0].method}", *grouped_warning_lines(warnings)]


class ShareKwargs(TypedDict, total=False):
    """Keyword arguments about the design and the intervals of shares."""

    clusters: Any
    strata: Any
    replicate_weights: Any
    replicate_kind: str | None
    lonely_psu: str | None
    population: Any
    level: float
    target: Target | None
    misfit: Misfit


class GroupShareKwargs(ShareKwargs, total=False):
    """Keyword arguments about shares in groups."""

    total: bool
    standardise: Any


def _share_options(
    *,
    clusters: Any = None,
    strata: Any = None,
    replicate_weights: Any = None,
    replicate_kind: str | None = None,
    lonely_psu: str | None = None,
    total: bool = False,
    standardise: Any = None,
    population: Any = None,
    level: float = 0.95,
    target: Target | None = None,
    misfit: Misfit = "widen",
) -> dict[str, Any]:
    """Return the options of a request."""
    return request_options({"level": level, "target": target or "", "misfit": misfit, "total": total})


class _FitAttributes:
    """The attributes that `fit` sets."""

    labelled_probabilities_: Floats
    # The classes and other verdicts of labelled rows.
    _verdicts: list[Any]
    _weights: Floats | None
    _clusters: NDArray[np.uint32] | None
    _model: _core.MulticlassModel


@dataclass(eq=False, repr=False)
class MulticlassQuantifier(_FitAttributes, CrossFitted):
    """A quantifier of several classes: shares with covariance, from the probabilities of a classifier.

    Parameters
    ----------
    estimator : classifier, "scores" or None
        Any scikit-learn classifier of several classes; by default ``LogisticRegression(max_iter=1000)``. A classifier
        without probabilities gives the softmax of its decision values, which the default method calibrates. With
        ``"scores"``, X has a column for each class, in the order of the sorted labels: probabilities, or decision
        values if some are negative and most rows do not have the sum 1; or X is the predicted class of each row, for
        the methods "ac" and "cc". With "ac", some predictions may be other verdicts, such as "unsure".
    method : {"ml", "cc", "ac", "pacc", "sld"}
        By default maximum likelihood with calibrated probabilities. The others are baselines: the count of predicted
        classes, as it is and corrected by the confusion matrix, corrected mean probabilities, and maximum likelihood
        with the probabilities as they are (EMQ).
    cv, ensemble, response_method, random_state, n_jobs
        As in `Quantifier`. The probabilities of a new row are those of one classifier.

    Attributes
    ----------
    classes_ : ndarray, shape (K,)
        The labels, sorted, in the order of the result of `predict`.
    labelled_probabilities_ : ndarray, shape (n_labelled, K)
        The held-out probabilities of the labelled rows. Other verdicts have further columns.
    labels_ : ndarray, shape (n_labelled,)
        The labels of these rows.
    estimators_ : list of classifiers
        The classifiers for new rows.

    Notes
    -----
    Rows of a class must look alike among labelled and new rows; only the shares of the classes may differ. ``ml``
    calibrates the probabilities with the labelled rows, by multinomial logistic regression on their logarithms, which
    gives the ratios of the class densities. The shares maximise the likelihood of the new rows. The covariance has the
    sampling of the new and of the labelled rows, and the misfit of the calibration to these. If a test
    rejects that the new rows are a mixture of the labelled classes, intervals are wider and a warning says so.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> centres = np.array([[0, 0], [2, 0], [0, 2]])
    >>> y = np.repeat([0, 1, 2], 300)
    >>> X = rng.normal(centres[y])
    >>> new = rng.normal(centres[np.repeat([0, 1, 2], [700, 200, 100])])
    >>> quantifier = tc.MulticlassQuantifier().fit(X, np.array(["bus", "car", "tram"])[y])
    >>> quantifier.predict(new).round(2)
    array([0.67, 0.22, 0.11])
    """

    # Probabilities are preferred to decision values.
    _responses = ("predict_proba", "decision_function")

    method: str = field(default="ml", kw_only=True)

    def fit(self: _M, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> _M:
        """Fit the quantifier to labelled rows.

        Parameters
        ----------
        X : features for the classifier, n_samples rows; for ``"scores"`` shape (n_samples, K)
        y : array-like, shape (n_samples,)
            Labels, two or more different values.
        sample_weight, groups
            Survey weights and sampling units of the labelled rows, as in `Quantifier.fit`.

        Returns
        -------
        self
        """
        before = self.__dict__.copy()
        self.__dict__.pop("_model", None)
        try:
            labels, y = y, column_or_1d(y, warn=True)
            self.classes_ = _classes(y)
            self._verdicts = self.classes_.tolist()
            weights, clusters = labelled_design(labels, len(y), sample_weight, groups)
            rows, scores = self._score_labelled(X, y, self.classes_, None, weights, clusters)
            check_lengths({"labels": rows}, "rows of X", len(scores))
            self.labels_, self.labelled_probabilities_ = y[rows], self._probabilities(scores)
            self._weights = None if weights is None else weights[rows]
            self._clusters = None if clusters is None else clusters[rows]
            self._model = self._fit_model()
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def _fit_model(self) -> _core.MulticlassModel:
        """Fit the method to the held-out probabilities."""
        names = [str(verdict) for verdict in self._verdicts]
        labels = np.searchsorted(self.classes_, self.labels_).astype(np.int64)
        return _core.MulticlassModel.fit(
            names, self.labelled_probabilities_, labels, self.method, self._weights, self._clusters
        )

    def __getstate__(self) -> Any:
        return {name: value for name, value in super().__getstate__().items() if name != "_model"}

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        if hasattr(self, "labelled_probabilities_"):
            self._model = self._fit_model()

    def _parse_scores(self, X: Any, classes: int | None) -> Floats:
        if self.estimator != "scores" or is_table(X) or np.ndim(X) != 1:
            return super()._parse_scores(X, classes)
        codes, predicted = factorize(X, "X")
        unknown = [value for value in predicted if value not in self._verdicts]
        is_verdict = [value is not None and not (isinstance(value, float) and value % 1) for value in unknown]
        if not hasattr(self, "_model") and len(unknown) < len(predicted) and all(is_verdict):
            self._verdicts += unknown
        elif unknown:
            known = f"the labelled rows have {self._verdicts}"
            message = f"X: the predicted class {short_repr(unknown[0])} is unknown; {known}"
            raise LabelError(message, "label-not-a-class", column="X")
        return np.eye(len(self._verdicts))[[self._verdicts.index(value) for value in predicted]][codes]

    def _probabilities(self, scores: Floats) -> Floats:
        if self.response_method_ == "decision_function":
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            scores = powers / powers.sum(axis=1, keepdims=True)
        return np.ascontiguousarray(scores, dtype=np.float64)

    def probabilities(self, X: Any) -> Floats:
        """Return the probabilities of new rows, by one classifier for each row.

        Returns
        -------
        ndarray of float, shape (n_samples, K)
        """
        check_is_fitted(self, "_model")
        return self._probabilities(self._score(X, self.classes_, None))

    @overload
    def estimate(
        self, X: Any, *, by: None = None, weights: Any = None, **kwargs: Unpack[ShareKwargs]
    ) -> Composition: ...

    @overload
    def estimate(
        self, X: Any, *, by: Any, weights: Any = None, sort: bool = True, **kwargs: Unpack[GroupShareKwargs]
    ) -> Compositions: ...

    @takes_options_of(_share_options)
    def estimate(
        self, X: Any, *, by: Any = None, weights: Any = None, sort: bool = True, **kwargs: Any
    ) -> Composition | Compositions:
        """Estimate the share of each class.

        Parameters
        ----------
        X : as in `fit`
        by, weights
            As in `Quantifier.estimate`.
        sort : bool
            Whether to sort groups, as in `truecount.estimate`.
        **kwargs
            ``clusters``, ``strata``, ``replicate_weights``, ``replicate_kind``, ``lonely_psu``, ``total``,
            ``standardise``, ``population``, ``level``, ``target`` and ``misfit``, as in `truecount.estimate`;
            ``population`` is the population size: a number, or with `by` that of each group. A level of
            ``1 - 0.05 / K`` gives a simultaneous coverage of 95 % (Bonferroni).

        Returns
        -------
        Composition
            The shares of the classes; with `by`, a `Compositions` table.
        """
        check_is_fitted(self, "_model")
        features = getattr(self.estimators_[0], "feature_names_in_", ()) if self.estimators_ else ()
        X, by, weights = select_columns(X, by, weights, features)
        probabilities = self.probabilities(X)
        grouped = None if by is None else groups(by, len(probabilities))
        parts, total, comparison = self._estimate(probabilities, X, weights, grouped, **kwargs)
        if grouped is None:
            return parts[0]
        order = sort_order(grouped.values) if sort else np.arange(grouped.number)
        keys = {name: [values[group] for group in order] for name, values in grouped.values.items()}
        return Compositions(keys, [parts[group] for group in order], total, comparison)

    def _estimate(
        self, probabilities: Floats, X: Any = None, weights: Any = None, by: Groups | None = None, **kwargs: Any
    ) -> tuple[list[Composition], Composition | None, GroupComparison | None]:
        """Estimate the share of each class among rows with these probabilities, in each group and in all."""
        rows, options = len(probabilities), _share_options(**kwargs)
        same_index("weights", weights, "X", X)
        weights = None if weights is None else numbers(weights, "weights")
        check_lengths({"weights": weights}, "rows of X", rows)
        given = {name: kwargs.get(name) for name in ("clusters", "strata")}
        units = {name: unit_groups(each, name, ("X", X), rows) for name, each in given.items() if each is not None}
        clusters, strata = (units[name].rows if name in units else None for name in given)
        sizes = {name: kwargs[name] for name in ("standardise", "population") if kwargs.get(name) is not None}
        if by is None:
            for name in ("total", "standardise"):
                if kwargs.get(name):
                    raise option_conflict(name, f"{name} combines groups; give their column as by")
            if "population" in sizes:
                options["population"] = to_int(sizes.pop("population"), "population", 1, 53)
        else:
            sizes = {name: group_sizes(values, name, by, X) for name, values in sizes.items()}
        columns: _core.ClassRows = {
            "probabilities": probabilities,
            "weights": weights,
            "groups": np.zeros(rows, dtype=np.uint32) if by is None else by.rows,
            "number_of_groups": 1 if by is None else by.number,
            "clusters": clusters,
            "strata": strata,
            "lonely_psu": kwargs.get("lonely_psu"),
            "standardise": sizes.get("standardise"),
            "populations": sizes.get("population"),
            "replicates": replicate_columns(kwargs, ("X", X), rows),
        }
        try:
            results, total = self._model.estimate(columns, options)
        except TruecountError as error:
            if "strata" in units:
                error = at_stratum(error, units["strata"].values["strata"])
            group = error.fields.pop("set", None)
            if by is None or group is None:
                raise error from None
            name = ", ".join(format_value(values[group]) for values in by.values.values())
            raise error.at(f"group {short_repr(name)}") from None
        classes, level = self.classes_.tolist(), options["level"]
        parts = [Composition(classes, result, level, self.method) for result in results]
        whole = None if total is None else Composition(classes, total, level, self.method)
        compare = partial(self._model.compare, columns, options)
        return parts, whole, None if by is None else GroupComparison(compare, by.values, level)

    @takes_options_of(PlanningModel.plan)
    def plan(self, **kwargs: Unpack[PlanKwargs]) -> Plans:
        """Plan how many labelled and unlabelled rows a precision of each share needs.

        The labelled rows are the pilot: the plans hold if new rows have their shares.

        Parameters
        ----------
        **kwargs
            ``se``, ``half_width``, ``unlabelled``, ``labelled`` (a number), ``design_effect``, ``level`` and
            ``target``, as in `Model.plan`.

        Returns
        -------
        Plans
            A row for each class; without ``labelled`` and ``unlabelled``, for each size the class that needs most.
        """
        check_is_fitted(self, "_model")
        return make_plans(self._model, **kwargs)

    def predict(self, X: Any) -> Floats:
        """Predict the share of each class among these rows.

        Warnings about the estimates are a `truecount.PrevalenceWarning`; `estimate` returns them instead.

        Returns
        -------
        ndarray of float, shape (K,)
            Shares in the order of `classes_`, which are not negative and have the sum 1.
        """
        return np.array(self._emit_warnings(self.estimate(X)).prevalence)

    def predict_interval(self, X: Any, *, level: float = 0.95, target: Target | None = None) -> Floats:
        """Return the confidence interval of each class's share.

        Parameters
        ----------
        X : as in `fit`
        level, target
            As in `estimate`.

        Returns
        -------
        ndarray of float, shape (K, 2)
            Lower and upper end for each class, in the order of `classes_`.
        """
        return np.asarray(self._emit_warnings(self.estimate(X, level=level, target=target)).interval)

    def _emit_warnings(self, composition: Composition) -> Composition:
        for warning in composition.warnings:
            python_warnings.warn(warning, PrevalenceWarning, stacklevel=3)
        return composition


def _classes(y: NDArray[Any]) -> NDArray[Any]:
    _, labels = factorize(y, "y")
    if None in labels or len(labels) < 2:
        positive_flags(y, None, "y")  # raises the error
    return np.unique(y)
