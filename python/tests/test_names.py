"""What `import truecount` offers: what is listed can be had."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys

import truecount as tc


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
