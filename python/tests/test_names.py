"""The public names of the package."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from typing import Any, get_args

import pytest

import truecount as tc
from truecount import (
    _audit,
    _check,
    _core,
    _estimate,
    _monitor,
    _options,
    _plan,
    _tally,
)


def test_every_public_name_can_be_imported() -> None:
    listed = dict(inspect.getmembers(tc))
    assert set(tc.__all__) < set(listed)
    assert {"ContinuousSweep", "ProtocolScorer", "plot", "quantifiers"} < set(listed)
    assert not {"Any", "TYPE_CHECKING", "annotations", "import_module", "find_spec"} & set(listed)
    assert set(tc.quantifiers.__all__) == set(tc._ESTIMATORS)
    assert "How many positives are there" in pydoc.render_doc(tc)


@pytest.mark.parametrize("module", ["plot", "quantifiers", "quapy", "spark"])
def test_modules_are_imported_at_the_first_access(module: str) -> None:
    pytest.importorskip({"plot": "matplotlib", "quantifiers": "sklearn", "spark": "pyspark"}.get(module, module))
    code = f"""
import sys, truecount as tc
assert "truecount.{module}" not in sys.modules
assert tc.{module} is sys.modules["truecount.{module}"]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_of_missing_libraries_are_not_listed() -> None:
    code = """
import sys
sys.modules["sklearn"] = sys.modules["matplotlib"] = None
import inspect, pydoc, truecount as tc
inspect.getmembers(tc), pydoc.render_doc(tc)
assert sorted(dir(tc)) == sorted(tc.__all__)
exec("from truecount import *")
try:
    tc.SLD
except ImportError as error:
    print(error)
"""
    message = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert message == "the quantifiers need scikit-learn: pip install truecount[sklearn]\n"


@pytest.mark.parametrize(
    ("literal", "table", "additional"),
    [
        (_options.Method, "methods", {"cs"}),
        (_options.Family, "families", set()),
        (_options.Transform, "transforms", set()),
        (_options.Rates, "rates", set()),
        (_options.Target, "targets", set()),
        (_options.Interval, "intervals", {"bootstrap"}),
        (_options.RateInterval, "rate intervals", set()),
        (_options.Misfit, "misfits", set()),
        (_options.Period, "periods", set()),
        (_options.Dialect, "dialects", set()),
    ],
)
def test_literal_types_agree_with_the_library(literal: Any, table: str, additional: set[str]) -> None:
    assert set(get_args(literal)) == {name for name, _ in _core.names(table)} | additional


@pytest.mark.parametrize(
    ("function", "types", "own"),
    [
        (tc.estimate, _estimate.FitEstimateEachKwargs, {"method", "by", "probabilities"}),
        (tc.Model.estimate, _estimate.EstimateEachKwargs, {"by"}),
        (tc.Model.plan, _plan.PlanKwargs, set()),
        (tc.plan, _plan.FitPlanKwargs, {"method", "train_scores", "train_labels", "sensitivity", "specificity"}),
        (tc.Tally.estimate, _tally.TallyKwargs, set()),
        (tc.Tally.monitor, _monitor.MonitorKwargs, set()),
        (tc.audit, _audit.AuditKwargs, {"by", "audited_by", "sort", "total"}),
        (tc.Model.fit, _options.FitKwargs, {"method"}),
        (tc.check, _check.CheckKwargs, {"test_scores"}),
    ],
)
def test_help_shows_the_arguments_that_types_allow(function: Any, types: Any, own: set[str]) -> None:
    parameters = inspect.signature(function).parameters
    options = {name for name, each in parameters.items() if each.default is not each.empty}
    assert options == {*types.__annotations__} | own
    assert not any(each.kind == each.VAR_KEYWORD for each in parameters.values())


