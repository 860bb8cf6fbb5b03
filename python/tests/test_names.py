"""What `import truecount` offers: what is listed can be had."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys
from typing import Any, get_args

import pytest

import truecount as tc
from truecount import _core, _estimate, _estimation, _names


def test_what_is_listed_can_be_had() -> None:
    listed = dict(inspect.getmembers(tc))
    assert set(tc.__all__) < set(listed)
    assert {"ContinuousSweep", "ProtocolScorer", "plot"} < set(listed)
    assert not {"Any", "TYPE_CHECKING", "annotations", "import_module", "find_spec"} & set(listed)
    assert "How many positives are there" in pydoc.render_doc(tc)


def test_what_needs_a_library_that_is_not_there_is_not_listed() -> None:
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
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert said == "the quantifiers need scikit-learn: pip install truecount[sklearn]\n"


@pytest.mark.parametrize(
    ("typed", "table", "more"),
    [
        (_names.Method, "methods", {"cs"}),
        (_names.Family, "families", set()),
        (_names.Transformation, "transforms", set()),
        (_names.Rates, "rates", set()),
        (_names.Target, "targets", set()),
        (_names.Interval, "intervals", {"bootstrap"}),
        (_names.RateInterval, "rate intervals", set()),
        (_names.Misfit, "misfits", set()),
        (_names.Dialect, "dialects", set()),
    ],
)
def test_names_where_types_are_checked_are_the_librarys(typed: Any, table: str, more: set[str]) -> None:
    assert set(get_args(typed)) == {name for name, _ in _core.names(table)} | more


def test_the_one_call_has_the_defaults_of_the_others() -> None:
    """`estimate` says them once more, for its readers."""
    given = inspect.signature(tc.estimate).parameters
    others = {**inspect.signature(tc.Model.fit).parameters, **inspect.signature(_estimation.estimate).parameters}
    asked = {
        name: parameter
        for name, parameter in given.items()
        if parameter.default is not inspect.Parameter.empty and name != "by"
    }
    assert {name: parameter.default for name, parameter in asked.items()} == {
        name: others[name].default for name in asked
    }
    rest = {"model", "each", "by", "train_scores", "train_labels", "test_scores"}
    assert set(asked) == set(others) - rest
    assert set(asked) == {*_estimate.FitEstimateEachKwargs.__annotations__, "method"}
