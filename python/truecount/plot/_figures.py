"""The figures of results, models and evaluations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from truecount import _core
from truecount._audit import Audit, Audits
from truecount._check import Check
from truecount._columns import Floats, is_pandas
from truecount._compare import Differences
from truecount._errors import invalid_option, max_severity, option_error, short_repr
from truecount._model import Model
from truecount._monitor import MonitorResult
from truecount._options import to_float, to_int
from truecount._plan import Plans
from truecount._results import Estimate, Estimates
from truecount._table import Table, format_value, p_value_phrase, percent
from truecount.evaluation import Evaluation
from truecount.plot._draw import BLUE, GREY, VERMILION, Colors, Figure, Labels, Layer, Rule, draw_figure, name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MAX_NAMED = 40
"""With more rows or periods, only the rows at the ends have names, and only the smoothed line an interval."""

_ENDS, _MIDDLE = 5, 16.0
"""Number of rows at either end that have names if there are many; height of all others together, in rows."""

_MAX_WHISKERS = 80
"""Maximum number of whiskers over time; with more, intervals are bands."""

_MAX_SERIES = 7
"""Maximum number of series over time."""

_GAP = 1.6
"""Length of a gap as a multiple of the usual distance; months and quarters do not vary as much."""


def draw(
    result: Any, ax: Axes | None = None, *, row: int | None = None, colors: Colors = None, labels: Labels = None
) -> Axes:
    """Draw estimates, counts, shares of classes, an audit, differences, a check, a plan or a monitored series.

    If the last grouping column has dates, also as texts (2026-01-31, 2026-01, 2026-W05 or 2026-Q1), estimates are drawn
    against time. Other groups are rows, the first on top; of more than forty rows, the five highest and lowest have
    names, and those whose interval includes the total are grey. An open marker is an estimate with a caution, a grey
    cross one that is unreliable. In an audit without groups, sources that are not recommended are grey. A monitored
    series has its smoothed line if that moves a share by more than a tenth of its interval. Differences are in points.

    A check is drawn as Adjusted Count at every threshold with its pointwise 95 % interval. If only the prevalence has
    changed, the curve is flat except for sampling error, and the prevalence of the nearest mixture stays in the band.
    The p-value tests all thresholds together, with Holm's correction for the number of groups.

    Parameters
    ----------
    result : Estimate, Estimates, Composition, Compositions, Audit, Audits, Differences, Check, Plans or MonitorResult
        The result. A plan needs a goal; the periods of a series must be dates.
    ax : matplotlib.axes.Axes, optional
        The axes to draw into; by default those of a new figure.
    row : int, optional
        For a check: index of the group to draw; by default, the group with the smallest p-value.
    colors : colour, sequence of colours or dict of str to colour, optional
        One colour for all series, a colour for each in their order, or colours by name. The series are the methods,
        sources or classes; against time also the values of the other grouping columns ("north, es").
    labels : str, sequence of str or dict of str to str, optional
        Labels of the series in the legend, in the same forms.
    """
    for kind, figure in _FIGURES.items():
        if isinstance(result, kind):
            return draw_figure(figure(result, row), ax, colors, labels)
    raise invalid_option("result", result, "it must be a result with a figure, such as truecount.estimate returned")


def _share_limits(*shares: Any) -> tuple[float, float]:
    """Return the limits of an axis of shares: those of the data, and 0 or 1 if they are near."""
    values = np.concatenate([np.ravel(np.asarray(each, dtype=np.float64)) for each in shares])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = 0.04 * max(high - low, 0.05)
    low, high = 0.0 if low - margin < 0.1 else low - margin, 1.0 if high + margin > 0.9 else high + margin
    room = 0.01 * (high - low)  # for the marks at 0 and 1
    return low - room, high + room


def _labels(columns: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return the values of these columns in each row as a text."""
    return [", ".join(format_value(columns[each][row]) for each in names) for row in range(len(columns["level"]))]


def _where(values: Sequence[str]) -> dict[str, NDArray[np.bool_]]:
    """Return the places of each value, in the order of first appearance."""
    array = np.array(values, dtype=object)
    return {value: array == value for value in dict.fromkeys(values)}


def _severity(columns: Mapping[str, Any]) -> NDArray[np.object_]:
    return np.array(columns.get("severity", [None] * len(columns["level"])), dtype=object)


