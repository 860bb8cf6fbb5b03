"""Plots show the computed values."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import numpy as np
import pytest

import truecount as tc
from truecount._table import p_value_phrase

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.colors import to_hex  # noqa: E402

SPAM = Path(__file__).parents[2] / "data" / "spam"
OKABE_ITO = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}


def spam(name: str) -> tuple[np.ndarray, np.ndarray]:
    table = np.genfromtxt(SPAM / name, delimiter=",", names=True)
    return table["score"], table["label"].astype(int)


@pytest.fixture(scope="module")
def model() -> tc.Model:
    return tc.Model.fit(*spam("train.csv"), method="o-cs,es,cc")


@pytest.fixture(scope="module")
def evaluation(model) -> tc.Evaluation:
    return tc.evaluate(model, *spam("pool.csv"), samples=420, protocol="grid")


@pytest.fixture(scope="module")
def weeks() -> tuple[np.ndarray, np.ndarray]:
    table = np.genfromtxt(SPAM / "weeks.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    return table["score"], table["week"]


@pytest.fixture(autouse=True)
def close_figures():
    """Restores matplotlib's settings, which QuaPy changes, and draws and closes every figure."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.use("Agg")
        yield
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
        plt.close("all")


def lines(ax) -> dict[str, np.ndarray]:
    """Returns the points of each line by its label."""
    return {line.get_label(): line.get_xydata() for line in ax.get_lines() if not line.get_label().startswith("_")}


def points(ax, axis: int) -> list[float]:
    """Returns the sorted positions on an axis of all points."""
    shown = [line.get_xydata()[:, axis] for line in ax.get_lines() if line.get_linestyle() == "None"]
    return sorted(np.concatenate(shown).tolist())


def ends(ax, axis: int) -> list[tuple[float, float]]:
    """Returns the sorted ends of all whiskers along an axis."""
    segments = [collection.get_segments() for collection in ax.collections if hasattr(collection, "get_segments")]
    return sorted(tuple(segment[:, axis].tolist()) for of_one in segments for segment in of_one)


def unwrapped(ax) -> str:
    """Returns the title in one line."""
    return ax.get_title(loc="left").replace("\n", " ")


def band(collection) -> dict[float, tuple[float, float]]:
    """Returns the lower and upper ends of a band at each x."""
    ends: dict[float, list[float]] = {}
    for x, y in collection.get_paths()[0].vertices:
        ends.setdefault(float(x), []).append(float(y))
    return {x: (min(y), max(y)) for x, y in ends.items()}


def test_diagonal(evaluation):
    ax = tc.plot.diagonal(evaluation)
    plotted = lines(ax)
    assert list(plotted) == ["o-cs", "es", "cc"]
    truth = evaluation.truth
    for index, method in enumerate(evaluation.methods):
        estimate = evaluation.for_method(method)["prevalence"]
        # Twenty samples of each prevalence of the grid.
        for prevalence, (x, y) in zip(np.unique(truth), plotted[method], strict=True):
            estimates = estimate[truth == prevalence]
            assert len(estimates) == 20
            assert (x, y) == pytest.approx((prevalence, estimates.mean()), abs=1e-14)
            ends = band(ax.collections[index])
            assert ends[x] == pytest.approx((y - estimates.std(ddof=1), y + estimates.std(ddof=1)), abs=1e-14)
    assert ax.get_xlabel() == "true prevalence" and ax.get_ylabel().startswith("estimated prevalence")


@pytest.mark.parametrize("protocol", ["uniform", "natural"])
def test_every_sample_is_in_one_group(model, protocol):
    evaluation = tc.evaluate(model, *spam("pool.csv"), samples=300, protocol=protocol)
    groups = tc.plot._figures._bins(evaluation.truth, 21)
    assert sorted(np.concatenate(groups).tolist()) == list(range(300))
    width = np.ptp(evaluation.truth) / 20
    assert all(np.ptp(evaluation.truth[group]) <= width * (1 + 1e-9) for group in groups)
    assert len(lines(tc.plot.diagonal(evaluation))["es"]) == len(groups) <= 21
    one = tc.evaluate(model, *spam("pool.csv"), samples=1, protocol=protocol)
    x, y = lines(tc.plot.diagonal(one))["cc"].T
    assert (x.tolist(), y) == ([one.truth[0]], pytest.approx(one.for_method("cc")["prevalence"], abs=1e-15))


@pytest.mark.parametrize("train_prevalence", [None, 0.0])
def test_error_by_shift(evaluation, train_prevalence):
    ax = tc.plot.error_by_shift(evaluation, train_prevalence)
    trained = 634 / 1600 if train_prevalence is None else train_prevalence
    shift = abs(evaluation.truth - trained)
    edges = np.linspace(shift.min(), shift.max(), 11)
    group = np.digitize(shift, (edges[1:] + edges[:-1]) / 2)
    assert legend(ax) == evaluation.methods
    for bars, method in zip(ax.collections, evaluation.methods):
        error = abs(evaluation.for_method(method)["prevalence"] - evaluation.truth)
        expected = [(shift[group == k].mean(), error[group == k].mean()) for k in np.unique(group)]
        np.testing.assert_allclose(lines(ax)[method], expected, rtol=1e-12)
        se = [error[group == k].std(ddof=1) / math.sqrt(np.sum(group == k)) for k in np.unique(group)]
        plotted = [(end[1, 1] - end[0, 1]) / 2 for end in bars.get_segments()]
        np.testing.assert_allclose(plotted, se, rtol=1e-10)
    assert f"{100 * trained:.3g} %" in ax.get_xlabel()
    with pytest.raises(ValueError, match="train_prevalence is 2.0; it must be between 0 and 1"):
        tc.plot.error_by_shift(evaluation, 2)


