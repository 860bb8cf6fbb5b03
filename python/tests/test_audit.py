"""Audits, compared with the command and with the formulas."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.typing import NDArray

import truecount as tc

SPAM = Path(__file__).parents[2] / "data" / "spam"
NUMBERS = ("prevalence", "raw", "se", "weight")


@dataclass(frozen=True)
class Pool:
    """3,001 messages, of which 200, drawn by score, have labels and weights."""

    scores: NDArray[np.float64]
    labels: NDArray[np.int64]
    rows: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def audited(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        return self.scores[self.rows], self.labels[self.rows]


@pytest.fixture(scope="module")
def pool() -> Pool:
    scores, labels = np.loadtxt(SPAM / "pool.csv", delimiter=",", skiprows=1, unpack=True)
    rows, _, weights, audited_labels = np.loadtxt(SPAM / "audited.csv", delimiter=",", skiprows=1, unpack=True)
    messages = Pool(scores, labels.astype(np.int64), rows.astype(np.int64) - 1, weights)
    assert np.array_equal(messages.audited[1], audited_labels)
    return messages


def evidence(actual: tc.Audit) -> Iterator[tc.Evidence | tc.Estimate]:
    """Yields the estimate of each source, in the command's order."""
    for source in (actual.labels, actual.ppi, actual.external, actual.combined):
        if source is not None:
            yield source


def assert_same(actual: tc.Audit, printed: str) -> None:
    """Asserts the numbers of the command's JSON."""
    rows = json.loads(printed)["evidence"]
    assert len(rows) == len([*evidence(actual)])
    for row, source in zip(rows, evidence(actual)):
        assert (row["n"], row["audited"]) == (actual.n, actual.audited)
        assert row["recommended"] == (row["source"] == actual.recommended.source)
        for name in NUMBERS:
            if hasattr(source, name):
                assert getattr(source, name) == row[name], (row["source"], name)
        assert source.interval == (source.lower, source.upper) == (row["lower"], row["upper"])


@pytest.mark.parametrize("has_external", [True, False])
@pytest.mark.parametrize(
    "options", [{}, {"level": 0.9}, {"target": "population"}, {"interval": "wald"}, {"misfit": "warn"}]
)
def test_an_audit_agrees_with_the_command(
    pool: Pool, spam_model: tc.Model, command: Callable[..., str], has_external: bool, options: dict[str, Any]
) -> None:
    train = ("--train", SPAM / "train.csv") if has_external else ()
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    files = ("--test", SPAM / "pool.csv", "--audit", SPAM / "audited.csv")
    printed = command("audit", *files, *train, *arguments, "--format", "json")
    # The command sorts the audited rows by label, which affects the last digit of sums.
    order = np.argsort(-pool.audited[1], kind="stable")
    scores, labels = (column[order] for column in pool.audited)
    model = spam_model if has_external else None
    assert_same(
        tc.audit(pool.scores, scores, labels, audited_weights=pool.weights[order], model=model, **options), printed
    )


def test_labels_alone_give_the_audited_share(pool: Pool) -> None:
    """The variance has the factor 1 − m/N for the sample, and 1 for the population."""
    scores, labels = pool.scores[::15], pool.labels[::15]
    audit = tc.audit(pool.scores, scores, labels)
    (m, n), share = (len(scores), len(pool.scores)), labels.mean()
    assert (audit.n, audit.audited, audit.labels.raw) == (n, m, pytest.approx(share, abs=1e-14))
    assert audit.labels.se == pytest.approx(np.sqrt(share * (1 - share) * (1 / m - 1 / n)), abs=1e-14)
    census = tc.audit(pool.scores, pool.scores, pool.labels)
    assert census.labels.raw == pytest.approx(pool.labels.mean(), abs=1e-14)
    assert census.labels.se == census.ppi.se == 0
    population = tc.audit(pool.scores, scores, labels, target="population")
    assert population.labels.se == pytest.approx(np.sqrt(share * (1 - share) / m), rel=1e-3)


