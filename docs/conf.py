"""Sphinx configuration of the book, which `cargo xtask docs` builds."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "truecount"
author = "The truecount developers"
copyright = author
language = "en-GB"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "mathml",
    "command_reference",
    "python_api",
    "explorables",
    "site_links",
]
exclude_patterns = ["_ext", "requirements.txt"]
nitpicky = True

# Pages are also read on code hosts, so only their syntax is enabled.
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
myst_dmath_double_inline = False
# rustdoc's pages and the browser page are outside this site; reference/index.md and browser.md
# link to them.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "rustdoc": "../rust/{{path}}", "beside": "{{path}}"}
smartquotes = False
highlight_language = "text"
# A text in single backquotes in a docstring is a name, and a link if the name has a page.
default_role = "autolink"

html_theme = "furo"
html_title = "truecount"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = ["search.js"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#0b5c8f",
        "color-brand-content": "#0b5c8f",
        "color-brand-visited": "#0b5c8f",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6cb8e6",
        "color-brand-content": "#6cb8e6",
        "color-brand-visited": "#6cb8e6",
    },
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

# Docstrings have the numpydoc format, and state the types that signatures also have.
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_param = False
napoleon_use_ivar = True
napoleon_custom_sections = [
    (group, "params_style") for group in ("Groups", "Test rows", "Labelled rows", "Fit", "Uncertainty")
]
autodoc_typehints = "none"
autodoc_member_order = "bysource"
# Sphinx reads the package in the repository. The compiled module has no pages and takes minutes
# to build.
autodoc_mock_imports = ["pyspark", "quapy", "truecount._core"]
autosummary_generate = False
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

nitpick_ignore_regex = [
    # Types of other packages have no pages here.
    ("py:.*", r"(numpy|pandas|polars|pyarrow|pyspark|sklearn|matplotlib|quapy)\..*"),
    # Single words of docstrings: parameters, and types in words.
    ("py:(class|obj)", r"[^.]*"),
]