def test_adjusted_count(weeks):
    (train, labels), (scores, week) = spam("train.csv"), weeks
    check = tc.check(train, labels, scores, by=week)
    ax = tc.plot.draw(check, row=3)
    rule, curve = ax.get_lines()
    theta, prevalence = curve.get_xydata().T
    # The definition of Adjusted Count.
    test, positive, negative = scores[week == "2026-W04"], train[labels == 1], train[labels == 0]

    def rate(scores):
        return np.mean(scores[:, None] >= theta, axis=0)

    np.testing.assert_allclose(
        prevalence, (rate(test) - rate(negative)) / (rate(positive) - rate(negative)), atol=1e-12
    )
    se = check.adjusted_count(3)["se"]
    ends = band(ax.collections[0])
    for at, middle, error in zip(theta, prevalence, se, strict=True):
        assert ends[at] == pytest.approx((middle - 1.96 * error, middle + 1.96 * error), abs=4e-5 * error + 1e-12)
    mixture = check.to_dict()["prevalence"][3]
    np.testing.assert_array_equal(rule.get_ydata(), [mixture, mixture])
    p = p_value_phrase(check.p_value_holm[3])
    title = f"2026-W04: Adjusted Count by threshold, with pointwise 95 % band (joint test: {p})"
    assert unwrapped(ax) == title
    # The group with the smallest p-value is the default.
    assert unwrapped(tc.plot.draw(check)) == title
    with pytest.raises(IndexError):
        tc.plot.draw(check, row=24)


def test_densities(model):
    norm = pytest.importorskip("scipy.stats").norm
    ax = tc.plot.densities(model)
    scores, labels = spam("train.csv")
    *classes, region = ax.patches
    left, right = model.parameters["methods"]["o-cs"]["region"][0]
    assert region.get_label() == "region of o-cs"
    assert (region.get_x(), region.get_x() + region.get_width()) == pytest.approx((left, right), rel=1e-14)
    curves = [line for line in ax.get_lines()]
    assert legend(ax) == ["966 negatives, normal", "634 positives, normal", "region of o-cs"]
    for name, (steps, curve) in enumerate(zip(classes, curves)):
        class_scores = scores[labels == name]
        x, density = curve.get_xydata().T
        np.testing.assert_allclose(density, norm.pdf(x, class_scores.mean(), class_scores.std(ddof=1)), rtol=1e-9)
        # A histogram has the area 1, and in each bar its share of the scores.
        heights, edges, _ = steps.get_data()
        assert np.sum(np.diff(edges) * heights) == pytest.approx(1.0)
        highest = np.argmax(heights)
        in_step = (class_scores >= edges[highest]) & (class_scores < edges[highest + 1])
        assert heights[highest] * np.diff(edges)[highest] == pytest.approx(in_step.mean())


def test_densities_with_a_transform_and_without_families():
    train = spam("train.csv")
    ax = tc.plot.densities(tc.Model.fit(*train, method="es", rates="family", family="kernel", transform="rank"))
    assert ax.get_xlabel() == "score, transform rank"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "966 negatives, kernel",
        "634 positives, kernel",
    ]
    # The default method fits no family: the histograms alone.
    ax = tc.plot.densities(tc.Model.fit(*train))
    assert not ax.get_lines()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["966 negatives", "634 positives"]
    with pytest.raises(ValueError, match="fit no distributions"):
        tc.plot.threshold(tc.Model.fit(*train, method="ac"))


def test_bins_follow_freedman_and_diaconis_up_to_a_hundred():
    bins = tc.plot._figures._number_of_bins
    # Quartiles 0.25 and 0.75 of 1001 numbers: width 1/1001^(1/3), 1/10.003, over a range of 3.
    assert bins(np.linspace(0, 1, 1001) + 2, np.linspace(0, 1, 1001)) == 30
    assert bins(np.linspace(0, 1, 1001) + 2, np.zeros(10)) == 100
    assert bins(np.array([0.0, 1.0]), np.array([0.0, 1.0])) == 1