def test_the_combined_estimate_is_a_weighted_mean_of_both_sources(pool: Pool, spam_model: tc.Model) -> None:
    audit = tc.audit(pool.scores, *pool.audited, audited_weights=pool.weights, model=spam_model)
    assert audit.external is not None and audit.combined is not None
    weight = audit.combined.weight
    assert weight is not None and 0 < weight < 1
    assert audit.combined.raw == pytest.approx(weight * audit.external.raw + (1 - weight) * audit.ppi.raw, abs=1e-14)
    assert audit.difference == pytest.approx(audit.external.raw - audit.ppi.raw, abs=1e-14)
    # The test takes the audit's variance under its null hypothesis, not the observed one.
    assert audit.external.se < audit.difference_se < 1.2 * np.hypot(audit.external.se, audit.ppi.se)
    alone = spam_model.estimate(pool.scores)
    assert isinstance(alone, tc.Estimate)
    assert (audit.external.raw, audit.external.se, audit.external.interval) == (alone.raw, alone.se, alone.interval)
    assert audit.recommended == audit.combined and audit.p_value is not None and audit.p_value > 0.05
    assert (audit.prevalence, audit.se, audit.interval) == (
        audit.combined.prevalence,
        audit.combined.se,
        audit.combined.interval,
    )
    assert float(audit) == audit.prevalence and audit.level == 0.95


def test_without_a_model_there_is_no_external_estimate(pool: Pool) -> None:
    audit = tc.audit(pool.scores, *pool.audited, audited_weights=pool.weights)
    assert audit.recommended == audit.ppi and audit.warnings == ()
    assert [audit.external, audit.combined, audit.difference, audit.difference_se, audit.p_value] == [None] * 5
    assert [audit.difference_interval, audit.margin, audit.verdict] == [None] * 3


def test_external_labels_that_the_audit_rejects_are_not_combined(pool: Pool, spam_model: tc.Model) -> None:
    audit = tc.audit(pool.scores - 2, pool.scores[::15] - 2, pool.labels[::15], model=spam_model, misfit="warn")
    assert audit.recommended == audit.ppi and audit.p_value is not None and audit.p_value < 1e-6
    assert "disagree with the audit" in audit.why
    assert audit.external is not None and audit.warnings == audit.external.warnings
    assert abs(audit.prevalence - pool.labels.mean()) < abs(audit.external.prevalence - pool.labels.mean())


def test_audit_outside_test_adds_the_audited_items(pool: Pool, spam_model: tc.Model) -> None:
    is_audited = np.isin(np.arange(len(pool.scores)), pool.rows)
    within = tc.audit(pool.scores, *pool.audited, model=spam_model)
    outside = tc.audit(pool.scores[~is_audited], *pool.audited, model=spam_model, audit_outside_test=True)
    assert (outside.n, outside.audited) == (3001, 200)
    for one, other in zip(evidence(within), evidence(outside)):
        assert (one.raw, one.se) == pytest.approx((other.raw, other.se), abs=1e-12)


def test_only_ratios_of_weights_count(pool: Pool, spam_model: tc.Model) -> None:
    once = tc.audit(pool.scores, *pool.audited, audited_weights=pool.weights, model=spam_model)
    other = tc.audit(pool.scores, *pool.audited, audited_weights=7 * pool.weights, model=spam_model)
    for one, same in zip(evidence(once), evidence(other)):
        assert (one.raw, one.se) == pytest.approx((same.raw, same.se), rel=1e-9)


def test_all_audited_items_may_be_of_one_class(pool: Pool, spam_model: tc.Model) -> None:
    rows = np.flatnonzero(pool.labels == 1)[:20]
    scores, options = pool.scores[rows], {"model": spam_model, "misfit": "warn"}
    ones = tc.audit(pool.scores, scores, np.ones(20, int), **options)
    assert ones.labels.raw == 1 and ones.labels.interval[0] < 0.95
    assert tc.audit(pool.scores, scores, ["spam"] * 20, positive="spam", **options) == ones
    none = tc.audit(pool.scores, scores, ["spam"] * 20, positive="ham", **options)
    assert none.labels.raw == 0 == tc.audit(pool.scores, scores, [False] * 20, **options).labels.raw
    alone = tc.audit(pool.scores, scores, [False] * 20)
    assert (alone.labels.raw, alone.labels.interval, alone.ppi.interval) == (
        0,
        none.labels.interval,
        none.labels.interval,
    )


