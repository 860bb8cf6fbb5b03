"""Audits: estimates from a labelled random sample of the test items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._columns import Floats, Groups, check_lengths, factorize, groups, numbers, same_index
from truecount._errors import (
    EstimateWarning,
    LabelError,
    ScoreError,
    TruecountError,
    grouped_warning_lines,
    option_conflict,
    option_error,
)
from truecount._fit import FittedModel, check_model
from truecount._inputs import TestSets, group_sizes, parse_one_column, people_labels
from truecount._options import FormulaKwargs, Target, formula_options, request_options, takes_options_of
from truecount._results import Estimate
from truecount._table import (
    Column,
    IntervalResult,
    IntervalTable,
    ResultTable,
    SentenceResult,
    format_value,
    group_columns,
    percent,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Audit",
    "AuditDraw",
    "AuditPlans",
    "Audits",
    "AuditTable",
    "ClassAudit",
    "Evidence",
    "audit",
    "audit_classes",
]


@dataclass(frozen=True)
class Evidence(IntervalResult):
    """An estimate from one source in an audit. All shares lie in [0, 1], except `raw`.

    Attributes
    ----------
    source : {"labels", "ppi++", "external", "combined"}
        The audited labels alone; the audited labels with the scores of all items; the model of
        external labels; the combination of the last two.
    prevalence : float
        `raw` clipped to [0, 1].
    raw : float
        The estimate before clipping.
    se : float
        Standard error.
    interval : tuple of float
        Lower and upper end of the confidence interval.
    weight : float or None
        For "ppi++" the power-tuning parameter λ, which weights the scores; for "combined" the
        weight of the external estimate.
    """

    source: str
    prevalence: float
    raw: float
    se: float
    interval: tuple[float, float]
    weight: float | None


@dataclass(frozen=True, repr=False)
class Audit(SentenceResult):
    """The result of an audit, made by `truecount.audit`.

    Attributes
    ----------
    n : int
        Number of items, including audited items.
    audited : int
        Number of audited items.
    recommended : Evidence
        The estimate to publish.
    why : str
        Why that estimate is recommended.
    labels : Evidence
        The estimate from the audited labels alone.
    ppi : Evidence
        The estimate from the audited labels and the scores of all items (prediction-powered inference, PPI++).
    external : Estimate or None
        The estimate from external labels, with its warnings; None without a model.
    combined : Evidence or None
        The combination of `ppi` and `external`; None without a model.
    difference : float or None
        The external estimate minus the audit's estimate; None without a model.
    difference_se : float or None
        Standard error of the difference.
    p_value : float or None
        The p-value for the hypothesis that the external labels are valid for the target.
    difference_interval : tuple of float or None
        Lower and upper end of the confidence interval of the difference between both prevalences,
        clipped to [0, 1]; None without a margin.
    margin : float or None
        The margin of the equivalence test of the external labels.
    verdict : {"pass", "fail", "inconclusive"} or None
        Whether the external labels may be relied on within the margin; None without a margin.
    level : float
        Nominal coverage of the intervals.
    warnings : tuple of EstimateWarning
        Warnings about the external estimate.
    agreement, label_errors : AuditTable or None
        If several people labelled an item: their agreement, and the share if their labels have errors.
    """

    n: int
    audited: int
    recommended: Evidence
    why: str
    labels: Evidence
    ppi: Evidence
    external: Estimate | None
    combined: Evidence | None
    difference: float | None
    difference_se: float | None
    p_value: float | None
    difference_interval: tuple[float, float] | None
    margin: float | None
    verdict: str | None
    level: float
    warnings: tuple[EstimateWarning, ...]
    agreement: AuditTable | None = None
    label_errors: AuditTable | None = None

    @property
    def prevalence(self) -> float:  # type: ignore[override]
        """The recommended estimate of the prevalence."""
        return self.recommended.prevalence

    @property
    def se(self) -> float:
        """Standard error of the recommended estimate."""
        return self.recommended.se

    @property
    def interval(self) -> tuple[float, float]:  # type: ignore[override]
        """Confidence interval of the recommended estimate."""
        return self.recommended.interval

    def _sentence(self) -> str:
        (lower, upper), level = self.interval, percent(self.level)
        return (
            f"{self.prevalence:.4f} ± {self.se:.4f}, {level} % interval {lower:.4f} – {upper:.4f}, "
            f"{self.recommended.source}, {self.audited} of {self.n} audited"
        )

    def _lines(self) -> list[str]:
        return [self.why, *super()._lines()]


class AuditTable(ResultTable):
    """A table that goes with an audit, with the columns of the command's table.

    Of the agreement of people: ``people``, ``rows`` (items with two labels or more), ``agreement`` (share of pairs of
    labels that agree), ``kappa`` (Cohen's for two people, Fleiss's for more) with ``kappa_se``, ``kappa_lower`` and
    ``kappa_upper``. Of the errors of labels: ``errors`` (the assumption), ``sensitivity``, ``specificity``, and the
    share with that assumption, ``prevalence``, ``raw``, ``se``, ``lower`` and ``upper``.
    """


def _agreement_tables(
    tables: tuple[_core.GroupRows, _core.GroupRows] | None, values: dict[str, list[Any]]
) -> tuple[AuditTable | None, AuditTable | None]:
    if tables is None:
        return None, None
    first, second = (
        AuditTable(table, group_columns(values, np.array(table["groups"], dtype=np.int64))) for table in tables
    )
    return first, second


class Audits(ResultTable, IntervalTable):
    """A table of audits, a row for each group and source; made by `truecount.audit` with `by`.

    After the columns of the groups, its columns are those of the command: ``source`` ("labels", "ppi++", "external",
    "combined"); ``n`` and ``audited``, numbers of items and of audited items; ``prevalence``, ``raw``, ``se``,
    ``lower``, ``upper`` and ``weight``; ``recommended``, whether the row is the one to publish; and ``level``. Rows
    with source "external" have in addition ``difference`` (from the "ppi++" estimate), ``difference_se``, ``p_value``
    and ``transportable``; and with a margin ``difference_lower``, ``difference_upper``, ``margin`` and ``verdict``.

    Attributes
    ----------
    why : list of str
        The reason for the recommendation in each group.
    warnings : list of tuple of EstimateWarning
        Warnings about the external estimate of each group.
    total : AuditTable or None
        The estimates for all groups together, with `total`.
    agreement, label_errors : AuditTable or None
        As in `Audit`.
    """

    def __init__(self, result: _core.GroupAudits, values: dict[str, list[Any]]) -> None:
        super().__init__(result, group_columns(values, np.array(result["groups"])))
        self.why: list[str] = result["why"]
        self.warnings: list[tuple[EstimateWarning, ...]] = result["external"]["warnings"] or [()] * len(self.why)
        self.total = None if result["total"] is None else AuditTable(result["total"])
        self.agreement, self.label_errors = _agreement_tables(result["agreement"], values)

    source = Column[np.object_]("The source of each estimate.")
    prevalence = Column[np.float64]("Estimated prevalences, clipped to [0, 1].")
    recommended = Column[np.bool_]("Whether a row is the estimate to publish for its group.")

    def _notes(self) -> list[str]:
        rows = np.flatnonzero(self.recommended)
        names = [", ".join(format_value(self._columns[name][row]) for name in self._groups) for row in rows]
        reasons = [f"{name}: {why}" for name, why in zip(names, self.why)]
        return [*reasons, *grouped_warning_lines([*zip(names, self.warnings)])]


class AuditPlans(ResultTable):
    """A table of audit plans, a row for each group and way of drawing; made by `Model.plan_audit`.

    Its columns are those of the groups, ``audit`` (the way of drawing), ``n`` (items), ``prevalence`` (the one planned
    for), ``audited`` (items to audit), and the expected ``se`` and ``half_width``.
    """

    def __init__(self, result: _core.AuditPlans, values: dict[str, list[Any]], goal: str) -> None:
        super().__init__(result, group_columns(values, np.array(result["groups"])))
        self._goal, self._ways = goal, result["ways"]

    audited = Column[np.int64]("Numbers of items to audit.")

    def _notes(self) -> list[str]:
        return [self._goal, *(f"{name}: {meaning}" for name, meaning in self._ways)]


class AuditDraw(ResultTable):
    """A table of the items drawn for an audit, a row for each item; made by `Model.draw_audit`.

    Its columns are those of the groups, ``row`` (position among the scores, from 0), ``score``, and ``audit_weight``,
    one over the probability of drawing the item: the `audited_weights` of `truecount.audit`.
    """

    row = Column[np.int64]("Positions of the items among the scores, from 0.")
    audit_weight = Column[np.float64]("Number of items that each drawn item stands for.")


class ClassAudit(ResultTable):
    """Shares of classes and accuracies of their predictions, as returned by `truecount.audit_classes`.

    The columns of the table are those of the command: ``class`` (None for all); ``measure`` ("share", "overall",
    "user", "producer"); ``audited``, the number of audited items in the denominator; ``prevalence`` (rows with a share)
    or ``accuracy`` (the others); ``se``, ``lower``, ``upper``; and ``size``, ``size_lower``, ``size_upper`` of the
    class, such as its area, for shares only.
    """

    def __init__(self, result: _core.ClassAudit) -> None:
        super().__init__(result)
        self._sentences = [*result["notes"], *result["warnings"]]

    measure = Column[np.object_]("Shares of the classes, and overall, user's and producer's accuracy.")
    size = Column[np.float64]("Sizes of the classes, such as areas; NaN for accuracies.")

    def _notes(self) -> list[str]:
        return self._sentences


def audit_classes(
    predictions: Any,
    labels: Any,
    sizes: Any,
    *,
    strata: Any = None,
    counts: Any = None,
    level: float = 0.95,
    target: Target | None = None,
) -> ClassAudit:
    """Estimate the shares of classes, such as areas of a map, and the accuracy of their predictions.

    The audited items are a stratified random sample; the strata are the predicted classes (Olofsson et al. 2014) or
    others (Stehman 2014).

    Parameters
    ----------
    predictions, labels : array-like, shape (m,)
        The predicted class and the label of each audited item.
    sizes : dict or Series, or array-like, shape (n,)
        The size of each predicted class, or of each stratum, in any unit; or the predicted class, or the stratum, of
        every item.
    strata : array-like, shape (m,), optional
        The stratum of each audited item, by default its predicted class.
    counts : array-like of int, shape (m,), optional
        The number of audited items that each row stands for.
    level : float, default 0.95
        Nominal coverage of the intervals.
    target : {"sample", "population"}, optional
        Whether the shares are those of the items that `sizes` counts, or of the population that these were drawn from;
        by default of the population if `sizes` are sizes.

    Examples
    --------
    >>> import truecount as tc
    >>> sites = [("loss", "loss", 66), ("loss", "forest", 9), ("forest", "loss", 1), ("forest", "forest", 164)]
    >>> predictions, labels, counts = zip(*sites)
    >>> areas = tc.audit_classes(predictions, labels, {"loss": 2000, "forest": 32000}, counts=counts)
    >>> areas["size"][:2].round().tolist(), areas["measure"][:2].tolist()
    ([32046.0, 1954.0], ['share', 'share'])
    """
    named = {"predictions": predictions, "labels": labels, "strata": predictions if strata is None else strata}
    codes, values = {}, {}
    for name, column in named.items():
        codes[name], values[name] = factorize(column, name)
        if None in values[name]:
            raise LabelError(f"{name}: a value is missing; leave its row out", "label-missing", column=name)
    n = np.ones(len(codes["labels"])) if counts is None else numbers(counts, "counts")
    check_lengths({**codes, "counts": n}, "predictions", len(codes["predictions"]))
    if (wrong := np.flatnonzero((n < 0) | (n % 1 != 0))).size:
        message = f"counts: row {wrong[0]} is {n[wrong[0]]:g}, not a whole number from 0; correct it or leave it out"
        raise ScoreError(message, "value-not-whole")
    known = sorted({*map(format_value, values["predictions"] + values["labels"])}, key=_class_order)
    places = {name: index for index, name in enumerate(known)}
    as_class = {
        name: np.array([places[format_value(value)] for value in values[name]], dtype=np.uint32)[codes[name]]
        for name in ("labels", "predictions")
    }
    is_table = isinstance(sizes, Mapping) or hasattr(sizes, "items")
    if not is_table:
        of_rows, distinct = factorize(sizes, "sizes")
        sizes = dict(zip(distinct, np.bincount(of_rows, minlength=len(distinct)).tolist()))
    of_strata = Groups(codes["strata"], {"strata": values["strata"]}, len(values["strata"]))
    result = _core.audit_classes(
        known,
        (codes["strata"], as_class["labels"], as_class["predictions"]),
        n.astype(np.int64).tolist(),
        [*zip(map(format_value, values["strata"]), group_sizes(sizes, "sizes", of_strata, None).tolist())],
        formula_options("", level=level, target=target or ("population" if is_table else "sample")),
    )
    return ClassAudit(result)


def _class_order(name: str) -> tuple[float, str]:
    """Return the place of a class among others: numbers by size, then texts."""
    try:
        return float(name), name
    except ValueError:
        return np.inf, name


class AuditKwargs(FormulaKwargs, total=False):
    """Keyword arguments of `audit`, without those for groups."""

    model: FittedModel | None
    audited_weights: Any
    weights: Any
    audited_item_weights: Any
    strata: Any
    audited_strata: Any
    clusters: Any
    audited_clusters: Any
    audit_outside_test: bool
    margin: float | None
    positive: Any


@overload
def audit(
    test_scores: Any, audited_scores: Any, audited_labels: Any, *, by: None = None, **kwargs: Unpack[AuditKwargs]
) -> Audit: ...


@overload
def audit(
    test_scores: Any,
    audited_scores: Any,
    audited_labels: Any,
    *,
    by: Any,
    audited_by: Any,
    sort: bool = True,
    total: bool = False,
    **kwargs: Unpack[AuditKwargs],
) -> Audits: ...


@takes_options_of(formula_options)
def audit(
    test_scores: Any,
    audited_scores: Any,
    audited_labels: Any,
    *,
    model: FittedModel | None = None,
    by: Any = None,
    audited_by: Any = None,
    sort: bool = True,
    audited_weights: Any = None,
    weights: Any = None,
    audited_item_weights: Any = None,
    strata: Any = None,
    audited_strata: Any = None,
    clusters: Any = None,
    audited_clusters: Any = None,
    total: bool = False,
    audit_outside_test: bool = False,
    margin: float | None = None,
    positive: Any = None,
    **kwargs: Unpack[FormulaKwargs],
) -> Audit | Audits:
    """Estimate a prevalence from the scores of all items and the labels of a random sample of them.

    No assumption about the scores is needed: the better they predict the labels, the narrower is the interval (PPI++:
    Angelopoulos, Duchi and Zrnic 2023). With a `model` of external labels, a test shows whether these labels are valid
    for the items. Unless the test rejects that, the recommended estimate combines both sources.

    Parameters
    ----------
    test_scores : array-like of float, shape (n,)
        The scores of all items, including audited items.
    audited_scores : array-like of float, shape (m,)
        The scores of the audited items.
    audited_labels : array-like, shape (m,), or several columns
        The labels of the audited items. If several people labelled, a table, a mapping or an array of shape (m, k) with
        a column for each person. The label of an item is then the mean of its labels; missing values are left out.
    model : Model, optional
        A model fitted to external labelled scores by the method "es" alone.
    by, audited_by : array-like, shapes (n,) and (m,), or several columns, optional
        The groups of the items and of the audited items. Each group is audited by itself, and its
        audited items must be a random sample of the group.
    audited_weights : array-like of float, shape (m,), optional
        The number of items that each audited item stands for: one over its probability of being
        drawn. Only the ratios of the weights matter.
    weights, audited_item_weights : array-like of float, shapes (n,) and (m,), optional
        Weights of the items and of the audited items, such as numbers of views: the estimate is then
        the share of the views that are of positives.
    strata, audited_strata : array-like, shapes (n,) and (m,), optional
        The strata of the items and of the audited items, if items were drawn from each stratum. Each
        stratum counts by its number of items.
    clusters, audited_clusters : array-like, shapes (n,) and (m,), optional
        The clusters, such as users, if clusters were drawn.
    total : bool, default False
        With `by`, whether to estimate all groups together, each by its number of items.
    audit_outside_test : bool, default False
        Whether `test_scores` lack the audited items, which are then added.
    margin : float, optional
        With a model: whether its external labels may be relied on within this margin. They pass if
        the confidence interval of the difference between both estimates lies within the margin, and
        fail if it lies outside. At least 20 audited items are needed to pass.
    positive : optional
        The positive label; by default True, or 1 if the other label is 0 or -1.
    sort, level, target, interval, misfit
        As in `truecount.estimate`, without the bootstrap.

    Returns
    -------
    Audit
        The audit of all items; with `by`, an `Audits` table.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> right = rng.random(3000) < 0.8
    >>> scores = rng.normal(np.where(right, 1.5, 0.0))
    >>> audit = tc.audit(scores, scores[:200], right[:200])
    >>> round(audit.labels.prevalence, 3), round(audit.labels.se, 3)
    (0.8, 0.027)
    >>> round(audit.ppi.prevalence, 3), round(audit.ppi.se, 3)
    (0.791, 0.023)
    """
    check_model(model, "model")
    rows, labels, row_weights = audited_rows(audited_scores, audited_labels, audited_weights, positive)
    item_weights = None if audited_item_weights is None else numbers(audited_item_weights, "audited_item_weights")
    lengths = {
        "audited_item_weights": item_weights, "audited_strata": audited_strata, "audited_clusters": audited_clusters
    }  # fmt: skip
    check_lengths(lengths, "audited_scores", len(rows))
    pairs = {"weights": (weights, audited_item_weights), "strata": (strata, audited_strata)}
    pairs["clusters"] = clusters, audited_clusters
    for name, (first, second) in pairs.items():
        if (first is None) != (second is None):
            other = "audited_item_weights" if name == "weights" else f"audited_{name}"
            raise option_conflict(other, f"{other} goes with {name}; give both, or none")
    target_strata, row_strata = _units(strata, audited_strata, "strata")
    target_clusters, row_clusters = _units(clusters, audited_clusters, "clusters")
    options = formula_options('an audit has formulas of its own; leave out interval="bootstrap"', **kwargs)
    flags = {"audit_outside_test": audit_outside_test, "total": total}
    options |= request_options(flags, {"margin": margin})
    core = None if model is None else model._core
    sets = parse_one_column(test_scores, None, weights, by)
    units = {"strata": target_strata, "clusters": target_clusters}
    check_lengths(units, "test_scores", len(sets.columns["scores"][0]))
    target = sets.columns, target_strata, target_clusters
    codes = None if by is None else audited_codes(sets, audited_by, len(rows))
    audited = rows, labels, row_weights, item_weights, codes, row_strata, row_clusters
    if by is None and audited_by is not None:
        raise option_conflict("audited_by", "audited_by goes with by; give both, or none")
    order = sets.order(sort).tolist()
    result = sets.call(_core.audit, core, target, audited, options, order)
    if by is not None:
        return Audits(result, sets.values)
    external = None
    if model is not None:
        (method,) = model._methods
        external = Estimate._from_row(
            result["external"], 0, method, model._metadata(options["level"], options["target"]), {}
        )
    return _audit_of_all(result, external, options.get("margin"), options["level"])


def _audit_of_all(result: _core.GroupAudits, external: Estimate | None, margin: float | None, level: float) -> Audit:
    """Return the only audit in a result."""
    columns = result["columns"]

    def known(name: str, row: int) -> float:
        return float(columns[name][row])

    def number(name: str, row: int) -> float | None:
        value = known(name, row)
        return value if value == value else None

    def evidence(source: str, row: int) -> Evidence:
        prevalence, raw, se = known("prevalence", row), known("raw", row), known("se", row)
        ends = known("lower", row), known("upper", row)
        return Evidence(source, prevalence, raw, se, ends, number("weight", row))

    rows = {source: row for row, source in enumerate(columns["source"])}
    sources = {source: evidence(source, row) for source, row in rows.items()}
    row = rows.get("external", 0)
    lower, upper = number("difference_lower", row), number("difference_upper", row)
    agreement, label_errors = _agreement_tables(result["agreement"], {})
    return Audit(
        n=int(columns["n"][0]),
        audited=int(columns["audited"][0]),
        recommended=sources[columns["source"][int(np.argmax(columns["recommended"]))]],
        why=result["why"][0],
        labels=sources["labels"],
        ppi=sources["ppi++"],
        external=external,
        combined=sources.get("combined"),
        difference=number("difference", row),
        difference_se=number("difference_se", row),
        p_value=number("p_value", row),
        difference_interval=None if lower is None or upper is None else (lower, upper),
        margin=margin,
        verdict=columns["verdict"][row],
        level=level,
        warnings=() if external is None else external.warnings,
        agreement=agreement,
        label_errors=label_errors,
    )


def audited_rows(
    audited_scores: Any, audited_labels: Any, audited_weights: Any, positive: Any
) -> tuple[Floats, NDArray[np.int8], Floats | None]:
    """Return the scores, the labels of each person and the weights of audited items."""
    same_index("audited_labels", audited_labels, "audited_scores", audited_scores)
    same_index("audited_weights", audited_weights, "audited_scores", audited_scores)
    rows = numbers(audited_scores, "audited_scores")
    labels = people_labels(audited_labels, positive, "audited_labels")
    weights = None if audited_weights is None else numbers(audited_weights, "audited_weights")
    check_lengths({"audited_labels": labels[0], "audited_weights": weights}, "audited_scores", len(rows))
    return rows, labels, weights


def _units(values: Any, audited: Any, name: str) -> tuple[NDArray[np.uint32] | None, NDArray[np.uint32] | None]:
    """Return the numbers of the strata or clusters of all items and of the audited items."""
    if values is None:
        return None, None
    parts = [factorize(column, label) for column, label in ((values, name), (audited, f"audited_{name}"))]
    known: dict[Any, int] = {}
    for _, distinct in parts:
        for value in distinct:
            if value is None:
                raise LabelError(f"{name}: a value is missing", "unit-missing", column=name)
            known.setdefault(value, len(known))
    numbered = (np.array([known[value] for value in distinct] or [0], np.uint32)[codes] for codes, distinct in parts)
    first, second = numbered
    return first, second


def audited_codes(sets: TestSets, audited_by: Any, length: int) -> NDArray[np.uint32]:
    """Return the number of the group of each audited item."""
    if audited_by is None:
        raise option_error("audited_by", "by makes groups: give those of the audited items too, audited_by", value=None)
    try:
        audited_groups = groups(audited_by, length)
    except TruecountError as error:
        raise error.at("audited_by") from None
    if len(audited_groups.values) != len(sets.values):
        raise option_conflict(
            "audited_by",
            f"by has {len(sets.values)} columns and audited_by {len(audited_groups.values)}; they must be the same",
        )
    known = {values: number for number, values in enumerate(zip(*sets.values.values()))}
    numbers = [_group_number(known, values) for values in zip(*audited_groups.values.values())]
    return np.array(numbers or [0], dtype=np.uint32)[audited_groups.rows]


def _group_number(known: dict[tuple[Any, ...], int], values: Sequence[Any]) -> int:
    number = known.get(tuple(values))
    if number is None:
        group = ", ".join(map(format_value, values))
        raise ScoreError(
            f"audited_by: there is an audited item of the group '{group}', which has no scores to be estimated; "
            "remove it, or add the group's scores",
            "audit-unused",
            group=group,
        )
    return number


class AuditingModel(FittedModel):
    """A model that plans and draws audits."""

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
        score. The model's method must be ``es``.

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
        """
        options = formula_options(
            "an audit has formulas of its own; leave out interval", level=level, target=target, interval=interval
        )
        sizes = {"half_width": half_width, "design_effect": design_effect}
        options |= request_options(sizes, {"prevalence": prevalence})
        sets = parse_one_column(test_scores, None, None, by)
        result = sets.call(_core.plan_audit, self._core, sets.columns, options, sets.order(sort).tolist())
        goal = f"the fewest items for a {percent(options['level'])} % interval of half-width {options['half_width']:g}"
        goal += ", at "
        if prevalence is None:
            goal += "the prevalence in the interval of the external estimate that is closest to one half"
        else:
            goal += f"the prevalence {options['prevalence']:g}"
        return AuditPlans(result, sets.values, goal)

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
        by, sort
            Groups, from each of which items are drawn, as in `estimate`.
        uniform : bool, default False
            Whether all items have the same probability of being drawn.
        seed : int, default 1
            Seed of the draw; the command draws the same items with the same seed.

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
        sets = parse_one_column(test_scores, None, None, by)
        draw = request_options({"number": number, "uniform": uniform, "seed": seed})
        result = sets.call(_core.draw_audit, self._core, sets.columns, draw, sets.order(sort).tolist())
        if sets.groups is not None:
            # The columns are sorted by group, and within a group in the caller's order.
            rows = np.argsort(sets.groups.rows, kind="stable")[result["columns"]["row"]]
            result["columns"]["row"] = rows
            for line, row in zip(result["lines"], rows.tolist()):
                line[0] = str(row)
        return AuditDraw(result, group_columns(sets.values, np.array(result["groups"], dtype=np.int64)))
