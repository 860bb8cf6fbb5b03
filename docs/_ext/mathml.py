"""Formulas as MathML, made when the book is built: a page needs no script and no network to show them."""

import re
from xml.etree import ElementTree

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

logger = logging.getLogger(__name__)


SPACING = {
    # It is a quantity, and no operator.
    "<mo>&#x0221E;</mo>": "<mi>&#x0221E;</mi>",
    # As TeX has it.
    "<mo>&#x0002F;</mo>": '<mo lspace="0" rspace="0">&#x0002F;</mo>',
}


PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3, "mroot": 2}


def converted(tex, display):
    """MathML, or an error that says what is wrong with the formula."""
    # The environment that code hosts know, and the name under which the converter knows it.
    made = convert(re.sub(r"(begin|end){aligned}", r"\1{align*}", tex), display=display)
    for wide, narrow in SPACING.items():
        made = made.replace(wide, narrow)
    for element in ElementTree.fromstring(made).iter():
        tag = element.tag.split("}")[-1]
        if len(element) != PARTS.get(tag, len(element)):
            raise ValueError(f"a part of {tag} is missing")
        # What it does not know becomes text.
        if (element.text or "").startswith("\\"):
            raise ValueError(f"{element.text} is not known")
    return made


def formula(self, node, display):
    try:
        return converted(node.astext(), display)
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
