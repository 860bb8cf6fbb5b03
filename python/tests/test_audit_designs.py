"""Audits of designs and with the labels of several people, compared with the command."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import truecount as tc

N = 900
USER = np.arange(N) // 10
"""Ninety users with ten items each."""
COLUMNS: dict[str, NDArray[Any]] = {
    "lang": np.array(["en", "fr", "de"])[USER % 3],
    "user": np.char.add("u", USER.astype(str)),
    "views": 1.0 + np.arange(N) ** 2 % 7,
    "half": np.where(USER // 3 % 2 == 0, "a", "b"),
}
DRAWN = np.flatnonzero(USER % 9 < 4)
"""The items of four in nine users, from every language."""


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    rng = np.random.default_rng(7)
    positive = rng.random(N) < np.array([0.2, 0.4, 0.6])[USER % 3]
    scores = rng.normal(np.where(positive, 1.5, 0.0))
    errors = rng.random((2, N)) < 0.1
    anna, ben = positive ^ errors[0], positive ^ errors[1]
    folder = tmp_path_factory.mktemp("designs")

    def write(name: str, rows: NDArray[np.int64], **more: list[str]) -> Path:
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["score", *COLUMNS, *more])
            for row in rows.tolist():
                cells = [str(column[row]) for column in COLUMNS.values()]
                writer.writerow([repr(float(scores[row])), *cells, *(column[row] for column in more.values())])
        return folder / name

    texts = {name: [str(int(label)) for label in labels] for name, labels in (("anna", anna), ("ben", ben))}
    texts["ben"] = ["" if row % 4 == 1 else text for row, text in enumerate(texts["ben"])]
    files = {"all": write("all.csv", np.arange(N)), "audited": write("audited.csv", DRAWN, **texts)}
    people = {"anna": anna.astype(float), "ben": np.where(np.arange(N) % 4 == 1, np.nan, ben.astype(float))}
    return {"scores": scores, **people, **files}


def in_order_of_the_command(columns: list[NDArray[Any]]) -> NDArray[np.int64]:
    """Return the audited rows sorted by the first row of their label and groups, as the command reads them."""
    kinds = [*zip(*(column[DRAWN].tolist() for column in columns))]
    return DRAWN[sorted(range(len(kinds)), key=lambda row: kinds.index(kinds[row]))]


def assert_close(actual: Any, rows: list[dict[str, Any]]) -> None:
    for name in actual.columns:
        for own, row in zip(actual[name], rows):
            other = row["group"][name] if name in row["group"] else row[name]
            if isinstance(other, float) and name != "level":
                assert own == pytest.approx(other, rel=1e-11, abs=1e-13), name
            elif other is None:
                assert own is None or np.isnan(own), name
            else:
                assert own == other, name


@pytest.mark.parametrize(
    "names", [("weights",), ("strata",), ("clusters",), ("strata", "clusters"), ("weights", "strata", "clusters")]
)
@pytest.mark.parametrize("by", [False, True])
def test_designs_agree_with_the_command(
    items: dict[str, Any], command: Callable[..., str], names: tuple[str, ...], by: bool
) -> None:
    options = {"weights": ("--weight", "views"), "strata": ("--stratum", "lang"), "clusters": ("--cluster", "user")}
    words = [word for name in names for word in options[name]] + (["--by", "half", "--total"] if by else [])
    files = ("--test", items["all"], "--audit", items["audited"], "--audit-label", "anna")
    printed = json.loads(command("audit", *files, *words, "--format", "json"))
    used = [*(COLUMNS[options[name][1]] for name in names), *([COLUMNS["half"]] if by else [])]
    rows = in_order_of_the_command([items["anna"], *used])
    arguments: dict[str, Any] = {}
    for name in names:
        column = COLUMNS[options[name][1]]
        arguments[name] = column
        arguments["audited_item_weights" if name == "weights" else f"audited_{name}"] = column[rows]
    own = items["scores"][rows], items["anna"][rows]
    if by:
        halves = {"half": COLUMNS["half"]}
        audits = tc.audit(items["scores"], *own, by=halves, audited_by=COLUMNS["half"][rows], total=True, **arguments)
        assert_close(audits, printed["evidence"])
        assert audits.total is not None
        assert_close(audits.total, [{"group": {}, **row} for row in printed["total"]])
    else:
        audit = tc.audit(items["scores"], *own, **arguments)
        for source, row in zip((audit.labels, audit.ppi), printed["evidence"]):
            for name in ("prevalence", "raw", "se", "lower", "upper"):
                assert getattr(source, name) == pytest.approx(row[name], rel=1e-11), name


def test_several_people_agree_with_the_command(items: dict[str, Any], command: Callable[..., str]) -> None:
    files = ("--test", items["all"], "--audit", items["audited"], "--audit-label", "anna,ben", "--cluster", "user")
    printed = json.loads(command("audit", *files, "--format", "json"))
    rows = in_order_of_the_command([items["anna"], np.nan_to_num(items["ben"], nan=-1), COLUMNS["user"]])
    people = {name: items[name][rows] for name in ("anna", "ben")}
    units = {"clusters": COLUMNS["user"], "audited_clusters": COLUMNS["user"][rows]}
    audit = tc.audit(items["scores"], items["scores"][rows], people, **units)
    assert audit.agreement is not None and audit.label_errors is not None
    assert_close(audit.agreement, printed["agreement"])
    assert_close(audit.label_errors, printed["label_errors"])
    assert audit.ppi.se == pytest.approx(printed["evidence"][1]["se"], rel=1e-11)
    table = np.column_stack(list(people.values()))
    assert tc.audit(items["scores"], items["scores"][rows], table, **units).ppi == audit.ppi
    # By hand: pairs of both labels that agree.
    both = ~np.isnan(people["ben"])
    assert audit.agreement["rows"][0] == both.sum()
    agree = people["anna"][both] == people["ben"][both]
    one = tc.audit(items["scores"], items["scores"][rows], people)
    assert one.agreement is not None
    assert one.agreement["agreement"][0] == pytest.approx(agree.mean(), abs=1e-14)


def test_plans_have_a_design_effect(items: dict[str, Any], spam_model: tc.Model, command: Callable[..., str]) -> None:
    two = spam_model.plan_audit(items["scores"], half_width=0.05, design_effect=2.0)
    assert (two.audited > spam_model.plan_audit(items["scores"], half_width=0.05).audited).all()


def test_refusals(items: dict[str, Any]) -> None:
    own = items["scores"][DRAWN], items["anna"][DRAWN]
    with pytest.raises(tc.OptionError, match="audited_strata goes with strata"):
        tc.audit(items["scores"], *own, strata=COLUMNS["lang"])
    with pytest.raises(tc.OptionError, match="total adds groups up"):
        tc.audit(items["scores"], *own, total=True)
    with pytest.raises(tc.ScoreError, match="there are 900 test_scores but 3 clusters"):
        tc.audit(items["scores"], *own, clusters=["a", "b", "c"], audited_clusters=COLUMNS["user"][DRAWN])
    nobody = {"anna": np.full(len(DRAWN), np.nan), "ben": items["anna"][DRAWN]}
    nobody["ben"] = np.where(np.arange(len(DRAWN)) == 5, np.nan, nobody["ben"])
    with pytest.raises(tc.LabelError) as caught:
        tc.audit(items["scores"], own[0], nobody)
    assert (caught.value.code, caught.value.fields["row"]) == ("label-missing", 5)
