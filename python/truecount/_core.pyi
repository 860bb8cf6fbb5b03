import os
from collections.abc import Sequence
from typing import Any, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import NDArray

from truecount._check import Rows
from truecount._conditions import Caveat, TruecountError
from truecount._differences import Found
from truecount._options import Reporting
from truecount._sizes import Summed

__all__ = [
    "Model",
    "Tally",
    "__version__",
    "align",
    "audit",
    "audits",
    "check",
    "command",
    "compare",
    "counts",
    "densities",
    "draw_audit",
    "errors",
    "families",
    "floats",
    "groups_apart",
    "holm",
    "mean",
    "methods_apart",
    "methods_that",
    "monitor",
    "names",
    "number_floats",
    "number_integers",
    "number_pairs",
    "number_values",
    "p_value",
    "plan",
    "plan_audit",
    "report",
    "rows_of_samples",
    "samples_apart",
    "sorted_by_group",
    "table",
    "thresholds",
    "transformed",
    "truncate",
    "visible",
    "wrap",
    "write_file",
]

__version__: str

_Doubles = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Codes = NDArray[np.uint32]
_Flags = NDArray[np.bool_]
_KeyColumn = tuple[str, str, list[Any], str | None]

@type_check_only
class Columns(TypedDict):
    scores: Sequence[_Doubles]
    probabilities: Sequence[_Doubles] | None
    weights: Sequence[_Doubles] | None
    starts: _Integers | None
    groups: _Codes | None

@type_check_only
class Settings(TypedDict):
    methods: list[str]
    threshold: float | None
    family: str | None
    transform: str | None
    rates: str | None
    cutoff: float | None

@type_check_only
class Described(TypedDict):
    columns: dict[str, Any]
    optional: list[str]
    header: list[str]
    names: int
    lines: list[list[str]]
    explained: list[str]

@type_check_only
class Plans(Described):
    warnings: list[tuple[str, Caveat]]
    splits: list[tuple[str, str]]
    pilot: list[str]
    left_out: list[tuple[str, TruecountError]]

@type_check_only
class Supposed(Described):
    title: str | None

@type_check_only
class Check(Described):
    curves: list[tuple[_Doubles, _Doubles, _Doubles]]
    meaning: str
    causes: list[str]
    folds: tuple[int, float, float, str] | None
    supposed: Supposed | None

@type_check_only
class OfGroups(Described):
    groups: list[int]

@type_check_only
class Audits(OfGroups):
    why: list[str]
    warnings: list[tuple[Caveat, ...]]

@type_check_only
class AuditPlans(OfGroups):
    ways: list[tuple[str, str]]

@type_check_only
class Monitored(OfGroups):
    alarm: str | None
    alarm_at: int | None
    alarm_threshold: float
    drift: float
    unit: str
    notes: list[str]
    left_out: list[str]
    baseline: list[str]