def theory(model: tc.Model, threshold: float, alpha: float) -> float:
    """Returns n times the variance of Continuous Sweep, by quadrature.

    It is α Var₊(g) + (1 − α) Var₋(g), where g(s) = |R|⁻¹ ∫ du/J(u) over the part of R below s.
    """
    from scipy.optimize import brentq
    from scipy.stats import norm

    positive, negative = (
        norm(model.parameters[name]["mean"], model.parameters[name]["sd"]) for name in ("positive", "negative")
    )

    def j(u):
        return positive.sf(u) - negative.sf(u)

    grid = np.linspace(-30, 30, 60_001)
    top = grid[np.argmax(j(grid))]
    left, right = brentq(lambda u: j(u) - threshold, -30, top), brentq(lambda u: j(u) - threshold, top, 30)
    u = np.linspace(left, right, 20_001)
    middle = (u[1:] + u[:-1]) / 2
    steps = np.diff(u) / j(middle) / (right - left)
    g = np.concatenate(([0.0], np.cumsum(steps)))

    def variance(distribution):
        # E g = ∫ g′ F and E g² = ∫ 2 g g′ F, F the survival function.
        survival = distribution.sf(middle)
        return np.sum((g[1:] + g[:-1]) * steps * survival) - np.sum(steps * survival) ** 2

    return alpha * variance(positive) + (1 - alpha) * variance(negative)


@pytest.mark.parametrize(("alpha", "n"), [(0.5, None), (0.5, 250), (0.1, 1000)])
def test_threshold(alpha, n):
    pytest.importorskip("scipy")
    model = tc.Model.fit(*spam("train.csv"), method="o-cs")
    ax = tc.plot.threshold(model, alpha=alpha, n=n)
    (curve,) = [line for line in ax.get_lines() if len(line.get_xdata()) > 2]
    p, y = curve.get_xydata().T

    def plotted_variance(variance):
        return variance if n is None else math.sqrt(variance / n)

    for index in (20, 126, 250, 390):
        assert y[index] == pytest.approx(plotted_variance(theory(model, p[index], alpha)), rel=1e-6)
    marks = lines(ax)
    x, height = marks["traditional: ¼"][0]
    assert (x, height) == (0.25, pytest.approx(plotted_variance(theory(model, 0.25, alpha)), rel=1e-4))
    ((label, mark),) = [(label, mark) for label, mark in marks.items() if label.startswith("optimal")]
    x, height = mark[0]
    assert label == f"optimal: {x:.3f}"
    assert height == pytest.approx(plotted_variance(theory(model, x, alpha)), rel=1e-4)
    assert height <= y.min() * (1 + 1e-4)
    if alpha == 0.5:
        assert x == pytest.approx(model.parameters["methods"]["o-cs"]["threshold"], rel=1e-12)
    assert ax.get_xlim()[1] > model.parameters["max_j"]


