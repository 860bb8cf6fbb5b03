import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, final, type_check_only

import numpy as np
from numpy.typing import NDArray
from typing_extensions import NotRequired

from truecount._check import LabelledRows
from truecount._compare import DifferenceColumns, GroupTexts, Levels, Reference
from truecount._errors import EstimateWarning, TruecountError

__all__ = [
    "Model",
    "MulticlassModel",
    "StoredEstimates",
    "Tally",
    "__version__",
    "align",
    "arrow_table",
    "audit",
    "audit_classes",
    "check",
    "command",
    "compare_counts",
    "compare_groups",
    "compare_methods",
    "compare_samples",
    "counts",
    "dates",
    "densities",
    "draw_audit",
    "draw_samples",
    "escape_untrusted",
    "estimate_sample",
    "evaluate",
    "experiment",
    "factorize_floats",
    "factorize_integers",
    "factorize_pairs",
    "factorize_values",
    "family_test",
    "floats",
    "format_p_value",
    "mean",
    "measure_errors",
    "methods_with",
    "monitor",
    "names",
    "periods",
    "plan",
    "plan_audit",
    "plan_curves",
    "read_samples",
    "report",
    "sort_by_group",
    "threshold_variances",
    "transformed_scores",
    "truncate",
    "wrap",
    "write_file",
]

__version__: str

_Doubles = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Codes = NDArray[np.uint32]
_Flags = NDArray[np.bool_]
_Rates = tuple[_Doubles, _Doubles | None] | list[str]
_Counts = tuple[_Doubles, _Doubles, _Rates, _Rates]
_Options = dict[str, Any]
_KeyColumn = tuple[str, str, list[Any], str | None]

@type_check_only
class Columns(TypedDict):
    scores: Sequence[_Doubles]
    probabilities: Sequence[_Doubles] | None
    weights: Sequence[_Doubles] | None
    starts: _Integers | None
    groups: _Codes | None

_AuditTarget = tuple[Columns, _Codes | None, _Codes | None]
_AuditedRows = tuple[
    _Doubles, NDArray[np.int8], _Doubles | None, _Doubles | None, _Codes | None, _Codes | None, _Codes | None
]

@type_check_only
class Design(TypedDict):
    groups: tuple[list[int], int] | None
    clusters: NotRequired[list[int]]
    strata: NotRequired[list[int]]
    stratum_names: NotRequired[list[Any]]
    stratum_sizes: NotRequired[list[float]]
    counts_clusters: NotRequired[bool]
    cluster_rows: NotRequired[list[float]]
    lonely_psu: NotRequired[str | None]
    replicates: NotRequired[tuple[list[_Doubles], str]]
    pooled: NotRequired[tuple[list[_Doubles], list[float]]]

@type_check_only
class Request(TypedDict):
    options: _Options
    check: bool
    standardise: NotRequired[_Doubles]
    populations: NotRequired[_Doubles]
    design: NotRequired[Design]

@type_check_only
class ResultDict(TypedDict):
    columns: dict[str, Any]
    optional: list[str]
    header: list[str]
    names: int
    lines: list[list[str]]
    explained: list[str]

@type_check_only
class ClassShares(TypedDict):
    n: int
    prevalence: _Doubles
    lower: _Doubles
    upper: _Doubles
    covariance: list[list[float]]
    warnings: list[EstimateWarning]

@type_check_only
class ClassRows(TypedDict):
    probabilities: _Doubles
    weights: _Doubles | None
    groups: _Codes
    number_of_groups: int
    clusters: _Codes | None
    strata: _Codes | None
    lonely_psu: str | None
    standardise: _Doubles | None
    populations: _Doubles | None
    replicates: tuple[list[_Doubles], str] | None

@type_check_only
class ClassAudit(ResultDict):
    notes: list[str]
    warnings: list[str]

@type_check_only
class Plans(ResultDict):
    warnings: list[tuple[str, EstimateWarning]]
    notes: list[str]
    left_out: list[tuple[str, TruecountError]]