@pytest.mark.parametrize("column", [list, tuple, pd.Series, pl.Series, pa.array, lambda values: iter([*values])])
def test_columns_of_all_types(pool: Pool, spam_model: tc.Model, column: Callable[[Any], Any]) -> None:
    expected = tc.audit(pool.scores, *pool.audited, audited_weights=pool.weights, model=spam_model)
    names = ["spam" if label else "ham" for label in pool.audited[1]]
    for labels, positive in ((pool.audited[1].tolist(), None), (names, "spam")):
        arguments = column(pool.scores.tolist()), column(pool.audited[0].tolist()), column(labels)
        weights = column(pool.weights.tolist())
        assert tc.audit(*arguments, audited_weights=weights, model=spam_model, positive=positive) == expected


def test_repr_and_html(pool: Pool, spam_model: tc.Model) -> None:
    audit = tc.audit(pool.scores, *pool.audited, audited_weights=pool.weights, model=spam_model)
    first, second, third = repr(audit).splitlines()
    assert first == "Audit: 0.4051 ± 0.0103, 95 % interval 0.3850 – 0.4255, combined, 200 of 3001 audited"
    assert second == f"  {audit.why}" and str(audit) == repr(audit)
    (warning,) = audit.warnings
    assert warning.code == "misfit-widened" and third == f"  caution (misfit-widened): {warning}"
    page = audit._repr_html_()
    assert page.startswith(
        f"<p><b>0.4051</b> ± 0.0103, 95 % interval 0.3850 – 0.4255, combined, 200 of 3001 audited</p><p>{audit.why}</p><p>caution (misfit-widened): "
    )
    # The p-value has a sign that HTML escapes.
    rejected = tc.audit(pool.scores - 2, pool.scores[::15] - 2, pool.labels[::15], model=spam_model, misfit="warn")
    assert "p <1e-6" in repr(rejected) and "p &lt;1e-6" in rejected._repr_html_()
    assert len(repr(tc.audit(pool.scores, *pool.audited)).splitlines()) == 2


SCORES = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4, 0.1, 1.0]
ROWS, LABELS = SCORES[:6], [1, 1, 1, 1, 0, 0]
NAN = float("nan")


@pytest.mark.parametrize("has_external", [True, False])
@pytest.mark.parametrize(
    ("arguments", "options", "kind", "code", "fields"),
    [
        (([*SCORES, NAN], ROWS, LABELS), {}, tc.ScoreError, "score-not-finite", {"column": "test_scores", "row": 10}),
        (
            (SCORES, [*ROWS[:5], NAN], LABELS),
            {},
            tc.ScoreError,
            "score-not-finite",
            {"column": "audited_scores", "row": 5},
        ),
        (
            (SCORES, ROWS, LABELS),
            {"audited_weights": [1, 1, 0, 1, 1, 1]},
            tc.ScoreError,
            "weight-out-of-range",
            {"column": "audited_weights", "row": 2, "value": 0.0},
        ),
        (
            (SCORES, ROWS, LABELS[:5]),
            {},
            tc.ScoreError,
            "length-mismatch",
            {"column": "audited_labels", "values": 5, "others": 6},
        ),
        (
            (SCORES, ROWS, LABELS),
            {"audited_weights": [1.0]},
            tc.ScoreError,
            "length-mismatch",
            {"column": "audited_weights", "values": 1, "others": 6},
        ),
        (
            (SCORES, ROWS, [*LABELS[:5], None]),
            {},
            tc.LabelError,
            "label-missing",
            {"column": "audited_labels", "row": 5},
        ),
        (
            (SCORES, ROWS, ["a", "a", "a", "a", "b", "b"]),
            {},
            tc.LabelError,
            "positive-unnamed",
            {"column": "audited_labels"},
        ),
        (
            (SCORES, ROWS, ["a", "a", "a", "c", "b", "b"]),
            {},
            tc.LabelError,
            "labels-not-two",
            {"column": "audited_labels"},
        ),
        ((SCORES[6:], ROWS, LABELS), {}, tc.LabelError, "audit-outside", {"audited": 6}),
        ((SCORES, ROWS, LABELS), {"interval": "bootstrap"}, tc.OptionError, "option-conflict", {"name": "interval"}),
        ((SCORES, ROWS, LABELS), {"level": 95}, tc.OptionError, "parameter-out-of-range", {}),
        (
            (pd.Series(SCORES), pd.Series(ROWS), pd.Series(LABELS, index=range(1, 7))),
            {},
            tc.ScoreError,
            "index-mismatch",
            {},
        ),
    ],
)
def test_wrong_arguments_are_errors(
    has_external: bool,
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    kind: type[tc.TruecountError],
    code: str,
    fields: dict[str, Any],
) -> None:
    model = tc.Model.fit(SCORES[:8], [1, 1, 1, 1, 0, 0, 0, 0]) if has_external else None
    with pytest.raises(kind) as caught:
        tc.audit(*arguments, model=model, **options)
    assert caught.value.code == code
    assert fields.items() <= caught.value.fields.items()
    if "column" in fields:
        assert fields["column"] in str(caught.value)


