"""A million rows: how long the page takes, and whether it answers meanwhile; and what memory estimates need."""

import random
import time

from answers import Command, same_estimates
from tables import SEED, table

ROWS = 1_000_000
MONTHS = 12
# Rows of which the memory is compared, and how much more there may be for the larger number. Less than some ten megabytes of them are
# smaller than the pieces in which they are read.
FEW, MORE, GROWTH = ROWS, 4_000_000, 1.2

# Seconds that a report may take, and milliseconds for which the page may not answer.
REPORT, STILL = 5.0, 200

# Notes for how long no frame came while something was asked, and what the bar showed of it.
WATCH = """() => {
    const [running, bar] = ["running", "progress"].map((id) => document.getElementById(id));
    window.watched = {};
    let last = performance.now();
    const look = () => {
        const now = performance.now();
        if (!running.hidden) {
            watched.still = Math.max(watched.still, now - last);
            // It is shown after a while, at the end of which most may have been read.
            if (bar.position > 0 && bar.position < 1) watched.steps.push(bar.position);
            watched.seen ||= bar.checkVisibility({ visibilityProperty: true });
        }
        last = now;
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""

# In the worker: the memory of the last program that it ran.
REMEMBER = """() => {
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...given) {
        const made = new Instance(...given);
        self.remembered = made.exports.memory;
        return made;
    };
}"""
REMEMBERED = "() => self.remembered.buffer.byteLength"

# Estimates alone, of which the page otherwise makes a report first.
ESTIMATES = """async () => {
    const [train, test] = document.querySelector("#test").files;
    const request = { ask: "estimates", form: "csv", train: train.name, test: [test.name] };
    return (await ask(request, [[train.name, train], [test.name, test]])).text;
}"""


def written(folder):
    """Writes what is labelled, and tables of that many rows; returns their folder."""
    rng = random.Random(SEED)
    folder.mkdir(exist_ok=True)
    labelled = [(f"{rng.gauss(1 if label else -1, 1):.6f}", label) for label in [1, 0] for _ in range(2_000)]
    table(folder / "labelled.csv", ["score", "label"], labelled)
    rows = [
        f"2026-{1 + i * MONTHS // ROWS:02},{rng.gauss(1 if rng.random() < 0.3 else -1, 1):.6f}\n" for i in range(ROWS)
    ]
    for number in [ROWS, MORE]:
        with open(folder / f"{number}.csv", "w", encoding="utf-8", newline="") as out:
            out.writelines(["month,score\n", *(rows * -(-number // ROWS))[:number]])
    return folder


# In the page, as soon as there is something to cancel: a fast machine is done before a click from outside gets there.
CANCEL = """async () => {
    document.querySelector("#question .first").click();
    while (document.querySelector("#running").hidden) await new Promise(requestAnimationFrame);
    document.querySelector("#cancel").click();
}"""


def million(visitor, truecount, folder, fault):
    page = visitor.page
    page.set_input_files("#train", folder / "labelled.csv")
    visitor.settle()
    page.evaluate(WATCH)
    counts = [timed(lambda: page.set_input_files("#test", folder / f"{ROWS}.csv"), visitor, fault)]
    visitor.choose(by=["month"])
    counts.append(timed(lambda: page.click("#question .first"), visitor, fault))
    # A machine that does other things may leave a page without a frame, but what a page does itself it does each time.
    still = min(still for _, still in counts)
    if still > STILL:
        fault(f"does not answer for {still:.0f} ms")
    cancelled(visitor, fault)
    same_estimates(visitor, Command(truecount, folder), 0, fault)
    return f"reports in {' and '.join(f'{seconds:.1f}' for seconds, _ in counts)} s, still for {still:.0f} ms"


def timed(act, visitor, fault):
    """A count: its seconds, and milliseconds without a frame."""
    visitor.page.evaluate("() => Object.assign(watched, { still: 0, steps: [], seen: false })")
    start = time.perf_counter()
    act()
    visitor.settle()
    seconds = time.perf_counter() - start
    if visitor.answer() is None:
        fault(f"there is no answer: {visitor.refusal()}")
    if seconds > REPORT:
        fault(f"a report takes {seconds:.1f} s")
    watched = visitor.page.evaluate("() => watched")
    steps = watched["steps"]
    if not watched["seen"] or len(set(steps)) < 3 or steps != sorted(steps):
        fault(f"progress is {'seen' if watched['seen'] else 'not seen'}, in the steps {steps}"[:500])
    return seconds, watched["still"]


def cancelled(visitor, fault):
    """What is cancelled ends, without a word; counted again, it is what it was."""
    page = visitor.page
    before = visitor.answer()
    page.fill("#positive_name", "otherwise")
    page.evaluate(CANCEL)
    if page.locator("#running").is_visible():
        fault("cancelled, it goes on")
    if visitor.refusal() or visitor.answer() != before:
        fault(f"cancelled, it says {visitor.refusal()!r} and {visitor.answer()!r}")
    page.fill("#positive_name", "")
    visitor.count()
    if visitor.answer() != before:
        fault(f"after a cancelled count it answers {visitor.answer()!r}, before {before!r}")


def memory(visitor, folder, fault):
    """Of estimates of few and of many rows."""
    page = visitor.page
    page.workers[0].evaluate(REMEMBER)
    taken = []
    for number in [FEW, MORE]:
        page.set_input_files("#test", [folder / "labelled.csv", folder / f"{number}.csv"])
        visitor.settle()
        if f",{number}," not in page.evaluate(ESTIMATES):
            fault(f"not an estimate of {number} rows")
        taken.append(page.workers[0].evaluate(REMEMBERED))
    if taken[1] > taken[0] * GROWTH:
        fault(f"{MORE} rows take {taken[1]} bytes, {FEW} rows {taken[0]}")
    return " and ".join(f"{number} rows in {bytes / 1e6:.1f} MB" for number, bytes in zip([FEW, MORE], taken))
