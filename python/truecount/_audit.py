"""Labels inside the target: what people say of some of the very items that are counted."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Literal, overload

from truecount import _core
from truecount._audits import Audits, audits
from truecount._columns import numbers, same_index
from truecount._conditions import Caveat, OptionError, ScoreError
from truecount._labels import audited
from truecount._model import Model
from truecount._names import Misfit, Target
from truecount._options import refuse_bootstrap, reporting
from truecount._results import Estimate
from truecount._table import paragraphs, percent, visible
from truecount._warned import said

__all__ = ["Audit", "Evidence", "audit"]


@dataclass(frozen=True)
class Evidence:
    """What one source says of the share of positives. All shares lie between 0 and 1, but for `raw`.

    Attributes
    ----------
    source : {"labels", "ppi++", "external", "combined"}
        The audited labels alone; with what the scores say of all items; labels from elsewhere; the last two together.
    prevalence : float
        `raw` kept inside [0, 1].
    raw : float
        The estimator as defined, never clipped.
    se : float
        Its standard error.
    interval : tuple of float
        Both ends of the confidence interval.
    weight : float or None
        How much of the scores is used with the labels (λ); of both together, the weight of labels from elsewhere.
    """

    source: str
    prevalence: float
    raw: float
    se: float
    interval: tuple[float, float]
    weight: float | None


@dataclass(frozen=True, repr=False)
class Audit:
    """What an audit says, beside labels from elsewhere.

    Attributes
    ----------
    n : int
        How many items there are, audited ones included.
    audited : int
        How many were audited.
    recommended : Evidence
        What to publish.
    why : str
        Why it is that.
    labels : Evidence
        The audited labels alone.
    ppi : Evidence
        The same with what the scores say of all items (prediction-powered inference, PPI++).
    external : Estimate or None
        The estimate from labels elsewhere, with its warnings; None without a model.
    combined : Evidence or None
        Both together; None without a model.
    difference : float or None
        How far the estimate from elsewhere is from the audit's; None without a model.
    difference_se : float or None
        Its standard error.
    p_value : float or None
        The p-value for the hypothesis that the external labels are valid for the target.
    level : float
        The intervals' nominal coverage.
    warnings : tuple of Caveat
        What to beware of in the estimate from elsewhere.
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
    level: float
    warnings: tuple[Caveat, ...]

    @property
    def prevalence(self) -> float:
        """The answer's share of positives."""
        return self.recommended.prevalence

    @property
    def se(self) -> float:
        """The answer's standard error."""
        return self.recommended.se

    @property
    def interval(self) -> tuple[float, float]:
        """The answer's interval."""
        return self.recommended.interval

    def __float__(self) -> float:
        return self.prevalence

    def _sentence(self) -> str:
        (lower, upper), level = self.interval, percent(self.level)
        return (
            f"{self.prevalence:.4f} ± {self.se:.4f}, {level} % interval {lower:.4f} – {upper:.4f}, {self.recommended.source}, "
            f"{self.audited} of {self.n} audited"
        )

    def __repr__(self) -> str:
        caveats = (f"  {visible(warning)}" for warning in said(self.warnings))
        return "\n".join([f"Audit: {self._sentence()}", f"  {self.why}", *caveats])

    def _repr_html_(self) -> str:
        return f"<p><b>{self.prevalence:.4f}</b>{html.escape(self._sentence()[6:])}</p>{paragraphs([self.why, *said(self.warnings)])}"


@overload
def audit(
    test_scores: Any,
    audited_scores: Any,
    audited_labels: Any,
    *,
    model: Model | None = None,
    by: None = None,
    audited_weights: Any = None,
    audit_outside_test: bool = False,
    positive: Any = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Literal["wilson", "wald"] = "wilson",
    misfit: Misfit = "widen",
) -> Audit: ...


@overload
def audit(
    test_scores: Any,
    audited_scores: Any,
    audited_labels: Any,
    *,
    model: Model | None = None,
    by: Any,
    audited_by: Any,
    sort: bool = True,
    audited_weights: Any = None,
    audit_outside_test: bool = False,
    positive: Any = None,
    level: float = 0.95,
    target: Target = "sample",
    interval: Literal["wilson", "wald"] = "wilson",
    misfit: Misfit = "widen",
) -> Audits: ...


