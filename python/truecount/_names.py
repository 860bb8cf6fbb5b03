"""The choices that have names: what they are called where types are checked, and what they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Union

from truecount import _core

__all__ = [
    "Rates",
    "Dialect",
    "Family",
    "Interval",
    "Method",
    "Methods",
    "Misfit",
    "RateInterval",
    "Severity",
    "Target",
    "Transformation",
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
Methods = Union[Method, Literal["all"], Iterable[Method]]
Family = Literal["normal", "skew-normal", "logistic", "student-t", "beta", "kernel", "auto"]
Transformation = Literal["none", "logit", "rank"]
Rates = Literal["family", "labels"]
Target = Literal["sample", "population"]
Interval = Literal["wilson", "wald", "bootstrap"]
RateInterval = Literal["lang-reiczigel", "wilson", "exact-rates"]
Misfit = Literal["widen", "warn"]
Dialect = Literal["ansi", "spark", "bigquery", "snowflake", "trino", "redshift", "tsql"]
Severity = Literal["note", "caution", "unreliable"]


def methods() -> dict[str, str]:
    """Every method's name with what it is; ``cs`` besides is Continuous Sweep with a threshold of your own."""
    return dict(_core.names("methods"))


def families() -> dict[str, str]:
    """Every family's name with what it is for."""
    return dict(_core.names("families"))