@type_check_only
class Contamination(ResultDict):
    title: str | None

@type_check_only
class Check(ResultDict):
    curves: list[tuple[_Doubles, _Doubles, _Doubles]]
    meaning: str
    causes: list[str]
    folds: tuple[int, float, float, str] | None
    contamination: Contamination | None

@type_check_only
class GroupRows(ResultDict):
    groups: list[int]

@type_check_only
class GroupAudits(GroupRows):
    why: list[str]
    external: dict[str, Any]
    total: ResultDict | None
    agreement: tuple[GroupRows, GroupRows] | None

@type_check_only
class AuditPlans(GroupRows):
    ways: list[tuple[str, str]]

@type_check_only
class MonitorResult(GroupRows):
    alarm: str | None
    conclusion: str
    alarm_at: int | None
    alarm_threshold: float
    drift: float
    smooths: bool
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
        design: tuple[_Doubles | None, _Codes | None, _Codes | None],
        settings: _Options,
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
    def parameters(self) -> str: ...
    @property
    def labelled(self) -> tuple[_Doubles, _Flags, _Doubles | None]: ...
    def estimate(
        self, source: Columns | Tally, request: Request
    ) -> tuple[dict[str, Any], dict[str, Any] | None, str | None]: ...
    def estimate_one(self, source: Columns | Tally, request: Request) -> dict[str, Any]: ...
    def tally(self, columns: Columns, number: int) -> Tally: ...
    def write_tally(self, tally: Tally, columns: Sequence[_KeyColumn]) -> bytes: ...
    def read_tally(self, content: bytes) -> tuple[list[_KeyColumn], Tally]: ...
    def influence(self, method: int, columns: Columns) -> _Doubles: ...
    def sql(
        self,
        source: tuple[list[str], str, str | None, list[str], str | None],
        dialect: str,
        options: _Options | None,
        weight: str | None,
    ) -> str: ...

@final
class MulticlassModel:
    @staticmethod
    def fit(
        names: list[str],
        probabilities: _Doubles,
        labels: NDArray[np.int64],
        method: str,
        weights: _Doubles | None,
        clusters: _Codes | None,
    ) -> MulticlassModel: ...
    def estimate(self, rows: ClassRows, options: _Options) -> tuple[list[ClassShares], ClassShares | None]: ...
    def compare(
        self,
        rows: ClassRows,
        options: _Options,
        levels: Levels,
        reference: Reference,
        names: GroupTexts,
    ) -> DifferenceColumns: ...

@final
class StoredEstimates: ...

@final
class Tally:
    @property
    def n(self) -> int: ...
    @staticmethod
    def sum(parts: Sequence[tuple[Tally, Sequence[int]]]) -> Tally: ...

