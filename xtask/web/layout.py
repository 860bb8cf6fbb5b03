"""Checks the arrangement of the page: its figures, and wide screens."""

WIDE = {"width": 1920, "height": 1080}

# Whether the first figure of the answer comes before its first table and its folded sections.
FIGURE_IS_FIRST = """() => {
    const figure = document.querySelector("#answer figure:has(svg)");
    const later = document.querySelector("#answer :is(table, details)");
    return Boolean(figure?.compareDocumentPosition(later) & Node.DOCUMENT_POSITION_FOLLOWING);
}"""


def check_wide(visitor, report_fault):
    """Checks that the form stays beside the answer of the example, with and without groups."""
    for groups in [["week"], []]:
        visitor.fill_form(by=groups)
        visitor.count()
        if not visitor.page.evaluate(FIGURE_IS_FIRST):
            report_fault(f"by {groups} there is no figure before the table and the folded sections")
        question, answer = (visitor.page.locator(part).bounding_box() for part in ["#question", "#answer"])
        if question["x"] + question["width"] > answer["x"] or answer["x"] + answer["width"] < 0.75 * WIDE["width"]:
            report_fault(f"by {groups} the answer is not beside the tables: {question}, {answer}")
        visitor.page.evaluate("() => document.getElementById('after').scrollIntoView({ behavior: 'instant' })")
        button = visitor.page.locator("#question .first").bounding_box()
        if not 0 <= button["y"] <= WIDE["height"] - button["height"]:
            report_fault(f"by {groups} the form is not in view below the answer: {button}")
