"""Monitoring over time, compared with the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Spam
from command_json import assert_same

import truecount as tc

MONDAY = date(2025, 12, 29)


@pytest.mark.parametrize(
    ("options", "arguments", "status"),
    [
        ({}, [], 0),
        ({"above": 0.85}, ["--above", "85%"], 3),
        ({"below": 0.01, "level": 0.9, "misfit": "warn"}, ["--below", "1%", "--level", "0.9", "--misfit", "warn"], 0),
        (
            {"baseline": ("2026-W03", "2026-W05"), "interval": "wald"},
            ["--baseline", "2026-W03..2026-W05", "--interval", "wald"],
            0,
        ),
    ],
)
def test_periods_agree_with_the_command(
    spam: Spam,
    spam_model: tc.Model,
    command: Callable[..., str],
    options: dict[str, Any],
    arguments: list[str],
    status: int,
) -> None:
    files = "--train", spam.train_path, "--test", spam.test_path
    printed = command("monitor", *files, "--by", "week", *arguments, "--format", "json", status=status)
    result = spam_model.monitor(spam.test, by={"week": spam.week}, **options)
    assert_same(result, printed, "periods", ("week",))
    about = json.loads(printed)["monitor"]
    assert list(result.baseline) == about["baseline"]
    if result.alarm is None:
        assert about["alarm"] is about["alarm_at"] is None
    else:
        assert (str(result.alarm), result.alarm.date) == (about["alarm"], about["alarm_at"])
        row = result["week"].tolist().index(result.alarm.date)
        assert (result.alarm.since, result.alarm.e_value) == (result["change_point"][row], result.e_value[row])
    assert (result.alarm_threshold, result.drift, result.unit) == (
        about["alarm_threshold"],
        about["drift"],
        about["unit"],
    )


def test_tallies_can_be_monitored(spam: Spam, spam_model: tc.Model, tmp_path: Path) -> None:
    weeks = np.array(spam.week)
    for week in set(spam.week):
        own = weeks == week
        spam_model.tally(spam.test[own], by={"week": weeks[own]}).write(tmp_path / f"{week}.tally")
    tallies = (tc.Tally.read(spam_model, path) for path in tmp_path.glob("*.tally"))
    result, whole = sum(tallies).monitor(above=0.85), spam_model.monitor(spam.test, by={"week": weeks}, above=0.85)  # type: ignore[union-attr]
    assert result.alarm == whole.alarm
    assert result.to_pandas().equals(whole.to_pandas())


def test_dates_of_any_type_in_any_order(spam: Spam, spam_model: tc.Model) -> None:
    days = [MONDAY + timedelta(weeks=int(week[-2:]) - 1) for week in spam.week]
    by_text = spam_model.monitor(spam.test, by=[day.isoformat() for day in days], above=0.85)
    backwards = slice(None, None, -1)
    for column in (days, pd.to_datetime(pd.Series(days)).to_numpy(), np.array(days, dtype="datetime64[D]")):
        result = spam_model.monitor(spam.test[backwards], by=column[backwards], above=0.85)
        assert np.array_equal(result.smoothed, by_text.smoothed)
        assert result.alarm is not None and by_text.alarm is not None
        assert str(result.alarm.date)[:10] == by_text.alarm.date
        assert str(result.alarm.since)[:10] == by_text.alarm.since
        assert result.unit == "day"


def test_scores_without_a_date_are_left_out(spam: Spam, spam_model: tc.Model) -> None:
    weeks: list[str | None] = [None if week == "2026-W07" else week for week in spam.week]
    result = spam_model.monitor(spam.test, by=weeks)
    assert len(result) == 23
    assert f"scores without a date, which are left out: {spam.week.count('2026-W07')}" in repr(result)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"above": 0.1, "below": 0.1}, "option-conflict"),
        ({"above": 2}, "parameter-out-of-range"),
        ({"above": "5%"}, "option-invalid"),
        ({"baseline": "yesterday"}, "option-invalid"),
        ({"baseline": ["2026-W01"]}, "option-invalid"),
        ({"baseline": "2027-W01"}, "group-unknown"),
        ({"by": ["a", "b"]}, "groups-not-dates"),
        ({"by": {"week": ["2026-W01"] * 2, "place": ["a", "b"]}}, "option-conflict"),
        ({"interval": "bootstrap"}, "option-conflict"),
    ],
)
def test_wrong_arguments_are_errors(spam_model: tc.Model, options: dict[str, Any], code: str) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        spam_model.monitor([1.0, 2.0], **{"by": ["2026-W01", "2026-W02"], **options})
    assert caught.value.code == code


def test_several_methods_are_an_error(spam: Spam) -> None:
    model = tc.Model.fit(spam.train, spam.labels, method=["es", "ac"])
    with pytest.raises(tc.OptionError, match="watched by one"):
        model.monitor(spam.test, by=spam.week)


def test_periods_are_those_of_the_command() -> None:
    times = ["2026-01-31T23:59:00", "2026-02-01T00:00:00", "2026-02-02T00:30:00", None]
    expected = {
        "hour": ["2026-01-31 23:00", "2026-02-01 00:00", "2026-02-02 00:00", None],
        "day": ["2026-01-31", "2026-02-01", "2026-02-02", None],
        "week": ["2026-W05", "2026-W05", "2026-W06", None],
        "month": ["2026-01", "2026-02", "2026-02", None],
        "quarter": ["2026-Q1"] * 3 + [None],
        "year": ["2026"] * 3 + [None],
    }
    for every, names in expected.items():
        for dates in (times, np.array(times, dtype="datetime64[ns]"), pd.Series(pd.to_datetime(times))):
            assert tc.periods(dates, every).tolist() == names
    assert tc.periods(["2026-01-31T23:30Z"], "day", zone="Europe/Berlin").tolist() == ["2026-02-01"]
    with pytest.raises(tc.OptionError, match="'Berlin' is not the name of a time zone"):
        tc.periods(times, "day", zone="Berlin")
    with pytest.raises(tc.OptionError, match="'1/2/2026' in the column 'dates' does not determine the month"):
        tc.periods(["1/2/2026"], "month")
    with pytest.raises(tc.OptionError, match="every is"):
        tc.periods(times, "decade")