def _rows(
    title: str, columns: Mapping[str, Any], labels: Sequence[str], series: Sequence[str], total: float | None
) -> Figure:
    """Return estimates in named rows; those of the same name lie side by side."""
    values, lower, upper = (columns[each] for each in ("prevalence", "lower", "upper"))
    severity, of_series, names = _severity(columns), _where(series), list(dict.fromkeys(labels))
    heights = np.ones(len(names))
    if len(names) > _MAX_NAMED:
        of_name = dict(zip(labels[::-1], values[::-1]))
        names.sort(key=lambda label: -of_name[label])
        heights[_ENDS:-_ENDS] = _MIDDLE / (len(names) - 2 * _ENDS)
        title = title.replace(", with", ", from the highest to the lowest, with")
        if total is not None:
            includes = (lower <= total) & (total <= upper) & np.array([each is None for each in severity])
            severity[includes] = "interval includes the total"
    places = dict(zip(names, np.cumsum(heights).tolist()))
    y = np.array([places[label] for label in labels])
    apart = 0.7 / max(4.0, len(of_series)) * heights.min()
    layers = []
    for index, (each, its) in enumerate(of_series.items()):
        at = y[its] + apart * (index - (len(of_series) - 1) / 2)
        layers.append(Layer("points", values[its], at, lower[its], upper[its], each, severity[its]))
    rows = {name(label): place for (label, place), height in zip(places.items(), heights) if height == 1.0}
    is_marked = "interval includes the total" in severity and len(of_series) == 1
    defaults = {series[0]: (BLUE, "interval excludes the total")} if is_marked else {}
    return Figure(title, layers, rows=rows, share="x", defaults=defaults)


def _parse_dates(values: NDArray[Any]) -> tuple[NDArray[np.datetime64], bool] | None:
    """Return when groups begin, and whether their dates are coarser than days; None if a value is not a date.

    Missing values are NaT.
    """
    if values.dtype.kind == "M":
        return (values.astype("datetime64[us]"), False) if not np.isnat(values).all() else None

    def text(value: Any) -> str:
        if is_pandas(value, "Period"):
            value = value.start_time.to_pydatetime()
        # Local times, as numpy has no time zones.
        value = value.replace(tzinfo=None) if isinstance(value, datetime) else value
        return "" if value is None else format_value(value)

    parsed = _core.dates([text(value) for value in values])
    if parsed is None:
        return None
    begins = [np.datetime64("NaT") if second is None else np.datetime64(second, "s") for second in parsed[0]]
    return np.array(begins, dtype="datetime64[us]"), parsed[1]


def _ticks(begins: NDArray[np.datetime64], values: NDArray[Any], is_coarse: bool) -> tuple[Any, list[str]]:
    """Return the dates, and their names if they are coarser than days."""
    known, first = np.unique(begins[~np.isnat(begins)], return_index=True)
    return known, [name(format_value(value)) for value in values[~np.isnat(begins)][first]] if is_coarse else []


def _over_time(title: str, columns: Mapping[str, Any], series: Sequence[str], begins: NDArray[np.datetime64]) -> Figure:
    """Return estimates against time, with whiskers, or bands for many; gaps stay empty."""
    layers = []
    severity, of_series, has_whiskers = _severity(columns), _where(series), len(begins) <= _MAX_WHISKERS
    for index, (each, its) in enumerate(of_series.items()):
        rows = np.flatnonzero(its & ~np.isnat(begins))
        rows = rows[np.argsort(begins[rows], kind="stable")]
        distances = np.diff(begins[rows]).astype(np.int64)
        usual = float(np.quantile(distances, 0.5, method="lower")) if len(distances) > 0 else 0.0
        # Whiskers at the same date lie side by side.
        apart = np.timedelta64(int(has_whiskers * 0.12 * usual * (index - (len(of_series) - 1) / 2)), "us")
        for run in np.split(rows, np.flatnonzero(distances > _GAP * usual) + 1):
            share, lower, upper = (columns[column][run] for column in ("prevalence", "lower", "upper"))
            if has_whiskers or len(run) == 1:
                layers.append(Layer("points", begins[run] + apart, share, lower, upper, each, severity[run]))
            else:
                layers += [Layer(mark, begins[run], share, lower, upper, each) for mark in ("band", "line")]
    return Figure(title, layers, share="y")


