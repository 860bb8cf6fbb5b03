"""The check, compared with the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Spam
from command_json import assert_same

import truecount as tc


def test_groups_families_and_contamination_agree_with_the_command(spam: Spam, command: Callable[..., str]) -> None:
    files = "--train", spam.train_path, "--test", spam.test_path
    printed = command(
        "check", *files, "--by", "week", "--contamination", "2%", "--transform", "rank", "--format", "json"
    )
    check = tc.check(spam.train, spam.labels, spam.test, by={"week": spam.week}, contamination=0.02, transform="rank")
    assert_same(check, printed, "shift", ("week",), but=("adjusted_count",))
    assert_same(check.families, printed, "families", but=("fitted",))
    assert check.contamination is not None
    assert_same(check.contamination, printed, "suppose", ("week",))


def test_resampled_p_values_of_families_agree_with_the_command(
    spam: Spam, command: Callable[..., str], tmp_path: Path
) -> None:
    few = slice(500, 740)
    path = tmp_path / "few.csv"
    rows = (f"{score!r},{label}\n" for score, label in zip(spam.train[few].tolist(), spam.labels[few]))
    path.write_text("score,label\n" + "".join(rows), encoding="utf-8")
    printed = command("check", "--train", path, "--resamples", "99", "--seed", "7", "--format", "json")
    check = tc.check(spam.train[few], spam.labels[few], spam.test, resamples=99, seed=7)
    assert_same(check.families, printed, "families", but=("fitted",))


def test_the_check_of_a_model_uses_its_labelled_scores(spam: Spam, command: Callable[..., str], tmp_path: Path) -> None:
    model = tc.Model.fit(spam.train, spam.labels, method="o-cs", transform="rank")
    model.save(tmp_path / "model.json")
    files = "--model", tmp_path / "model.json", "--test", spam.test_path
    printed = command("check", *files, "--contamination", "5%", "--format", "json")
    check = model.check(spam.test, contamination=0.05)
    assert_same(check, printed, "shift", but=("adjusted_count",))
    assert_same(check.families, printed, "families", but=("fitted",))
    assert check.contamination is not None
    assert_same(check.contamination, printed, "suppose")


def test_unequal_folds_are_a_cause(command: Callable[..., str], tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    labels, fold = rng.integers(0, 2, 1000), np.arange(1000) % 5
    scores = rng.normal(1.5 * labels) + 0.8 * (fold - 2)
    test = rng.normal(1.5 * (rng.random(1000) < 0.3)) + 0.5
    train, path = tmp_path / "train.csv", tmp_path / "test.csv"
    rows = (f"{score!r},{label},{number}\n" for score, label, number in zip(scores.tolist(), labels, fold))
    train.write_text("score,label,fold\n" + "".join(rows), encoding="utf-8")
    path.write_text("score\n" + "".join(f"{score!r}\n" for score in test.tolist()), encoding="utf-8")
    printed = command("check", "--train", train, "--fold", "fold", "--test", path, "--format", "json")
    check = tc.check(scores, labels, test, fold=fold)
    assert_same(check, printed, "shift", but=("adjusted_count",))
    (row,) = json.loads(printed)["folds"]
    assert check.folds is not None
    assert (check.folds.folds, check.folds.statistic, check.folds.p_value) == (
        row["folds"],
        row["statistic"],
        row["p_value"],
    )
    assert check["causes"].tolist() == ["folds"]
    assert "5 classifiers that score differently" in check.causes[0]
    assert check.folds.meaning in repr(check).replace("\n  ", " ")


def test_rounded_scores_are_a_cause(spam: Spam) -> None:
    check = tc.check(spam.train, spam.labels, spam.test.round())
    assert check["causes"].tolist() == ["rounded"]
    assert "have more: write the new scores with all digits, or round both" in check.causes[0]


def test_rows_of_weight_zero_are_left_out(spam: Spam) -> None:
    weights = np.where(np.arange(len(spam.test)) % 2, 2.0, 0.0)
    check, half = (
        tc.check(spam.train, spam.labels, spam.test, weights=weights),
        tc.check(spam.train, spam.labels, spam.test[1::2]),
    )
    assert check["n"] == half["n"]
    assert check.p_value == pytest.approx(half.p_value, rel=1e-12)


def test_weighted_labelled_rows_allow_no_families(spam: Spam) -> None:
    check = tc.check(spam.train, spam.labels, spam.test, train_weights=1.0 + np.arange(1600) % 3)
    assert check.verdict == ["rejected"]
    with pytest.raises(tc.OptionError, match="families cannot be fitted"):
        check.families  # noqa: B018


def test_families_that_are_left_out_have_a_reason(spam: Spam) -> None:
    families = repr(tc.check(spam.train, spam.labels, spam.test).families).replace("\n  ", " ")
    assert "left out, beta: the labelled positive score -0.967352 is impossible under the beta family" in families
    assert "try family='kernel', transform='rank' or rates='labels'" in families


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"contamination": 2}, "parameter-out-of-range"),
        ({"contamination": "2%"}, "option-invalid"),
        ({"fold": [1, 2]}, "length-mismatch"),
        ({"fold": [1] * 1600}, "folds-not-comparable"),
        ({"resamples": 10}, "option-invalid"),
        ({"transform": "square"}, "choice-unknown"),
    ],
)
def test_wrong_options_are_errors(spam: Spam, options: dict[str, Any], code: str) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        tc.check(spam.train, spam.labels, spam.test, **options).families  # noqa: B018
    assert caught.value.code == code


def test_without_test_scores_the_families_are_tested(spam: Spam) -> None:
    families = tc.check(spam.train, spam.labels, transform="rank")
    expected = tc.check(spam.train, spam.labels, spam.test[:500], transform="rank").families
    assert families.to_pandas().equals(expected.to_pandas()) and families.meaning == expected.meaning
    with pytest.raises(tc.OptionError, match="^contamination needs test_scores; give test_scores or leave out"):
        tc.check(spam.train, spam.labels, contamination=0.1)  # type: ignore[call-overload]
