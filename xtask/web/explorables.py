"""Operates the book's explorables in Chromium, opened from a disk and without a network.

    python explorables.py SITE      SITE is the folder of the built book

An explorable is a form with sliders whose answers and figures follow its inputs. Fails with a list
of faults: an answer or figure that is not updated, a missing error message, a console message, a
request outside the folder.
"""

import itertools
import re

from playwright.sync_api import Error

import reader

# Timeout in seconds, long enough for a busy machine.
TIMEOUT = 30

# The outputs of each form, inside it and elsewhere on its page, by the page and the form's request.
TRUTH = "In truth {positives} of {n} are positive. {answer}"
FORM_OUTPUTS = {
    ("why/index", "classes"): {TRUTH, "html", "scores", "separation", "adjusted-count", "calibration", "weights"},
    ("why/index", "counting"): {"answer", "counting"},
    ("how-to/counts", "counts"): {"html", "command"},
}

# Returns all outputs of a form by their name: texts, and figures as SVG.
OUTPUTS = """(form) => Object.fromEntries([form, ...document.querySelectorAll(`[data-of=${form.dataset.ask}]`)].flatMap((part) => {
    const elements = [...part.querySelectorAll("[data-text], [data-sentence], [data-html], [data-figure]")];
    return (part === form ? elements : [part]).map((element) => {
        const { text, sentence, html, figure } = element.dataset;
        const content = figure ? (element.querySelector("svg")?.outerHTML ?? "") : element.innerText.trim();
        return [text ?? sentence ?? html ?? figure, content];
    });
}))"""


class Form:
    """A form on a page that has just been opened."""

    def __init__(self, page, request):
        self.page = page
        self.form = page.locator(f".explorable[data-ask={request}]")
        self.alert = self.form.locator("[role=alert]")

    def outputs(self):
        return self.form.evaluate(OUTPUTS)

    def input(self, name):
        return self.form.locator(f"[name={name}]")

    def outputs_after(self, change):
        """Makes a change, and returns the outputs as soon as they differ from those before."""
        before = self.outputs()
        change()
        return self.wait_for(lambda outputs: outputs != before, "nothing follows")

    def wait_for(self, condition, message):
        """Waits until the outputs meet a condition; raises `AssertionError` after the timeout."""
        for _ in range(TIMEOUT * 20):
            outputs = self.outputs()
            if condition(outputs):
                return outputs
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{message} (said: {self.alert.inner_text()!r})")


def check_outputs(form, names):
    """Checks that each input changes some output, and that all together change every output."""
    first = form.wait_for(lambda outputs: all(outputs.values()), "some place stays empty")
    assert set(first) == names, f"its places are {sorted(first)}"
    assert not form.alert.is_visible(), f"it says {form.alert.inner_text()!r}"
    for slider in form.form.locator("[type=range]").all():
        form.outputs_after(lambda slider=slider: slider.press("PageDown"))
        label = slider.locator("+ output").inner_text()
        assert label == slider.input_value(), f"a slider at {slider.input_value()} says {label}"
    for number in form.form.locator("[inputmode=numeric]").all():
        form.outputs_after(lambda number=number: enter(number, f"{number.input_value()}0"))
    for name, content in form.outputs().items():
        assert content != first[name], f"{name} does not follow"


def enter(field, text):
    field.fill(text)
    field.press("Enter")


def truth(outputs):
    """True number of positives, and number of rows."""
    return tuple(map(int, re.match(r"In truth (\d+) of (\d+) are positive\. [A-Z]", outputs[TRUTH]).groups()))


def check_draw_again(form):
    """Checks that another draw changes the outputs, but not the truth."""
    before = truth(form.outputs())
    outputs = form.outputs_after(lambda: form.form.get_by_role("button", name="Draw again").click())
    assert truth(outputs) == before, "another draw has another truth"


def check_fast_changes(form):
    """Checks that many fast changes end in the answer to the last one."""
    slider = form.input("prevalence")
    form.outputs_after(lambda: [slider.press("ArrowRight") for _ in range(20)])
    share, n = float(slider.input_value()), int(form.input("n").input_value())
    form.wait_for(lambda outputs: truth(outputs) == (round(share * n), n), f"not the answer to a share of {share}")


# Returns whether the first line of a form is visible, and not covered by another element.
IS_ON_TOP = """(line) => {
    const { x, y } = line.getBoundingClientRect();
    return line === document.elementFromPoint(x + 40, y + 5);
}"""


def check_sticky_sliders(form):
    """Checks at several widths that sliders are visible at each figure and do not cover its top."""
    summary = form.form.locator("summary")
    for width, figure in itertools.product([1280, 800, 400], form.page.locator("figure[data-of]").all()):
        form.page.set_viewport_size({"width": width, "height": 800})
        # The page needs a moment to measure the sliders' new height.
        form.page.wait_for_timeout(100)
        figure.evaluate("(figure) => figure.scrollIntoView({ behavior: 'instant' })")
        assert summary.evaluate(IS_ON_TOP), f"at a width of {width} the sliders are out of sight"
        sliders, figure_top = form.form.bounding_box(), figure.bounding_box()["y"]
        sliders_bottom = sliders["y"] + sliders["height"]
        assert figure_top >= sliders_bottom, f"at a width of {width} a figure begins behind the sliders"
    summary.click()
    form.form.locator(".inputs").wait_for(state="hidden")


def check_error(form):
    """Checks that an error message replaces the answer until the input is valid again."""
    tested = form.input("tested")
    enter(tested, "many")
    form.alert.filter(has_text="many").wait_for(timeout=TIMEOUT * 1000)
    assert not form.form.locator("[data-html]").is_visible(), "an old answer stands beside the error"
    enter(tested, "1000")
    form.form.locator("[data-html]").filter(has_text="1,000").wait_for(timeout=TIMEOUT * 1000)
    assert not form.alert.is_visible(), "an error that was mended is still there"


ADDITIONAL_CHECKS = {
    "classes": [check_draw_again, check_fast_changes, check_sticky_sliders],
    "counting": [],
    "counts": [check_error],
}


def check_without_scripts(browser, site):
    """Checks that each page shows a message without scripts; yields a fault if it shows inputs."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, request in FORM_OUTPUTS:
        page.goto(site.joinpath(f"{name}.html").as_uri())
        form = page.locator(f".explorable[data-ask={request}]")
        form.locator("[role=alert]").filter(visible=True).wait_for(timeout=TIMEOUT * 1000)
        if form.locator("input").filter(visible=True).count():
            yield f"{name}: inputs that do nothing, without scripts"
    context.close()


def check(browser, site):
    faults = []
    for (name, request), outputs in FORM_OUTPUTS.items():
        page = reader.open_page(browser, site, name, faults)
        form = Form(page, request)
        try:
            check_outputs(form, outputs)
            for check_more in ADDITIONAL_CHECKS[request]:
                check_more(form)
        except (AssertionError, Error) as error:
            faults.append(f"{name}, {request}: {error}")
        page.close()
    return [*faults, *check_without_scripts(browser, site)]


if __name__ == "__main__":
    reader.run(check)
