"""Plans, compared with the command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import Spam
from command_json import assert_same

import truecount as tc


@pytest.mark.parametrize(
    "options",
    [
        {"se": 0.01, "prevalence": 0.1, "unlabelled": 5000},
        {"half_width": 0.02, "unlabelled": 5000, "assurance": 0.8},
        {"half_width": 0.01, "labelled": 500},
        {"labelled": (100, 300), "unlabelled": 1000, "level": 0.9, "target": "population", "interval": "wald"},
        {"difference": 0.05, "prevalence": 0.2, "power": 0.9},
        {"above": 0.1, "prevalence": 0.2, "unlabelled": 100},
    ],
)
def test_plans_agree_with_the_command(spam: Spam, command: Callable[..., str], options: dict[str, Any]) -> None:
    def typed(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

    arguments = [f"--{name.replace('_', '-')}={typed(value)}" for name, value in options.items()]
    printed = command("plan", "--train", spam.train_path, "--method", "es,ac", *arguments, "--format", "json")
    assert_same(tc.plan(spam.train, spam.labels, method="es,ac", **options), printed, "plans")


def test_published_rates_take_the_place_of_a_pilot(command: Callable[..., str], spam: Spam) -> None:
    rates = ["--sensitivity", "90/100", "--specificity", "0.95", "--difference", "0.1"]
    plans = tc.plan(sensitivity=(90, 100), specificity=0.95, difference=0.1)
    assert_same(plans, command("plan", *rates, "--format", "json"), "plans")
    with pytest.raises(tc.OptionError, match="take the place of labelled scores"):
        tc.plan(spam.train, spam.labels, se=0.01, sensitivity=0.9, specificity="95/100")


def test_unlimited_sizes_are_infinite_and_missed_goals_marked(spam: Spam) -> None:
    plans = tc.plan(spam.train, spam.labels, half_width=0.01)
    assert np.isinf(plans.unlabelled[-1])
    assert plans.goal_met.all()
    assert (plans.half_width <= 0.01).all()
    assert pa.table(plans).column("unlabelled")[len(plans) - 1].as_py() == float("inf")
    too_few = tc.plan(spam.train, spam.labels, half_width=0.01, unlabelled=300)
    assert not too_few.goal_met.any()
    assert "* the goal cannot be met" in repr(too_few)


def test_a_plan_explains_its_splits_and_mentions_a_small_pilot() -> None:
    rng = np.random.default_rng(1)
    scores, labels = np.r_[rng.normal(2, 1, 40), rng.normal(0, 1, 60)], np.repeat([1, 0], [40, 60])
    printed = repr(tc.plan(scores, labels, se=0.03, unlabelled=500, prevalence=0.3))
    for text in (
        "best: choose the rows to label",
        "as pilot: ",
        "at random: ",
        "goal: se at most 0.03 at prevalence 0.3",
        "only 40 positive",
    ):
        assert text in printed.replace("\n  ", " ")


def test_methods_without_a_formula_are_left_out_or_an_error(spam: Spam) -> None:
    model = tc.Model.fit(spam.train, spam.labels, method=["es", "hdy"])
    with pytest.warns(tc.PrevalenceWarning, match="left out, sample sizes cannot be planned for hdy"):
        assert set(model.plan(se=0.01).method) == {"es"}
    with pytest.raises(tc.TruecountError, match="hdy") as caught:
        tc.plan(spam.train, spam.labels, se=0.01, method="hdy")
    assert caught.value.code == "plan-not-possible"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, "option-conflict"),
        ({"unlabelled": 100}, "option-conflict"),
        ({"se": 0.01, "half_width": 0.02}, "option-conflict"),
        ({"se": 0.01, "labelled": 100, "unlabelled": 100}, "option-conflict"),
        ({"labelled": 100, "unlabelled": 100, "assurance": 0.8}, "option-conflict"),
        ({"se": 0.01, "assurance": 0.2}, "parameter-out-of-range"),
        ({"se": 0.7}, "parameter-out-of-range"),
        ({"se": "0.01"}, "option-invalid"),
        ({"se": 0.01, "prevalence": 2}, "parameter-out-of-range"),
        ({"se": 0.01, "labelled": (1, 2, 3)}, "option-invalid"),
        ({"se": 0.01, "unlabelled": 0}, "option-invalid"),
        ({"se": 0.01, "interval": "bootstrap"}, "option-conflict"),
    ],
)
def test_wrong_arguments_are_errors(spam_model: tc.Model, options: dict[str, Any], code: str) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        spam_model.plan(**options)
    assert caught.value.code == code
