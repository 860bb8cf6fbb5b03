"""Converts formulas to MathML at build time, so that pages need no script and no network."""

import re
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

logger = logging.getLogger(__name__)


SPACING = {
    # Infinity is an identifier, not an operator.
    "<mo>&#x0221E;</mo>": "<mi>&#x0221E;</mi>",
    # TeX puts no space around a slash.
    "<mo>&#x0002F;</mo>": '<mo lspace="0" rspace="0">&#x0002F;</mo>',
}


PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3, "mroot": 2}


def to_mathml(tex, display):
    """Returns MathML, or raises an error that says what is wrong with the formula."""
    # Code hosts support the environment aligned, the converter only align*.
    mathml = convert(re.sub(r"(begin|end){aligned}", r"\1{align*}", tex), display=display)
    for wide, narrow in SPACING.items():
        mathml = mathml.replace(wide, narrow)
    for element in ElementTree.fromstring(mathml).iter():
        tag = element.tag.split("}")[-1]
        if len(element) != PARTS.get(tag, len(element)):
            raise ValueError(f"a part of {tag} is missing")
        # The converter turns unknown commands into text.
        if (element.text or "").startswith("\\"):
            raise ValueError(f"{element.text} is not known")
    return mathml


def formula(self, node, display):
    try:
        return to_mathml(node.astext(), display)
    except Exception as error:
        logger.warning("the formula %r cannot be shown: %s", node.astext(), error, location=node)
        return f"<code>{self.encode(node.astext())}</code>"


def inline(self, node):
    self.body.append(formula(self, node, "inline"))
    raise nodes.SkipNode


def block(self, node):
    self.body.append(f'<div class="formula" tabindex="0">{formula(self, node, "block")}</div>\n')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
