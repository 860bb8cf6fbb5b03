"""Named choices: their types, and the tables of methods and families."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Union

from truecount import _core

__all__ = [
    "Dialect",
    "Family",
    "Interval",
    "Method",
    "Methods",
    "Misfit",
    "Period",
    "RateInterval",
    "Rates",
    "Severity",
    "Target",
    "Transform",
    "families",
    "methods",
]

Method = Literal[
    "es",
    "cs",
    "o-cs",
    "t-cs",
    "o-ms",
    "t-ms",
    "ms-quapy",
    "ms2",
    "cc",
    "ac",
    "max",
    "t50",
    "x",
    "pcc",
    "pacc",
    "friedman",
    "smm",
    "edy",
    "sld",
    "sld-bcts",
    "ml",
    "kdey-ml",
    "dys",
    "dys-topsoe",
    "mm",
    "hdy",
    "bcc",
    "pq",
]
Methods = Union[Method, Literal["all"], str, Iterable[Method]]
"""Names of methods: one, "all", several in a list, or several between commas."""
Family = Literal["normal", "skew-normal", "logistic", "student-t", "beta", "kernel", "auto"]
Transform = Literal["none", "logit", "rank"]
Rates = Literal["family", "labels"]
Target = Literal["sample", "population"]
Interval = Literal["wilson", "wald", "bootstrap"]
RateInterval = Literal["lang-reiczigel", "wilson", "exact-rates"]
Misfit = Literal["widen", "warn"]

Period = Literal["hour", "day", "week", "month", "quarter", "year"]
Dialect = Literal["ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"]
Severity = Literal["note", "caution", "unreliable"]


def methods() -> dict[str, str]:
    """Return the names of all methods with descriptions.

    The method ``cs``, Continuous Sweep with a threshold of your choice, is not in the table.
    """
    return dict(_core.names("methods"))


def families() -> dict[str, str]:
    """Return the names of all families of distributions with descriptions."""
    return dict(_core.names("families"))
