"""Actions of a visitor on the page, and the page's answers."""

import shlex
from pathlib import Path

QUESTION = "#question [role=alert]"

# Fields in the section that is closed at first.
DESIGN_FIELDS = ["weight", "cluster", "stratum", "population"]
OPTIONAL_FIELDS = [*DESIGN_FIELDS, "items", "positive_name", "method", "transform", "cutoff", "target", "level"]


class Visitor:
    """A visitor of a page that has just been opened."""

    def __init__(self, page):
        self.page = page
        page.wait_for_selector("#version:not(:empty)", state="attached")

    def select_files(self, train, test):
        """Selects the files instead of previous ones; the page counts as soon as it has both."""
        for role, files in [("#test", []), ("#train", train), ("#test", test)]:
            self.page.set_input_files(role, files)
            self.wait_until_idle()

    def fill_form(self, by=(), **fields):
        """Selects grouping columns, fills fields by their ids, and empties other optional fields."""
        if not self.page.locator("#items").is_visible():
            self.page.click("#more > summary")
        for name, value in (dict.fromkeys(OPTIONAL_FIELDS, "") | fields).items():
            field = self.page.locator(f"#{name}")
            # With several classes, some fields are not offered.
            if name not in fields and not field.is_visible():
                continue
            if field.evaluate("(field) => field.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        for box in self.page.locator("[name=by]").all():
            box.set_checked(box.get_attribute("value") in by)

    def count(self):
        self.page.click("#question .first")
        self.wait_until_idle()

    def show_example(self):
        self.page.click("#example")
        self.page.wait_for_selector("#answer:not([hidden])")
        self.wait_until_idle()

    def wait_until_idle(self):
        """Waits until the module has answered all requests and the page shows its last answer."""
        self.page.wait_for_selector("#running[hidden]", state="attached")

    def error(self):
        """Error message of the page, or `None` if there is none."""
        alert = self.page.locator(QUESTION)
        return alert.text_content() if alert.is_visible() else None

    def answer(self):
        """First sentence of the answer, or `None` if there is no answer."""
        answer = self.page.locator("#answer:not([hidden]) .answer")
        return answer.text_content() if answer.count() else None

    def download(self, button):
        """Clicks a button and returns the file that the page saves."""
        with self.page.expect_download() as download:
            self.page.click(button)
        return Path(download.value.path()).read_bytes()

    def command(self, part="#downloads"):
        """Words after `truecount` in the command line shown in a part of the page."""
        first, *words = shlex.split(self.page.locator(f"{part} .command code").text_content())
        assert first == "truecount", first
        return words

    def options(self):
        """Content of the form as options of the command; none if the form is hidden."""
        if not self.page.locator("#columns").is_visible():
            return []
        names = ["score", "label", "positive", *OPTIONAL_FIELDS]
        fields = [(name, self.page.locator(f"#{name}").input_value()) for name in names]
        by = [box.get_attribute("value") for box in self.page.locator("[name=by]").all() if box.is_checked()]
        fields.append(("by", ",".join(by)))
        return [word for name, value in fields if value for word in (f"--{name.replace('_', '-')}", value)]
