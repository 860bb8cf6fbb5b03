"""Typical calls, whose types mypy checks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from matplotlib.axes import Axes
from numpy.typing import NDArray
from typing_extensions import assert_type

import truecount as tc


def typical_calls() -> None:
    scores: NDArray[np.float64] = np.array([2.1, 1.4, -0.2, 0.3])
    labels = [1, 1, 0, 0]
    column = pd.Series([1.0, 2.0])

    model = tc.Model.fit(scores, labels, method=["es", "o-cs"], family="kernel", transform="rank", positive=1)
    assert_type(model, tc.Model)
    assert_type(tc.Model.fit(scores, labels, method="o-cs,ac,cc"), tc.Model)
    assert_type(model.methods, list[str])
    assert_type(model.parameters, dict[str, Any])

    one = tc.estimate(scores, labels, [1.0, 2.0])
    assert_type(one, tc.Estimate)
    assert_type(
        tc.estimate(scores, labels, [1.0, 2.0], method="o-cs", train_weights=column, interval="bootstrap", seed=3),
        tc.Estimate,
    )
    assert_type(tc.estimate_each(scores, labels, np.ones((3, 4)), method=["es", "ac"], level=0.9), tc.Estimates)
    assert_type(model.estimate_each(np.ones((3, 4)), interval="bootstrap", seed=3), tc.Estimates)
    assert_type(tc.estimate(scores, labels, column, by=pd.Series(["a", "b"])), tc.Estimates)
    assert_type(
        tc.estimate(scores, labels, column, by={"week": ["a", "b"], "region": column}, method="all"), tc.Estimates
    )
    assert_type(model.estimate(pl.Series([1.0]), by={"week": ["a"]}, weights=(1.0,)), tc.Estimates)

    assert_type(tc.counts(35, 800, (90, 100), specificity=0.97), tc.Estimate)
    assert_type(tc.counts(35, 800, "90/100", "97%"), tc.Estimate)
    assert_type(tc.counts(column, [9, 9], 0.9, ([8, 9], [10, 10]), by=["a", "b"]), tc.Estimates)

    audited = tc.audit(
        column,
        [1.0, 2.0],
        pd.Series(["a", "b"]),
        model=model,
        audited_weights=(1, 2),
        positive="a",
        audit_outside_test=True,
    )
    assert_type(audited, tc.Audit)
    assert_type(audited.recommended, tc.Evidence)
    assert_type((audited.lower, audited.recommended.upper), tuple[float, float])
    assert_type(audited.external, tc.Estimate | None)
    assert_type(audited.p_value, float | None)
    assert_type(tc.audit(scores, scores, labels).interval, tuple[float, float])

    assert_type(model.estimate(scores), tc.Estimate)
    assert_type(one.prevalence, float)
    low, high = one.interval
    assert_type((one.se + 1, low, high, one.lower, one.upper), tuple[float, float, float, float, float])
    assert_type({one: one.positive}, dict[tc.Estimate, Any])
    assert_type(one.misfit, float | None)
    assert_type(one.warnings, tuple[tc.EstimateWarning, ...])
    texts: tuple[str, ...] = one.warnings  # they are texts
    assert_type(
        [(text.code, text.severity, text.fields) for text in one.warnings], list[tuple[str, str, dict[str, Any]]]
    )
    assert_type(float(one), float)
    assert_type(one.to_dict(), dict[str, Any])

    table = model.estimate_each(scores)
    assert_type(table.prevalence, NDArray[np.float64])
    assert_type(table.n, NDArray[np.int64])
    assert_type(table.widening, NDArray[Any] | None)
    assert_type(table[0], tc.Estimate)
    assert_type(table[:2], tc.Estimates)
    assert_type(table["severity"], Any)
    assert_type([row.group for row in table], list[dict[str, Any]])
    assert_type(table.to_dict(), dict[str, NDArray[Any]])

    grouped = model.estimate(
        scores, by=["a", "a", "b", "b"], standardise={"a": 10, "b": 20}, population={"a": 10, "b": 20}
    )
    assert_type(grouped, tc.Estimates)
    assert_type(grouped.total, tc.Estimate | None)
    assert_type(grouped.totals, tc.Estimates | None)
    assert_type(grouped.compare("previous"), tc.Differences)
    assert_type(grouped.compare("total").ratio, NDArray[np.float64])
    assert_type(model.compare(scores, scores, other=model, labelled="paired", items="same"), tc.Differences)
    assert_type(model.estimate(scores, population=100), tc.Estimate)

    tally = model.tally(scores, by=["a", "a", "b", "b"]) + model.tally(scores, by=["a", "b", "b", "c"])
    assert_type(tally, tc.Tally)
    assert_type(tally.to_bytes(), bytes)
    assert_type(tc.Tally.from_bytes(model, tally.to_bytes()), tc.Tally)
    assert_type(tc.Tally.read(model, "a.tally"), tc.Tally)
    assert_type(tally.estimate(level=0.9), tc.Estimate)
    assert_type(tally.estimate_each(sort=False), tc.Estimates)

    assert_type(model.influence(scores), NDArray[np.float64])
    assert_type(model.sql("messages", by=("week", "region")), str)
    check = tc.check(scores, labels, scores, fold=labels, contamination=0.02)
    assert_type(tc.check(scores, labels, positive=1, transform="rank"), tc.Families)
    assert_type(check.verdict, list[str])
    assert_type(check.folds, tc.Folds | None)
    assert_type(check.contamination, tc.Contamination | None)
    assert_type(check.families, tc.Families)
    assert_type(model.check(scores, by=labels, resamples=99), tc.Check)
    assert_type(tc.plan(scores, labels, half_width=0.02, method="es", rates="labels").labelled, NDArray[np.float64])
    assert_type(model.plan(labelled=(50, 50), unlabelled=1000), tc.Plans)
    assert_type(model.monitor(scores, by=["2026-01", "2026-02"], above=0.1).alarm, tc.Alarm | None)
    assert_type(tally.monitor(baseline="2026-01"), tc.MonitorResult)
    draw = model.draw_audit(scores, 2)
    assert_type(draw.row, NDArray[np.int64])
    assert_type(model.plan_audit(scores, half_width=0.05, by=labels), tc.AuditPlans)
    assert_type(tc.audit(scores, scores, labels), tc.Audit)
    assert_type(tc.audit(scores, scores, labels, by=labels, audited_by=labels), tc.Audits)
    assert_type(model.report("page.html", scores, items="messages", positive_name="spam"), None)
    model.plan(se="0.01")  # type: ignore[arg-type]
    assert_type(model.estimate(scores, misfit="warn"), tc.Estimate)
    assert_type(model.compare(scores, scores, misfit="warn"), tc.Differences)
    assert_type(tc.plan(scores, labels, se=0.01, design_effect=2.0, positive=1), tc.Plans)
    assert_type(tc.methods(), dict[str, str])

    quantifier = tc.EfficientSweep(cv=3, rates="family", positive="fraud").fit(
        scores, labels, sample_weight=column, groups=labels
    )
    assert_type(quantifier, tc.EfficientSweep)
    assert_type(quantifier.estimate(scores), tc.Estimate)
    assert_type(quantifier.estimate(pd.DataFrame(), by=["office", "week"], weights="w"), tc.Estimates)
    assert_type(quantifier.check(pl.DataFrame(), by="office"), tc.Check)
    tc.EfficientSweep(rate="family")  # type: ignore[call-arg]

    several = tc.MulticlassQuantifier(cv=3).fit(scores, labels)
    assert_type(several.estimate(scores, level=0.9, target="population"), tc.Composition)
    assert_type(several.estimate(scores).covariance, NDArray[np.float64])
    assert_type(several.estimate(scores, by="office", sort=False), tc.Compositions)
    model.report("audited.html", scores, audited_scores=scores, audited_labels=labels)
    assert_type(several.predict(scores), NDArray[np.float64])

    estimates = model.estimate(scores, by=labels)
    assert_type(tc.plot.draw(estimates, colors={"es": "red", "o-cs": (0.0, 0.5, 0.0)}, labels=["ES", "CS"]), Axes)
    assert_type(
        tc.plot.draw(estimates.compare("total"), tc.plot.draw(tc.audit(scores, scores, labels)), colors="C1"),
        Axes,
    )
    tc.plot.draw(estimates, colours="red")  # type: ignore[call-arg]

    tc.estimate(scores, labels, scores, intervall="wald")  # type: ignore[call-overload]
    model.estimate(scores, total=True)  # type: ignore[call-overload]
    model.estimate(scores, level="95")  # type: ignore[call-overload]
    tc.estimate(scores, labels, scores, method="ess")  # type: ignore[call-overload]
    tc.estimate(scores, labels, scores, method=["es", "o-cs"])  # type: ignore[call-overload]
    model.estimate_each(scores, target="all")  # type: ignore[arg-type]