def test_thresholds_without_the_traditional_one():
    rng = np.random.default_rng(1)
    model = tc.Model.fit(np.r_[rng.normal(0.4, 1, 500), rng.normal(0, 1, 500)], np.repeat([1, 0], 500), method="o-cs")
    assert model.parameters["max_j"] < 0.25
    assert not any(label.startswith("traditional") for label in lines(tc.plot.threshold(model)))
    for wrong in ({"alpha": 1.5}, {"alpha": "a"}, {"n": 0}, {"n": 2.5}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is"):
            tc.plot.threshold(model, **wrong)
    with pytest.raises(ValueError, match="fit no distributions"):
        tc.plot.threshold(tc.Model.fit(*spam("train.csv"), method="ac"))


def test_intervals(model, weeks):
    scores, week = weeks
    estimates = model.estimate_each(scores, by={"week": [name.removeprefix("2026-") for name in week]}, check=False)
    ax = tc.plot.draw(estimates)
    assert names(ax) == estimates.groups["week"][::3].tolist()
    assert unwrapped(ax) == "Share of positives by week, with 95 % intervals" and ax.get_xlabel() == ""
    assert points(ax, 0) == sorted(estimates.prevalence.tolist())
    assert ends(ax, 0) == sorted(map(tuple, estimates.interval.tolist()))
    # The methods of a week lie around its tick.
    assert np.round(points(ax, 1)).tolist() == np.repeat(np.arange(1.0, 25.0), 3).tolist()
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_of_many_groups_the_ends_have_names():
    one, towns = tc.Model.fit(*spam("train.csv")), [f"town {k % 60}" for k in range(1200)]
    estimates = one.estimate(spam("pool.csv")[0][:1200], by={"town": towns}, total=True)
    ax = tc.plot.draw(estimates)
    order = np.argsort(-estimates.prevalence, kind="stable")
    assert sorted(names(ax)) == sorted(estimates.groups["town"][np.r_[order[:5], order[-5:]]])
    assert unwrapped(ax) == "Share of positives by town, from the highest to the lowest, with 95 % intervals"
    total = estimates.total.prevalence
    includes = (
        (estimates.lower <= total)
        & (total <= estimates.upper)
        & np.array([each is None for each in estimates.severity])
    )
    assert len(lines(ax)["interval includes the total"]) == includes.sum() > 0
    assert [text.get_text() for text in ax.texts] == [f"total {100 * total:.1f} %"]


@pytest.mark.parametrize(
    ("values", "begins"),
    [
        (["2026-W01", "2026-W02", "2026-W05"], ["2025-12-29", "2026-01-05", "2026-01-26"]),
        (["2025-12", "2026-01", "2026-03"], ["2025-12-01", "2026-01-01", "2026-03-01"]),
        (["2025-Q4", "2026-Q1", "2026-Q3"], ["2025-10-01", "2026-01-01", "2026-07-01"]),
        (["2026-01-31", "2026-02-01", "2026-02-03"], ["2026-01-31", "2026-02-01", "2026-02-03"]),
        (np.array(["2026-01-31", "2026-02-01", "2026-02-03"], "M8[s]"), ["2026-01-31", "2026-02-01", "2026-02-03"]),
    ],
)
def test_dates_are_placed_on_a_time_axis(values, begins):
    model = tc.Model.fit(*spam("train.csv"))
    estimates = model.estimate(np.linspace(-2, 3, 30), by={"when": np.tile(values, 10)}, check=False)
    ax = tc.plot.draw(estimates)
    assert unwrapped(ax) == "Share of positives by when, with 95 % intervals"
    plotted = [line for line in ax.get_lines() if len(line.get_xdata())]
    # The first two dates are consecutive, the third follows a gap.
    assert [len(line.get_xdata()) for line in plotted] == [2, 1]
    positions = np.concatenate([line.get_xdata() for line in plotted])
    np.testing.assert_array_equal(positions.astype("M8[D]"), np.array(begins, "M8[D]"))
    np.testing.assert_array_equal(np.concatenate([line.get_ydata() for line in plotted]), estimates.prevalence)
    ends = [segment[:, 1] for collection in ax.collections for segment in collection.get_segments()]
    np.testing.assert_array_equal(ends, estimates.interval)


def test_other_groups_are_lines_and_many_dates_a_band(model):
    one = tc.Model.fit(*spam("train.csv"))
    days = np.datetime64("2026-01-01") + np.arange(100)
    estimates = one.estimate(
        np.tile([-1.0, 1.0, 2.0], 100), by={"of": ["a", "b"] * 150, "day": np.repeat(days, 3)}, check=False
    )
    ax = tc.plot.draw(estimates)
    assert legend(ax)[:2] == ["a", "b"]
    assert {type(collection).__name__ for collection in ax.collections} == {"FillBetweenPolyCollection"}
    texts = tc.plot.draw(one.estimate([0.5, 1.0], by=["2026-01", "x"], check=False))
    assert names(texts) == ["2026-01", "x"]


def test_intervals_of_methods(model, weeks):
    estimates = model.estimate_each(weeks[0], check=False)
    ax = tc.plot.draw(estimates)
    assert [label.get_text() for label in ax.get_yticklabels()] == model.methods
    assert points(ax, 0) == sorted(estimates.prevalence.tolist())


def is_hollow(line) -> bool:
    return line.get_markerfacecolor() == "none"


def legend(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def names(ax) -> list[str]:
    ax.figure.canvas.draw()
    return [label.get_text() for label in ax.get_yticklabels()]


def test_interval_of_a_single_estimate(model, weeks):
    estimate = tc.Model.fit(*spam("train.csv")).estimate(weeks[0], check=False)
    ax = tc.plot.draw(estimate)
    assert names(ax) == ["es"]
    assert ax.get_lines()[0].get_xdata().tolist() == [estimate.prevalence]
    assert ax.collections[0].get_segments()[0][:, 0].tolist() == list(estimate.interval)
    (of_group,) = tc.Model.fit(*spam("train.csv")).estimate(weeks[0], by=["a"] * len(weeks[0]), check=False)
    assert names(tc.plot.draw(of_group)) == ["a"]


def test_labels_of_intervals(model):
    by = np.array(["2026-01-01T00", "2026-01-02T12"], "M8[h]")
    shown = [
        model.estimate([0.5, 1.0], by={"time": times, "of": ["a", "b"]}, check=False)
        for times in (by, by.astype("M8[D]"))
    ]
    assert names(tc.plot.draw(shown[0])) == ["2026-01-01, a", "2026-01-02T12:00, b"]
    assert names(tc.plot.draw(shown[1])) == ["2026-01-01, a", "2026-01-02, b"]
    texts = ["$5 or $6", "a name that is much too long for a picture"]
    ax = tc.plot.draw(model.estimate([0.5, 1.0], by={"in $ and $": texts}, check=False))
    # Matplotlib shows an escaped dollar as a dollar.
    assert names(ax) == [r"\$5 or \$6", "a name that is much …a picture"]
    assert unwrapped(ax) == r"Share of positives by in \$ and \$, with 95 % intervals"
    with pytest.raises(ValueError, match=r"^result is 'x'; it must be a result with a figure, such as "):
        tc.plot.draw("x")


def test_other_results_are_named_by_their_type(model, evaluation, weeks):
    scores, week = weeks
    estimates = model.estimate(scores, by=week, check=False)
    for plot, result, message in (
        (tc.plot.diagonal, estimates, "evaluation is <Estimates>; it must be what truecount.evaluate returned"),
        (tc.plot.error_by_shift, estimates, "evaluation is <Estimates>; it must be what truecount.evaluate returned"),
        (tc.plot.draw, evaluation, "result is <Evaluation>; it must be a result with a figure"),
        (tc.plot.draw, tc.check(*spam("train.csv"), scores).families, "result is <Families>; it must be a result with"),
        (tc.plot.densities, estimates, "model is <Estimates>; it must be a truecount.Model"),
    ):
        with pytest.raises(tc.OptionError, match=f"^{message}"):
            plot(result)


def test_plots_of_an_estimator():
    pytest.importorskip("sklearn")
    scores, labels = spam("train.csv")
    quantifier = tc.ContinuousSweep("scores").fit(scores, labels)
    for plot in (tc.plot.densities, tc.plot.threshold):
        points = [plot(source).get_lines()[0].get_xydata() for source in (quantifier, quantifier.model_)]
        np.testing.assert_array_equal(*points)
        with pytest.raises(ValueError, match="it must be a truecount.Model or a fitted estimator"):
            plot(tc.ContinuousSweep("scores"))


@pytest.fixture(scope="module")
def plots(model, evaluation, weeks) -> list:
    """Returns plot functions with a result of each type."""
    (scores, labels), comparable = spam("pool.csv"), tc.Model.fit(*spam("train.csv"), method="o-cs,es,ac")
    draw = tc.plot.draw
    return [
        (draw, comparable.estimate(weeks[0], by=weeks[1], check=False).compare("total")),
        (draw, tc.audit(scores, scores[:200], labels[:200], model=tc.Model.fit(*spam("train.csv")))),
        (tc.plot.diagonal, evaluation),
        (tc.plot.error_by_shift, evaluation),
        (draw, tc.check(*spam("train.csv"), weeks[0])),
        (tc.plot.densities, model),
        (tc.plot.threshold, model),
        (draw, model.estimate(weeks[0], by=weeks[1], check=False)),
        (draw, tc.Model.fit(*spam("train.csv")).monitor(weeks[0], by=weeks[1], above=0.8)),
        (draw, comparable.plan(se=0.015)),
    ]


def test_monitor_and_plan(plots):
    series = plots[8][1]
    ax = tc.plot.draw(series)
    assert points(ax, 1) == sorted(series.prevalence.tolist())
    # Smoothing does not move these estimates, so there is no line.
    assert legend(ax) == ["estimate", "caution"] and unwrapped(ax) == "Share of positives by group, with 95 % intervals"
    assert [text.get_text() for text in ax.texts] == ["limit 80 %", "alarm at 2026-W07"]
    scores = spam("pool.csv")[0]
    days = np.datetime64("2026-01-01") + np.arange(len(scores)) % 45
    series = tc.Model.fit(*spam("train.csv")).monitor(scores, by=days)
    ax = tc.plot.draw(series)
    assert any(np.array_equal(line.get_ydata(), series.smoothed) for line in ax.get_lines())
    assert legend(ax) == ["smoothed, 95 % band", "estimate"]
    assert unwrapped(ax) == "Share of positives by group, smoothed, with its 95 % band"
    plans = plots[9][1]
    ax = tc.plot.draw(plans)
    assert unwrapped(ax) == "Numbers of scores that reach the goal: se at most 0.015 at the worst prevalence"
    curve = lines(ax)["es"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log") and np.all(np.diff(curve[:, 1]) <= 0)
    table = plans.to_dict()
    rows = (table["method"] == "es") & (table["split"] == "best") & np.isfinite(table["unlabelled"])
    planned = np.interp(np.log(table["unlabelled"][rows]), np.log(curve[:, 0]), np.log(curve[:, 1]))
    np.testing.assert_allclose(planned, np.log(table["labelled"][rows]), atol=0.05)
    with pytest.raises(ValueError, match="the plan has no curve"):
        tc.plot.draw(tc.Model.fit(*spam("train.csv")).plan(unlabelled=500, labelled=200))


def test_counts_audits_and_classes():
    counts = tc.counts([8, 12], [210, 189], sensitivity="90/100", specificity="97/100")
    assert len(names(tc.plot.draw(counts))) == 2
    scores, labels = spam("pool.csv")
    office = np.array(["a", "b"])[np.arange(len(scores)) % 2]
    audits = tc.audit(scores, scores[:400], labels[:400], by=office, audited_by=office[:400])
    ax = tc.plot.draw(audits)
    assert names(ax) == ["a", "b"] and legend(ax) == list(dict.fromkeys(audits.source))
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(1)
    kinds = rng.integers(3, size=600)
    scores = (rng.dirichlet([1, 1, 1], 600) + np.eye(3)[kinds]) / 2
    several = tc.MulticlassQuantifier("scores").fit(scores, kinds)
    shares = several.estimate(scores[:300])
    ax = tc.plot.draw(shares)
    assert names(ax) == ["0", "1", "2"] and unwrapped(ax) == "Share of each class, with 95 % intervals"
    np.testing.assert_array_equal(ax.get_lines()[0].get_xdata(), shares.prevalence)


def test_given_axes_are_used(plots):
    assert {plot.__name__ for plot, _ in plots} == set(tc.plot.__all__)
    _, axes = plt.subplots(2, 5)
    for (plot, source), ax in zip(plots, axes.flat):
        assert plot(source, ax=ax) is ax
        assert ax.get_title(loc="left")
    assert len(plt.get_fignums()) == 1
    for plot, source in plots:
        width, height = plot(source).figure.get_size_inches()
        assert width == 6 and (height == 4 or source is plots[0][1])


def test_large_fonts_leave_room_for_the_plot(plots):
    plt.rcParams["font.size"] = 18  # the setting of QuaPy
    for plot, source in plots:
        ax = plot(source)
        ax.figure.canvas.draw()
        assert ax.get_window_extent().width > 100 and ax.get_window_extent().height > 100, plot


def test_all_text_lies_inside_the_figure_and_no_key_on_the_data(plots):
    figure, axes = plt.subplots(2, 5, layout="constrained", figsize=(19.0, 8.0))
    together = [plot(source, ax=ax) for (plot, source), ax in zip(plots, axes.flat)]
    figure.canvas.draw()
    alone = [plot(source) for plot, source in plots]
    for ax in alone:
        ax.figure.canvas.draw()
    for ax in [*together, *alone]:
        whole, page = ax.get_tightbbox(), ax.figure.bbox
        title = ax.get_title(loc="left")
        assert page.x0 <= whole.x0 and whole.x1 <= page.x1 and page.y0 <= whole.y0 and whole.y1 <= page.y1, title
        key = ax.get_legend()
        assert key is None or key.get_window_extent().y1 <= ax.xaxis.get_tightbbox().y0 + 1.0, title


def test_colours_and_labels_by_argument(evaluation, plots, weeks):
    def colours_of(**options):
        ax = tc.plot.diagonal(evaluation, **options)
        return {line.get_label(): line.get_color() for line in ax.get_lines() if not line.get_label().startswith("_")}

    assert colours_of(colors=["red", (0.0, 0.5, 0.0), "C3"]) == {"o-cs": "red", "es": (0.0, 0.5, 0.0), "cc": "C3"}
    assert colours_of(colors="red") == dict.fromkeys(["o-cs", "es", "cc"], "red")
    assert colours_of(colors=(0.0, 0.5, 0.0)) == dict.fromkeys(["o-cs", "es", "cc"], (0.0, 0.5, 0.0))
    assert colours_of(colors={"cc": "red"}) == colours_of() | {"cc": "red"}
    assert list(colours_of(labels=["a", "b", "$c$"])) == ["a", "b", "$c$"]
    assert list(colours_of(labels={"es": "Efficient Sweep"})) == ["o-cs", "Efficient Sweep", "cc"]
    open_before = plt.get_fignums()
    for wrong, message in (
        ({"colors": "bleu"}, r"^colors has 'bleu' for .*; it must be a colour of matplotlib, such as 'tab:blue'"),
        ({"colors": ["red"] * 9}, r"^colors has 9 for 3 series; give one for each of "),
        ({"colors": 3}, "^colors has 3 for "),
        ({"colors": {"ex": "red"}}, r"^colors has 'ex', which is no series; there are "),
        ({"labels": "one"}, r"^labels is 'one' for 3 series; give one for each of .*, in a list or by name$"),
        ({"labels": [1] * 3}, "^labels has 1 for .*; it must be a text$"),
    ):
        for plot, source in (plots[2], plots[7]):
            with pytest.raises(tc.OptionError, match=message):
                plot(source, **wrong)
            # A wrong call leaves no empty figure.
            assert plt.get_fignums() == open_before
    one = tc.Model.fit(*spam("train.csv")).estimate(weeks[0], by=weeks[1], check=False)
    assert tc.plot.draw(one).get_legend() is None
    assert legend(tc.plot.draw(one, labels="spam", colors="red")) == ["spam"]
    assert {line.get_color() for line in tc.plot.draw(one, colors={"es": "red"}).get_lines()} == {"red"}


@pytest.fixture(scope="module")
def six_groups() -> Callable[[list[str]], tc.Estimates]:
    """Returns estimates of six groups by five methods; one group does not fit any mixture."""
    rng = np.random.default_rng(5)
    labels = rng.random(500) < 0.4
    model = tc.Model.fit(rng.normal(np.where(labels, 1.5, 0.0)), labels, method="o-cs,es,cc,ac,max")
    scores = rng.normal(np.where(rng.random(600) < 0.3, 1.5, 0.0)) + np.repeat([0, 0, 0, 8, 0, 0], 100)
    return lambda names: model.estimate(scores, by={"of": np.repeat(names, 100)})


GREY = to_hex("#767676")


@pytest.mark.parametrize("dated", [False, True])
def test_unreliable_estimates_are_grey(six_groups, dated):
    estimates = six_groups([f"2026-W0{week}" for week in range(1, 7)] if dated else list("abcdef"))
    unreliable = estimates.severity == "unreliable"
    assert 0 < unreliable.sum() < len(estimates)
    ax = tc.plot.draw(estimates)
    ends = {}
    for collection in ax.collections:
        colours = np.broadcast_to(collection.get_colors(), (len(collection.get_segments()), 4))
        for segment, colour in zip(collection.get_segments(), colours):
            ends[tuple(segment[:, int(dated)])] = to_hex(colour)
    for row, interval in enumerate(estimates.interval):
        assert (ends[tuple(interval)] == GREY) == unreliable[row]
    for severity, marker in (("unreliable", "x"), ("caution", "o")):
        marked = [line for line in ax.get_lines() if line.get_marker() == marker]
        marked = [line for line in marked if is_hollow(line) or marker == "x"]
        shown = np.concatenate([[], *(line.get_xydata()[:, int(dated)] for line in marked)])
        assert sorted(shown) == sorted(estimates.prevalence[estimates.severity == severity])
    marks = [kind for kind in ("caution", "unreliable") if (estimates.severity == kind).any()]
    assert sorted(legend(ax)[5:]) == marks and legend(ax)[:5] == ["o-cs", "es", "cc", "ac", "max"]


def test_five_methods_do_not_overlap(six_groups):
    ax = tc.plot.draw(six_groups(list("abcdef")))
    for ax in (ax, tc.plot.draw(six_groups(list("abcdef")), plt.subplots(2, 2, layout="constrained")[1][0, 0])):
        ax.figure.canvas.draw()
        heights = np.array(points(ax, 1))
        dots = np.abs(np.diff(ax.transData.transform(np.column_stack((heights, heights)))[:, 1]))
        widths = [collection.get_linewidth()[0] for collection in ax.collections if collection.get_segments()]
        assert len(heights) == 30 and (dots * 72 / ax.figure.dpi > max(widths)).all()
    assert len({line.get_marker() for line in ax.get_lines()[:5]}) >= 2


def test_differences(weeks):
    model = tc.Model.fit(*spam("train.csv"), method="es,ac")
    scores, week = (column[weeks[1] < "2026-W09"] for column in weeks)
    kind = np.array(["ham", "eggs"])[np.arange(len(scores)) % 2]
    differences = model.estimate(scores, by={"of": kind, "week": week}, check=False).compare("previous")
    ax = tc.plot.draw(differences)
    columns = differences.to_dict()
    pairs = [
        f"{kind}, {week} − {against}"
        for kind, week, against in zip(columns["of"], columns["week"], columns["reference"])
    ]
    assert names(ax) == list(dict.fromkeys(pairs)) and legend(ax) == ["es", "ac"]
    assert unwrapped(ax) == "Differences of shares by of, week in points, with 95 % intervals"
    row_names = names(ax)
    for index, method in enumerate(["es", "ac"]):
        its = columns["method"] == method
        values, heights = lines(ax)[method].T
        np.testing.assert_array_equal(values, differences.difference[its])
        # Each difference lies in the row of its pair.
        rows = [row_names[round(height) - 1] for height in heights]
        assert rows == [pair for pair, is_its in zip(pairs, its) if is_its]
        ends = [segment[:, 0] for segment in ax.collections[index].get_segments()]
        np.testing.assert_array_equal(ends, differences.interval[its])


def test_evidence():
    scores, labels = spam("pool.csv")
    model = tc.Model.fit(*spam("train.csv"))
    audit = tc.audit(scores, scores[:200], labels[:200], model=model)
    ax = tc.plot.draw(audit)
    sources = [audit.labels, audit.ppi, audit.external, audit.combined]
    assert names(ax) == ["labels", "ppi++", "external", "combined"]
    assert unwrapped(ax) == "Share of positives by source, with 95 % intervals"
    assert points(ax, 0) == sorted(source.prevalence for source in sources)
    assert ends(ax, 0) == sorted(tuple(source.interval) for source in sources)
    ((x, _),) = ax.get_lines()[0].get_xydata()
    assert x == audit.prevalence and legend(ax) == ["recommended", "not recommended"]
    # External labels that do not apply to the test scores.
    away = tc.audit(scores + 6, scores[:200] + 6, labels[:200], model=model)
    assert "unreliable" in {warning.severity for warning in away.warnings}
    ax = tc.plot.draw(away)
    assert lines(ax)["unreliable"].tolist() == [[away.external.prevalence, 3.0]]
    assert names(tc.plot.draw(tc.audit(scores, scores[:200], labels[:200]))) == ["labels", "ppi++"]


def are_disjoint(labels) -> bool:
    boxes = sorted((label.get_window_extent().x0, label.get_window_extent().x1) for label in labels if label.get_text())
    return all(end < begin for (_, end), (begin, _) in zip(boxes, boxes[1:]))


def periods() -> dict:
    """Returns columns of times, and the start of each period."""
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    months = ["2025-11-01", "2025-12-01", "2026-02-01"]
    return {
        "months": (pandas.PeriodIndex(["2025-11", "2025-12", "2026-02"], freq="M").to_series(), months),
        "weeks": (
            pandas.PeriodIndex(["2025-12-29", "2026-01-05", "2026-01-20"], freq="W").to_series(),
            ["2025-12-29", "2026-01-05", "2026-01-19"],
        ),
        "quarters": (
            pandas.PeriodIndex(["2025Q1", "2025Q2", "2026Q1"], freq="Q").to_series(),
            ["2025-01-01", "2025-04-01", "2026-01-01"],
        ),
        "years": (
            pandas.PeriodIndex(["2015", "2016", "2020"], freq="Y").to_series(),
            ["2015-01-01", "2016-01-01", "2020-01-01"],
        ),
        # Midnight in the time zone, not in UTC.
        "zone": (pandas.Series(pandas.to_datetime(months).tz_localize("Europe/Amsterdam")), months),
        "zones": (
            ["2026-01-01T00:00+01:00", "2026-01-01T00:00+00:00", "2026-01-02T00:00+01:00"],
            ["2025-12-31T23", "2026-01-01T00", "2026-01-01T23"],
        ),
        "polars": (polars.Series(months).str.to_date(), months),
        "dates": ([date.fromisoformat(month) for month in months], months),
        "texts": (months, months),
    }


@pytest.mark.parametrize("kind", [*periods()])
@pytest.mark.parametrize("missing", [False, True])
def test_times_of_every_type(kind, missing):
    values, begins = periods()[kind]
    scores, by = np.linspace(-2, 3, 40), [*values] * 10 + [None if missing else [*values][0]] * 10
    estimates = tc.Model.fit(*spam("train.csv")).estimate(scores, by={"when": by}, check=False)
    _, axes = plt.subplots(1, 2, figsize=(6, 2.5), layout="constrained")
    for ax in (tc.plot.draw(estimates), tc.plot.draw(estimates, axes[0])):
        ax.figure.canvas.draw()
        at = np.sort(np.concatenate([line.get_xdata() for line in ax.get_lines() if len(line.get_xdata())]))
        np.testing.assert_array_equal(at.astype("M8[h]"), np.array(begins, "M8[h]"))
        assert are_disjoint(ax.get_xticklabels()) and sum(bool(label.get_text()) for label in ax.get_xticklabels()) >= 2
        # Groups without a date are left out, and the title says so.
        assert unwrapped(ax).endswith("intervals; 1 of 4 without a date" if missing else "intervals")
    plt.close("all")


@pytest.mark.parametrize("number", [2, 9, 200])
@pytest.mark.parametrize("width", [3.0, 6.0])
def test_ticks_of_time_are_legible(number, width):
    model = tc.Model.fit(*spam("train.csv"))
    week = np.datetime64("2024-01-01") + 7 * np.arange(number)
    columns = {
        "day": week - 6 * np.arange(number),
        "hour": np.datetime64("2026-01-01T00") + np.arange(number),
        "week": [f"{day.isocalendar()[0]}-W{day.isocalendar()[1]:02}" for day in week.tolist()],
        "month": (np.datetime64("1990-01") + np.arange(number)).astype(str),
        "quarter": [f"{2000 + k // 4}-Q{1 + k % 4}" for k in range(number)],
    }
    for by in columns.values():
        ax = plt.subplots(figsize=(width, 3.0), layout="constrained")[1]
        tc.plot.draw(model.estimate(np.linspace(-1, 2, number), by=by, check=False), ax)
        ax.figure.canvas.draw()
        shown = [
            label for label in ax.get_xticklabels() if label.get_text() and ax.bbox.x0 <= label.get_window_extent().x1
        ]
        assert are_disjoint(shown) and shown, by[:3]


def test_many_groups_in_small_axes(model):
    estimates = model.estimate(np.zeros(200), by=[f"group {k}" for k in range(200)], check=False)
    ax = plt.subplots(figsize=(4, 3), layout="constrained")[1]
    tc.plot.draw(estimates, ax).figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert len(boxes) == 10
    assert all(below.y1 <= above.y0 + 1.0 for above, below in zip(boxes, boxes[1:]))


def test_series_have_distinct_markers_and_colours():
    ax = plt.figure().subplots()
    styles = [*tc.plot._draw._series_styles(ax, tc.methods(), None, None, {}).values()]
    assert len({(style.color, style.marker) for style in styles}) == len(styles)
    assert {to_hex(style.color) for style in styles} == OKABE_ITO
    # The first seven also differ in shades of grey.
    assert len({style.marker for style in styles[:7]}) == len({str(style.line) for style in styles[:7]}) == 7
    with plt.style.context("dark_background"):
        dark = tc.plot._draw._series_styles(plt.figure().subplots(), tc.methods(), None, None, {}).values()
    assert {to_hex(style.color) for style in dark} == OKABE_ITO - {"#000000"} | {"#ffffff"}


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout


def test_matplotlib_is_only_imported_for_plots():
    assert (
        python("import sys, truecount as tc; print('plot' in dir(tc), 'matplotlib' in sys.modules)") == "True False\n"
    )
    code = """
import sys
sys.modules["matplotlib"] = None
import truecount as tc
assert "plot" not in dir(tc)
try:
    tc.plot.diagonal
except ImportError as error:
    print(error)
"""
    assert python(code) == "truecount.plot needs matplotlib: pip install truecount[plot]\n"
