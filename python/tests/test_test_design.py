"""Strata, clusters, finite populations and replicate weights of test scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import truecount as tc


@pytest.fixture(scope="module")
def model() -> tc.Model:
    """Rates of 0.7 and 0.25 at the cutoff 0.5, from 20 labels of each class."""
    i = np.arange(20)
    scores = np.r_[0.3 + 0.035 * (i * 7 % 20), 0.035 * (i * 3 % 20)]
    return tc.Model.fit(scores, np.repeat([1, 0], 20), method="ac", cutoff=0.5)


@pytest.fixture(scope="module")
def survey() -> pd.DataFrame:
    """Three strata with clusters of six rows, their sizes, and four columns of replicate weights."""
    j = np.arange(60)
    weight = np.repeat([10.0, 5.0, 2.0], [30, 18, 12])
    frame = pd.DataFrame(
        {
            "stratum": np.repeat(["a", "b", "c"], [30, 18, 12]),
            "cluster": j // 6,
            "weight": weight,
            "half": np.where(j % 2 == 0, "x", "y"),
            "score": (j * j * 7 + 13 * j) % 29 / 28,
        }
    )
    for r in range(1, 5):
        frame[f"rep{r}"] = weight * np.where((j // 6 + r) % 3 == 0, 0.5, 1.25)
    return frame


def estimate(model: tc.Model, survey: pd.DataFrame, **options: Any) -> Any:
    return model.estimate(survey.score, weights=survey.weight, **options)


def test_standard_errors_are_those_of_r(model: tc.Model, survey: pd.DataFrame) -> None:
    # R's package survey 4.1.1, as in the tests of the command.
    one = estimate(model, survey, strata=survey.stratum)
    assert one.raw == pytest.approx(0.711218464842, abs=1e-11)
    assert one.se == pytest.approx(0.239488033433, abs=1e-11)
    assert one.target == "population"
    design = {"strata": survey.stratum, "clusters": survey.cluster}
    assert estimate(model, survey, **design).se == pytest.approx(0.192810591196, abs=1e-11)
    replicates = survey[[f"rep{r}" for r in range(1, 5)]].to_numpy()
    by_replicates = estimate(model, survey, replicate_weights=replicates, replicate_kind="brr")
    assert by_replicates.se == pytest.approx(0.180267372325, abs=1e-11)
    groups = estimate(model, survey, **design, by={"half": survey.half}, total=True)
    assert groups.se == pytest.approx([0.269249295950, 0.276133346200], abs=1e-11)
    assert groups.total.se == pytest.approx(0.192810591196, abs=1e-11)
    differences = groups.compare("y")
    assert differences.se == pytest.approx([0.3857277808634], abs=1e-8)
    of_groups = estimate(
        model, survey, replicate_weights=replicates, replicate_kind="brr", by={"half": survey.half}, total=True
    )
    assert of_groups.total.se == pytest.approx(by_replicates.se, abs=1e-14)


def test_clusters_have_a_population_and_single_ones_a_rule(model: tc.Model, survey: pd.DataFrame) -> None:
    design = {"strata": survey.stratum, "clusters": survey.cluster}
    numbers = {"a": 20, "b": 9, "c": 4}
    first = estimate(model, survey, **design, cluster_population=numbers)
    second = estimate(model, survey, **design, cluster_population=numbers, population=np.full(60, 12))
    assert second.se > first.se
    whole = estimate(model, survey, **design, cluster_population=numbers, population=np.full(60, 6))
    assert whole.se == pytest.approx(first.se, rel=1e-13)
    one = estimate(model, survey, clusters=survey.cluster, cluster_population=40)
    named = estimate(model, survey, clusters=survey.cluster, strata=["all"] * 60, cluster_population={"all": 40})
    assert one.se == named.se
    design["strata"] = ["a"] * 54 + ["b"] * 6
    kinds = [estimate(model, survey, **design, lonely_psu=kind).se for kind in ("certainty", "adjust", "average")]
    assert len(set(kinds)) == 3


def test_all_of_a_population_leaves_the_errors_of_the_sample(model: tc.Model, survey: pd.DataFrame) -> None:
    sample = model.estimate(survey.score)
    sizes = {"a": 30, "b": 18, "c": 12}
    census = model.estimate(survey.score, strata=survey.stratum, population=sizes)
    assert census.se == pytest.approx(sample.se, rel=1e-13)
    part = model.estimate(survey.score, strata=survey.stratum, population={k: 10 * n for k, n in sizes.items()})
    assert sample.se < part.se < model.estimate(survey.score, strata=survey.stratum).se


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"strata": ["a"] * 59 + ["b"]}, "single-unit-test-strata"),
        ({"strata": "stratum", "target": "sample"}, "option-conflict"),
        ({"strata": "stratum", "lonely_psu": "fail"}, "choice-unknown"),
        ({"clusters": "cluster", "lonely_psu": "adjust"}, "option-conflict"),
        ({"strata": "stratum", "cluster_population": {"a": 20, "b": 9, "c": 4}}, "option-conflict"),
        ({"clusters": "cluster", "cluster_population": 9}, "small-stage"),
        ({"population": 300, "weights": None, "target": "sample"}, "option-conflict"),
        ({"strata": "half", "clusters": "cluster"}, "clusters-across-strata"),
        ({"strata": "stratum", "population": {"a": 300, "b": 90, "c": 24}, "weights": None}, "strata-need-weights"),
        ({"strata": "stratum", "population": {"a": 300, "b": 90, "c": 4}}, "small-population"),
        ({"strata": "stratum", "population": {"a": 300, "b": 90}}, "size-missing"),
        ({"strata": ["a", None] * 30}, "test-unit-missing"),
        ({"clusters": [1, 2, 3]}, "length-mismatch"),
        ({"clusters": [1] * 60, "target": "population"}, "one-cluster"),
        ({"replicate_weights": np.ones((60, 3)), "replicate_kind": "fay"}, "option-invalid"),
        ({"replicate_weights": np.ones((60, 3))}, "option-conflict"),
        ({"replicate_weights": np.ones((60, 3)), "replicate_kind": "brr", "clusters": "cluster"}, "option-conflict"),
        ({"replicate_weights": np.ones((60, 1)), "replicate_kind": "brr"}, "column-invalid"),
        ({"clusters": "cluster", "interval": "bootstrap"}, "option-conflict"),
        ({"replicate_weights": np.ones((60, 3)), "replicate_kind": "brr", "weights": None}, "option-conflict"),
        ({"replicate_weights": np.ones(60), "replicate_kind": "brr"}, "column-invalid"),
    ],
)
def test_designs_without_a_variance_are_refused(
    model: tc.Model, survey: pd.DataFrame, options: dict[str, Any], code: str
) -> None:
    columns = {
        name: survey[value] if value in survey else value for name, value in options.items() if isinstance(value, str)
    }
    with pytest.raises(tc.TruecountError) as caught:
        model.estimate(survey.score, **{"weights": survey.weight, **options, **columns})
    assert caught.value.code == code
    assert str(caught.value).startswith("stratum 'b': ") == (code == "single-unit-test-strata")


def test_a_single_labelled_row_of_a_stratum_is_named(survey: pd.DataFrame) -> None:
    strata = ["a"] * 10 + ["b"] + ["c"] * 9
    with pytest.raises(tc.TruecountError, match="^stratum 'b': 1 stratum of the labelled rows has a single row"):
        tc.Model.fit(survey.score[:20], [0, 1] * 10, train_strata=strata)


def test_an_error_about_one_group_names_the_group(spam: Any, spam_model: tc.Model) -> None:
    by = {"week": spam.week, "late": [week > "2026-W12" for week in spam.week]}
    with pytest.raises(tc.ScoreError, match="^group '2026-W01', False: all test scores are in one cluster; ") as error:
        spam_model.estimate(spam.test, by=by, clusters=spam.week)
    assert error.value.fields["group"] == {"week": "2026-W01", "late": False}
