"""Checks the arrangement of the page: its figures, on wide screens and on paper."""

import re

WIDE, NARROWEST_WIDE = {"width": 1920, "height": 1080}, {"width": 1440, "height": 900}

# Maximal number of sheets of the example: its folded sections are printed too.
MAX_SHEETS = 6

# The sections of the answer that are folded on the screen.
FOLDED = ["scores", "check", "methods", "reproduce", "words"]

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


def check_columns(visitor, report_fault):
    """Checks that both columns begin at the same height, and that the boxes are as wide as the fields below."""
    visitor.show_example()
    # At once, as the page may still be scrolling.
    tops = visitor.page.evaluate(
        "() => ['h1', '#answer-head'].map((part) => document.querySelector(part).getBoundingClientRect().top)"
    )
    if abs(tops[0] - tops[1]) > 1:
        report_fault(f"the columns begin at different heights: {tops}")
    edges = lambda part: visitor.page.locator(f"{part}:visible").evaluate_all(
        "(all) => all.slice(0, 2).map((one) => one.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])"
    )
    if edges(".drop") != edges("#columns > .fields > div"):
        report_fault(f"the boxes are from {edges('.drop')}, the fields from {edges('#columns > .fields > div')}")


def check_print(visitor, report_fault):
    """Checks that folded sections are printed, and forms only by their results; returns a summary."""
    page = visitor.page
    visitor.show_example()
    page.emulate_media(media="print")
    check_printed(page, [*FOLDED, "answer"], ["question", "comparison", "downloads", "counts"], report_fault)
    sheets = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
    if not 1 <= sheets <= MAX_SHEETS:
        report_fault(f"{sheets} sheets of paper")
    page.emulate_media(media="screen")
    page.click("#comparison button")
    visitor.wait_until_idle()
    page.emulate_media(media="print")
    check_printed(page, ["comparison"], ["counts"], report_fault)
    return f"{sheets} sheets"


def check_printed(page, printed, unprinted, report_fault):
    """Checks that these parts are on paper and those are not, and that no form control is."""
    content = lambda part: page.locator(f"#{part} > :not(summary)").first
    for part in printed:
        if not content(part).is_visible():
            report_fault(f"{part} is not printed")
    for part in unprinted:
        if content(part).is_visible():
            report_fault(f"{part} is printed")
    controls = page.locator(":is(input, select, textarea, progress, .button, #all):visible")
    if controls.count():
        report_fault(f"on paper there are {controls.evaluate_all('(all) => all.map((one) => one.outerHTML)')}")