@final
class Model:
    @staticmethod
    def fit(
        scores: _Doubles,
        positive: _Flags,
        probabilities: _Doubles | None,
        drawn: tuple[_Doubles | None, NDArray[np.uint32] | None],
        settings: Settings,
        label: bool | int | float | str | None,
    ) -> tuple[Model, list[tuple[str, TruecountError]]]: ...
    @staticmethod
    def from_json(text: str) -> Model: ...
    def to_json(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def positive(self) -> bool | int | float | str | None: ...
    @property
    def methods(self) -> list[str]: ...
    def variances(self, resamples: int | None) -> list[str | None]: ...
    @property
    def learnt(self) -> str: ...
    @property
    def labelled(self) -> tuple[_Doubles, _Flags, _Doubles | None]: ...
    def estimate(self, columns: Columns, reporting: Reporting, check: bool) -> dict[str, Any]: ...
    def estimate_one(self, columns: Columns, reporting: Reporting, check: bool) -> dict[str, Any]: ...
    def bootstrap(
        self, columns: Columns, reporting: Reporting, check: bool, resamples: int, seed: int
    ) -> dict[str, Any]: ...
    def tally(self, columns: Columns, number: int) -> Tally: ...
    def write_tally(self, tally: Tally, columns: Sequence[_KeyColumn]) -> bytes: ...
    def read_tally(self, content: bytes) -> tuple[list[_KeyColumn], Tally]: ...
    def finish(
        self, tally: Tally, reporting: Reporting, check: bool, summed: Summed
    ) -> tuple[dict[str, Any], dict[str, Any] | None, str | None]: ...
    def influence(self, place: int, columns: Columns) -> _Doubles: ...
    def influence_of_labelled(self, place: int, columns: Columns) -> tuple[_Doubles, _Doubles]: ...
    def sql(self, read: tuple[list[str], str, str | None, list[str]], dialect: str, reporting: Reporting) -> str: ...

@final
class Tally:
    @property
    def n(self) -> int: ...
    @staticmethod
    def sum(parts: Sequence[tuple[Tally, Sequence[int]]]) -> Tally: ...

def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]: ...
def audit(
    model: Model | None,
    scores: _Doubles,
    audited: tuple[_Doubles, _Flags, _Doubles | None],
    audit_outside_test: bool,
    asked: Reporting,
) -> tuple[
    int,
    int,
    list[tuple[str, float, float, float, tuple[float, float], float | None]],
    dict[str, Any] | None,
    tuple[float, float, float] | None,
    str,
    str,
]: ...
def audits(
    model: Model | None,
    columns: Columns,
    audited: tuple[_Doubles, _Flags, _Doubles | None, _Codes],
    audit_outside_test: bool,
    asked: Reporting,
    order: list[int],
) -> Audits: ...
def check(
    learnt: Rows,
    columns: Columns,
    order: list[int],
    folds: _Codes | None,
    contamination: float | None,
) -> Check: ...
def groups_apart(
    groups: tuple[Model, Tally, bool],
    reporting: Reporting,
    summed: Summed,
    levels: tuple[_Codes, _Integers],
    reference: str | Sequence[int | None],
) -> Found: ...
def methods_apart(model: Model, tally: Tally, reporting: Reporting) -> Found: ...
def samples_apart(
    first: tuple[Model, Tally],
    second: tuple[Model | None, Tally],
    pairs: Sequence[tuple[int, int]],
    reporting: Reporting,
    kinship: tuple[bool, bool],
    name: str,
) -> Found: ...
def holm(p_values: _Doubles) -> _Doubles: ...
def command(words: Sequence[str]) -> int: ...
def compare(errors: _Doubles, others: _Doubles) -> tuple[int, int, int, float, float | None, float | None]: ...
def counts(
    counted: tuple[_Doubles, _Doubles],
    rates: tuple[tuple[_Doubles, _Doubles | None], tuple[_Doubles, _Doubles | None]],
    asked: tuple[float, str, str],
) -> tuple[dict[str, Any], str]: ...
def densities(model: Model, scores: _Doubles) -> tuple[_Doubles, _Doubles]: ...
def draw_audit(model: Model, columns: Columns, asked: tuple[int, bool, int], order: list[int]) -> OfGroups: ...
def errors(measure: str, truths: _Doubles, estimates: _Doubles, sizes: _Integers | None) -> _Doubles: ...
def families(learnt: Rows, transform: str, drawing: tuple[int, int] | None, advice: str) -> tuple[Described, str]: ...
def floats(column: object) -> _Doubles: ...
def mean(values: _Doubles) -> tuple[float, float | None]: ...
def methods_that(hold: str) -> list[str]: ...
def monitor(
    model: Model,
    tally: Tally,
    by: tuple[str, list[str]],
    asked: tuple[float | None, float | None, str | None],
    reporting: Reporting,
) -> Monitored: ...
def names(table: str) -> list[tuple[str, str]]: ...
def number_floats(values: _Doubles) -> tuple[_Codes, _Integers]: ...
def number_integers(values: _Integers) -> tuple[_Codes, _Integers]: ...
def number_pairs(left: _Codes, right: _Codes) -> tuple[_Codes, _Integers]: ...
def number_values(column: object) -> tuple[_Codes, _Integers] | None: ...
def p_value(value: float) -> str: ...
def plan(
    model: Model,
    asked: tuple[float | None, float | None, float | None, int | None, int | tuple[int, int] | None],
    reporting: Reporting,
) -> Plans: ...
def plan_audit(model: Model, columns: Columns, half_width: float, asked: Reporting, order: list[int]) -> AuditPlans: ...
def report(
    model: Model,
    columns: Columns,
    by: list[tuple[str, str, list[Any], str | None]],
    sort: bool,
    asked: Reporting,
    words: tuple[str, str],
) -> str: ...
def rows_of_samples(
    positive: _Flags, samples: tuple[str, int, int], numbers: tuple[int, int]
) -> tuple[_Integers, _Doubles]: ...
def sorted_by_group(columns: Sequence[_Doubles], groups: _Codes, number: int) -> tuple[list[_Doubles], _Integers]: ...
def table(columns: Sequence[tuple[str, Any]], nullable: Sequence[str]) -> Any: ...
def thresholds(model: Model, alpha: float, points: int) -> tuple[_Doubles, _Doubles, float, float]: ...
def transformed(model: Model) -> tuple[_Doubles, _Doubles]: ...
def truncate(text: str, width: int) -> str: ...
def visible(text: str) -> str: ...
def wrap(sentence: str, indent: str) -> list[str]: ...
def write_file(path: str | os.PathLike[str], content: bytes) -> None: ...