def _shares(
    columns: Mapping[str, Any], groups: Sequence[str], series: str, total: float | None = None, what: str = "positives"
) -> Figure:
    """Return shares of groups; those of different values in the column `series` lie side by side."""
    many = len(set(columns[series])) > 1
    rows = [*groups] or [series]
    by = f" by {', '.join(map(name, rows))}" if groups or (many and series != "class") else ""
    title = f"Share of {what}{by}, with {percent(float(columns['level'][0]))} % intervals"
    figure, parsed = None, _parse_dates(columns[groups[-1]]) if groups else None
    if parsed is not None and len(np.unique(parsed[0][~np.isnat(parsed[0])])) > 1:
        parts = _labels(columns, [*groups[:-1], *([series] if many or len(groups) == 1 else [])])
        if len(set(parts)) <= _MAX_SERIES:
            figure = _over_time(title, columns, parts, parsed[0])
            figure.ticks = _ticks(parsed[0], columns[groups[-1]], parsed[1])
            undated = int(np.isnat(parsed[0]).sum())
            figure.title += f"; {undated} of {len(parsed[0])} without a date" if undated else ""
    if figure is None:
        names = _labels(columns, rows)
        if not groups and len(set(names)) < len(names):
            names = [str(row + 1) for row in range(len(names))]
        figure = _rows(title, columns, names, _labels(columns, [series] if groups else []), total)
    totals = [] if total is None else [total]
    figure.limits = {figure.share: _share_limits(columns["lower"], columns["upper"], columns["prevalence"], totals)}
    figure.rules = [Rule(share, figure.share, f"total {100 * share:.1f} %") for share in totals]
    return figure


def _estimates(estimates: Estimates, _: int | None) -> Figure:
    total = None if estimates._totals is None else float(estimates._totals.prevalence[0])
    return _shares(estimates.to_dict(), [*estimates.groups], "method", total)


def _audit(audit: Audit, _: int | None) -> Figure:
    sources = {"labels": audit.labels, "ppi++": audit.ppi, "external": audit.external, "combined": audit.combined}
    rows = [(source, estimate) for source, estimate in sources.items() if estimate is not None]
    is_unreliable = max_severity(audit.warnings) == "unreliable"
    ends = np.array([estimate.interval or (np.nan, np.nan) for _, estimate in rows])
    severity = [
        "unreliable" if source == "external" and is_unreliable
        else None if source == audit.recommended.source else "not recommended"
        for source, _ in rows
    ]  # fmt: skip
    columns = {
        "source": np.array([source for source, _ in rows], dtype=object),
        "prevalence": np.array([estimate.prevalence for _, estimate in rows]),
        "lower": ends[:, 0], "upper": ends[:, 1], "severity": severity, "level": np.full(len(rows), audit.level),
    }  # fmt: skip
    figure = _shares(columns, [], "source")
    figure.defaults = {"": (BLUE, "recommended")}
    return figure


def _classes(table: Table, _: int | None) -> Figure:
    if "class" not in table.columns or "prevalence" not in table.columns:
        raise invalid_option("result", table, "it must be a result with a figure, such as truecount.estimate returned")
    groups = table.columns[: table.columns.index("class")]
    return _shares(table.to_dict(), groups, "class", what="each class")


def _differences(differences: Differences, _: int | None) -> Figure:
    columns = differences.to_dict()
    groups = [*columns][: [*columns].index("reference")]
    pairs = zip(_labels(columns, groups), map(format_value, columns["reference"]))
    labels = [f"{group} − {reference}" if group else reference for group, reference in pairs]
    by = f" by {', '.join(map(name, groups))}" if groups else ""
    title = f"Differences of shares{by} in points, with {percent(differences.level)} % intervals"
    figure = _rows(title, columns | {"prevalence": columns["difference"]}, labels, _labels(columns, ["method"]), None)
    figure.form, figure.xlabel, figure.rules = "{:+g}", "points", [Rule(0.0, "x")]
    return figure


def _check(check: Check, row: int | None) -> Figure:
    columns = check.to_dict()
    row = range(len(check))[int(np.nanargmin(columns["p_value"])) if row is None else row]
    curve = check.adjusted_count(row)
    theta, share, half = curve["theta"], curve["prevalence"], 1.959963984540054 * curve["se"]
    nearest = float(columns["prevalence"][row])
    group = _labels({**columns, "level": columns["p_value"]}, check._groups)[row]
    title = f"{name(group)}: " if group else ""
    return Figure(
        f"{title}Adjusted Count by threshold, with pointwise 95 % band (joint test: "
        f"{p_value_phrase(columns['p_value_holm'][row])})",
        [Layer(mark, theta, share, share - half, share + half) for mark in ("band", "line")],
        xlabel="threshold", share="y", rules=[Rule(nearest, "y", "nearest\nmixture", VERMILION)],
        # Where the rates hardly differ, the curve may have large values.
        limits={"y": (max(-0.5, float(min(share - half)) - 0.02), min(1.5, float(max(share + half)) + 0.02))},
    )  # fmt: skip