def test_help_shows_arguments_in_groups() -> None:
    assert "level: 'float' = 0.95" in str(inspect.signature(tc.estimate))
    text = pydoc.render_doc(tc.estimate)
    groups = ("Parameters", "Groups", "Test rows", "Labelled rows", "Fit", "Uncertainty", "Returns")
    places = [text.index(f"    {group}\n    {'-' * len(group)}\n") for group in groups]
    assert places == sorted(places)


def test_unknown_arguments_are_those_of_the_function_that_was_called(spam_model: tc.Model) -> None:
    for call, message in (
        (lambda: spam_model.estimate([1.0], weight=[1.0]), r"^estimate\(\) .* 'weight'; did you mean 'weights'\?$"),
        (lambda: spam_model.estimate_each([1.0], group=[1]), r"^estimate_each\(\) .* 'group'; did you mean 'by'\?$"),
        (
            lambda: spam_model.estimate([1.0], method="ac"),
            r"^estimate\(\) .* 'method'; it is an argument of Model.fit$",
        ),
        (
            lambda: tc.estimate([1.0], [1], [1.0], positives=1),
            r"^estimate\(\) .* 'positives'; did you mean 'positive'\?$",
        ),
        (lambda: tc.plan([1.0], [1], scores=1), r"^plan\(\) got an unexpected keyword argument 'scores'"),
        (lambda: spam_model.check([1.0], alpha=0.1), r"^check\(\) got an unexpected keyword argument 'alpha'"),
        (lambda: spam_model.monitor([1.0], by=["a"], over=0.1), r"^monitor\(\) .* 'over'"),
        (lambda: spam_model.compare([1.0], [1.0], alpha=0.05), r"^compare\(\) .* 'alpha'; say level=0.95$"),
        (lambda: tc.counts(3, 20, sensitivity=1.0, specificity=0.9, alpha=0.1), r"^counts\(\) .*; say level=0.9$"),
        (lambda: tc.evaluate(spam_model, [1.0], [1], alpha="5 %"), r"^evaluate\(\) .*; say level=1 - alpha$"),
        (lambda: tc.audit([1.0], [1.0], [1], confidence=0.9), r"^audit\(\) .* 'confidence'; did you mean 'level'\?$"),
    ):
        with pytest.raises(TypeError, match=message):
            call()


def test_names_of_other_packages_have_the_names_here(spam_model: tc.Model) -> None:
    estimate = spam_model.estimate([1.0, 2.0])
    results = estimate, spam_model.estimate_each([[1.0], [2.0]]), tc.counts(3, 20, sensitivity=1.0, specificity=0.9)
    for result in results:
        for name in ("ci", "conf_int", "confint"):
            with pytest.raises(AttributeError, match=f"has no attribute '{name}'; did you mean 'interval'\\?$"):
                getattr(result, name)
        with pytest.raises(AttributeError, match=r"has no attribute 'stderr'; did you mean 'se'\?$"):
            result.stderr
        with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
            result.nothing
    with pytest.raises(AttributeError, match=r"^'Model' object has no attribute 'predict'; did you mean 'estimate'\?$"):
        spam_model.predict
    for protocol in ("APP", "app", tc.APP):
        with pytest.raises(tc.OptionError, match="it must be one of uniform, grid, natural; did you mean 'grid'"):
            tc.evaluate(spam_model, [1.0], [1], protocol=protocol)
    with pytest.raises(tc.OptionError, match="did you mean 'natural'"):
        tc.ProtocolScorer(protocol="NPP")
    with pytest.raises(tc.OptionError, match="there is no method 'SLD'; did you mean 'sld'"):
        tc.Model.fit([1.0, 0.0], [1, 0], method="SLD")


def test_a_function_that_is_a_method_of_a_model() -> None:
    message = "^module 'truecount' has no function 'compare'; it is a method of a model: truecount.Model.compare$"
    with pytest.raises(AttributeError, match=message):
        tc.compare  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="^module 'truecount' has no attribute 'ClassifyCount'") as error:
        tc.ClassifyCount  # type: ignore[attr-defined]
    assert error.value.name == "ClassifyCount" and error.value.obj is tc
