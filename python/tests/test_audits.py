"""Audits of groups, their plans and draws, compared with the command."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SPAM, Spam
from command_json import assert_same
from numpy.typing import NDArray

import truecount as tc

POOL = SPAM / "pool.csv"
HALVES = np.arange(3001) % 2
"""The group of each row of the pool."""


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The pool with two groups, a third of each audited, as columns and as files."""
    scores, labels = np.loadtxt(POOL, delimiter=",", skiprows=1, unpack=True)
    rows = np.flatnonzero(np.arange(3001) % 3 == 0)
    halves = np.where(HALVES == 0, "even", "odd")
    folder = tmp_path_factory.mktemp("pool")

    def write_file(name: str, rows: NDArray[np.int64]) -> Path:
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["score", "label", "half"])
            writer.writerows((repr(float(scores[row])), int(labels[row]), halves[row]) for row in rows)
        return folder / name

    files = {"all": write_file("all.csv", np.arange(3001)), "audited": write_file("audited.csv", rows)}
    return {"scores": scores, "labels": labels, "half": halves, "rows": rows, **files}


@pytest.mark.parametrize("with_model", [False, True])
def test_audits_of_groups_agree_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], pool: dict[str, Any], with_model: bool
) -> None:
    train_option = ["--train", spam.train_path] if with_model else []
    printed = command(
        "audit", "--test", pool["all"], "--audit", pool["audited"], "--by", "half", *train_option, "--format", "json"
    )
    # The command sorts the audited rows by label and group, which affects their folds.
    kinds = [*zip(pool["labels"][pool["rows"]], pool["half"][pool["rows"]])]
    rows = pool["rows"][sorted(range(len(kinds)), key=lambda row: kinds.index(kinds[row]))]
    own, model = (pool["scores"][rows], pool["labels"][rows]), spam_model if with_model else None
    audit = tc.audit(pool["scores"], *own, model=model, by={"half": pool["half"]}, audited_by=pool["half"][rows])
    assert_same(audit, printed, "evidence", ("half",))
    np.testing.assert_array_equal(audit.interval, np.column_stack((audit.lower, audit.upper)))
    assert audit.recommended.sum() == 2
    assert len(audit.why) == len(audit.warnings) == 2
    assert f"even: {audit.why[0]}" in repr(audit).replace("\n  ", " ")


def test_a_single_group_gives_the_same_result_as_no_groups(spam_model: tc.Model, pool: dict[str, Any]) -> None:
    rows = pool["rows"]
    own = pool["scores"][rows], pool["labels"][rows]
    one = tc.audit(pool["scores"], *own, model=spam_model)
    (answer,) = [
        row
        for row in tc.audit(pool["scores"], *own, model=spam_model, by=["a"] * 3001, audited_by=["a"] * len(rows))
        if row["recommended"]
    ]
    assert (answer["prevalence"], answer["se"], answer["source"]) == (one.prevalence, one.se, one.recommended.source)


def test_audit_outside_test_adds_the_audited_items(spam_model: tc.Model, pool: dict[str, Any]) -> None:
    rows = pool["rows"]
    own, others = (pool["scores"][rows], pool["labels"][rows]), np.setdiff1d(np.arange(3001), rows)
    whole = tc.audit(pool["scores"], *own, model=spam_model, by=pool["half"], audited_by=pool["half"][rows])
    parts = tc.audit(
        pool["scores"][others],
        *own,
        model=spam_model,
        by=pool["half"][others],
        audited_by=pool["half"][rows],
        audit_outside_test=True,
    )
    assert whole.prevalence.tolist() == parts.prevalence.tolist()
    assert whole["n"].tolist() == parts["n"].tolist()


def test_plans_agree_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], pool: dict[str, Any]
) -> None:
    files = "--test", pool["all"], "--train", spam.train_path
    printed = command("audit", *files, "--half-width", "0.02", "--level", "0.9", "--format", "json")
    plans = spam_model.plan_audit(pool["scores"], half_width=0.02, level=0.9)
    assert_same(plans, printed, "audits")
    printed = command("audit", *files, "--half-width", "0.02", "--by", "half", "--format", "json")
    assert_same(
        spam_model.plan_audit(pool["scores"], half_width=0.02, by={"half": pool["half"]}), printed, "audits", ("half",)
    )
    assert "by score: rows with uncertain scores" in repr(plans).replace("\n  ", " ")
    printed = command("audit", *files, "--half-width", "0.02", "--prevalence", "0.1", "--format", "json")
    plans = spam_model.plan_audit(pool["scores"], half_width=0.02, prevalence=0.1)
    assert_same(plans, printed, "audits")
    assert "at the prevalence 0.1" in repr(plans).replace("\n  ", " ")