def _plan(plans: Plans, _: int | None) -> Figure:
    curves = plans._curves
    if not curves:
        message = "the plan has no curve: plan with se or half_width, and leave out methods that cannot reach the goal"
        raise option_error("result", message)
    layers = []
    for method, sizes in curves:
        layers.append(Layer("line", *sizes, series=method))
        rows = (plans.method == method) & np.isin(plans.split, ["best", "given"]) & np.isfinite(plans.unlabelled)
        layers.append(Layer("points", plans.unlabelled[rows], plans.labelled[rows], series=method))
    goal = plans._sentences[0].removeprefix("goal: ").partition(" (")[0]
    title = f"Numbers of scores that reach the goal: {goal}"
    return Figure(title, layers, "unlabelled scores", "labelled scores, best split", log=True)


def _monitor(result: MonitorResult, _: int | None) -> Figure:
    columns, by = result.to_dict(), result._groups[0]
    parsed = _parse_dates(columns[by])
    if parsed is None:
        message = "the periods are not dates; name them as dates such as 2026-01-31, 2026-W05, 2026-01 or 2026-Q1"
        raise option_error("result", message)
    begins = parsed[0]
    level, smooths = f"{percent(float(columns['level'][0]))} %", result._smooths
    severity = [each or ("estimate" if smooths else None) for each in columns["severity"]]
    line, low, high = (columns[each] for each in ("smoothed", "smoothed_lower", "smoothed_upper"))
    share, *ends = (columns[each] for each in ("prevalence", "lower", "upper"))
    is_band = smooths and len(begins) > _MAX_NAMED
    lower, upper = (None, None) if is_band else ends
    layers = [Layer(mark, begins, line, low, high) for mark in ("band", "line") if smooths]
    layers.append(Layer("points", begins, share, lower, upper, severity=severity))
    rules = []
    if "bound" in columns:
        bound = float(columns["bound"][0])
        rules.append(Rule(bound, "y", f"limit {percent(bound)} %", VERMILION, ":"))
    if result.alarm is not None:
        date = format_value(result.alarm.date)
        at = begins[[format_value(value) for value in columns[by]].index(date)]
        rules.append(Rule(at, "x", f"alarm at {date}", VERMILION, "-"))
    shown = [low, high, share, *(ends if lower is not None else [])]
    shape = f"smoothed, with its {level} band" if is_band else f"with {level} intervals"
    return Figure(
        f"Share of positives by {name(by)}, {shape}",
        layers, share="y", rules=rules, ticks=_ticks(begins, columns[by], parsed[1]),
        defaults={"": (BLUE, f"smoothed, {level} band")} if smooths else {},
        limits={"y": _share_limits(*shown, [rule.at for rule in rules if rule.axis == "y"])},
    )  # fmt: skip


_FIGURES: dict[type, Callable[[Any, int | None], Figure]] = {
    Estimate: lambda estimate, row: _estimates(Estimates._from_estimate(estimate), row),
    Estimates: _estimates,
    Audit: _audit,
    Audits: lambda audits, _: _shares(audits.to_dict(), audits._groups, "source"),
    Differences: _differences,
    Check: _check,
    Plans: _plan,
    MonitorResult: _monitor,
    Table: _classes,
}
"""The figure of each type of result."""


def _model_of(model: Any) -> Model:
    """Return a model, or the model of a fitted estimator."""
    fitted = getattr(model, "model_", model)
    if not isinstance(fitted, Model):
        raise option_error(
            "model",
            f"model is {short_repr(model)}; it must be a truecount.Model or a fitted estimator of "
            "truecount.quantifiers",
        )
    return fitted


