"""Pages in Chromium: at several widths, light and dark; what they say and ask for, and how they are rendered."""

import contextlib
from pathlib import Path

RULES = (Path(__file__).resolve().parent / "page.js").read_text()

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

# Seconds until there is no hope, on a machine that does other things too.
PATIENCE = 15.0
# A picture of a page is cut here.
TALLEST = 8_000

# What a page holds itself, which is fetched from nowhere.
INSIDE = ("blob:", "data:")


@contextlib.contextmanager
def opened(browser, file, screen, fault, **options):
    """A page. Whatever it says or asks for is a fault of it."""
    context = browser.new_context(**SCREENS[screen], **options)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    address = file.as_uri()
    page.on("console", lambda message: fault(f"console: {message.text}"))
    page.on("pageerror", lambda error: fault(f"error: {error}"))
    page.on("dialog", lambda dialog: (fault(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("websocket", lambda socket: fault(f"asks for {socket.url[:200]}"))
    page.on(
        "request",
        lambda request: (
            request.url == address or request.url.startswith(INSIDE) or fault(f"asks for {request.url[:200]}")
        ),
    )
    page.goto(address)
    yield page
    context.close()


def rendered(page, width, fault):
    for what in page.evaluate(RULES, width):
        fault(what)


def picture(page, folder, name):
    if folder:
        screen = page.viewport_size
        page.set_viewport_size(
            screen | {"height": min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)}
        )
        page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")
        page.screenshot(path=folder / f"{name}.png")
        page.set_viewport_size(screen)