def audit(
    test_scores: Any,
    audited_scores: Any,
    audited_labels: Any,
    *,
    model: Model | None = None,
    by: Any = None,
    audited_by: Any = None,
    sort: bool = True,
    audited_weights: Any = None,
    audit_outside_test: bool = False,
    positive: Any = None,
    level: float = 0.95,
    target: str = "sample",
    interval: str = "wilson",
    misfit: str = "widen",
) -> Audit | Audits:
    """Estimate a prevalence from labels of some of the very items that are counted, drawn at random.

    No assumption about the scores is needed: they make the interval narrower as far as they predict the labels (PPI++: Angelopoulos,
    Duchi and Zrnic 2023). A `model` of labels from elsewhere is put beside the audit; where a test does not find that its labels do not carry
    over, the answer combines both.

    Parameters
    ----------
    test_scores : array-like of float, shape (n,)
        The scores of all items, audited ones included.
    audited_scores : array-like of float, shape (m,)
        Those of the audited ones.
    audited_labels : array-like, shape (m,)
        What people say of them.
    model : Model, optional
        Fitted to labelled scores from elsewhere, by the method "es" alone.
    by, audited_by : array-like, shapes (n,) and (m,), or several columns, optional
        The groups of the items and of the audited ones: an audit of every group, whose items were drawn by themselves.
    sort : bool, default True
        As in `truecount.estimate`.
    audited_weights : array-like of float, shape (m,), optional
        How many items each stands for, one over its probability of being drawn; only the ratios count.
    audit_outside_test : bool, default False
        The audited items are not among `test_scores`: they are added to them.
    positive : optional
        The positive label; by default True, or 1 beside 0 or -1.
    level, target, interval, misfit
        As in `truecount.estimate`, without the bootstrap.

    Returns
    -------
    Audit; Audits with `by`

    Raises
    ------
    TruecountError
        For audited scores that are not among the test scores, as far as bins tell; for a model of other methods.

    Examples
    --------
    >>> import numpy as np, truecount as tc
    >>> rng = np.random.default_rng(1)
    >>> right = rng.random(3000) < 0.8
    >>> scores = rng.normal(np.where(right, 1.5, 0.0))
    >>> found = tc.audit(scores, scores[:200], right[:200])
    >>> round(found.labels.prevalence, 3), round(found.labels.se, 3), round(found.ppi.prevalence, 3), round(found.ppi.se, 3)
    (0.8, 0.027, 0.791, 0.023)
    """
    same_index("audited_labels", audited_labels, "audited_scores", audited_scores)
    same_index("audited_weights", audited_weights, "audited_scores", audited_scores)
    rows = numbers(audited_scores, "audited_scores")
    flags = audited(audited_labels, positive, "audited_labels", alone=model is None)
    weights = None if audited_weights is None else numbers(audited_weights, "audited_weights")
    for name, column in (("audited_labels", flags), ("audited_weights", weights)):
        if column is not None and len(column) != len(rows):
            raise ScoreError(
                f"there are {len(rows)} audited_scores but {len(column)} {name}; give one for each score",
                "length-mismatch",
                column=name,
                values=len(column),
                others=len(rows),
            )
    refuse_bootstrap(interval, 'an audit has formulas of its own; leave out interval="bootstrap"')
    asked = reporting(level, target, interval, misfit)
    scores = numbers(test_scores, "test_scores")
    core = None if model is None else model._core
    if by is not None:
        return audits(model, test_scores, by, (rows, flags, weights), audited_by, bool(audit_outside_test), sort, asked)
    if audited_by is not None:
        raise OptionError("audited_by goes with by; give both, or none", "option-conflict", name="audited_by")
    n, m, evidence, columns, test, recommended, why = _core.audit(
        core, scores, (rows, flags, weights), bool(audit_outside_test), asked
    )
    sources = {
        name: Evidence(name, prevalence, raw, se, ends, weight) for name, raw, prevalence, se, ends, weight in evidence
    }
    external = None
    if model is not None and columns is not None:
        (method,) = model.methods
        external = Estimate._of_row(columns, 0, method, model._terms(asked[0]), {})
    difference, se, p_value = test or (None, None, None)
    return Audit(
        n=n,
        audited=m,
        recommended=sources[recommended],
        why=why,
        labels=sources["labels"],
        ppi=sources["ppi++"],
        external=external,
        combined=sources.get("combined"),
        difference=difference,
        difference_se=se,
        p_value=p_value,
        level=asked[0],
        warnings=() if external is None else external.warnings,
    )