@pytest.mark.parametrize("margin", [0.02, 0.2])
def test_margins_agree_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], pool: dict[str, Any], margin: float
) -> None:
    files = "--test", pool["all"], "--audit", pool["audited"], "--train", spam.train_path
    printed = command("audit", *files, "--by", "half", "--margin", str(margin), "--format", "json")
    # The command sorts the audited rows by label and group, which affects their folds.
    kinds = [*zip(pool["labels"][pool["rows"]], pool["half"][pool["rows"]])]
    rows = pool["rows"][sorted(range(len(kinds)), key=lambda row: kinds.index(kinds[row]))]
    own, options = (pool["scores"][rows], pool["labels"][rows]), {"model": spam_model, "margin": margin}
    groups = tc.audit(pool["scores"], *own, by={"half": pool["half"]}, audited_by=pool["half"][rows], **options)
    assert_same(groups, printed, "evidence", ("half",))
    printed = command("audit", *files, "--margin", str(margin), "--format", "json")
    labels = pool["labels"][pool["rows"]]
    rows = pool["rows"][np.argsort(labels != labels[0], kind="stable")]
    audit = tc.audit(pool["scores"], pool["scores"][rows], pool["labels"][rows], **options)
    (row,) = (row for row in json.loads(printed)["evidence"] if row["source"] == "external")
    assert audit.difference_interval == (row["difference_lower"], row["difference_upper"])
    assert (audit.margin, audit.verdict) == (margin, row["verdict"])
    assert audit.verdict == ("pass" if margin == 0.2 else "inconclusive")


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_draws_agree_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], pool: dict[str, Any], uniform: bool, grouped: bool
) -> None:
    files = "--test", pool["all"], "--train", spam.train_path
    options = [*(["--uniform"] if uniform else []), *(["--by", "half"] if grouped else [])]
    printed = json.loads(command("audit", *files, "--draw", "100", "--seed", "5", *options, "--format", "json"))[
        "chosen"
    ]
    draw = spam_model.draw_audit(
        pool["scores"], 100, by={"half": pool["half"]} if grouped else None, uniform=uniform, seed=5
    )
    assert len(draw) == len(printed) == (200 if grouped else 100)
    assert [row["row"] - 1 for row in printed] == draw.row.tolist()
    assert [row["audit_weight"] for row in printed] == draw.audit_weight.tolist()
    assert draw["score"].tolist() == pool["scores"][draw.row].tolist()
    if grouped:
        assert draw["half"].tolist() == pool["half"][draw.row].tolist() == [row["group"]["half"] for row in printed]


def test_a_draw_can_be_audited(spam_model: tc.Model, pool: dict[str, Any]) -> None:
    draw = spam_model.draw_audit(pool["scores"], 150, by=pool["half"])
    own = pool["scores"][draw.row], pool["labels"][draw.row]
    audit = tc.audit(
        pool["scores"],
        *own,
        model=spam_model,
        audited_weights=draw.audit_weight,
        by=pool["half"],
        audited_by=draw["group"],
    )
    truths = [pool["labels"][pool["half"] == half].mean() for half in ("even", "odd")]
    answers = audit.prevalence[audit.recommended], audit.se[audit.recommended]
    assert (np.abs(answers[0] - truths) < 4 * answers[1]).all()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"by": ["a"] * 4}, "option-invalid"),
        ({"audited_by": ["a", "b"]}, "option-conflict"),
        ({"by": ["a"] * 4, "audited_by": ["a", "b"]}, "audit-unused"),
        ({"by": ["a"] * 4, "audited_by": ["a"]}, "length-mismatch"),
        ({"by": ["a"] * 4, "audited_by": {"x": ["a"] * 2, "y": ["b"] * 2}}, "option-conflict"),
    ],
)
def test_wrong_groups_are_errors(options: dict[str, Any], code: str) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        tc.audit([1.0, 2.0, 3.0, 4.0], [1.0, 2.0], [0, 1], **options)
    assert caught.value.code == code


def test_wrong_margins_are_errors(spam_model: tc.Model) -> None:
    audited = [1.0, 2.0, 3.0, 4.0], [1.0, 2.0], [0, 1]
    with pytest.raises(tc.OptionError, match="margin tests external labels"):
        tc.audit(*audited, margin=0.02)
    for options in ({}, {"by": ["a"] * 4, "audited_by": ["a"] * 2}):
        with pytest.raises(tc.OptionError, match="margin is 1"):
            tc.audit(*audited, model=spam_model, margin=1, **options)


def test_wrong_plans_and_draws_are_errors(spam: Spam, spam_model: tc.Model) -> None:
    with pytest.raises(tc.OptionError, match="half-width is 0"):
        spam_model.plan_audit(spam.test, half_width=0)
    with pytest.raises(tc.OptionError, match="prevalence is 2"):
        spam_model.plan_audit(spam.test, half_width=0.02, prevalence=2)
    with pytest.raises(tc.OptionError, match="number is 0"):
        spam_model.draw_audit(spam.test, 0)
    other = tc.Model.fit(spam.train, spam.labels, method="ac")
    with pytest.raises(tc.TruecountError) as caught:
        other.draw_audit(spam.test, 10)
    assert caught.value.code == "audit-needs-bins"
