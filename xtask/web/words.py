"""Checks that words in the answer lead to their explanations."""

# The words that the example's answer and its comparison link, by their explanations.
EXPECTED_LINKS = {
    "word-interval": "95\u00a0%\u00a0interval",
    "word-error": "Standard error",
    "word-points": "points",
    "word-misfit": "by more than chance",
    "word-uncorrected": "Uncorrected share",
    "word-method": "Efficient Sweep",
    "word-p": "p",
}

LINKS = """(links) => links.map((link) => [link.hash.slice(1), link.textContent])"""


def check(visitor, report_fault):
    """Checks the links and follows each; returns a summary."""
    page = visitor.page
    visitor.show_example()
    links = page.locator("#answer .word")
    found = dict(links.evaluate_all(LINKS))
    if found != EXPECTED_LINKS or links.count() != len(found):
        report_fault(f"the answer explains {found}")
    for name in EXPECTED_LINKS:
        explanation = page.locator(f"#{name} + dd")
        page.evaluate("() => { document.getElementById('words').open = false; }")
        # Some words are in sections that are folded at first.
        page.locator(f"#answer .word[href='#{name}']").dispatch_event("click")
        if not explanation.is_visible() or not explanation.inner_text().strip():
            report_fault(f"{name} is not explained")
    page.click("#comparison button")
    visitor.wait_until_idle()
    compared = dict(page.locator("#comparison .word").evaluate_all(LINKS))
    if compared.get("word-p") != "p (Holm)":
        report_fault(f"a comparison explains {compared}")
    text = page.locator("#comparison").inner_text()
    if "truecount check" in text:
        report_fault("a comparison names a command that the page does not have")
    return f"{len(found)} words lead to explanations"