def align(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]: ...
def arrow_table(columns: Sequence[tuple[str, Any]], nullable: Sequence[str]) -> Any: ...
def audit(
    model: Model | None,
    target: _AuditTarget,
    audited: _AuditedRows,
    options: _Options,
    order: list[int],
) -> GroupAudits: ...
def audit_classes(
    classes: list[str],
    columns: tuple[_Codes, _Codes, _Codes],
    n: list[int],
    sizes: list[tuple[str, float]],
    options: _Options,
) -> ClassAudit: ...
def check(
    labelled: LabelledRows,
    columns: Columns,
    order: list[int],
    folds: _Codes | None,
    options: _Options,
) -> Check: ...
def command(args: Sequence[str]) -> int: ...
def compare_counts(
    counts: _Counts,
    options: _Options,
    levels: Levels,
    reference: Reference,
    names: GroupTexts,
) -> DifferenceColumns: ...
def compare_groups(
    model: Model,
    source: Columns | Tally,
    request: Request,
    levels: Levels,
    reference: Reference,
    names: GroupTexts,
) -> DifferenceColumns: ...
def compare_methods(
    model: Model, estimates: StoredEstimates, options: _Options, names: GroupTexts
) -> DifferenceColumns: ...
def compare_samples(
    first: tuple[Model, StoredEstimates],
    second: tuple[Model | None, StoredEstimates],
    pairs: Sequence[tuple[int, int]],
    options: _Options,
    relation: tuple[bool, bool],
    names: tuple[str, GroupTexts],
) -> DifferenceColumns: ...
def counts(counts: _Counts, options: _Options) -> tuple[dict[str, Any], dict[str, Any] | None, str]: ...
def densities(model: Model, scores: _Doubles) -> tuple[_Doubles, _Doubles]: ...
def draw_audit(model: Model, columns: Columns, options: _Options, order: list[int]) -> GroupRows: ...
def draw_samples(
    positive: _Flags, samples: tuple[str, int, int], range: tuple[int, int]
) -> tuple[_Integers, _Doubles]: ...
def escape_untrusted(text: str) -> str: ...
def estimate_sample(
    model: Model, source: Columns | Tally, request: Request
) -> tuple[StoredEstimates, list[tuple[EstimateWarning, ...]]]: ...
def evaluate(
    truths: _Doubles, sizes: _Integers, methods: list[tuple[str, _Doubles, _Doubles, _Doubles]], reference: int
) -> dict[str, Any]: ...
def factorize_floats(values: _Doubles) -> tuple[_Codes, _Integers]: ...
def factorize_integers(values: _Integers) -> tuple[_Codes, _Integers]: ...
def factorize_pairs(left: _Codes, right: _Codes) -> tuple[_Codes, _Integers]: ...
def factorize_values(column: object) -> tuple[_Codes, _Integers] | None: ...
def family_test(labelled: LabelledRows, options: _Options) -> tuple[ResultDict, list[str], str]: ...
def floats(column: object) -> _Doubles: ...
def format_p_value(value: float) -> str: ...
def mean(values: _Doubles) -> tuple[float, float | None]: ...
def measure_errors(measure: str, truths: _Doubles, estimates: _Doubles, sizes: _Integers | None) -> _Doubles: ...
def methods_with(property: Literal["corrected_mean", "reads_posteriors", "chooses_among_means"]) -> list[str]: ...
def dates(texts: list[str]) -> tuple[list[int | None], bool] | None: ...
def periods(dates: list[str | None], every: str, zone: str | None) -> list[str | None]: ...
def monitor(
    model: Model,
    source: Columns | Tally,
    dates: GroupTexts,
    request: Request,
) -> MonitorResult: ...
def names(table: str) -> list[tuple[str, str]]: ...
def plan(pilot: Model | MulticlassModel | None, options: _Options) -> Plans: ...
def plan_curves(model: Model, options: _Options) -> list[tuple[str, tuple[list[float], list[float]]]]: ...
def plan_audit(model: Model, columns: Columns, options: _Options, order: list[int]) -> AuditPlans: ...
def experiment(
    file: Path, out: Path, threads: int | None, others: list[tuple[str, Any]]
) -> tuple[ResultDict, list[str], dict[str, Any], list[str]]: ...
def read_samples(path: Path) -> dict[str, Any]: ...
def report(
    model: Model,
    columns: Columns,
    by: list[tuple[str, str, list[Any], str | None]],
    sort: bool,
    request: Request,
    words: tuple[str, str],
    audited: tuple[_AuditedRows, bool] | None,
) -> str: ...
def sort_by_group(columns: Sequence[_Doubles], groups: _Codes, number: int) -> tuple[list[_Doubles], _Integers]: ...
def threshold_variances(model: Model, alpha: float, points: int) -> tuple[_Doubles, _Doubles, float, float]: ...
def transformed_scores(model: Model) -> tuple[_Doubles, _Doubles]: ...
def truncate(text: str, width: int) -> str: ...
def wrap(sentence: str, indent: str) -> list[str]: ...
def write_file(path: str | os.PathLike[str], content: bytes) -> None: ...
