"""Classes, codes and fields of errors and warnings."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truecount as tc
from truecount import _errors, _core

TRAIN = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4]
LABELS = [1, 1, 1, 1, 0, 0, 0, 0]
NAN = float("nan")
PAGE = Path(__file__).parents[2] / "docs/reference/python/errors.md"


@pytest.fixture(scope="module")
def model() -> tc.Model:
    return tc.Model.fit(TRAIN, LABELS)


def call_fit(*arguments: Any, **options: Any) -> Callable[[tc.Model], Any]:
    return lambda model: tc.Model.fit(*arguments, **options)


def call_method(name: str, *arguments: Any, **options: Any) -> Callable[[tc.Model], Any]:
    return lambda model: getattr(model, name)(*arguments, **options)


CASES: list[tuple[Callable[[tc.Model], Any], type[tc.TruecountError], str, dict[str, Any]]] = [
    # Errors of the library, with the argument and the caller's row.
    (
        call_fit([*TRAIN[:7], NAN], LABELS),
        tc.ScoreError,
        "score-not-finite",
        {"column": "train_scores", "row": 7, "value": NAN},
    ),
    (
        call_method("estimate_each", [[1.0], [2.0, np.inf]]),
        tc.ScoreError,
        "score-not-finite",
        {"column": "test_scores[1]", "set": 1, "row": 1, "value": np.inf},
    ),
    (
        call_method("estimate", [1.0, 2.0, NAN, 1.0], by={"week": ["a", "b", "b", "a"]}),
        tc.ScoreError,
        "score-not-finite",
        {"column": "test_scores", "group": {"week": "b"}, "row": 2, "value": NAN},
    ),
    (
        call_method("estimate", [1.0, 2.0], weights=[1.0, -1.0]),
        tc.ScoreError,
        "weight-out-of-range",
        {"column": "weights", "row": 1, "value": -1.0},
    ),
    (call_method("estimate_each", [[1.0], []]), tc.ScoreError, "no-test-scores", {"set": 1}),
    (call_method("estimate", []), tc.ScoreError, "no-test-scores", {}),
    (
        call_fit(TRAIN, [0, 0, 0, 0, 1, 1, 1, 1]),
        tc.LabelError,
        "classes-inverted",
        {"discordance": 1.0},
    ),
    (
        call_fit(TRAIN, [1] + [0] * 7, method="o-cs"),
        tc.LabelError,
        "class-of-one-score",
        {"class": "positive"},
    ),
    (
        call_fit(TRAIN, [1, 1] + [0] * 6, method="o-cs", family="skew-normal"),
        tc.LabelError,
        "class-too-small",
        {"class": "positive", "n": 2, "needed": 3, "family": "skew-normal"},
    ),
    (
        call_fit(TRAIN, LABELS, method="o-cs,ac", cutoff=9.0),
        tc.LabelError,
        "classes-not-separated-at-cutoff",
        {"method": "ac", "cutoff": 9.0, "positive": 0.0, "negative": 0.0},
    ),
    (
        call_method("estimate", [1.0], level=95),
        tc.OptionError,
        "parameter-out-of-range",
        {"name": "level", "value": 95.0, "domain": "between 0 and 1, both excluded"},
    ),
    (
        call_fit(TRAIN, LABELS, method="kde"),
        tc.OptionError,
        "method-unknown",
        {"name": "kde", "known": [*tc.methods()]},
    ),
    (call_method("sql", "scores", by=["week", "Week"]), tc.OptionError, "sql-column-twice", {"column": "Week"}),
    # Errors of this package.
    (
        call_method("estimate", [1.0, "x"]),
        tc.ScoreError,
        "value-not-number",
        {"column": "test_scores", "row": 1, "value": "x"},
    ),
    (call_method("estimate", [1.0, None]), tc.ScoreError, "value-missing", {"column": "test_scores", "row": 1}),
    (call_method("estimate", "score"), tc.ScoreError, "column-invalid", {"column": "test_scores"}),
    (call_fit(TRAIN, [1, 0]), tc.ScoreError, "length-mismatch", {"column": "train_labels", "values": 2, "others": 8}),
    (call_fit(TRAIN, [1, None] * 4), tc.LabelError, "label-missing", {"column": "train_labels", "row": 1}),
    (
        call_fit(TRAIN, [1, 1, 0, 0] * 2, train_clusters=["a", None] * 4),
        tc.LabelError,
        "unit-missing",
        {"column": "train_clusters", "row": 1},
    ),
    (
        call_fit(TRAIN, [1, 1, 0, 0] * 2, train_strata=["a", None] * 4),
        tc.LabelError,
        "unit-missing",
        {"column": "train_strata", "row": 1},
    ),
    (call_fit(TRAIN, [1] * 8), tc.LabelError, "labels-not-two", {"column": "train_labels", "labels": [1]}),
    (
        call_fit(TRAIN, LABELS, positive=2),
        tc.LabelError,
        "positive-unknown",
        {"column": "train_labels", "labels": [1, 0], "value": 2},
    ),
    (
        call_method("estimate", [1.0], target="all"),
        tc.OptionError,
        "choice-unknown",
        {"name": "target", "value": "all", "known": ["sample", "population"]},
    ),
    (call_fit(TRAIN, LABELS, method="es", threshold=0.3), tc.OptionError, "threshold-unused", {}),
    (
        call_method("estimate", [1.0], interval="boot"),
        tc.OptionError,
        "choice-unknown",
        {"name": "interval", "value": "boot", "known": ["wilson", "wald", "bootstrap"]},
    ),
    (call_method("sql", "scores", weight="w"), tc.OptionError, "option-conflict", {"name": "weight"}),
    (lambda model: tc.Tally.from_bytes(model, b"{}"), tc.TallyError, "tally-file-unknown", {}),
    (
        lambda model: model.tally([1.0], by=["a"]) + model.tally([1.0]),
        tc.TallyError,
        "tallies-differ",
        {"columns": ["group"], "others": []},
    ),
    (
        lambda model: model.tally([1.0]) + call_fit(TRAIN, LABELS, cutoff=0.5)(model).tally([1.0]),
        tc.TallyError,
        "tally-model-mismatch",
        {},
    ),
    (
        lambda model: tc.Tally.from_bytes(call_fit(TRAIN, LABELS, method="o-cs")(model), model.tally([1.0]).to_bytes()),
        tc.TallyError,
        "tally-methods",
        {"tally": ["es"], "model": ["o-cs"]},
    ),
]


@pytest.mark.parametrize(
    ("call", "kind", "code", "fields"), CASES, ids=[f"{index}-{case[2]}" for index, case in enumerate(CASES)]
)
def test_errors_have_class_code_and_fields(
    model: tc.Model, call: Callable[[tc.Model], Any], kind: type[tc.TruecountError], code: str, fields: dict[str, Any]
) -> None:
    with pytest.raises(ValueError) as caught:
        call(model)
    error = caught.value
    assert type(error) is kind and isinstance(error, tc.TruecountError)
    assert error.code == code
    assert error.fields.keys() == fields.keys()
    for name, value in fields.items():
        assert error.fields[name] == (
            pytest.approx(value, abs=1e-15, nan_ok=True) if isinstance(value, float) else value
        ), name
    assert error.args == (str(error),)
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(same), str(same), same.code, repr(same.fields)) == (kind, str(error), code, repr(error.fields))


def test_a_file_that_is_not_a_model(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text("{}")
    with pytest.raises(tc.ModelError) as caught:
        tc.Model.load(path)
    assert caught.value.code == "not-a-model"
    assert caught.value.fields["path"] == str(path)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (call_fit(TRAIN, LABELS, method="ac", cutoff=9.0), "; choose a cutoff between the classes"),
        (
            call_fit(TRAIN, [0, 0, 0, 0, 1, 1, 1, 1]),
            "; take the other label as positive, or negate the scores (the other label: positive=0)",
        ),
        (
            call_fit(TRAIN, LABELS, threshold=0.99999),
            "; choose a smaller threshold, or the optimal one (o-cs, o-ms)",
        ),
        (lambda model: tc.UPP(TRAIN, LABELS, size=5), "; draw smaller samples with size"),
        (
            call_method("estimate", [1.0], interval="bootstrap", resamples=9),
            ", too few for an interval of level 0.95; take at least 39, and many more to be accurate",
        ),
        (
            call_method("sql", "scores", by=["week", "week"]),
            "by has 'week' twice (SQL does not distinguish upper and lower case); name each column once",
        ),
        (
            lambda model: tc.counts(35, 800, (90, 100), (97, 100), target="sample", interval="lang-reiczigel"),
            "; use interval='wilson', or target='population'",
        ),
        (
            call_fit(TRAIN, LABELS, method="o-cs", family="beta", transform="logit"),
            "family='beta' needs untransformed scores; leave out transform",
        ),
        (
            lambda model: tc.EfficientSweep("scores", rates="family", family="beta", score_transform="rank").fit(
                np.array(TRAIN), np.array(LABELS)
            ),
            "family='beta' needs untransformed scores; leave out score_transform",
        ),
        (
            call_fit(TRAIN, LABELS, method="es", threshold=0.3),
            "threshold has an effect on the method cs only (o-cs and t-cs choose their own thresholds); use method='cs', "
            "or leave out threshold; the score at which cc and ac call a row positive is cutoff",
        ),
    ],
)
def test_remedies_name_arguments_and_functions(model: tc.Model, call: Callable[[tc.Model], Any], advice: str) -> None:
    with pytest.raises(tc.TruecountError) as caught:
        call(model)
    assert str(caught.value).endswith(advice)


def test_warnings_are_texts_with_code_severity_and_fields() -> None:
    estimate = tc.Model.fit(TRAIN, LABELS, method="o-cs").estimate([50.0, 60.0])
    assert isinstance(estimate, tc.Estimate)
    far, few, outside = estimate.warnings
    assert (far.code, far.severity, far.fields) == ("outside-unit-interval", "note", {"raw": estimate.raw})
    assert (few.code, few.severity, few.fields) == ("few-labelled", "unreliable", {"n": 4})
    assert (outside.code, outside.severity, outside.fields) == ("none-in-region", "caution", {})
    text = "no test score lies inside the region, so only the numbers of scores on either side count"
    assert outside == text and repr(outside) == repr(text) and hash(outside) == hash(text)
    for same in (pickle.loads(pickle.dumps(few)), copy.deepcopy(few)):
        assert (same, same.code, same.severity, same.fields) == (few, few.code, few.severity, few.fields)
    assert pickle.loads(pickle.dumps(estimate)) == estimate


def test_warnings_name_functions_and_arguments() -> None:
    rng = np.random.default_rng(1)
    train, labels = np.r_[rng.normal(2, 1, 100), rng.normal(0, 1, 100)], np.repeat([1, 0], 100)
    shifted = tc.estimate(train, labels, np.full(500, 1.0) + rng.normal(0, 0.05, 500))
    assert isinstance(shifted, tc.Estimate)
    (warning,) = (warning for warning in shifted.warnings if warning.code == "prior-shift-rejected")
    assert warning.endswith("times as large as chance explains; see truecount.check")
    assert warning.severity == "unreliable"
    assert list(warning.fields) == ["p_value", "from", "to", "share", "se", "scale"]
    grades = tc.estimate(np.round(train), labels, np.round(train), method="o-cs", check=False)
    assert isinstance(grades, tc.Estimate)
    (warning,) = (warning for warning in grades.warnings if warning.code == "few-values")
    assert warning.endswith(
        "take the rates from the labelled scores (rates='labels', or a method such as es, ac or pacc)"
    )
    assert warning.fields == {"values": len(set(np.round(train)))}


def raised_codes(folder: Path) -> Iterator[tuple[str, str]]:
    """Yields the classes and codes of the exceptions in the package's source code."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name):
                assert node.exc.func.id != "ValueError", f"{path.name}, line {node.lineno}: a ValueError without a code"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                name = node.func.id
                if name in {kind.__name__ for kind in tc.TruecountError.__subclasses__()}:
                    code = node.args[1]
                    assert isinstance(code, ast.Constant) and isinstance(code.value, str)
                    yield name, code.value


def test_every_code_is_in_a_table_and_used() -> None:
    library = dict(_core.names("errors")) | dict(_core.names("warnings"))
    assert not library.keys() & _errors.CODES.keys()
    assert _errors._CLASSES.keys() == dict(_core.names("subjects")).keys()
    used = set(raised_codes(Path(tc.__file__).parent))
    own = {code: kind.__name__ for code, (kind, _) in _errors.CODES.items()}
    assert {code for _, code in used} - library.keys() == own.keys()
    for name, code in used:
        assert own.get(code, name) == name, code


def test_the_page_on_errors_has_the_packages_own_codes() -> None:
    rows = [f"| `{code}` | `{kind.__name__}` | {meaning} |" for code, (kind, meaning) in _errors.CODES.items()]
    page = PAGE.read_text(encoding="utf-8")
    assert "\n".join(rows) in page
    assert page.count("\n| `") == len(rows)
