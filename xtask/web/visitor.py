"""What a visitor does on the page, and what the page then says."""

import shlex
from pathlib import Path

QUESTION = "#question [role=alert]"

# Fields that are folded at first.
MORE = ["items", "positive_name", "weight", "method", "transform", "target", "level"]


class Visitor:
    def __init__(self, page):
        self.page = page
        page.wait_for_selector("#version:not(:empty)", state="attached")

    def give(self, train, test):
        """Chooses the files, in the place of those that were; with both, the page counts by itself."""
        for role, files in [("#test", []), ("#train", train), ("#test", test)]:
            self.page.set_input_files(role, files)
            self.settle()

    def choose(self, by=(), **fields):
        """Fills the form: the columns of groups, and fields by their ids; what is folded is empty if it is not named."""
        if not self.page.locator("#items").is_visible():
            self.page.click("#more > summary")
        for name, value in (dict.fromkeys(MORE, "") | fields).items():
            field = self.page.locator(f"#{name}")
            if field.evaluate("(field) => field.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        for box in self.page.locator("[name=by]").all():
            box.set_checked(box.get_attribute("value") in by)

    def count(self):
        self.page.click("#question .first")
        self.settle()

    def settle(self):
        """Until nothing is asked of the module any more: what it answered last is shown by then."""
        self.page.wait_for_selector("#running[hidden]", state="attached")

    def refusal(self):
        """What is said to be wrong; nothing where there is an answer."""
        alert = self.page.locator(QUESTION)
        return alert.text_content() if alert.is_visible() else None

    def answer(self):
        answer = self.page.locator("#answer:not([hidden]) .answer")
        return answer.text_content() if answer.count() else None

    def saved(self, what):
        """What a browser saves when this is pressed."""
        with self.page.expect_download() as download:
            self.page.click(what)
        return Path(download.value.path()).read_bytes()

    def command(self, part="#downloads"):
        """The words behind `truecount` in the line that is shown there."""
        first, *words = shlex.split(self.page.locator(f"{part} .command code").text_content())
        assert first == "truecount", first
        return words

    def options(self):
        """What the form says, as the command takes it; a form that is hidden says nothing."""
        if not self.page.locator("#columns").is_visible():
            return []
        names = ["score", "label", "positive", *MORE]
        found = [(name, self.page.locator(f"#{name}").input_value()) for name in names]
        by = [box.get_attribute("value") for box in self.page.locator("[name=by]").all() if box.is_checked()]
        found.append(("by", ",".join(by)))
        return [word for name, value in found if value for word in (f"--{name.replace('_', '-')}", value)]
