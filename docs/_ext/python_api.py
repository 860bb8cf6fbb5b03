"""The Python package's pages: docstrings as they are meant, and a warning of public names that no page describes."""

import inspect
import re
from importlib import import_module

from docutils import nodes
from sphinx.ext.autodoc.mock import mock
from sphinx.util import logging

logger = logging.getLogger(__name__)

MODULES = (
    "truecount",
    "truecount.evaluation",
    "truecount.measures",
    "truecount.plot",
    "truecount.quantifiers",
    "truecount.spark",
)
NO_PAGE = {"__version__", "measures"}


def bars(app, what, name, obj, options, lines):
    """A bar is one: reStructuredText would look for a substitution of what stands between two."""
    for place, line in enumerate(lines):
        parts = re.split(r"(``.*?``)", line)
        lines[place] = "".join(part if part.startswith("``") else part.replace("|", r"\|") for part in parts)


def properties(app, what, name, obj, options, lines):
    """A property's docstring is a sentence: napoleon would take what stands before its first colon for a type."""
    if isinstance(obj, property):
        lines[:] = [*(inspect.getdoc(obj) or "").split("\n"), ""]


def others(app, what, name, obj, skip, options):
    """scikit-learn's own methods for metadata routing, whose docstrings lead to its pages."""
    return True if re.fullmatch(r"set_\w+_request", name.rpartition(".")[2]) else None


def dashes(app, doctree):
    """Two hyphens that Sphinx puts between a name and its description."""
    for text in list(doctree.findall(nodes.Text)):
        if " -- " in text and not isinstance(text.parent, (nodes.literal, nodes.literal_block)):
            text.parent.replace(text, nodes.Text(text.replace(" -- ", " – ")))


def names(module):
    """What a module offers: what it lists, and what it makes when first asked for."""
    return (set(module.__all__) | set(getattr(module, "_LAZY", ()))) - NO_PAGE


def check(app, env):
    described = {entry[0] for entry in env.domains["py"].get_objects()}
    with mock(app.config.autodoc_mock_imports):  # names are imported when they are first asked for
        for name in MODULES:
            module = import_module(name)
            for public in sorted(names(module)):
                # A class that several modules offer is described once.
                home = getattr(getattr(module, public), "__module__", name).split("._")[0]
                if not {f"{name}.{public}", f"{home}.{public}", f"truecount.{public}"} & described:
                    logger.warning("%s.%s is described on no page of the reference", name, public)


def setup(app):
    app.connect("autodoc-process-docstring", bars, priority=700)
    app.connect("autodoc-skip-member", others)
    # After napoleon.
    app.connect("autodoc-process-docstring", properties, priority=600)
    app.connect("doctree-read", dashes)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
