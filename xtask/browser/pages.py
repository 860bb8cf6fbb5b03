"""Opens pages in Chromium at several widths, and checks their messages, requests and rendering."""

import contextlib
from pathlib import Path

RENDERING_CHECKS = (Path(__file__).resolve().parent / "page.js").read_text()

SCREENS = {
    "screen": {"viewport": {"width": 1400, "height": 900}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
SCHEMES = ["light", "dark"]

# Timeout in seconds, long enough for a busy machine.
TIMEOUT = 15.0

# Schemes of addresses inside a page, which need no network.
LOCAL_SCHEMES = ("blob:", "data:")


@contextlib.contextmanager
def open_page(browser, file, screen, report_fault, **options):
    """Opens a page and reports its console messages, errors, dialogs and requests as faults."""
    context = browser.new_context(**(SCREENS[screen] | options))
    context.set_default_timeout(TIMEOUT * 1000)
    page = context.new_page()
    address = file.as_uri()
    page.on("console", lambda message: report_fault(f"console: {message.text}"))
    page.on("pageerror", lambda error: report_fault(f"error: {error}"))
    page.on("dialog", lambda dialog: (report_fault(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("websocket", lambda socket: report_fault(f"asks for {socket.url[:200]}"))
    page.on(
        "request",
        lambda request: (
            request.url == address
            or request.url.startswith(LOCAL_SCHEMES)
            or report_fault(f"asks for {request.url[:200]}")
        ),
    )
    page.goto(address)
    yield page
    context.close()


def check_rendering(page, width, report_fault):
    """Reports faults of the page as rendered at this width."""
    for message in page.evaluate(RENDERING_CHECKS, width):
        report_fault(message)