def test_audits_that_the_model_or_labels_do_not_allow() -> None:
    model = tc.Model.fit(SCORES[:8], [1, 1, 1, 1, 0, 0, 0, 0], method="ac")
    with pytest.raises(tc.OptionError) as refused:
        tc.audit(SCORES, ROWS, LABELS, model=model)
    assert refused.value.code == "audit-needs-bins"
    model = tc.Model.fit(SCORES[:8], [1, 1, 1, 1, 0, 0, 0, 0])
    with pytest.raises(tc.LabelError) as empty:
        tc.audit(SCORES, [], [], model=model)
    assert empty.value.code in ("audit-empty", "labels-not-two")
    with pytest.raises(tc.LabelError) as unnamed:
        tc.audit(SCORES, ROWS, ["spam"] * 6, model=model)
    assert unnamed.value.code == "positive-unnamed"


def test_a_model_is_no_name_and_no_estimator() -> None:
    quantifiers = pytest.importorskip("truecount.quantifiers")
    scores, labels = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4], [1, 1, 1, 1, 0, 0, 0, 0]
    with pytest.raises(tc.OptionError, match="^model is 'es'; it must be a truecount.Model$"):
        tc.audit(scores, scores, labels, model="es")  # type: ignore[call-overload]
    fitted = quantifiers.EfficientSweep("scores").fit(scores, labels)
    with pytest.raises(tc.OptionError, match=r"it must be a truecount.Model; take its model.model_$"):
        tc.audit(scores, scores, labels, model=fitted)
    with pytest.raises(tc.OptionError, match="^other is 'ac'; it must be a truecount.Model$"):
        tc.Model.fit(scores, labels).compare(scores, other="ac")  # type: ignore[arg-type]


CLASSES = ["deforestation", "forest gain", "stable forest", "stable non-forest"]
SITES = np.array([[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]])
AREAS = dict(zip(CLASSES, np.array([200_000, 150_000, 3_200_000, 6_450_000]) * 0.09))


class TestClasses:
    def test_areas_and_accuracies_are_those_of_olofsson_et_al(self):
        """The published areas in hectares with their margins, and the published accuracies."""
        rows = [(map_, label, n) for map_, row in zip(CLASSES, SITES) for label, n in zip(CLASSES, row)]
        predictions, labels, counts = zip(*rows)
        audit = tc.audit_classes(predictions, labels, AREAS, counts=counts)
        of = {measure: audit["measure"] == measure for measure in ("share", "user", "producer", "overall")}
        assert audit["class"][of["share"]].tolist() == CLASSES
        assert audit.size[of["share"]][:2].round().tolist() == [21158, 11686]
        assert (1.96 * audit["se"][of["share"]][:2] * sum(AREAS.values())).round().tolist() == [6158, 3756]
        assert audit["accuracy"][of["user"]].round(2).tolist() == [0.88, 0.73, 0.93, 0.96]
        assert audit["accuracy"][of["producer"]].round(2).tolist() == [0.75, 0.85, 0.93, 0.96]
        assert audit["accuracy"][of["overall"]].round(2).tolist() == [0.95]
        drawn = np.repeat(np.array([row[:2] for row in rows]), counts, axis=0).T
        pixels = np.repeat(CLASSES, [2000, 1500, 32000, 64500])
        of_rows = tc.audit_classes(*drawn, pixels, target="population")
        assert np.array_equal(of_rows["se"], audit["se"]) and np.array_equal(of_rows["lower"], audit["lower"])
        with pytest.raises(tc.OptionError, match="sizes has no size of the group 'stable forest'"):
            tc.audit_classes(predictions, labels, dict.fromkeys(CLASSES[:2], 1))
        with pytest.raises(tc.LabelError, match="labels: a value is missing"):
            tc.audit_classes(["a", "a"], ["a", None], {"a": 1})
