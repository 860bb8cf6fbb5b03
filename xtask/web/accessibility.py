"""Checks the page's rendering, its accessibility by axe-core, and its use by keyboard."""

import pages

# Returns the impact and a description of each violation.
AXE_VIOLATIONS = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const where = (nodes) => nodes.map(({ target }) => target).slice(0, 3).join(" and ");
    return violations.map(({ id, impact, help, nodes }) => [impact, `${id}: ${help}: ${where(nodes)}`]);
}"""
SEVERE_IMPACTS = {"serious", "critical"}

# Maximal number of presses of Tab to reach the example.
MAX_PRESSES = 20


def check_rendering(visitor, axe, screen, report_fault):
    """Checks the page before and after an answer, light and dark, and returns a summary."""
    page = visitor.page
    # The script keeps running without its element, which the rendering checks would report.
    page.add_script_tag(path=axe).evaluate("(element) => element.remove()")
    violations = set()
    for state, prepare in [("start", lambda: None), ("answer", lambda: show_everything(visitor))]:
        prepare()
        for scheme in pages.SCHEMES:
            page.emulate_media(color_scheme=scheme)
            where = f"{screen}, {state}, {scheme}"
            for impact, message in page.evaluate(AXE_VIOLATIONS):
                violations.add(message)
                if impact in SEVERE_IMPACTS:
                    report_fault(f"{where}: {message}")
            if state == "answer":
                width = page.viewport_size["width"]
                pages.check_rendering(page, width, lambda message, where=where: report_fault(f"{where}: {message}"))
    return f"{len(violations)} findings that are not grave" if violations else "no findings"


def show_everything(visitor):
    """Shows the example's answer with all results below it, and opens all closed sections."""
    page = visitor.page
    visitor.show_example()
    page.click("#comparison button")
    visitor.wait_until_idle()
    while (closed := page.locator("details:not([open]) > summary")).count():
        closed.first.click()
    for name, value in {"positives": "30", "tested": "100", "sensitivity": "90/100", "specificity": "0.95"}.items():
        page.fill(f"#{name}", value)
    page.click("#counts button")
    visitor.wait_until_idle()


def check_keyboard(visitor, report_fault):
    """Checks that Tab and Enter lead to an answer, which gets the focus; returns a summary."""
    page = visitor.page
    focused_id = lambda: page.evaluate("() => document.activeElement.id")
    for presses in range(1, MAX_PRESSES):
        page.keyboard.press("Tab")
        if focused_id() == "example":
            break
    else:
        report_fault("the example cannot be reached by Tab")
        return ""
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer:not([hidden])")
    visitor.wait_until_idle()
    if focused_id() != "answer":
        report_fault(f"after the answer the focus is on {focused_id()!r}")
    if page.locator("#said").text_content() != visitor.answer():
        report_fault(f"what is said aloud is {page.locator('#said').text_content()!r}")
    return f"{presses} × Tab, Enter: {visitor.answer()}"
