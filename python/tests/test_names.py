"""The public names of the package."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from typing import Any, get_args

import pytest

import truecount as tc
from truecount import _core, _estimate, _estimation, _names


def test_every_public_name_can_be_imported() -> None:
    listed = dict(inspect.getmembers(tc))
    assert set(tc.__all__) < set(listed)
    assert {"ContinuousSweep", "ProtocolScorer", "plot", "quantifiers"} < set(listed)
    assert not {"Any", "TYPE_CHECKING", "annotations", "import_module", "find_spec"} & set(listed)
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
        (_names.Method, "methods", {"cs"}),
        (_names.Family, "families", set()),
        (_names.Transform, "transforms", set()),
        (_names.Rates, "rates", set()),
        (_names.Target, "targets", set()),
        (_names.Interval, "intervals", {"bootstrap"}),
        (_names.RateInterval, "rate intervals", set()),
        (_names.Misfit, "misfits", set()),
        (_names.Period, "periods", set()),
        (_names.Dialect, "dialects", set()),
    ],
)
def test_literal_types_agree_with_the_library(literal: Any, table: str, additional: set[str]) -> None:
    assert set(get_args(literal)) == {name for name, _ in _core.names(table)} | additional


def test_estimate_has_the_defaults_of_fit_and_model_estimate() -> None:
    """`estimate` repeats the defaults, so that its signature shows them."""
    arguments = inspect.signature(tc.estimate).parameters
    others = {**inspect.signature(tc.Model.fit).parameters, **inspect.signature(_estimation.estimate).parameters}
    options = {
        name: parameter
        for name, parameter in arguments.items()
        if parameter.default is not inspect.Parameter.empty and name != "by"
    }
    assert {name: parameter.default for name, parameter in options.items()} == {
        name: others[name].default for name in options
    }
    rest = {"model", "each", "by", "train_scores", "train_labels", "test_scores"}
    assert set(options) == set(others) - rest
    assert set(options) == {*_estimate.FitEstimateEachKwargs.__annotations__, "method"}
