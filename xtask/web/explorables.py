"""Moves the sliders of the book's explorables in Chromium, as a reader does who has the site on a disk.

    python explorables.py SITE      SITE is the folder of the built book

The script fails with a list of what is wrong: an answer or a picture that does not follow, an error that is not shown, anything said on the console,
a request for something that is not in the folder.
"""

import itertools
import re
import sys
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
import chromium
import reader

# Seconds, on a machine that does other things too.
PATIENCE = 30

# The pages, what each form asks, and its places for what is answered, in it and elsewhere on its page.
TRUTH = "In truth {positives} of {n} are positive. {answer}"
FORMS = {
    ("why/index", "classes"): {TRUTH, "html", "scores", "separation", "adjusted-count", "calibration", "weights"},
    ("why/index", "counting"): {"answer", "counting"},
    ("how-to/counts", "counts"): {"html", "command"},
}

# All that a form shows, by place: words, and pictures as they are.
SHOWN = """(form) => Object.fromEntries([form, ...document.querySelectorAll(`[data-of=${form.dataset.ask}]`)].flatMap((part) => {
    const places = [...part.querySelectorAll("[data-text], [data-sentence], [data-html], [data-figure]")];
    return (part === form ? places : [part]).map((place) => {
        const { text, sentence, html, figure } = place.dataset;
        const shown = figure ? (place.querySelector("svg")?.outerHTML ?? "") : place.innerText.trim();
        return [text ?? sentence ?? html ?? figure, shown];
    });
}))"""


class Form:
    """A form on a page that has just been opened."""

    def __init__(self, page, ask):
        self.page = page
        self.form = page.locator(f".explorable[data-ask={ask}]")
        self.alert = self.form.locator("[role=alert]")

    def shown(self):
        return self.form.evaluate(SHOWN)

    def input(self, name):
        return self.form.locator(f"[name={name}]")

    def after(self, change):
        """What is shown when it has become something else."""
        before = self.shown()
        change()
        return self.when(lambda shown: shown != before, "nothing follows")

    def when(self, so, wrong):
        for _ in range(PATIENCE * 20):
            shown = self.shown()
            if so(shown):
                return shown
            self.page.wait_for_timeout(50)
        raise AssertionError(f"{wrong} (said: {self.alert.inner_text()!r})")


def follows(form, places):
    """Every place is filled, and follows; every input leads to something."""
    first = form.when(lambda shown: all(shown.values()), "some place stays empty")
    assert set(first) == places, f"its places are {sorted(first)}"
    assert not form.alert.is_visible(), f"it says {form.alert.inner_text()!r}"
    for slider in form.form.locator("[type=range]").all():
        # As the keyboard moves it.
        form.after(lambda slider=slider: slider.press("PageDown"))
        beside = slider.locator("+ output").inner_text()
        assert beside == slider.input_value(), f"a slider at {slider.input_value()} says {beside}"
    for number in form.form.locator("[inputmode=numeric]").all():
        form.after(lambda number=number: typed(number, f"{number.input_value()}0"))
    for place, shown in form.shown().items():
        assert shown != first[place], f"{place} does not follow"


def typed(box, text):
    box.fill(text)
    box.press("Enter")


def truth(shown):
    """How many are positive, and of how many."""
    return tuple(map(int, re.match(r"In truth (\d+) of (\d+) are positive\. [A-Z]", shown[TRUTH]).groups()))


def drawn_again(form):
    before = truth(form.shown())
    shown = form.after(lambda: form.form.get_by_role("button", name="Draw again").click())
    assert truth(shown) == before, "another draw has another truth"


def newest_wins(form):
    """Many changes in a moment end in the answer to the last of them."""
    slider = form.input("prevalence")
    form.after(lambda: [slider.press("ArrowRight") for _ in range(20)])
    share, n = float(slider.input_value()), int(form.input("n").input_value())
    form.when(lambda shown: truth(shown) == (round(share * n), n), f"not the answer to a share of {share}")


# Whether the first line of a form is what one sees where it is.
IN_SIGHT = """(line) => {
    const { x, y } = line.getBoundingClientRect();
    return line === document.elementFromPoint(x + 40, y + 5);
}"""


def stays(form):
    """Where its figures are, its sliders are in sight, and no figure begins behind them, in windows of any width."""
    fold = form.form.locator("summary")
    for width, figure in itertools.product([1280, 800, 400], form.page.locator("figure[data-of]").all()):
        form.page.set_viewport_size({"width": width, "height": 800})
        # It takes a moment until the page knows how high they are now.
        form.page.wait_for_timeout(100)
        figure.evaluate("(figure) => figure.scrollIntoView({ behavior: 'instant' })")
        assert fold.evaluate(IN_SIGHT), f"at a width of {width} the sliders are out of sight"
        sliders, there = form.form.bounding_box(), figure.bounding_box()["y"]
        assert there >= sliders["y"] + sliders["height"], f"at a width of {width} a figure begins behind the sliders"
    fold.click()
    form.form.locator(".inputs").wait_for(state="hidden")


def refused(form):
    """What is wrong is said in a sentence, in the place of an answer, until it is mended."""
    tested = form.input("tested")
    typed(tested, "many")
    form.alert.filter(has_text="many").wait_for(timeout=PATIENCE * 1000)
    assert not form.form.locator("[data-html]").is_visible(), "an old answer stands beside the error"
    typed(tested, "1000")
    form.form.locator("[data-html]").filter(has_text="1000").wait_for(timeout=PATIENCE * 1000)
    assert not form.alert.is_visible(), "an error that was mended is still there"


FURTHER = {"classes": [drawn_again, newest_wins, stays], "counting": [], "counts": [refused]}


def without_script(browser, site):
    """A page that runs no script says so, and has no inputs that do nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for name, ask in FORMS:
        page.goto(site.joinpath(f"{name}.html").as_uri())
        form = page.locator(f".explorable[data-ask={ask}]")
        form.locator("[role=alert]").filter(visible=True).wait_for(timeout=PATIENCE * 1000)
        if form.locator("input").filter(visible=True).count():
            yield f"{name}: inputs that do nothing, without scripts"
    context.close()


def main(site):
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(), args=chromium.options())
        for (name, ask), places in FORMS.items():
            page = reader.opened(browser, site, name, wrong)
            form = Form(page, ask)
            try:
                follows(form, places)
                for further in FURTHER[ask]:
                    further(form)
            except (AssertionError, Error) as error:
                wrong.append(f"{name}, {ask}: {error}")
            page.close()
        wrong += without_script(browser, site)
        browser.close()
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    main(Path(sys.argv[1]).resolve())
