"""Adapts docstrings of the Python package to Sphinx, and warns about undocumented public names."""

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


def escape_bars(app, what, name, obj, options, lines):
    """Escapes bars, which would start a substitution in reStructuredText."""
    for index, line in enumerate(lines):
        parts = re.split(r"(``.*?``)", line)
        lines[index] = "".join(part if part.startswith("``") else part.replace("|", r"\|") for part in parts)


def restore_property_docstring(app, what, name, obj, options, lines):
    """Restores a property's docstring, in which napoleon takes the text before a colon for a type."""
    if isinstance(obj, property):
        lines[:] = [*(inspect.getdoc(obj) or "").split("\n"), ""]


def add_return_type(app, what, name, obj, options, signature, return_annotation):
    """Adds the class that a function returns, if its docstring has no section about it."""
    kind = getattr(obj, "__annotations__", {}).get("return")
    is_class = isinstance(kind, str) and kind.isidentifier() and kind[0].isupper() and kind != "Any"
    if what in ("function", "method") and is_class and "Returns\n" not in (obj.__doc__ or ""):
        return signature, kind
    return None


def skip_metadata_methods(app, what, name, obj, skip, options):
    """Skips scikit-learn's methods for metadata routing, whose docstrings link to its pages."""
    return True if re.fullmatch(r"set_\w+_request", name.rpartition(".")[2]) else None


def replace_hyphens(app, doctree):
    """Replaces the two hyphens that Sphinx puts between a name and its description by a dash."""
    for text in list(doctree.findall(nodes.Text)):
        if " -- " in text and not isinstance(text.parent, (nodes.literal, nodes.literal_block)):
            text.parent.replace(text, nodes.Text(text.replace(" -- ", " – ")))


def public_names(module):
    """Returns the public names of a module, including those that are imported on first use."""
    return (set(module.__all__) | set(getattr(module, "_LAZY", ()))) - NO_PAGE


def check(app, env):
    described = {entry[0] for entry in env.domains["py"].get_objects()}
    with mock(app.config.autodoc_mock_imports):  # some names are imported on first use
        for name in MODULES:
            module = import_module(name)
            for public in sorted(public_names(module)):
                # A class of several modules has one description.
                home = getattr(getattr(module, public), "__module__", name).split("._")[0]
                if not {f"{name}.{public}", f"{home}.{public}", f"truecount.{public}"} & described:
                    logger.warning("%s.%s is described on no page of the reference", name, public)


def setup(app):
    app.connect("autodoc-process-docstring", escape_bars, priority=700)
    app.connect("autodoc-process-signature", add_return_type)
    app.connect("autodoc-skip-member", skip_metadata_methods)
    # After napoleon.
    app.connect("autodoc-process-docstring", restore_property_docstring, priority=600)
    app.connect("doctree-read", replace_hyphens)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