def densities(model: Any, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot histograms of both classes' labelled scores, with the fitted densities if the model fits a family.

    The scores are plotted after the transform. The region of thresholds that the model's first
    Continuous Sweep or Median Sweep averages over is shaded.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
    ax, colors, labels : optional
        As in `draw`; the series are "negative" and "positive", and "region" if there is one.
    """
    model = _model_of(model)
    parameters = model.parameters
    positive, negative = _core.transformed_scores(model._core)
    low, high = min(positive.min(), negative.min()), max(positive.max(), negative.max())
    x = np.linspace(low, high, 512)
    has_family = parameters["positive"] is not None
    fitted = _core.densities(model._core, x) if has_family else (None, None)
    edges = np.linspace(low, high, _number_of_bins(positive, negative) + 1)
    layers, defaults = [], {}
    for each, scores, density, colour in (
        ("negative", negative, fitted[1], BLUE),
        ("positive", positive, fitted[0], VERMILION),
    ):
        defaults[each] = colour, f"{len(scores)} {each}s" + (f", {parameters[each]['family']}" if has_family else "")
        layers.append(Layer("steps", edges, np.histogram(scores, edges, density=True)[0], series=each))
        if density is not None:
            layers.append(Layer("line", x, density, series=each))
    for method, values in parameters["methods"].items():
        if values.get("region"):
            lower, upper = np.transpose(values["region"])
            layers.append(Layer("spans", None, None, lower, upper, "region"))
            defaults["region"] = GREY, f"region of {method}"
            break
    transform = parameters["transform"]
    score = "score" if transform == "none" else f"score, transform {transform}"
    figure = Figure("Labelled scores of both classes", layers, score, "density within the class", defaults=defaults)
    return draw_figure(figure, ax, colors, labels)


def _number_of_bins(positive: Floats, negative: Floats) -> int:
    """Return Freedman and Diaconis's (1981) number of bins for the narrower class, at most 100."""
    low, high = float(min(positive.min(), negative.min())), float(max(positive.max(), negative.max()))
    widths = []
    for scores in (positive, negative):
        first, third = np.quantile(scores, (0.25, 0.75))
        widths.append(2.0 * float(third - first) / len(scores) ** (1.0 / 3.0))
    width = max(min(widths), (high - low) / 100)
    return max(1, int((high - low) / width + 0.5))


_TRADITIONAL = 0.25


def threshold(
    model: Any,
    alpha: float = 0.5,
    n: int | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Plot the variance of Continuous Sweep against its threshold p_Δ.

    Marks show the optimal threshold, which has the least variance, and the traditional ¼. A small threshold includes
    Adjusted Counts with large variances; the largest threshold (max J) includes a single one.

    Parameters
    ----------
    model : Model or fitted estimator of truecount.quantifiers
        A model with a method that fits a family.
    alpha : float, default 0.5
        Prevalence of the test scores, in [0, 1].
    n : int, optional
        Number of test scores: plots the standard error. By default the plot is of n times the
        variance, which does not depend on n.
    ax, colors, labels : optional
        As in `draw`; the series are "variance", "optimal" and "traditional".

    Notes
    -----
    The variance is that of Theorem 2 in Kloos, Karch, Meertens, Scholtus and de Rooij, *Continuous Sweep for Binary
    Quantification Learning*. It accounts for the sampling of the test scores, and takes the fitted classes as exact.
    """
    alpha = to_float(alpha, "alpha")
    if not 0.0 <= alpha <= 1.0:
        raise option_error("alpha", f"alpha is {alpha}; it must be between 0 and 1", value=alpha)
    if n is not None:
        n = to_int(n, "n", 1)
    p, variance, optimal, max_j = _core.threshold_variances(_model_of(model)._core, alpha, 400)
    y = variance if n is None else np.sqrt(variance / n)
    layers = [Layer("line", p, y, series="variance")]
    marks = {"optimal": optimal} | ({"traditional": _TRADITIONAL} if _TRADITIONAL < max_j else {})
    layers += [Layer("points", [at], [np.interp(at, p, y)], series=each) for each, at in marks.items()]
    defaults = {
        "variance": (BLUE, ""), "optimal": (VERMILION, f"optimal: {optimal:.3f}"), "traditional": (GREY, "traditional: ¼")
    }  # fmt: skip
    of, number = ("n × variance", "") if n is None else ("Standard error", f", n = {n}")
    figure = Figure(
        f"{of} of Continuous Sweep by threshold, at prevalence {alpha:g}{number}", layers, r"threshold $p^\Delta$",
        rules=[Rule(max_j, "x", f"max J: {max_j:.3f}")], defaults=defaults,
        limits={"x": (0.0, max_j * 1.03), "y": (0.0, min(float(y.max()), 4.0 * float(y.min())) * 1.05)},
    )  # fmt: skip
    return draw_figure(figure, ax, colors, labels)


def _bins(x: Floats, number: int) -> list[NDArray[np.intp]]:
    """Return the indices of the values in each of `number` equal bins, without empty bins."""
    first, last = float(x.min()), float(x.max())
    width = (last - first) / (number - 1) if last > first else 1.0
    nearest = np.floor((x - first) / width + 0.5)
    return [np.flatnonzero(nearest == k) for k in np.unique(nearest)]


def _check_evaluation(evaluation: Any) -> None:
    if not isinstance(evaluation, Evaluation):
        raise invalid_option("evaluation", evaluation, "it must be what truecount.evaluate returned")


def diagonal(evaluation: Evaluation, ax: Axes | None = None, *, colors: Colors = None, labels: Labels = None) -> Axes:
    """Plot estimated against true prevalences; an unbiased method lies on the diagonal.

    Samples are binned by their true prevalence into at most 21 bins (with the protocol "grid", one
    for each of its prevalences). The line is the mean estimate of each bin at its mean true
    prevalence. The band is one standard deviation of the errors to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    ax, colors, labels : optional
        As in `draw`; the series are the methods.
    """
    _check_evaluation(evaluation)
    truth = evaluation.truth
    low, high = float(truth.min()), float(truth.max())
    groups = _bins(truth, 21)
    x = np.array([truth[group].mean() for group in groups])
    layers = []
    for method in evaluation.methods:
        error = evaluation.for_method(method)["prevalence"] - truth
        y = x + [error[group].mean() for group in groups]
        deviation = np.array([error[group].std(ddof=1) if len(group) > 1 else 0.0 for group in groups])
        layers += [Layer(mark, x, y, y - deviation, y + deviation, method) for mark in ("band", "line")]
    margin = 0.03 * max(high - low, 0.1)
    title = "Estimated by true prevalence: mean, with one standard deviation to each side"
    figure = Figure(title, layers, "true prevalence", "estimated prevalence", [Rule(None, "diagonal")], share="xy")
    figure.limits = {"x": (low - margin, high + margin)}
    return draw_figure(figure, ax, colors, labels)


def error_by_shift(
    evaluation: Evaluation,
    train_prevalence: float | None = None,
    ax: Axes | None = None,
    *,
    colors: Colors = None,
    labels: Labels = None,
) -> Axes:
    """Plot the mean absolute error against the prevalence shift.

    The shift is the distance between the prevalences of a sample and of the labelled scores. Samples are binned by
    their shift into at most 11 bins; bars are one standard error of the mean to each side.

    Parameters
    ----------
    evaluation : Evaluation
        The result of `truecount.evaluate`.
    train_prevalence : float, optional
        Prevalence of the labelled scores; by default of those that the model was fitted to.
    ax, colors, labels : optional
        As in `draw`; the series are the methods.
    """
    _check_evaluation(evaluation)
    prevalence = (
        evaluation.train_prevalence if train_prevalence is None else to_float(train_prevalence, "train_prevalence")
    )
    if not 0.0 <= prevalence <= 1.0:
        raise option_error(
            "train_prevalence", f"train_prevalence is {prevalence}; it must be between 0 and 1", value=prevalence
        )
    shift = np.abs(evaluation.truth - prevalence)
    groups = _bins(shift, 11)
    x = np.array([shift[group].mean() for group in groups])
    layers = []
    for method in evaluation.methods:
        error = np.abs(evaluation.for_method(method)["prevalence"] - evaluation.truth)
        means = [_core.mean(error[group]) for group in groups]
        y = np.array([mean for mean, _ in means])
        se = np.array([0.0 if se is None else se for _, se in means])
        layers += [Layer(mark, x, y, y - se, y + se, method) for mark in ("line", "points")]
    figure = Figure(
        "Mean absolute error by prevalence shift, with standard errors", layers,
        f"prevalence shift: |true − {100 * prevalence:.3g} %|, in points", "mean absolute error (points)", share="xy",
        form="{:g}",
    )  # fmt: skip
    figure.limits = {"y": (0.0, 1.05 * max(float(max(layer.upper)) for layer in layers))}
    return draw_figure(figure, ax, colors, labels)
