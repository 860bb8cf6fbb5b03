"""How the page is rendered, read aloud and used without a mouse."""

from pages import SCHEMES, picture, rendered

# What hinders people, by the rules of axe-core.
AXE = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    const where = (nodes) => nodes.map(({ target }) => target).slice(0, 3).join(" and ");
    return violations.map(({ id, impact, help, nodes }) => [impact, `${id}: ${help}: ${where(nodes)}`]);
}"""
GRAVE = {"serious", "critical"}

# Presses of a key until there is no hope.
PRESSES = 20


def looks(visitor, axe, screen, screenshots, fault):
    """Rules for all that is rendered, before an answer and with one, light and dark."""
    page = visitor.page
    # The script stays after its element has gone, which is none of the page's.
    page.add_script_tag(path=axe).evaluate("(element) => element.remove()")
    said = set()
    for state, act in [("start", lambda: None), ("answer", lambda: everything(visitor))]:
        act()
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            where = f"{screen}, {state}, {scheme}"
            for impact, what in page.evaluate(AXE):
                said.add(what)
                if impact in GRAVE:
                    fault(f"{where}: {what}")
            if state == "answer":
                rendered(page, page.viewport_size["width"], lambda what, where=where: fault(f"{where}: {what}"))
            picture(page, screenshots, f"page-{screen}-{state}-{scheme}")
    return f"{len(said)} findings that are not grave" if said else "no findings"


def everything(visitor):
    """The example's answer, what is below it, and all that is folded."""
    page = visitor.page
    page.click("#example")
    visitor.settle()
    page.click("#comparison button")
    visitor.settle()
    while (folded := page.locator("details:not([open]) > summary")).count():
        folded.first.click()
    for name, value in {"positives": "30", "tested": "100", "sensitivity": "90/100", "specificity": "0.95"}.items():
        page.fill(f"#{name}", value)
    page.click("#counts button")
    visitor.settle()


def keyboard(visitor, fault):
    """Tab and Enter lead to an answer, from which reading goes on."""
    page = visitor.page
    focus = lambda: page.evaluate("() => document.activeElement.id")
    for presses in range(1, PRESSES):
        page.keyboard.press("Tab")
        if focus() == "example":
            break
    else:
        fault("the example cannot be reached by Tab")
        return ""
    page.keyboard.press("Enter")
    page.wait_for_selector("#answer:not([hidden])")
    visitor.settle()
    if focus() != "answer":
        fault(f"after the answer the focus is on {focus()!r}")
    if page.locator("#said").text_content() != visitor.answer():
        fault(f"what is said aloud is {page.locator('#said').text_content()!r}")
    return f"{presses} × Tab, Enter: {visitor.answer()}"
