"""Reports, compared with the command's, except for how to reproduce them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Spam

import truecount as tc


def without_provenance(page: str) -> str:
    """Removes the date, the files and the command from a page."""
    page, dates = re.subn(r'(</h1><p class="note">).*?(</p>)', r"\1\2", page)
    result, number = re.subn(
        r'(<details id="reproduce">.*?</summary>).*?(<p>Fingerprint of the model)', r"\1\2", page, flags=re.DOTALL
    )
    assert (dates, number) == (1, 1)
    return result


@pytest.mark.parametrize("grouped", [False, True])
def test_a_report_agrees_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], tmp_path: Path, grouped: bool
) -> None:
    files = "--train", spam.train_path, "--test", spam.test_path
    arguments = [
        "--items",
        "messages",
        "--positive-name",
        "spam",
        "--level",
        "0.9",
        *(["--by", "week"] if grouped else []),
    ]
    page = command("report", *files, *arguments, "--output", "-")
    path = tmp_path / "page.html"
    by = {"week": spam.week} if grouped else None
    spam_model.report(path, spam.test, by=by, items="messages", positive_name="spam", level=0.9)
    own = path.read_text(encoding="utf-8")
    assert without_provenance(own) == without_provenance(page)
    assert "from its Python package: the scores were in memory" in own


@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_a_report_of_an_audit_agrees_with_the_command(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], tmp_path: Path, grouped: bool, outside: bool
) -> None:
    rows = np.arange(0, len(spam.test), 15)
    scores, weeks = np.asarray(spam.test)[rows], np.asarray(spam.week)[rows]
    labels, weights = (rows % 7 < 3).astype(int), 1.0 + rows % 3
    frame = pd.DataFrame({"score": scores, "week": weeks, "label": labels, "audit_weight": weights})
    frame.to_csv(tmp_path / "audited.csv", index=False)
    files = "--train", spam.train_path, "--test", spam.test_path, "--audit", str(tmp_path / "audited.csv")
    options = [*(["--by", "week"] if grouped else []), *(["--audit-outside-test"] if outside else [])]
    page = command("report", *files, *options, "--output", "-")
    buffer = io.StringIO()
    spam_model.report(
        buffer,
        spam.test,
        by={"week": spam.week} if grouped else None,
        audited_scores=scores,
        audited_labels=labels,
        audited_weights=weights,
        audited_by=weeks if grouped else None,
        audit_outside_test=outside,
    )
    assert without_provenance(buffer.getvalue()) == without_provenance(page)


def test_a_report_names_no_file(spam: Spam, spam_model: tc.Model, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    spam_model.report(path, spam.test)
    assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_groups_may_be_of_any_type(spam_model: tc.Model, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    kinds = pd.Series(pd.period_range("2026-01", periods=2, freq="M").repeat(50), name="month")
    spam_model.report(path, pd.Series(np.linspace(-5, 5, 100)), by=kinds)
    assert "2026-02" in path.read_text(encoding="utf-8")


def test_a_report_with_a_bootstrap_goes_into_a_buffer(
    spam: Spam, spam_model: tc.Model, command: Callable[..., str], tmp_path: Path
) -> None:
    files = "--train", spam.train_path, "--test", spam.test_path
    page = command("report", *files, "--interval", "bootstrap", "--resamples", "99", "--seed", "3", "--output", "-")
    text, content, path = io.StringIO(), io.BytesIO(), tmp_path / "page.html"
    spam_model.report(text, spam.test, interval="bootstrap", resamples=99, seed=3)
    assert without_provenance(text.getvalue()) == without_provenance(page)
    spam_model.report(content, spam.test[:500])
    spam_model.report(path, spam.test[:500])
    with path.open("rb") as file:
        assert file.read() == content.getvalue()


@pytest.mark.parametrize(
    ("scores", "options", "code"),
    [
        ([1.0, float("nan")], {}, "score-not-finite"),
        ([1.0, 2.0], {"items": ""}, "option-invalid"),
        ([1.0, 2.0], {"positive_name": 1}, "option-invalid"),
        ([1.0, 2.0], {"interval": "bootstrap", "resamples": 1}, "too-few-resamples"),
        ([1.0, 2.0], {"by": ["a"]}, "length-mismatch"),
        ([1.0, 2.0], {"audited_scores": [1.0], "audited_labels": [1], "weights": [1.0, 2.0]}, "option-conflict"),
        ([1.0, 2.0], {"audited_scores": [1.0], "audited_labels": [1, 0]}, "length-mismatch"),
    ],
)
def test_wrong_arguments_are_errors(
    spam_model: tc.Model, tmp_path: Path, scores: list[float], options: dict[str, Any], code: str
) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        spam_model.report(tmp_path / "page.html", scores, **options)
    assert caught.value.code == code
    assert not list(tmp_path.iterdir())


def test_the_file_comes_first(spam_model: tc.Model) -> None:
    with pytest.raises(
        tc.OptionError, match=r"^path is \[1\.0, 2\.0\]; it must be a path or an open file, and comes before"
    ):
        spam_model.report([1.0, 2.0], "page.html")  # type: ignore[arg-type]
