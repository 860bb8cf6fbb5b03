"""Checks the page with large tables: its time, its responsiveness and its memory."""

import random
import time

from answers import Command, check_estimates
from tables import SEED, table

ROWS = 1_000_000
MONTHS = 12
# Numbers of rows whose memory is compared, and the maximal ratio of the memory. Files below about
# ten megabytes are smaller than the chunks in which they are read, and would not show growth.
MEMORY_ROWS, MAX_GROWTH = [ROWS, 4_000_000], 1.2

# Limits of the time of a report in seconds, and of the time between frames in milliseconds.
MAX_REPORT_SECONDS, MAX_FRAME_MS = 5.0, 200

# Records the longest time between frames during a request, and the positions and visibility of the
# progress bar.
RECORD_FRAMES = """() => {
    const [running, bar] = ["running", "progress"].map((id) => document.getElementById(id));
    window.recorded = {};
    let last = performance.now();
    const record = () => {
        const now = performance.now();
        if (!running.hidden) {
            recorded.longestFrame = Math.max(recorded.longestFrame, now - last);
            // Positions count before the bar is visible: it appears with a delay, and most may have been read by then.
            if (bar.position > 0 && bar.position < 1) recorded.positions.push(bar.position);
            recorded.visible ||= bar.checkVisibility({ visibilityProperty: true });
        }
        last = now;
        requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
}"""

# Makes the worker remember the memory of its last WebAssembly instance.
RECORD_MEMORY = """() => {
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...parameters) {
        const instance = new Instance(...parameters);
        self.recordedMemory = instance.exports.memory;
        return instance;
    };
}"""
MEMORY_BYTES = "() => self.recordedMemory.buffer.byteLength"

# Requests estimates only; the page itself requests a report first.
REQUEST_ESTIMATES = """async () => {
    const [train, test] = document.querySelector("#test").files;
    const request = { ask: "estimates", form: "csv", train: train.name, test: [test.name] };
    return (await ask(request, [[train.name, train], [test.name, test]])).text;
}"""


def write_tables(folder):
    """Writes labelled rows and tables of `MEMORY_ROWS` rows, and returns their folder."""
    rng = random.Random(SEED)
    folder.mkdir(exist_ok=True)
    labelled = [(f"{rng.gauss(1 if label else -1, 1):.6f}", label) for label in [1, 0] for _ in range(2_000)]
    table(folder / "labelled.csv", ["score", "label"], labelled)
    rows = [
        f"2026-{1 + i * MONTHS // ROWS:02},{rng.gauss(1 if rng.random() < 0.3 else -1, 1):.6f}\n" for i in range(ROWS)
    ]
    for number in MEMORY_ROWS:
        with open(folder / f"{number}.csv", "w", encoding="utf-8", newline="") as out:
            out.writelines(["month,score\n", *(rows * -(-number // ROWS))[:number]])
    return folder


# Starts and cancels a count. This runs in the page, because a fast machine would finish before a
# click from outside.
CANCEL = """async () => {
    document.querySelector("#question .first").click();
    while (document.querySelector("#running").hidden) await new Promise(requestAnimationFrame);
    document.querySelector("#cancel").click();
}"""


def check_responsiveness(visitor, truecount, folder, report_fault):
    """Checks counts of a million rows and their cancellation; returns a summary of the times."""
    page = visitor.page
    page.set_input_files("#train", folder / "labelled.csv")
    visitor.wait_until_idle()
    page.evaluate(RECORD_FRAMES)
    counts = [check_count(lambda: page.set_input_files("#test", folder / f"{ROWS}.csv"), visitor, report_fault)]
    visitor.fill_form(by=["month"])
    counts.append(check_count(lambda: page.click("#question .first"), visitor, report_fault))
    # The minimum, because a busy machine may delay a frame once, but the page's own delays occur in
    # every count.
    longest_frame = min(milliseconds for _, milliseconds in counts)
    if longest_frame > MAX_FRAME_MS:
        report_fault(f"does not answer for {longest_frame:.0f} ms")
    check_cancellation(visitor, report_fault)
    check_estimates(visitor, Command(truecount, folder), 0, report_fault)
    times = " and ".join(f"{seconds:.1f}" for seconds, _ in counts)
    return f"reports in {times} s, still for {longest_frame:.0f} ms"


def check_count(start_count, visitor, report_fault):
    """Checks a count; returns its seconds and the longest time between frames in milliseconds."""
    visitor.page.evaluate("() => Object.assign(recorded, { longestFrame: 0, positions: [], visible: false })")
    start = time.perf_counter()
    start_count()
    visitor.wait_until_idle()
    seconds = time.perf_counter() - start
    if visitor.answer() is None:
        report_fault(f"there is no answer: {visitor.error()}")
    if seconds > MAX_REPORT_SECONDS:
        report_fault(f"a report takes {seconds:.1f} s")
    recorded = visitor.page.evaluate("() => recorded")
    positions = recorded["positions"]
    if not recorded["visible"] or len(set(positions)) < 3 or positions != sorted(positions):
        report_fault(f"progress is {'seen' if recorded['visible'] else 'not seen'}, in the steps {positions}"[:500])
    return seconds, recorded["longestFrame"]


def check_cancellation(visitor, report_fault):
    """Checks that a cancelled count leaves the previous answer, and that another count works."""
    page = visitor.page
    before = visitor.answer()
    page.fill("#positive_name", "otherwise")
    page.evaluate(CANCEL)
    if page.locator("#running").is_visible():
        report_fault("cancelled, it goes on")
    if visitor.error() or visitor.answer() != before:
        report_fault(f"cancelled, it says {visitor.error()!r} and {visitor.answer()!r}")
    page.fill("#positive_name", "")
    visitor.count()
    if visitor.answer() != before:
        report_fault(f"after a cancelled count it answers {visitor.answer()!r}, before {before!r}")


def check_memory(visitor, folder, report_fault):
    """Checks that memory hardly grows with the number of rows, and returns a summary."""
    page = visitor.page
    page.workers[0].evaluate(RECORD_MEMORY)
    sizes = []
    for number in MEMORY_ROWS:
        page.set_input_files("#test", [folder / "labelled.csv", folder / f"{number}.csv"])
        visitor.wait_until_idle()
        if f",{number}," not in page.evaluate(REQUEST_ESTIMATES):
            report_fault(f"not an estimate of {number} rows")
        sizes.append(page.workers[0].evaluate(MEMORY_BYTES))
    if sizes[1] > sizes[0] * MAX_GROWTH:
        report_fault(f"{MEMORY_ROWS[1]} rows take {sizes[1]} bytes, {MEMORY_ROWS[0]} rows {sizes[0]}")
    return " and ".join(f"{number} rows in {size / 1e6:.1f} MB" for number, size in zip(MEMORY_ROWS, sizes))
